package wrapper_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/wrapper"
)

const configurationPolicy = `apiVersion: policy.open-cluster-management.io/v1
kind: ConfigurationPolicy
spec:
  object-templates:
  - complianceType: MustOnlyHave
    objectDefinition: {apiVersion: hco.kubevirt.io/v1beta1, kind: HyperConverged, spec: {}}
  - complianceType: musthave
    objectDefinition: {apiVersion: hco.kubevirt.io/v1beta1, kind: HyperConverged, spec: {}}
  - complianceType: mustnothave
    objectDefinition: {apiVersion: hco.kubevirt.io/v1beta1, kind: HyperConverged}
  - complianceType: mustonlyhave
    objectDefinition: {apiVersion: hco.kubevirt.io/v1beta1, kind: HyperConverged, status: {systemHealthStatus: healthy}}
  - complianceType: musthave
    objectDefinition: text
  - complianceType: musthave
    objectDefinition: {apiVersion: hco.kubevirt.io/v1beta1, kind: HyperConverged, <<: {status: {systemHealthStatus: healthy}}}
`

const manifestWork = `apiVersion: work.open-cluster-management.io/v1
kind: ManifestWork
spec:
  workload:
    manifests:
    - {apiVersion: v1, kind: Namespace, metadata: {name: a}}
    - {apiVersion: hco.kubevirt.io/v1beta1, kind: HyperConverged, metadata: {name: hco, namespace: a}}
    - {apiVersion: hco.kubevirt.io/v1beta1, kind: HyperConverged, metadata: {name: other, namespace: a}}
    - {apiVersion: hco.kubevirt.io/v1beta1, kind: HyperConverged, metadata: {name: seen, namespace: a}}
  manifestConfigs:
  - resourceIdentifier: {group: hco.kubevirt.io, resource: hyperconvergeds, name: hco, namespace: a}
    updateStrategy: {type: CreateOnly}
  - resourceIdentifier: {group: hco.kubevirt.io, resource: hyperconvergeds, name: seen, namespace: a}
    updateStrategy: {type: ReadOnly}
`

// syncSet is a set of hive with a CR.
func syncSet(kind, behavior string) string {
	return "apiVersion: hive.openshift.io/v1\nkind: " + kind + "\nspec:\n  applyBehavior: " + behavior +
		"\n  resources: [{apiVersion: hco.kubevirt.io/v1beta1, kind: HyperConverged}]\n"
}

