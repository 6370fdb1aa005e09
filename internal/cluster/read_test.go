package cluster

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"

	"github.com/goldenarch/goldenarch/internal/finding"
)

// parse returns an object and what names it.
func parse(t *testing.T, text string) (map[string]any, finding.Object) {
	t.Helper()
	var object map[string]any
	if err := yaml.Unmarshal([]byte(text), &object); err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	apiVersion, _ := object["apiVersion"].(string)
	kind, _ := object["kind"].(string)
	metadata, _ := object["metadata"].(map[string]any)
	name, _ := metadata["name"].(string)
	return object, finding.Object{APIVersion: apiVersion, Kind: kind, Name: name}
}

// summary tells what was read, a line each.
func (f Facts) summary() []string {
	lines := []string{}
	say := func(format string, args ...any) { lines = append(lines, fmt.Sprintf(format, args...)) }
	if len(f.Workload)+len(f.ControlPlane) > 0 {
		say("workload %s control-plane %s default %s", f.Workload, f.ControlPlane, f.Default)
	}
	for _, n := range f.Nodes {
		say("node %q %d %s: %s", n.Name, n.Count, n.Architecture, n.messages())
	}
	for _, p := range f.Pools {
		say("pool %q %q of %q: %s lacks %s", p.Name, p.Architecture, f.Cluster, p.messages(), shorten(p.Lacks))
	}
	return lines
}

// messages returns the labels but for those that every kubelet sets.
func (n Node) messages() string {
	var labels []string
	for key, value := range n.Labels {
		switch {
		case strings.HasSuffix(key, archLabel) && value == string(n.Architecture), strings.HasSuffix(key, osLabel) && value == "linux":
		case value == "":
			labels = append(labels, key)
		default:
			labels = append(labels, key+"="+value)
		}
	}
	slices.Sort(labels)
	return shorten(labels)
}

func shorten(labels []string) string {
	return strings.ReplaceAll("["+strings.Join(labels, " ")+"]", "node-role.kubernetes.io/", "")
}

// machineSet is a MachineSet with something in its annotations, its labels of
// machines, its spec of machines.
func machineSet(annotation, machineLabels, spec string) string {
	return "{apiVersion: machine.openshift.io/v1beta1, kind: MachineSet, metadata: {name: a, annotations: {" + annotation +
		"}}, spec: {replicas: 0, template: {metadata: {labels: {" + machineLabels + "}}, spec: {" + spec + "}}}}"
}

const (
	workerRole = "machine.openshift.io/cluster-api-machine-role: worker"
	capacityOf = "capacity.cluster-autoscaler.kubernetes.io/labels: "
)

