package podspec_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/workload/podspec"
)

// TestKeys: a key identifies a place among those of its object.
func TestKeys(t *testing.T) {
	t.Parallel()
	csv := func(deployments string) string {
		return `{apiVersion: operators.coreos.com/v1alpha1, kind: ClusterServiceVersion, spec: {install: {spec: {deployments: [` + deployments + `]}}}}`
	}
	const below = "spec.install.spec.deployments"
	for _, tc := range []struct {
		reason, text string
		options      podspec.Options
		want         []string
	}{
		{
			reason: "the only place needs none", text: "{apiVersion: v1, kind: Pod, spec: {containers: [{image: i}]}}", want: []string{""},
		},
		{
			reason: "the names of list elements", text: csv("{name: a, spec: {template: {spec: {}}}}, {name: b, spec: {template: {spec: {}}}}"),
			want: []string{"a", "b"},
		},
		{
			reason: "names that are there twice do not identify a place",
			text:   csv("{name: a, spec: {template: {spec: {}}}}, {name: a, spec: {template: {spec: {}}}}"),
			want:   []string{below + "[0].spec.template.spec", below + "[1].spec.template.spec"},
		},
		{
			reason: "a name with a character that a record uses", text: csv("{name: 'a;b', spec: {template: {spec: {}}}}, {name: b, spec: {template: {spec: {}}}}"),
			want: []string{below + "[0].spec.template.spec", "b"},
		},
		{
			reason: "paths of a kind with several", text: "{apiVersion: example.com/v1, kind: Fleet, spec: {one: {}, two: {}}}",
			options: podspec.Options{Additional: []podspec.Path{
				{Group: "example.com", Kind: "Fleet", Path: "spec.one"},
				{Group: "example.com", Kind: "Fleet", Path: "spec.two"},
			}},
			want: []string{"spec.one", "spec.two"},
		},
		{
			reason: "two paths to one mapping are one place", text: "{apiVersion: example.com/v1, kind: Fleet, spec: {one: {}}}",
			options: podspec.Options{Additional: []podspec.Path{
				{Group: "example.com", Kind: "Fleet", Path: "spec.one"},
				{Group: "example.com", Kind: "Fleet", Path: "spec.one"},
			}},
			want: []string{"spec.one"},
		},
		{
			reason: "what is not a mapping is no place", text: "{apiVersion: v1, kind: Pod, spec: [a]}",
		},
		{
			reason: "discovered places have their paths", text: "{kind: X, a: {containers: [{image: i}]}, b: [{containers: [{image: i}]}]}",
			options: podspec.Options{Discover: true}, want: []string{"a", "b[0]"},
		},
	} {
		t.Run(tc.reason, func(t *testing.T) {
			t.Parallel()
			var got []string
			for _, place := range podspec.Places(objectOf(t, tc.text), tc.options) {
				got = append(got, place.Key)
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestDiscover: which mappings of an unknown kind are PodSpecs.
func TestDiscover(t *testing.T) {
	t.Parallel()
	const spec = "{containers: [{image: i}]}"
	deep := func(levels int) string {
		return "{kind: X, a: " + strings.Repeat("{b: ", levels) + spec + strings.Repeat("}", levels) + "}"
	}
	for _, tc := range []struct {
		reason, text string
		want         int
	}{
		{"a list of containers with an image", "{kind: X, spec: " + spec + "}", 1},
		{"containers without an image", "{kind: X, spec: {containers: [{name: a}]}}", 0},
		{"containers that are not a list", "{kind: X, spec: {containers: {image: i}}}", 0},
		{"metadata and status describe nothing to run", "{kind: X, metadata: {a: " + spec + "}, status: {a: " + spec + "}}", 0},
		{"no PodSpec in a PodSpec", "{kind: X, spec: {containers: [{image: i}], a: " + spec + "}}", 1},
		{"as deep as 32 fields", deep(32), 1},
		{"and no deeper", deep(33), 0},
	} {
		if got := podspec.Places(objectOf(t, tc.text), podspec.Options{Discover: true}); len(got) != tc.want {
			t.Errorf("%s: want %d, got %v", tc.reason, tc.want, got)
		}
		if got := podspec.Places(objectOf(t, tc.text), podspec.Options{}); len(got) > 0 {
			t.Errorf("%s: without discovery, got %v", tc.reason, got)
		}
	}
}

// TestAttach: a placement that the object does not have yet comes where it belongs.
func TestAttach(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ reason, text, want string }{
		{
			reason: "a Subscription without config",
			text:   "{apiVersion: operators.coreos.com/v1alpha1, kind: Subscription, spec: {name: etcd}}",
			want:   "{apiVersion: operators.coreos.com/v1alpha1, kind: Subscription, spec: {name: etcd, config: {}}}",
		},
		{
			reason: "what is there stays",
			text:   "{apiVersion: operators.coreos.com/v1alpha1, kind: Subscription, spec: {name: etcd, config: {env: []}}}",
			want:   "{apiVersion: operators.coreos.com/v1alpha1, kind: Subscription, spec: {name: etcd, config: {env: []}}}",
		},
		{
			reason: "a ClusterExtension also says that its configuration is inline",
			text:   "{apiVersion: olm.operatorframework.io/v1, kind: ClusterExtension, spec: {source: {catalog: {packageName: etcd}}}}",
			want: "{apiVersion: olm.operatorframework.io/v1, kind: ClusterExtension, spec: {source: {catalog: {packageName: etcd}}, " +
				"config: {configType: Inline, inline: {deploymentConfig: {}}}}}",
		},
		{
			reason: "unless it says what it is",
			text:   "{apiVersion: olm.operatorframework.io/v1, kind: ClusterExtension, spec: {source: {catalog: {packageName: etcd}}, config: {configType: Inline}}}",
			want: "{apiVersion: olm.operatorframework.io/v1, kind: ClusterExtension, spec: {source: {catalog: {packageName: etcd}}, " +
				"config: {configType: Inline, inline: {deploymentConfig: {}}}}}",
		},
	} {
		o := objectOf(t, tc.text)
		places := podspec.Places(o, podspec.Options{})
		if len(places) != 1 {
			t.Fatalf("%s: got %d places", tc.reason, len(places))
		}
		places[0].Attach()
		got := structureOf(t, yaml.NewRNode(o.Node).MustString())
		if diff := cmp.Diff(structureOf(t, tc.want), got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
		}
	}
}

func structureOf(t *testing.T, text string) any {
	t.Helper()
	var out any
	if err := yaml.Unmarshal([]byte(text), &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// TestPlacementsOfOperators: which objects name an operator, or an image, whose pods they place.
func TestPlacementsOfOperators(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		reason, text string
		want         int
	}{
		{"a Subscription without a name", "{apiVersion: operators.coreos.com/v1alpha1, kind: Subscription, spec: {channel: stable}}", 0},
		{"a config that is not a mapping", "{apiVersion: operators.coreos.com/v1alpha1, kind: Subscription, spec: {name: etcd, config: [a]}}", 0},
		{"a ClusterExtension", "{apiVersion: olm.operatorframework.io/v1, kind: ClusterExtension, spec: {source: {catalog: {packageName: etcd}}}}", 1},
		{
			"a configuration that is no mapping has no place for a placement",
			"{apiVersion: olm.operatorframework.io/v1, kind: ClusterExtension, spec: {source: {catalog: {packageName: etcd}}, config: {inline: text}}}", 0,
		},
		{
			"a configuration that is a list, neither",
			"{apiVersion: olm.operatorframework.io/v1, kind: ClusterExtension, spec: {source: {catalog: {packageName: etcd}}, config: [a]}}", 0,
		},
		{
			"a configuration that is null is none yet",
			"{apiVersion: olm.operatorframework.io/v1, kind: ClusterExtension, spec: {source: {catalog: {packageName: etcd}}, config: null}}", 1,
		},
		{"a Subscription of another group", "{apiVersion: example.com/v1, kind: Subscription, spec: {name: etcd}}", 0},
	} {
		if got := podspec.Places(objectOf(t, tc.text), podspec.Options{}); len(got) != tc.want {
			t.Errorf("%s: want %d, got %v", tc.reason, tc.want, got)
		}
	}
}

func TestPullSecrets(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		reason, text string
		want         []string
	}{
		{"none", "{apiVersion: v1, kind: Pod, spec: {containers: []}}", nil},
		{"those of a PodSpec", "{apiVersion: v1, kind: Pod, spec: {imagePullSecrets: [{name: a}, {name: ''}, {other: c}, {name: b}]}}", []string{"a", "b"}},
		{
			"those of a CatalogSource are names",
			"{apiVersion: operators.coreos.com/v1alpha1, kind: CatalogSource, spec: {image: i, secrets: [a, '', {name: b}]}}",
			[]string{"a"},
		},
		{"secrets of another kind are not for pulling", "{apiVersion: v1, kind: Pod, spec: {secrets: [a]}}", nil},
	} {
		places := podspec.Places(objectOf(t, tc.text), podspec.Options{})
		if len(places) != 1 {
			t.Fatalf("%s: got %d places", tc.reason, len(places))
		}
		if diff := cmp.Diff(tc.want, places[0].PullSecrets()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
		}
	}
}

// TestTriggers: which containers get their image from an image trigger.
func TestTriggers(t *testing.T) {
	t.Parallel()
	const pods = "spec: {containers: [{name: a, image: i}, {name: b, image: i}]}"
	workload := func(annotation string) string {
		return "{apiVersion: apps/v1, kind: Deployment, metadata: {annotations: {image.openshift.io/triggers: '" + annotation +
			"'}}, spec: {template: {" + pods + "}}}"
	}
	config := func(kind, trigger string) string {
		group := map[string]string{"DeploymentConfig": "apps.openshift.io/v1", "Deployment": "apps/v1"}[kind]
		return "{apiVersion: " + group + ", kind: " + kind + ", spec: {triggers: [{type: " + trigger +
			", imageChangeParams: {containerNames: [b]}}], template: {" + pods + "}}}"
	}
	for _, tc := range []struct {
		reason, text string
		want         []string // the containers whose image nobody knows
	}{
		{"no trigger", workload("[]"), nil},
		{"one that names a container", workload(`[{"fieldPath":"spec.template.spec.containers[?(@.name=="b")].image"}]`), []string{"b"}},
		{"one by an index may be any of them", workload(`[{"fieldPath":"spec.template.spec.containers[0].image"}]`), []string{"a", "b"}},
		{"a DeploymentConfig lists the names", config("DeploymentConfig", "ImageChange"), []string{"b"}},
		{"a trigger of another type", config("DeploymentConfig", "ConfigChange"), nil},
		{"a Deployment has no triggers", config("Deployment", "ImageChange"), nil},
	} {
		var got []string
		for _, place := range podspec.Places(objectOf(t, tc.text), podspec.Options{}) {
			for _, image := range place.Images() {
				if image.Unknown != "" {
					got = append(got, image.Container)
				}
			}
		}
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
		}
	}
}

// TestProxyOfIstio: Istio puts its proxy in the place of a word, whatever the container is called.
func TestProxyOfIstio(t *testing.T) {
	t.Parallel()
	object := objectOf(t, "{apiVersion: apps/v1, kind: Deployment, spec: {template: {spec: {containers: ["+
		"{name: istio-proxy, image: auto}, {name: a, image: auto}, {name: istio-proxy, image: istio/proxyv2}]}}}}")
	for i, image := range podspec.Places(object, podspec.Options{})[0].Images() {
		if got := image.Omitted != ""; got != (i < 2) {
			t.Errorf("%s: got %q", image.Path, image.Omitted)
		}
	}
}

func TestNotLiteral(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		reason, text string
		literal      bool
	}{
		{"a reference", "quay.io/a/b:1", true},
		{"nothing", "", false},
		{"blanks", " \t", false},
		{"a template", "{{ .Values.image }}", false},
		{"a variable of a shell or Flux", "quay.io/a/b:${TAG}", false},
		{"a variable of kustomize or a pod", "quay.io/a/b:$(TAG)", false},
		{"a package that ko builds", "ko://example.com/a/cmd/b", false},
		{"a brace alone", "quay.io/a/{b}", true},
	} {
		if got := podspec.NotLiteral(tc.text); (got == "") != tc.literal {
			t.Errorf("%s: got %q", tc.reason, got)
		}
	}
}

// TestMayHave: which items are read although their kind says nothing about pods.
func TestMayHave(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		reason, text string
		want         bool
	}{
		{"containers, wherever they are", "{a: [{b: {containers: []}}]}", true},
		{"a placement", "{kind: X, spec: {nodeSelector: {}}}", true},
		{"an affinity", "{kind: X, spec: {nodeAffinity: {}}}", true},
		{"the images of a bundle", "{relatedImages: []}", true},
		{"a kind that may lack all of these", "{kind: Subscription, spec: {}}", true},
		{"wrapped", "{kind: List, items: [{kind: CatalogSource}]}", true},
		{"a value of that name", "{kind: ConfigMap, data: {a: containers, b: Subscription}}", false},
		{"another object", "{kind: ConfigMap, data: {a: b}}", false},
		{"deeper than any wrapper", strings.Repeat("{a: ", 130) + "{containers: []}" + strings.Repeat("}", 130), false},
	} {
		if got := podspec.MayHave(yaml.MustParse(tc.text).YNode()); got != tc.want {
			t.Errorf("%s: got %t", tc.reason, got)
		}
		hasWord := false
		for _, word := range podspec.Words() {
			hasWord = hasWord || strings.Contains(tc.text, word)
		}
		if tc.want && !hasWord {
			t.Errorf("%s: a text without any of the words is not read", tc.reason)
		}
	}
}

// TestObject: what an object says about itself.
func TestObject(t *testing.T) {
	t.Parallel()
	o := objectOf(t, "{apiVersion: apps/v1, kind: Deployment, metadata: {labels: {a: b, c: [d]}, annotations: {e: f}}}")
	if o.Group() != "apps" || objectOf(t, "{apiVersion: v1, kind: Pod}").Group() != "" {
		t.Error("the group is what is before the slash")
	}
	if o.Annotation("e") != "f" || o.Annotation("a") != "" {
		t.Error("an annotation is not a label")
	}
	if diff := cmp.Diff(map[string]string{"a": "b"}, o.Labels()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got := objectOf(t, "{kind: Pod, metadata: {labels: [a]}}").Labels(); got != nil {
		t.Errorf("labels that are a list: %v", got)
	}
}

func TestIsRecreated(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		reason, metadata string
		want             bool
	}{
		{"an object with a name", "{name: a}", false},
		{"a generated name", "{generateName: a-}", true},
		{"a name wins", "{name: a, generateName: a-}", false},
		{"a hook of Argo CD", "{name: a, annotations: {argocd.argoproj.io/hook: PreSync}}", true},
		{"a hook of Helm", "{name: a, annotations: {helm.sh/hook: pre-install}}", true},
		{"Argo CD deletes it and makes it again", "{name: a, annotations: {argocd.argoproj.io/sync-options: 'Force=true, Replace=true'}}", true},
		{"kubectl replace alone updates it", "{name: a, annotations: {argocd.argoproj.io/sync-options: 'Prune=false,Replace=true'}}", false},
		{"force alone applies it first", "{name: a, annotations: {argocd.argoproj.io/sync-options: Force=true}}", false},
		{"Flux makes it again", "{name: a, annotations: {kustomize.toolkit.fluxcd.io/force: enabled}}", true},
		{"Flux does not", "{name: a, annotations: {kustomize.toolkit.fluxcd.io/force: disabled}}", false},
		{"another option of Argo CD", "{name: a, annotations: {argocd.argoproj.io/sync-options: Prune=false}}", false},
	} {
		if got := objectOf(t, "{apiVersion: batch/v1, kind: Job, metadata: "+tc.metadata+"}").IsRecreated(); got != tc.want {
			t.Errorf("%s: got %t", tc.reason, got)
		}
	}
}