func TestOpen(t *testing.T) {
	t.Parallel()
	type held struct {
		Path  string
		Reach wrapper.Reach
	}
	tests := []struct {
		name, reason, text string
		want               []held
	}{
		{
			name: "policy", reason: "a Policy holds policies, which are wrappers themselves",
			text: `apiVersion: policy.open-cluster-management.io/v1
kind: Policy
spec:
  policy-templates:
  - objectDefinition: {kind: ConfigurationPolicy}
  - extraDependencies: []
`,
			want: []held{{Path: "spec.policy-templates[0].objectDefinition"}},
		},
		{
			name: "compliance types", reason: "only mustonlyhave replaces a list; the case of the letters does not matter",
			text: configurationPolicy,
			want: []held{
				{"spec.object-templates[0].objectDefinition", wrapper.Applied},
				{"spec.object-templates[1].objectDefinition", wrapper.Merged},
				{"spec.object-templates[2].objectDefinition", wrapper.Compared},
				{"spec.object-templates[3].objectDefinition", wrapper.Compared},
				{"spec.object-templates[5].objectDefinition", wrapper.Compared},
			},
		},
		{
			name: "update strategies", reason: "a strategy counts for the object that its identifier names",
			text: manifestWork,
			want: []held{
				{"spec.workload.manifests[0]", wrapper.Applied},
				{"spec.workload.manifests[1]", wrapper.CreatedOnce},
				{"spec.workload.manifests[2]", wrapper.Applied},
				{"spec.workload.manifests[3]", wrapper.Compared},
			},
		},
		{
			name: "patterns", reason: "a star in an identifier matches any text, and the first strategy counts",
			text: `apiVersion: work.open-cluster-management.io/v1
kind: ManifestWork
spec:
  workload:
    manifests:
    - {apiVersion: hco.kubevirt.io/v1beta1, kind: HyperConverged, metadata: {name: hco, namespace: a}}
    - {apiVersion: hco.kubevirt.io/v1beta1, kind: HyperConverged, metadata: {name: hco.b, namespace: b}}
    - {apiVersion: hco.kubevirt.io/v1beta1, kind: HyperConverged, metadata: {name: hcoxb, namespace: c}}
    - {apiVersion: hco.kubevirt.io/v1beta1, kind: HyperConverged, metadata: {name: d, namespace: d}}
  manifestConfigs:
  - resourceIdentifier: {group: hco.kubevirt.io, resource: hyperconvergeds, name: hco, namespace: a}
    feedbackRules: [{type: WellKnownStatus}]
  - resourceIdentifier: {group: hco.kubevirt.io, resource: hyperconvergeds, name: hco.*, namespace: "*"}
    updateStrategy: {type: ReadOnly}
  - resourceIdentifier: {group: hco.kubevirt.io, resource: hyperconvergeds, name: d, namespace: d}
    updateStrategy: {type: ServerSideApply}
  - resourceIdentifier: {group: hco.kubevirt.io, resource: hyperconvergeds, name: "*", namespace: "*"}
    updateStrategy: {type: CreateOnly}
`,
			want: []held{
				{"spec.workload.manifests[0]", wrapper.CreatedOnce},
				{"spec.workload.manifests[1]", wrapper.Compared},
				{"spec.workload.manifests[2]", wrapper.CreatedOnce},
				{"spec.workload.manifests[3]", wrapper.Applied},
			},
		},
		{
			name: "hive", reason: "hive applies what it holds again and again",
			text: syncSet("SyncSet", "CreateOrUpdate"), want: []held{{"spec.resources[0]", wrapper.Applied}},
		},
		{
			name: "hive creates", reason: "hive leaves what is there alone",
			text: syncSet("SyncSet", "CreateOnly"), want: []held{{"spec.resources[0]", wrapper.CreatedOnce}},
		},
		{
			name: "hive creates for a selector", reason: "in both kinds",
			text: syncSet("SelectorSyncSet", "CreateOnly"), want: []held{{"spec.resources[0]", wrapper.CreatedOnce}},
		},
		{
			name: "other group", reason: "a kind of another group is no wrapper",
			text: "apiVersion: example.com/v1\nkind: Policy\nspec: {policy-templates: [{objectDefinition: {}}]}\n",
		},
		{
			name: "other shape", reason: "a list that is a map holds nothing",
			text: "apiVersion: hive.openshift.io/v1\nkind: SyncSet\nspec: {resources: {a: {}}}\n",
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			n := yaml.MustParse(test.text)
			var got []held
			for _, h := range wrapper.Open(n.GetApiVersion(), n.GetKind(), n.YNode()) {
				got = append(got, held{h.Path, h.Reach})
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", test.reason, diff)
			}
		})
	}
}

// TestRemediationOf: the action of a Policy counts before that of its templates.
func TestRemediationOf(t *testing.T) {
	t.Parallel()
	const group, policy = "policy.open-cluster-management.io/v1", "ConfigurationPolicy"
	for _, tc := range []struct {
		reason, kind, action string
		around               wrapper.Remediation
		informs              bool
	}{
		{"a policy that informs", policy, "inform", "", true},
		{"in other letters", policy, "Inform", "", true},
		{"a policy that enforces", policy, "enforce", "", false},
		{"without an action goldenarch says nothing", policy, "", "", false},
		{"what a template engine fills in is not known", policy, "'${REMEDIATION}'", "", false},
		{"a Policy enforces its templates", policy, "inform", "enforce", false},
		{"and it makes them inform", policy, "enforce", "inform", true},
		{"but for those that only inform", policy, "InformOnly", "enforce", true},
		{"a Policy itself", "Policy", "inform", "", true},
		{"another object in a policy", "ManifestWork", "enforce", "inform", true},
		{"no policy", "ManifestWork", "inform", "", false},
	} {
		version := group
		if tc.kind == "ManifestWork" {
			version = "work.open-cluster-management.io/v1"
		}
		node := yaml.MustParse("spec: {remediationAction: " + tc.action + "}").YNode()
		if got := wrapper.RemediationOf(version, tc.kind, node, tc.around); got.Informs() != tc.informs {
			t.Errorf("%s: want %v, got %q", tc.reason, tc.informs, got)
		}
	}
}

