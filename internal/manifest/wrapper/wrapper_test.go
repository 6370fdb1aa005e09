package wrapper_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/manifest/wrapper"
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
    - {apiVersion: hco.kubevirt.io/v1beta1, kind: HyperConverged, metadata: {name: ignores, namespace: e}}
  manifestConfigs:
  - resourceIdentifier: {group: hco.kubevirt.io, resource: hyperconvergeds, name: hco, namespace: a}
    feedbackRules: [{type: WellKnownStatus}]
  - resourceIdentifier: {group: hco.kubevirt.io, resource: hyperconvergeds, name: hco.*, namespace: "*"}
    updateStrategy: {type: ReadOnly}
  - resourceIdentifier: {group: hco.kubevirt.io, resource: hyperconvergeds, name: d, namespace: d}
    updateStrategy: {type: ServerSideApply}
  - resourceIdentifier: {group: hco.kubevirt.io, resource: hyperconvergeds, name: ignores, namespace: e}
    updateStrategy:
      type: ServerSideApply
      serverSideApply: {ignoreFields: [{condition: OnSpokePresent, jsonPaths: [.spec.dataImportCronTemplates]}]}
  - resourceIdentifier: {group: hco.kubevirt.io, resource: hyperconvergeds, name: "*", namespace: "*"}
    updateStrategy: {type: CreateOnly}
`,
			want: []held{
				{"spec.workload.manifests[0]", wrapper.CreatedOnce},
				{"spec.workload.manifests[1]", wrapper.Compared},
				{"spec.workload.manifests[2]", wrapper.CreatedOnce},
				{"spec.workload.manifests[3]", wrapper.Applied},
				{"spec.workload.manifests[4]", wrapper.CreatedOnce},
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
