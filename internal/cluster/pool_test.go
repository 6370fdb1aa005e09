package cluster_test

import (
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	k8syaml "sigs.k8s.io/yaml"

	"github.com/goldenarch/goldenarch/internal/cluster"
)

// placement is a workload placement, given as YAML in one line.
func placement(t *testing.T, text string) cluster.Placement {
	t.Helper()
	var p struct {
		NodeSelector map[string]string `json:"nodeSelector"`
		Affinity     *corev1.Affinity  `json:"affinity"`
	}
	if err := k8syaml.Unmarshal([]byte(text), &p); err != nil {
		t.Fatal(err)
	}
	return cluster.Placement(p)
}

// terms is a placement with a required node affinity.
func terms(list string) string {
	return "{affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: " + list + "}}}}"
}

func machineSet(annotation, machine string) string {
	return "{apiVersion: machine.openshift.io/v1beta1, kind: MachineSet, metadata: {name: m, annotations: {capacity.cluster-autoscaler.kubernetes.io/labels: '" +
		annotation + "'}}, spec: {template: {metadata: {labels: {machine.openshift.io/cluster-api-machine-role: worker}}, spec: " + machine + "}}}"
}

func machineDeployment(annotation, labels string) string {
	return "{apiVersion: cluster.x-k8s.io/v1beta1, kind: MachineDeployment, " +
		"metadata: {name: m, annotations: {capacity.cluster-autoscaler.kubernetes.io/labels: '" +
		annotation + "'}}, spec: {template: {metadata: {labels: " + labels + "}}}}"
}

func clusterInstance(spec string) string {
	return "{apiVersion: siteconfig.open-cluster-management.io/v1alpha1, kind: ClusterInstance, metadata: {name: c}, spec: " + spec + "}"
}

// TestPools: each kind of worker pool, and what it declares.
func TestPools(t *testing.T) {
	t.Parallel()
	const taint = "{taints: [{key: multi-arch.openshift.io/arch, value: arm64, effect: NoSchedule}, {key: other, value: x}]}"
	for _, tc := range []struct {
		reason string
		object string
		want   string
	}{
		{"the autoscaler's annotation", machineSet("a=b, kubernetes.io/arch=arm64", "{}"), "arm64 | ? | arm64"},
		{"an alias", machineSet("kubernetes.io/arch=aarch64", "{}"), "arm64 | ? | arm64"},
		{"a label of the machines", machineSet("", "{metadata: {labels: {kubernetes.io/arch: s390x}}}"), "s390x | ? | s390x"},
		{"the taint of the documentation", machineSet("", taint), "arm64 | ? | arm64"},
		{"two that agree", machineSet("kubernetes.io/arch=arm64", taint), "arm64 | ? | arm64"},
		{"nobody declares it", machineSet("a=b", "{}"), " | ? |  | error GA303"},
		{"an instance type is a hint, no fact", machineSet("", "{providerSpec: {value: {instanceType: m6g.large}}}"), " | ? |  | error GA303"},
		{"a set of the control plane is no worker pool", strings.Replace(machineSet("", "{}"), "role: worker", "role: master", 1), " | ? |  | error GA301"},
		{"of Cluster API the annotation", machineDeployment("kubernetes.io/arch=arm64", "{"+worker+"}"), "arm64 | ? | arm64"},
		{"nobody gives its nodes the worker label", machineDeployment("kubernetes.io/arch=arm64", "{}"), " | ? |  | error GA303"},
		{"of Cluster API a label of the machine is none of the node", machineDeployment("", "{"+worker+", kubernetes.io/arch: arm64}"), " | ? |  | error GA303"},
		{"a NodePool has a field", nodePool("p", "arm64"), "arm64 | ? | arm64"},
		{"whose default is amd64", nodePool("p", "null"), "amd64 | ? | amd64"},
		{"a ClusterInstance has a default", clusterInstance("{cpuArchitecture: aarch64, nodes: [{hostName: a, role: worker}]}"), "arm64 | ? | arm64"},
		{
			reason: "that has a default",
			object: clusterInstance("{nodes: [{hostName: a, role: master}, {hostName: b, role: worker}, {hostName: c, role: worker, cpuArchitecture: aarch64}]}"),
			want:   "amd64,arm64 | amd64 | amd64",
		},
		{"the control plane runs workloads where nothing else does", clusterInstance("{nodes: [{hostName: a, role: master}]}"), "amd64 | amd64 | amd64"},
		{"multi says nothing", clusterInstance("{cpuArchitecture: multi, nodes: [{hostName: a, role: worker}]}"), " | ? |  | error GA303"},
		{
			reason: "a node of a multi cluster says it",
			object: clusterInstance("{cpuArchitecture: multi, nodes: [{hostName: a, role: worker, cpuArchitecture: x86_64}]}"),
			want:   "amd64 | ? | amd64",
		},
		{"without nodes it tells nothing", clusterInstance("{cpuArchitecture: aarch64}"), " | ? |  | error GA301"},
		{"a kind that tells nothing", "{apiVersion: v1, kind: ConfigMap}", " | ? |  | error GA301"},
		{"a kind of another group", "{apiVersion: example.com/v1, kind: NodePool, spec: {arch: arm64}}", " | ? |  | error GA301"},
	} {
		if got := messages(cluster.Decide(facts(t, tc.object), cluster.Placement{}, "")); got != tc.want {
			t.Errorf("%s: want %q, got %q", tc.reason, tc.want, got)
		}
	}
}

