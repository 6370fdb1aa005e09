package items

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/manifest/object"
	"github.com/goldenarch/goldenarch/internal/workload"
)

// TestSelectors: the annotations of a Namespace, and the default of OpenShift's Scheduler,
// as its admission plugin reads them.
func TestSelectors(t *testing.T) {
	t.Parallel()
	const scheduler = "apiVersion: config.openshift.io/v1\nkind: Scheduler\nmetadata: {name: cluster}\nspec: {defaultNodeSelector: 'a=b, c='}\n"
	own, byDefault := map[string]string{"x": "y"}, map[string]string{"a": "b", "c": ""}
	for _, tc := range []struct {
		reason, annotations, others string
		want                        workload.NodeSelector
	}{
		{reason: "OpenShift's annotation", annotations: "openshift.io/node-selector: x=y", want: workload.NodeSelector{Labels: own}},
		{reason: "the annotation of Kubernetes", annotations: "scheduler.alpha.kubernetes.io/node-selector: x=y", want: workload.NodeSelector{Labels: own}},
		{
			reason:      "OpenShift leaves a namespace with the annotation of Kubernetes alone",
			annotations: "openshift.io/node-selector: a=b, scheduler.alpha.kubernetes.io/node-selector: x=y", want: workload.NodeSelector{Labels: own},
		},
		{reason: "the default of the cluster", others: scheduler, want: workload.NodeSelector{Labels: byDefault, FromScheduler: true}},
		{reason: "an annotation wins over it", annotations: "openshift.io/node-selector: x=y", others: scheduler, want: workload.NodeSelector{Labels: own}},
		{reason: "also an empty one", annotations: `openshift.io/node-selector: ""`, others: scheduler},
		{reason: "and an empty one of Kubernetes", annotations: `scheduler.alpha.kubernetes.io/node-selector: ""`, others: scheduler},
		{reason: "a Scheduler with another name is nobody's", others: strings.Replace(scheduler, "name: cluster", "name: other", 1)},
		{reason: "a kind of another group", others: strings.Replace(scheduler, "config.openshift.io", "example.com", 1)},
		{reason: "without a default", others: strings.Replace(scheduler, "defaultNodeSelector", "profile", 1)},
	} {
		text := "apiVersion: v1\nkind: Namespace\nmetadata: {name: ns, annotations: {" + tc.annotations + "}}\n"
		list := []*yaml.RNode{yaml.MustParse(text)}
		if tc.others != "" {
			list = append(list, yaml.MustParse(tc.others))
		}
		got := Selectors(object.All(list))["ns"]
		own := len(got.Labels) > 0 && !got.FromScheduler
		if own != (got.Annotation != "") || own && !strings.Contains(tc.annotations, got.Annotation+": x=y") {
			t.Errorf("%s: the annotation is %q", tc.reason, got.Annotation)
		}
		got.Annotation = ""
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
		}
	}
}
