package podspec_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/workload/podspec"
)

func objectOf(t *testing.T, text string) podspec.Object {
	t.Helper()
	node, err := yaml.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return podspec.Object{Node: node.YNode(), APIVersion: node.GetApiVersion(), Kind: node.GetKind(), Namespace: node.GetNamespace(), Name: node.GetName()}
}

func TestPlaces(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		reason, text string
		options      podspec.Options
		want         []string
	}{
		{
			reason: "the spec of a Pod is the PodSpec, and cannot change",
			text:   "{apiVersion: v1, kind: Pod, spec: {containers: [{name: a, image: i}]}}",
			want:   []string{"spec fixed [containers[0].image=i]"},
		},
		{
			reason: "a workload has its PodSpec in a template",
			text:   "{apiVersion: apps/v1, kind: Deployment, spec: {template: {spec: {containers: [{name: a, image: i}]}}}}",
			want:   []string{"spec.template.spec [containers[0].image=i]"},
		},
		{
			reason: "the same kind of another group is another kind",
			text:   "{apiVersion: example.com/v1, kind: Deployment, spec: {template: {spec: {containers: [{name: a, image: i}]}}}}",
		},
		{
			reason:  "discover finds a PodSpec by its containers",
			text:    "{apiVersion: example.com/v1, kind: Deployment, spec: {template: {spec: {containers: [{name: a, image: i}]}}}}",
			options: podspec.Options{Discover: true},
			want:    []string{"spec.template.spec [containers[0].image=i]"},
		},
		{
			reason:  "a stated path needs no discovery",
			text:    "{apiVersion: example.com/v1, kind: Fleet, spec: {jobs: [{pod: {containers: [{name: a, image: i}]}}, {pod: {containers: [{name: b, image: j}]}}]}}",
			options: podspec.Options{Additional: []podspec.Path{{Group: "example.com", Kind: "Fleet", Path: "spec.jobs[].pod"}}},
			want:    []string{"spec.jobs[0].pod [containers[0].image=i]", "spec.jobs[1].pod [containers[0].image=j]"},
		},
		{
			reason: "each deployment of a ClusterServiceVersion is a pod",
			text: `{apiVersion: operators.coreos.com/v1alpha1, kind: ClusterServiceVersion, spec: {install: {spec: {deployments: [
				{name: x, spec: {template: {spec: {containers: [{name: a, image: i}]}}}}]}}}}`,
			want: []string{"spec.install.spec.deployments[0].spec.template.spec [containers[0].image=i]"},
		},
		{
			reason: "a catalog has one image, which its placement is for",
			text:   "{apiVersion: operators.coreos.com/v1alpha1, kind: CatalogSource, spec: {image: i}}",
			want:   []string{"spec.grpcPodConfig placement [spec.image=i]"},
		},
		{
			reason: "a catalog without an image runs no pod of its own",
			text:   "{apiVersion: operators.coreos.com/v1alpha1, kind: CatalogSource, spec: {address: a:1}}",
		},
		{
			reason: "a Subscription names an operator and no image",
			text:   "{apiVersion: operators.coreos.com/v1alpha1, kind: Subscription, spec: {name: etcd}}",
			want:   []string{"spec.config placement package=etcd []"},
		},
		{
			reason: "a custom resource definition is no workload, whatever its schema is called",
			text:   "{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, spec: {containers: [{name: a, image: i}]}}",

			options: podspec.Options{Discover: true},
		},
	} {
		t.Run(tc.reason, func(t *testing.T) {
			t.Parallel()
			var got []string
			for _, place := range podspec.Places(objectOf(t, tc.text), tc.options) {
				line := place.Path
				if place.Fixed {
					line += " fixed"
				}
				if place.Shape == podspec.Placement {
					line += " placement"
				}
				if place.Package != "" {
					line += " package=" + place.Package
				}
				images := []string{}
				for _, image := range place.Images() {
					images = append(images, image.Path+"="+image.Reference)
				}
				got = append(got, line+" "+fmt.Sprint(images))
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestImages(t *testing.T) {
	t.Parallel()
	pod := `{apiVersion: v1, kind: Pod, metadata: {annotations: {image.openshift.io/triggers:
		'[{"from":{"kind":"ImageStreamTag","name":"a:1"},"fieldPath":"spec.containers[?(@.name==\"triggered\")].image"}]'}},
	spec: {
		initContainers: [{name: init, image: quay.io/a/init:1}],
		containers: [{name: main, image: quay.io/a/main:1}, {name: none}, {name: list, image: [a]}, {name: variable, image: "${IMAGE}"},
			{name: template, image: "{{ .image }}"}, {name: empty, image: " "}, {name: triggered, image: " "}],
		ephemeralContainers: [{name: debug, image: quay.io/a/debug:1}],
		volumes: [{name: data, image: {reference: quay.io/a/data:1}}, {name: tmp, emptyDir: {}}]}}`
	want := []podspec.Image{
		{Reference: "quay.io/a/init:1", Path: "initContainers[0].image", Container: "init"},
		{Reference: "quay.io/a/main:1", Path: "containers[0].image", Container: "main"},
		{Path: "containers[1].image", Container: "none", Unknown: "the container names no image"},
		{Path: "containers[2].image", Container: "list", Unknown: "the image is not a string"},
		{Reference: "${IMAGE}", Path: "containers[3].image", Container: "variable", Unknown: `the image "${IMAGE}" has a variable`},
		{Reference: "{{ .image }}", Path: "containers[4].image", Container: "template", Unknown: `the image "{{ .image }}" is a template`},
		{Reference: " ", Path: "containers[5].image", Container: "empty", Unknown: "the image is empty"},
		{Reference: " ", Path: "containers[6].image", Container: "triggered", Unknown: "an image trigger fills in the image"},
		{Reference: "quay.io/a/debug:1", Path: "ephemeralContainers[0].image", Container: "debug", Omitted: "Kubernetes adds an ephemeral container to a pod that already has its node"},
		{Reference: "quay.io/a/data:1", Path: "volumes[0].image.reference", Container: "data"},
	}
	places := podspec.Places(objectOf(t, pod), podspec.Options{})
	if len(places) != 1 {
		t.Fatalf("want one place, got %d", len(places))
	}
	if diff := cmp.Diff(want, places[0].Images()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