func TestUnread(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, reason, text string
		want               []string
	}{
		{
			name: "opened", reason: "what Open returns is read",
			text: manifestWork,
		},
		{
			name: "unknown wrapper", reason: "a kind that goldenarch does not open holds a CR",
			text: `apiVersion: kubernetes.crossplane.io/v1alpha2
kind: Object
spec:
  forProvider:
    manifest: {apiVersion: hco.kubevirt.io/v1, kind: HyperConverged}
`,
			want: []string{"spec.forProvider.manifest"},
		},
		{
			name: "raw templates", reason: "a template of a CR is text",
			text: `apiVersion: policy.open-cluster-management.io/v1
kind: ConfigurationPolicy
spec:
  object-templates-raw: |
    - complianceType: musthave
      objectDefinition:
        kind: HyperConverged
`,
			want: []string{"spec.object-templates-raw"},
		},
		{
			name: "config map", reason: "a key with a dot stands in brackets",
			text: "apiVersion: v1\nkind: ConfigMap\ndata:\n  hco.yaml: |\n    apiVersion: hco.kubevirt.io/v1beta1\n    kind: HyperConverged\n",
			want: []string{"data[hco.yaml]"},
		},
		{
			name: "forms", reason: "a kind in flow style, with an anchor, a tag or a comment, in a list, and in JSON with blanks",
			text: `apiVersion: v1
kind: ConfigMap
data:
  a: "{apiVersion: hco.kubevirt.io/v1beta1, kind: HyperConverged, spec: {}}"
  b: "kind: &k HyperConverged"
  c: "kind: !!str HyperConverged # ours"
  d: "- - kind: HyperConverged"
  e: '{"kind" : "HyperConverged"}'
  f: "? kind\n: HyperConverged"
  g: "{kind: HyperConvergedList}"
  h: "mankind: HyperConverged"
`,
			want: []string{"data.a", "data.b", "data.c", "data.d", "data.e"},
		},
		{
			name: "words", reason: "a text that mentions the kind holds no CR",
			text: "apiVersion: v1\nkind: ConfigMap\ndata:\n  a: wait for kind HyperConverged to be ready\n",
		},
		{
			name: "sample", reason: "a console shows its samples and applies none",
			text: "apiVersion: console.openshift.io/v1\nkind: ConsoleYAMLSample\nspec:\n  yaml: |\n    kind: HyperConverged\n",
		},
		{
			name: "patch", reason: "Flux patches a CR, and applies none",
			text: "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nspec:\n  patches:\n  - patch: |\n      kind: HyperConverged\n",
		},
		{
			name: "reference", reason: "who names the kind beside another group holds no CR",
			text: "apiVersion: argoproj.io/v1alpha1\nkind: AppProject\nspec:\n  clusterResourceWhitelist:\n  - {group: hco.kubevirt.io, kind: HyperConverged}\n",
		},
		{
			name: "itself", reason: "the object itself is read as what it is",
			text: `apiVersion: hco.kubevirt.io/v1
kind: HyperConverged
metadata: {annotations: {kubectl: "kind: HyperConverged"}}
status: {a: {apiVersion: hco.kubevirt.io/v1, kind: HyperConverged}}
`,
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			n := yaml.MustParse(test.text)
			if diff := cmp.Diff(test.want, wrapper.Unread(n.GetApiVersion(), n.GetKind(), n.YNode())); diff != "" {
				t.Errorf("%s (-want +got):\n%s", test.reason, diff)
			}
		})
	}
}