func TestRead(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		reason, object string
		want           []string
	}{
		{
			"a Node is taken verbatim", "{apiVersion: v1, kind: Node, metadata: {name: w, labels: {vm: x}}, status: {nodeInfo: {architecture: AMD64}}}",
			[]string{`node "w" 1 AMD64: [vm=x]`},
		},
		{"a Node without an architecture tells nothing", "{apiVersion: v1, kind: Node, metadata: {name: w, labels: {vm: x}}}", nil},
		{"a kind that tells nothing", "{apiVersion: v1, kind: ConfigMap, metadata: {name: w}}", nil},
		{"another group's kind of the same name", "{apiVersion: example.com/v1, kind: Node, metadata: {name: w}}", nil},
		{
			"the status of a dumped CR is taken verbatim",
			`apiVersion: hco.kubevirt.io/v1
kind: HyperConverged
status:
  nodeInfo:
    workloadsArchitectures: [arm64, x]
    controlPlaneArchitectures: [amd64]
    defaultWorkloadArchitecture: arm64
`,
			[]string{"workload arm64,x control-plane amd64 default arm64"},
		},
		{"a CR from Git has no status", "{apiVersion: hco.kubevirt.io/v1, kind: HyperConverged, spec: {}}", nil},
		{
			"people's spellings are normalised, and direct statements stand beside groups",
			`{apiVersion: goldenarch.dev/v1alpha1, kind: ClusterArchitectures, metadata: {name: p}, ` +
				`spec: {workload: [x86_64], controlPlane: [AARCH64], nodes: [ {architecture: aarch64, ` +
				`labels: {node-role.kubernetes.io/worker: }}, {architecture: amd64, count: 0}, ` +
				`{architecture: amd64, count: 3, labels: {kubernetes.io/os: windows}}]}}`,
			[]string{
				"workload amd64 control-plane arm64 default ", `node "" 1 arm64: [worker]`, `node "" 0 amd64: []`,
				`node "" 3 amd64: [beta.kubernetes.io/os=windows kubernetes.io/os=windows]`,
			},
		},
		{
			"three fields of a MachineSet that agree, in two spellings; replicas do not count",
			machineSet(capacityOf+`"kubernetes.io/arch=arm64, zone=a"`, workerRole,
				"metadata: {labels: {kubernetes.io/arch: arm64}}, taints: [{key: multi-arch.openshift.io/arch, value: aarch64}, {key: x}]"),
			[]string{`pool "" "arm64" of "": [worker zone=a] lacks [control-plane master]`},
		},
		{
			"a taint alone", machineSet("", workerRole, "taints: [{key: multi-arch.openshift.io/arch, value: s390x, effect: NoSchedule}]"),
			[]string{`pool "" "s390x" of "": [worker] lacks [control-plane master]`},
		},
		{
			reason: "the labels of the template win over the annotation's",
			object: machineSet(capacityOf+`"zone=a,kubernetes.io/arch=amd64"`, workerRole, "metadata: {labels: {zone: b}}"),
			want:   []string{`pool "" "amd64" of "": [worker zone=b] lacks [control-plane master]`},
		},
		{
			"an instance type is no fact, and an infra set may make workers or not",
			machineSet("", "machine.openshift.io/cluster-api-machine-role: infra, machine.openshift.io/cluster-api-cluster: prod-x7k2f",
				"providerSpec: {value: {instanceType: m6g.large}}"),
			[]string{`pool "" "" of "prod": [] lacks [control-plane master]`},
		},
		{
			reason: "an infra set that boots as a worker",
			object: machineSet("", "machine.openshift.io/cluster-api-machine-role: infra", "providerSpec: {value: {userDataSecret: {name: worker-user-data}}}"),
			want:   []string{`pool "" "" of "": [worker] lacks [control-plane master]`},
		},
		{
			"Windows nodes are amd64 workers", machineSet(capacityOf+"kubernetes.io/arch=amd64", workerRole+", machine.openshift.io/os-id: Windows", ""),
			[]string{`pool "" "amd64" of "": [beta.kubernetes.io/os=windows kubernetes.io/os=windows worker] lacks [control-plane master]`},
		},
		{"a control plane is no worker pool", machineSet("", "machine.openshift.io/cluster-api-machine-role: master", ""), nil},
		{
			"a hint that is misshapen is nobody's error", machineSet("", workerRole, "providerSpec: {value: [x]}"),
			[]string{`pool "" "" of "": [worker] lacks [control-plane master]`},
		},
		{
			"of a MachineDeployment's labels some reach the nodes",
			`apiVersion: cluster.x-k8s.io/v1beta2
kind: MachineDeployment
metadata:
  name: a
  annotations:
    capacity.cluster-autoscaler.kubernetes.io/labels: kubernetes.io/arch=arm64
spec:
  clusterName: c
  template:
    metadata:
      labels:
        node-role.kubernetes.io/worker: ""
        vm: x
        gpu.node-restriction.kubernetes.io/a: b
        node.cluster.x-k8s.io/c: d
        xnode-restriction.kubernetes.io/e: f
`,
			[]string{`pool "" "arm64" of "c": [gpu.node-restriction.kubernetes.io/a=b worker node.cluster.x-k8s.io/c=d] lacks [control-plane master]`},
		},
		{
			"of a MachineDeployment without the role nothing gives it", "{apiVersion: cluster.x-k8s.io/v1beta1, kind: MachineDeployment, metadata: {name: a}}",
			[]string{`pool "" "" of "": [] lacks [control-plane master]`},
		},
		{
			reason: "the API's default of a NodePool",
			object: "{apiVersion: hypershift.openshift.io/v1beta1, kind: NodePool, metadata: {name: a}, spec: {clusterName: c, nodeLabels: {vm: x}}}",
			want:   []string{`pool "" "amd64" of "c": [hypershift.openshift.io/nodePool=a worker vm=x] lacks []`},
		},
		{
			reason: "a NodePool of Windows",
			object: "{apiVersion: hypershift.openshift.io/v1beta1, kind: NodePool, spec: {arch: amd64, platform: {type: AWS, aws: {imageType: Windows}}}}",
			want:   []string{`pool "" "amd64" of "": [beta.kubernetes.io/os=windows kubernetes.io/os=windows worker] lacks []`},
		},
		{
			reason: "nodes that are virtual machines are of another cluster",
			object: "{apiVersion: hypershift.openshift.io/v1beta1, kind: NodePool, spec: {arch: s390x, platform: {type: KubeVirt}}}",
		},
		{
			"the nodes of a ClusterInstance, each with a role; multi says nothing",
			`apiVersion: siteconfig.open-cluster-management.io/v1alpha1
kind: ClusterInstance
spec:
  clusterName: c
  cpuArchitecture: multi
  nodes:
  - {hostName: m, cpuArchitecture: x86_64}
  - {hostName: a, role: arbiter, cpuArchitecture: x86_64}
  - hostName: w
    role: worker
    cpuArchitecture: aarch64
    nodeLabels: {vm: x}
  - {hostName: v, role: worker}
`,
			[]string{
				`pool "m" "amd64" of "c": [kubernetes.io/hostname=m control-plane master] lacks [worker]`,
				`pool "a" "amd64" of "c": [kubernetes.io/hostname=a arbiter] lacks [worker control-plane master]`,
				`pool "w" "arm64" of "c": [kubernetes.io/hostname=w worker vm=x] lacks [control-plane master]`,
				`pool "v" "" of "c": [kubernetes.io/hostname=v worker] lacks [control-plane master]`,
			},
		},
		{
			"without workers the control plane is one, and x86_64 is the API's default",
			"{apiVersion: siteconfig.open-cluster-management.io/v1alpha1, kind: ClusterInstance, spec: {nodes: [{hostName: sno, role: master}]}}",
			[]string{`pool "sno" "amd64" of "": [kubernetes.io/hostname=sno control-plane master worker] lacks []`},
		},
		{
			"beside a single worker the control plane may be one",
			`apiVersion: siteconfig.open-cluster-management.io/v1alpha1
kind: ClusterInstance
spec:
  cpuArchitecture: aarch64
  nodes: [{hostName: m, role: master}, {hostName: w, role: worker}]
`,
			[]string{
				`pool "m" "arm64" of "": [kubernetes.io/hostname=m control-plane master] lacks []`,
				`pool "w" "arm64" of "": [kubernetes.io/hostname=w worker] lacks [control-plane master]`,
			},
		},
		{"Karpenter without a requirement", karpenter(""), []string{`pool "" "" of "": [karpenter.sh/nodepool=k] lacks [control-plane master]`}},
		{
			"Karpenter, a pool for each architecture", karpenter("{key: kubernetes.io/arch, operator: In, values: [amd64, arm64]}"),
			[]string{
				`pool "" "amd64" of "": [karpenter.sh/nodepool=k] lacks [control-plane master]`,
				`pool "" "arm64" of "": [karpenter.sh/nodepool=k] lacks [control-plane master]`,
			},
		},
		{
			reason: "Karpenter, the requirements of a key count together",
			object: karpenter("{key: beta.kubernetes.io/arch, operator: In, values: [amd64, arm64]}, {key: kubernetes.io/arch, operator: NotIn, values: [arm64]}"),
			want:   []string{`pool "" "amd64" of "": [karpenter.sh/nodepool=k] lacks [control-plane master]`},
		},
		{
			reason: "Karpenter, Exists admits what the cloud has",
			object: karpenter("{key: kubernetes.io/arch, operator: Exists}"),
			want:   []string{`pool "" "" of "": [karpenter.sh/nodepool=k] lacks [control-plane master]`},
		},
		{
			reason: "Karpenter, a label of the template narrows the requirement",
			object: `apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: k}
spec:
  template:
    metadata: {labels: {beta.kubernetes.io/arch: arm64}}
    spec:
      requirements: [{key: kubernetes.io/arch, operator: In, values: [amd64, arm64]}]
`,
			want: []string{`pool "" "arm64" of "": [karpenter.sh/nodepool=k] lacks [control-plane master]`},
		},
		{
			reason: "Karpenter, what the cloud has without arm64 is not known",
			object: karpenter("{key: kubernetes.io/arch, operator: NotIn, values: [arm64]}"),
			want:   []string{`pool "" "" of "": [karpenter.sh/nodepool=k] lacks [control-plane master]`},
		},
		{
			reason: "Karpenter, labels of the template",
			object: `apiVersion: karpenter.sh/v1beta1
kind: NodePool
metadata: {name: k}
spec:
  template:
    metadata: {labels: {kubernetes.io/arch: arm64, node-role.kubernetes.io/worker: ''}}
`,
			want: []string{`pool "" "arm64" of "": [karpenter.sh/nodepool=k worker] lacks [control-plane master]`},
		},
		{
			reason: "Cluster API, a MachineSet",
			object: `apiVersion: cluster.x-k8s.io/v1beta1
kind: MachineSet
metadata:
  name: k
  annotations:
    capacity.cluster-autoscaler.kubernetes.io/labels: kubernetes.io/arch=arm64
spec: {clusterName: east}
`,
			want: []string{`pool "" "arm64" of "east": [] lacks [control-plane master]`},
		},
		{
			reason: "Cluster API, a MachineSet that only the Cluster owns",
			object: `apiVersion: cluster.x-k8s.io/v1beta2
kind: MachineSet
metadata: {name: k, ownerReferences: [{kind: Cluster}]}
spec:
  clusterName: east
  template: {metadata: {labels: {node-role.kubernetes.io/worker: ''}}}
`,
			want: []string{`pool "" "" of "east": [worker] lacks [control-plane master]`},
		},
		{
			reason: "Cluster API, labels of a MachinePool's template may not reach its nodes",
			object: `apiVersion: cluster.x-k8s.io/v1beta1
kind: MachinePool
metadata: {name: k}
spec:
  clusterName: east
  template: {metadata: {labels: {node-role.kubernetes.io/worker: ''}}}
`,
			want: []string{`pool "" "" of "east": [] lacks [control-plane master]`},
		},
		{
			reason: "Cluster API, a MachinePool, which the Cluster owns",
			object: `apiVersion: cluster.x-k8s.io/v1beta1
kind: MachinePool
metadata:
  name: k
  ownerReferences: [{kind: Cluster}]
  annotations:
    capacity.cluster-autoscaler.kubernetes.io/labels: 'kubernetes.io/arch=arm64,node-role.kubernetes.io/worker='
spec: {clusterName: east}
`,
			want: []string{`pool "" "arm64" of "east": [worker] lacks [control-plane master]`},
		},
		{
			reason: "hive",
			object: `apiVersion: hive.openshift.io/v1
kind: MachinePool
metadata: {name: k}
spec:
  clusterDeploymentRef: {name: east}
  labels: {kubernetes.io/arch: arm64}
  platform: {aws: {type: m6g.xlarge}}
`,
			want: []string{`pool "" "arm64" of "east": [worker] lacks [control-plane master]`},
		},
		{
			reason: "what another object owns is told of by that",
			object: "{apiVersion: cluster.x-k8s.io/v1beta1, kind: MachineSet, metadata: {name: k, ownerReferences: [{kind: MachineDeployment}]}}",
		},
	} {
		t.Run(tc.reason, func(t *testing.T) {
			t.Parallel()
			object, at := parse(t, tc.object)
			facts, says, err := Read(object, at)
			if err != nil {
				t.Fatal(err)
			}
			if says != (tc.want != nil) {
				t.Fatalf("%s: want it to say something: %t, got %v", tc.reason, tc.want != nil, facts)
			}
			if !says {
				return
			}
			if diff := cmp.Diff(tc.want, facts.summary()); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
			if facts.Object != at || !Reads(at) {
				t.Errorf("facts name their object %v and its kind is one that is read, got %v", at, facts.Object)
			}
		})
	}
}