// TestPoolsAndPlacement: what a placement asks for and a pool does not say is
// an error, not a guess.
func TestPoolsAndPlacement(t *testing.T) {
	t.Parallel()
	pools := []string{nodePool("p", "amd64"), strings.Replace(nodePool("q", "arm64"), "{arch", "{nodeLabels: {zone: a}, arch", 1)}
	for _, tc := range []struct{ reason, placement, want string }{
		{"none", "{}", "amd64,arm64 | ? | "},
		{"a label that one has, and the other may have", "{nodeSelector: {zone: a}}", "arm64 | ? |  | error GA303"},
		{"the architecture", "{nodeSelector: {kubernetes.io/arch: arm64}}", "arm64 | ? | arm64"},
		{"the operating system", "{nodeSelector: {kubernetes.io/os: linux}}", "amd64,arm64 | ? | "},
		{"an architecture that no pool has", "{nodeSelector: {kubernetes.io/arch: s390x}}", " | ? |  | error GA301"},
		{
			reason: "one of two terms, which says enough",
			placement: terms("[{matchExpressions: [{key: zone, operator: In, values: [a]}]}, " +
				"{matchExpressions: [{key: kubernetes.io/arch, operator: In, values: [amd64]}]}]"),
			want: "amd64,arm64 | ? | ",
		},
		{"names", terms("[{matchFields: [{key: metadata.name, operator: In, values: [n]}]}]"), " | ? |  | error GA303 | error GA303"},
		{"nothing at all", terms("[]"), " | ? |  | error GA301"},
		{"an empty term", terms("[{}]"), " | ? |  | error GA301"},
	} {
		if got := messages(cluster.Decide(facts(t, pools...), placement(t, tc.placement), "")); got != tc.want {
			t.Errorf("%s: want %q, got %q", tc.reason, tc.want, got)
		}
	}
}

// TestReadRefuses: what contradicts itself, or cannot be read, is an error that
// names the field.
func TestReadRefuses(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ reason, object, want string }{
		{"two fields that contradict each other", machineSet("kubernetes.io/arch=amd64", "{metadata: {labels: {kubernetes.io/arch: arm64}}}"), "correct one of them"},
		{"no architecture", machineSet("kubernetes.io/arch=vax", "{}"), "vax"},
		{"no architecture of a NodePool", nodePool("p", "vax"), "spec.arch"},
		{"no architecture of a node", clusterInstance("{nodes: [{role: worker}, {role: worker, cpuArchitecture: vax}]}"), "spec.nodes[1].cpuArchitecture"},
		{"a statement that says nothing", states("{}"), "is empty"},
		{"a statement with an unknown key", states("{workloads: [amd64]}"), "workload"},
		{"a group with a label that contradicts it", states("{nodes: [{architecture: amd64, labels: {kubernetes.io/arch: arm64}}]}"), "kubernetes.io/arch"},
	} {
		o := objectOf(t, tc.object)
		if _, says, err := cluster.Read(o.tree, o.at); err == nil || says || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: want an error with %q, got %v", tc.reason, tc.want, err)
		}
	}
}

// TestValidatePlacement: what HCO's webhook refuses.
func TestValidatePlacement(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		reason, placement string
		refused           bool
	}{
		{"none", "{}", false},
		{"a selector is not looked at", "{nodeSelector: {'not a label': '!'}}", false},
		{"an empty list", terms("[]"), false},
		{"an empty term", terms("[{}]"), false},
		{"a good one", terms("[{matchExpressions: [{key: a, operator: Exists}]}]"), false},
		{"In without values", terms("[{matchExpressions: [{key: a, operator: In}]}]"), true},
		{"Exists with values", terms("[{matchExpressions: [{key: a, operator: Exists, values: [b]}]}]"), true},
		{"an operator that is none", terms("[{matchExpressions: [{key: a, operator: Equals, values: [b]}]}]"), true},
		{"a number with a sign", terms("[{matchExpressions: [{key: a, operator: Gt, values: ['-5']}]}]"), true},
		{"one bad term of two", terms("[{matchExpressions: [{key: a, operator: Exists}]}, {matchExpressions: [{key: '', operator: Exists}]}]"), true},
		{"fields take one value", terms("[{matchFields: [{key: metadata.name, operator: In, values: [a, b]}]}]"), true},
		{"fields do not exist", terms("[{matchFields: [{key: metadata.name, operator: Exists}]}]"), true},
		{"the key of a field is not looked at", terms("[{matchFields: [{key: metadata.uid, operator: NotIn, values: [a]}]}]"), false},
		{
			reason: "preferences are not looked at",
			placement: "{affinity: {nodeAffinity: {preferredDuringSchedulingIgnoredDuringExecution: " +
				"[{weight: 1, preference: {matchExpressions: [{key: a, operator: In}]}}]}}}",
		},
	} {
		if err := cluster.ValidatePlacement(placement(t, tc.placement)); (err != nil) != tc.refused {
			t.Errorf("%s: refused %v, got %v", tc.reason, tc.refused, err)
		}
	}
}