// TestReadErrors: what cannot be right is reported with its field, not passed over.
func TestReadErrors(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ reason, object, want string }{
		{
			"two fields disagree", machineSet(capacityOf+"kubernetes.io/arch=amd64", workerRole, "metadata: {labels: {kubernetes.io/arch: arm64}}"),
			"metadata.annotations[capacity.cluster-autoscaler.kubernetes.io/labels] is amd64, " +
				"but spec.template.spec.metadata.labels[kubernetes.io/arch] is arm64: correct one of them",
		},
		{"an unknown architecture", machineSet(capacityOf+"kubernetes.io/arch=vax", workerRole, ""), `labels]: unknown architecture "vax"`},
		{"a pool of several", "{apiVersion: hypershift.openshift.io/v1beta1, kind: NodePool, spec: {arch: multi}}", `spec.arch: unknown architecture "multi"`},
		{"a number is not the default", "{apiVersion: hypershift.openshift.io/v1beta1, kind: NodePool, spec: {arch: 64}}", "spec.arch is 64, expected a string"},
		{
			reason: "a label that is a boolean",
			object: "{apiVersion: v1, kind: Node, metadata: {labels: {vm: true}}, status: {nodeInfo: {architecture: amd64}}}",
			want:   "metadata.labels[vm] is true, expected a string: quote it",
		},
		{
			reason: "a list that is an object",
			object: "{apiVersion: siteconfig.open-cluster-management.io/v1alpha1, kind: ClusterInstance, spec: {nodes: {a: b}}}",
			want:   "spec.nodes is map[a:b], expected a list",
		},
		{
			reason: "an item that is a string",
			object: "{apiVersion: siteconfig.open-cluster-management.io/v1alpha1, kind: ClusterInstance, spec: {nodes: [x]}}",
			want:   "spec.nodes[0] is x, expected an object",
		},
		{
			reason: "a node of an unknown architecture",
			object: "{apiVersion: siteconfig.open-cluster-management.io/v1alpha1, kind: ClusterInstance, spec: {nodes: [{cpuArchitecture: vax}]}}",
			want:   `spec.nodes[0].cpuArchitecture: unknown architecture "vax"`,
		},
		{"a status that is a string", "{apiVersion: hco.kubevirt.io/v1, kind: HyperConverged, status: {nodeInfo: x}}", "status.nodeInfo is x, expected an object"},
		{
			reason: "an architecture that is a number",
			object: "{apiVersion: hco.kubevirt.io/v1, kind: HyperConverged, status: {nodeInfo: {workloadsArchitectures: [1]}}}",
			want:   "status.nodeInfo.workloadsArchitectures[0] is 1, expected a string",
		},
		{
			reason: "an annotation that is a list",
			object: "{apiVersion: cluster.x-k8s.io/v1beta1, kind: MachineDeployment, metadata: {annotations: [a]}}",
			want:   "metadata.annotations is [a], expected an object",
		},
		{
			reason: "a deployment of an unknown architecture",
			object: `apiVersion: cluster.x-k8s.io/v1beta1
kind: MachineDeployment
metadata:
  annotations: {capacity.cluster-autoscaler.kubernetes.io/labels: kubernetes.io/arch=vax}
`,
			want: `unknown architecture "vax"`,
		},
		{
			reason: "a group whose label says otherwise",
			object: `apiVersion: goldenarch.dev/v1alpha1
kind: ClusterArchitectures
metadata: {name: p}
spec: {nodes: [{architecture: amd64, labels: {kubernetes.io/arch: arm64}}]}
`,
			want: `spec.nodes[0].labels[kubernetes.io/arch] is "arm64", but the architecture is "amd64"`,
		},
		{
			reason: "Karpenter, an unknown architecture",
			object: karpenter("{key: kubernetes.io/arch, operator: In, values: [vax]}"),
			want:   `spec.template.spec.requirements[0].values[0]: unknown architecture "vax"`,
		},
		{
			reason: "Karpenter, In without values",
			object: karpenter("{key: kubernetes.io/arch, operator: In}"),
			want:   "spec.template.spec.requirements[0].values is empty, expected the values that operator In admits",
		},
		{
			reason: "Karpenter, an unknown operator",
			object: karpenter("{key: kubernetes.io/arch, operator: Is, values: [amd64]}"),
			want:   `spec.template.spec.requirements[0].operator is "Is"`,
		},
		{
			reason: "Karpenter, requirements that exclude each other",
			object: karpenter("{key: kubernetes.io/arch, operator: In, values: [amd64]}, {key: kubernetes.io/arch, operator: In, values: [arm64]}"),
			want:   "spec.template.spec.requirements[1].values has no value in common",
		},
		{
			reason: "Karpenter, all that is admitted is excluded",
			object: karpenter("{key: kubernetes.io/arch, operator: In, values: [amd64]}, {key: kubernetes.io/arch, operator: NotIn, values: [amd64]}"),
			want:   "exclude all values of kubernetes.io/arch that spec.template admits",
		},
		{
			"Karpenter, a label that the requirements exclude",
			`apiVersion: karpenter.sh/v1
kind: NodePool
spec:
  template:
    metadata: {labels: {kubernetes.io/arch: arm64}}
    spec:
      requirements: [{key: kubernetes.io/arch, operator: In, values: [amd64]}]
`,
			"spec.template.metadata.labels[kubernetes.io/arch] has no value in common with the other requirements of kubernetes.io/arch",
		},
		{
			"Karpenter, a label that NotIn excludes",
			`apiVersion: karpenter.sh/v1
kind: NodePool
spec:
  template:
    metadata: {labels: {kubernetes.io/arch: arm64}}
    spec:
      requirements: [{key: kubernetes.io/arch, operator: NotIn, values: [arm64]}]
`,
			"exclude all values of kubernetes.io/arch that spec.template admits",
		},
		{
			reason: "Karpenter, a name that no node has",
			object: karpenter("{key: kubernetes.io/arch, operator: NotIn, values: [aarch64]}"),
			want:   `spec.template.spec.requirements[0].values[0] is "aarch64", which is not the name that nodes have: write "arm64"`,
		},
		{
			reason: "Karpenter, an operator that admits nothing",
			object: karpenter("{key: kubernetes.io/arch, operator: DoesNotExist}"),
			want:   "spec.template.spec.requirements[0].operator is DoesNotExist, which no value of kubernetes.io/arch matches",
		},
		{
			reason: "hive, an unknown architecture",
			object: "{apiVersion: hive.openshift.io/v1, kind: MachinePool, spec: {labels: {kubernetes.io/arch: vax}}}",
			want:   `spec.labels[kubernetes.io/arch]: unknown architecture "vax"`,
		},
		{"a statement that says nothing", "{apiVersion: goldenarch.dev/v1alpha1, kind: ClusterArchitectures, metadata: {name: p}, spec: {}}", "is empty"},
	} {
		t.Run(tc.reason, func(t *testing.T) {
			t.Parallel()
			object, at := parse(t, tc.object)
			facts, says, err := Read(object, at)
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("%s: want an error with %q, got %v", tc.reason, tc.want, err)
			}
			if says {
				t.Errorf("%s: want no facts beside the error, got %v", tc.reason, facts)
			}
		})
	}
}

// karpenter is a NodePool of Karpenter with requirements.
func karpenter(requirements string) string {
	return "{apiVersion: karpenter.sh/v1, kind: NodePool, metadata: {name: k}, spec: {template: {spec: {requirements: [" + requirements + "]}}}}"
}
