package cluster

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/finding"
)

// factsOf reads each object of a list that is said a line each; "workload:" and
// "controlPlane:" stand for spec.cluster.
func factsOf(t *testing.T, lines ...string) []Facts {
	t.Helper()
	var out []Facts
	var spec v1alpha1.ClusterSpec
	for _, line := range lines {
		if list, ok := strings.CutPrefix(line, "workload: "); ok {
			spec.WorkloadArchitectures = strings.Split(list, ",")
			continue
		}
		if list, ok := strings.CutPrefix(line, "controlPlane: "); ok {
			spec.ControlPlaneArchitectures = strings.Split(list, ",")
			continue
		}
		object, at := parse(t, line)
		facts, says, err := Read(object, at)
		if err != nil || !says {
			t.Fatalf("says nothing (%v): %s", err, line)
		}
		out = append(out, facts)
	}
	if stated, says := FromConfig(spec); says {
		out = append(out, stated) // the order must not matter
	}
	return out
}

func node(name, architecture, labels string) string {
	return "{apiVersion: v1, kind: Node, metadata: {name: " + name + ", labels: {" + labels + "}}, status: {nodeInfo: {architecture: " + architecture + "}}}"
}

func nodePool(name, spec string) string {
	return "{apiVersion: hypershift.openshift.io/v1beta1, kind: NodePool, metadata: {name: " + name + "}, spec: {" + spec + "}}"
}

func machineDeployment(name, architecture, labels string) string {
	return "{apiVersion: cluster.x-k8s.io/v1beta2, kind: MachineDeployment, metadata: {name: " + name + ", annotations: {" +
		capacityOf + "kubernetes.io/arch=" + architecture +
		"}}, spec: {template: {metadata: {labels: {" + labels + "}}}}}"
}

func stated(spec string) string {
	return "{apiVersion: goldenarch.dev/v1alpha1, kind: ClusterArchitectures, metadata: {name: prod}, spec: {" + spec + "}}"
}

func dumped(nodeInfo string) string {
	return "{apiVersion: hco.kubevirt.io/v1, kind: HyperConverged, metadata: {name: live}, status: {nodeInfo: {" + nodeInfo + "}}}"
}

const (
	worker    = `node-role.kubernetes.io/worker: ""`
	master    = `node-role.kubernetes.io/master: ""`
	silentSet = "{apiVersion: machine.openshift.io/v1beta1, kind: MachineSet, metadata: {name: silent}, spec: {template: {metadata: {labels: {" +
		workerRole + "}}}}}"
	mixed = "nodes: [{architecture: arm64, count: 2, labels: {" + worker + "}}, {architecture: amd64, labels: {" + worker +
		"}}, {architecture: s390x, labels: {" + master + "}}]"
	zoneA = "zone=a"
)

// decision is what Decide is expected to make of facts.
type decision struct {
	reason    string
	facts     []string
	placement string // key=value of the nodeSelector
	single    arch.Arch
	want      string // workload | control plane | default
	findings  []string
}

func (d decision) where() Placement {
	if d.placement == "" {
		return Placement{}
	}
	key, value, _ := strings.Cut(d.placement, "=")
	return Placement{NodeSelector: map[string]string{key: value}}
}

func (d decision) check(t *testing.T) {
	t.Helper()
	got, found := Decide(factsOf(t, d.facts...), d.where(), d.single)
	text := got.Workload.String() + " | " + got.ControlPlane.String() + " | " + string(got.Default)
	if !found.Failed() && text != d.want {
		t.Errorf("%s: want %q, got %q", d.reason, d.want, text)
	}
	if found.Failed() != (d.want == "") {
		t.Errorf("%s: want it refused: %t, got %q and\n%s", d.reason, d.want == "", text, found)
	}
	if diff := cmp.Diff(strings.Join(d.findings, "\n"), strings.TrimSpace(found.String())); diff != "" {
		t.Errorf("%s: findings (-want +got):\n%s", d.reason, diff)
	}
}

func TestDisagreementIsReported(t *testing.T) {
	t.Parallel()
	for _, d := range []decision{
		{
			reason: "fields merge apart", facts: []string{"workload: amd64,arm64", stated("controlPlane: [amd64]"), node("w", "arm64", master)},
			want: "amd64,arm64 | amd64 | amd64",
			findings: []string{
				"warning GA114: spec.cluster, a flag or a parameter of the Application states that workload nodes have amd64,arm64, " +
					"but Node/w states none. goldenarch uses the first. ClusterArchitectures/prod states that control-plane nodes have amd64, " +
					"but Node/w states arm64. goldenarch uses the first. Correct one of them",
			},
		},
		{
			reason: "what is said directly comes before the groups beside it", facts: []string{stated("workload: [amd64], " + mixed)},
			want: "amd64 | s390x | amd64",
			findings: []string{
				"warning GA114: ClusterArchitectures/prod states that workload nodes have amd64, but ClusterArchitectures/prod states amd64," +
					"arm64. goldenarch uses the first. Correct one of them",
			},
		},
		{
			reason: "Nodes come before a dump, and are counted",
			facts: []string{
				dumped("workloadsArchitectures: [amd64], controlPlaneArchitectures: [amd64]"),
				node("a", "arm64", worker),
				node("b", "arm64", worker),
				node("c", "amd64", worker),
			},
			want: "amd64,arm64 | amd64 | amd64",
			findings: []string{
				"warning GA114: Node/a, Node/b, Node/c states that workload nodes have amd64,arm64, " +
					"but HyperConverged/live states amd64. goldenarch uses the first. Correct one of them",
			},
		},
		{
			reason: "a dump says its default",
			facts:  []string{dumped("workloadsArchitectures: [amd64, arm64], controlPlaneArchitectures: [s390x], defaultWorkloadArchitecture: arm64")},
			want:   "amd64,arm64 | s390x | arm64",
		},
		{
			reason: "two dumps that disagree",
			facts:  []string{dumped("workloadsArchitectures: [amd64]"), strings.Replace(dumped("workloadsArchitectures: [arm64]"), "live", "other", 1)},
			want:   "amd64 |  | amd64",
			findings: []string{
				"warning GA114: HyperConverged/live states that workload nodes have amd64, " +
					"but HyperConverged/other states arm64. goldenarch uses the first. Correct one of them",
			},
		},
		{
			reason: "pools are not counted: how many nodes they have is not in Git",
			facts:  []string{nodePool("a", ""), nodePool("b", "replicas: 0, arch: arm64"), nodePool("c", "arch: arm64")},
			want:   "amd64,arm64 |  | ",
		},
		{
			reason: "nor do pools of several clusters",
			facts:  []string{nodePool("a", "clusterName: east"), nodePool("b", "clusterName: west"), "workload: amd64"},
			want:   "amd64 |  | amd64",
		},
	} {
		t.Run(d.reason, func(t *testing.T) {
			t.Parallel()
			d.check(t)
		})
	}
}

func TestHalfKnowledgeIsRefused(t *testing.T) {
	t.Parallel()
	const state = "state the architectures: --workload-architectures <architecture>,..., " +
		"or spec.cluster: {workloadArchitectures: [<architecture>, ...]}, or spec.workload of a ClusterArchitectures"
	for _, d := range []decision{
		{
			reason: "nothing",
			findings: []string{
				"error GA114: nothing in the input says which architectures the workload nodes have. " +
					"Pass the live CR (--live FILE) or the nodes (--nodes FILE), name the cluster in a Fleet (goldenarch.yaml), " +
					"or state the architectures with --workload-architectures and --control-plane-architectures (in a GoldenImages: spec.cluster)",
			},
		},
		{
			reason: "no role labels at all, as kind has it", facts: []string{node("kind-worker", "amd64", "")},
			findings: []string{
				"error GA114: no node of the input has the label node-role.kubernetes.io/worker: " +
					"HCO counts only these nodes and those that the workload placement selects. Label the nodes, or " +
					state,
			},
		},
		{
			reason: "a placement that matches nothing", facts: []string{node("w", "amd64", worker)}, placement: zoneA,
			findings: []string{
				"error GA114: no node of the input matches the workload placement of the CR, " +
					"so HCO sees no workload architecture. Correct the placement, or the labels of the nodes",
			},
		},
		{
			reason: "a group of no nodes", facts: []string{stated("nodes: [{architecture: amd64, count: 0, labels: {" + worker + "}}]")},
			findings: []string{
				"error GA114: no node of the input has the label node-role.kubernetes.io/worker: " +
					"HCO counts only these nodes and those that the workload placement selects. Label the nodes, or " +
					state,
			},
		},
		{
			reason: "a pool that does not say", facts: []string{silentSet, nodePool("a", "")},
			findings: []string{
				"error GA303 MachineSet/silent: the worker pool MachineSet/silent does not declare its architecture. " +
					"Annotate it with capacity.cluster-autoscaler.kubernetes.io/labels: kubernetes.io/arch=<architecture>",
			},
		},
		{
			reason: "a pool that looks like something", facts: []string{machineSet("", workerRole, "providerSpec: {value: {vmSize: Standard_D4ps_v5}}")},
			findings: []string{
				"error GA303 MachineSet/a: the worker pool MachineSet/a does not declare its architecture. " +
					"Annotate it with capacity.cluster-autoscaler.kubernetes.io/labels: " +
					"kubernetes.io/arch=<architecture> (a hint only: the VM size Standard_D4ps_v5 looks like arm64)",
			},
		},
		{
			reason: "a label that a pool does not declare", facts: []string{nodePool("a", "")}, placement: zoneA,
			findings: []string{`error GA303 NodePool/a: the worker pool NodePool/a does not declare "zone", which the workload placement requires. S` + state[1:]},
		},
		{
			reason: "a pool of Cluster API whose nodes get no role", facts: []string{machineDeployment("a", "amd64", worker), machineDeployment("b", "arm64", "")},
			findings: []string{
				"error GA303 MachineDeployment/b: the worker pool MachineDeployment/b does not give its nodes the label " +
					"node-role.kubernetes.io/worker, which HCO uses to find workload nodes. Add the label to the node template of the pool, or " +
					state,
			},
		},
		{
			reason: "the names of a group", facts: []string{stated(mixed)}, placement: "kubernetes.io/hostname=w1",
			findings: []string{
				`error GA303 ClusterArchitectures/prod: a node group of ClusterArchitectures/prod does not declare "kubernetes.io/hostname", ` +
					`which the workload placement requires. S` +
					state[1:],
			},
		},
		{
			reason: "Karpenter without a requirement", facts: []string{nodePool("a", ""), "{apiVersion: karpenter.sh/v1, kind: NodePool, metadata: {name: k}}"},
			findings: []string{
				"error GA303 NodePool/k: the worker pool NodePool/k does not declare its architecture. " +
					"Add a requirement to spec.template.spec.requirements: {key: kubernetes.io/arch, operator: In, values: [<architecture>]}",
			},
		},
		{
			reason: "a MachinePool of Cluster API whose template has the worker label",
			facts: []string{
				nodePool("a", ""),
				`apiVersion: cluster.x-k8s.io/v1beta1
kind: MachinePool
metadata:
  name: m
  annotations:
    capacity.cluster-autoscaler.kubernetes.io/labels: kubernetes.io/arch=arm64
spec: {template: {metadata: {labels: {node-role.kubernetes.io/worker: ''}}}}
`,
			},
			findings: []string{
				"error GA303 MachinePool/m: the worker pool MachinePool/m does not give its nodes the label node-role.kubernetes.io/worker, " +
					"which HCO uses to find workload nodes. Add the label to the annotation capacity.cluster-autoscaler.kubernetes.io/labels, " +
					"if the nodes have it, or s" +
					state[1:],
			},
		},
		{
			reason: "pools of several clusters", facts: []string{nodePool("a", "clusterName: east"), nodePool("b", "clusterName: west, arch: arm64")},
			findings: []string{
				"error GA114: the worker pools of the input belong to 2 clusters (east, west), and goldenarch does not know which of them the CR is for. S" + state[1:],
			},
		},
		{
			reason: "an architecture that no node has", facts: []string{"workload: amd64,arm64"}, single: arch.S390X,
			findings: []string{
				"error GA307: spec.singleArchitecture is s390x, but workload nodes have amd64,arm64 (spec.cluster). Set it to an architecture that workload nodes have",
			},
		},
	} {
		t.Run(d.reason, func(t *testing.T) {
			t.Parallel()
			d.check(t)
		})
	}
}

func TestUncertaintyThatCannotMatter(t *testing.T) {
	t.Parallel()
	instance := "{apiVersion: siteconfig.open-cluster-management.io/v1alpha1, kind: ClusterInstance, metadata: {name: c}, " +
		"spec: {cpuArchitecture: multi, nodes: [" +
		"{hostName: m}, {hostName: w, role: worker, cpuArchitecture: aarch64}, {hostName: v, role: worker, cpuArchitecture: x86_64}]}}"
	for _, d := range []decision{
		{
			reason: "a pool of an architecture that another has for certain",
			facts:  []string{machineDeployment("a", "amd64", worker), machineDeployment("b", "amd64", "")},
			want:   "amd64 |  | amd64",
		},
		{
			reason:    "a pool that the placement leaves out by its architecture",
			facts:     []string{nodePool("a", ""), nodePool("b", "arch: arm64")},
			placement: "kubernetes.io/arch=arm64",
			want:      "arm64 |  | arm64",
		},
		{reason: "a control-plane node without an architecture", facts: []string{instance}, want: "amd64,arm64 |  | "},
		{reason: "the names of a machine are known", facts: []string{instance}, placement: "kubernetes.io/hostname=w", want: "arm64 |  | arm64"},
		{
			reason: "a single worker of another architecture than the control plane",
			facts: []string{"{apiVersion: siteconfig.open-cluster-management.io/v1alpha1, kind: ClusterInstance, metadata: {name: c}, " +
				"spec: {nodes: [{hostName: m}, {hostName: w, role: worker, cpuArchitecture: aarch64}]}}"},
			findings: []string{
				"error GA303 ClusterInstance/c: of ClusterInstance/c nobody knows whether workloads run on its nodes with amd64: with a single worker " +
					"the installer may let the control plane run them. State the architectures: " +
					"--workload-architectures <architecture>,..., or spec.cluster: {workloadArchitectures: [<architecture>, ...]}, or spec.workload of a ClusterArchitectures",
			},
		},
		{
			reason: "a single architecture that is there for certain",
			facts:  []string{silentSet, nodePool("a", "arch: arm64")},
			single: arch.ARM64,
			want:   "arm64 |  | arm64",
		},
		{
			reason: "a single architecture, and a pool of another that may be there",
			facts:  []string{nodePool("a", ""), machineDeployment("b", "arm64", "")},
			single: arch.AMD64,
			want:   "amd64 |  | amd64",
		},
		{
			reason: "a hint that is contradicted",
			facts:  []string{machineSet(capacityOf+"kubernetes.io/arch=amd64", workerRole, "providerSpec: {value: {machineType: t2a-standard-4}}")},
			want:   "amd64 |  | amd64",
			findings: []string{
				"info GA303 MachineSet/a: MachineSet/a declares amd64, but the machine type t2a-standard-4 looks like arm64. goldenarch uses the declared value",
			},
		},
	} {
		t.Run(d.reason, func(t *testing.T) {
			t.Parallel()
			d.check(t)
		})
	}
}

// TestStatementsAlwaysWin: whatever else the input says, in whatever order, what
// the configuration states is the answer, but for what the placement rules out.
func TestStatementsAlwaysWin(t *testing.T) {
	t.Parallel()
	others := factsOf(t, stated(mixed), node("a", "arm64", worker), node("b", "vax", ""), dumped("workloadsArchitectures: [x]"), silentSet,
		nodePool("a", "clusterName: east"), nodePool("b", "clusterName: west"), machineDeployment("d", "arm64", ""))
	architectures := rapid.SliceOfNDistinct(rapid.SampledFrom([]arch.Arch{arch.AMD64, arch.ARM64, arch.S390X}), 1, 3, rapid.ID[arch.Arch])
	rapid.Check(t, func(t *rapid.T) {
		said := Facts{
			Class:        Stated,
			Workload:     arch.NewSet(architectures.Draw(t, "workload")...),
			ControlPlane: arch.NewSet(architectures.Draw(t, "control plane")...),
		}
		n := rapid.IntRange(0, len(others)).Draw(t, "others")
		facts := rapid.Permutation(append([]Facts{said}, others[:n]...)).Draw(t, "facts")
		p := drawPlacement(t)
		got, found := Decide(facts, p, "")
		kept, dropped := p.Matchable(said.Workload)
		if found.Failed() != (len(kept) == 0) || !got.Workload.Equal(kept) || !got.ControlPlane.Equal(said.ControlPlane) {
			t.Fatalf("stated %v, got %v and\n%s", said, got, found)
		}
		if reported := strings.Contains(found.String(), string(finding.StatedUnmatchable)); reported != (len(dropped) > 0) {
			t.Fatalf("dropped %s, told %t:\n%s", dropped, reported, found)
		}
		again, foundAgain := Decide(facts, p, "")
		if diff := cmp.Diff([]any{got, found.String()}, []any{again, foundAgain.String()}); diff != "" {
			t.Fatalf("a second answer differs:\n%s", diff)
		}
	})
}

// TestNodesAloneAreHCOs: of Nodes, in any order, Decide makes what HCO makes.
func TestNodesAloneAreHCOs(t *testing.T) {
	t.Parallel()
	for _, tc := range readAnswers(t) {
		facts := make([]Facts, 0, len(tc.Nodes))
		for _, n := range tc.nodes() {
			facts = append([]Facts{{Class: Observed, Nodes: []Node{n}, AllNodes: true}}, facts...)
			facts[0].Object.Kind, facts[0].Object.Name = "Node", n.Name
		}
		got, found := Decide(facts, Placement(tc.Placement), "")
		if len(tc.Want.Workload) == 0 {
			if !found.Failed() {
				t.Errorf("%s: no workload architecture is an error, got %v", tc.Name, got)
			}
			continue
		}
		if found.Failed() {
			t.Errorf("%s:\n%s", tc.Name, found)
		}
		want := []any{tc.Want.Workload, tc.Want.ControlPlane, tc.Want.Default}
		if diff := cmp.Diff(want, []any{got.Workload.Strings(), got.ControlPlane.Strings(), got.Default}); diff != "" {
			t.Errorf("%s (-HCO +goldenarch):\n%s", tc.Name, diff)
		}
	}
}

func TestRefused(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		reason string
		a      Architectures
		want   string
	}{
		{"all that SSP knows", Architectures{Workload: arch.NewSet("amd64", "arm64"), ControlPlane: arch.NewSet("s390x")}, ""},
		{
			"a workload node can be left out",
			Architectures{Workload: arch.NewSet("amd64", "ppc64le"), ControlPlane: arch.NewSet("amd64")},
			"warning GA304: SSP supports only amd64,arm64,s390x and refuses a cluster with ppc64le nodes: " +
				"it creates and updates no golden image. Exclude these nodes from the workload placement\n",
		},
		{
			"the control plane cannot, and is told once",
			Architectures{Workload: arch.NewSet("ppc64le"), ControlPlane: arch.NewSet("ppc64le")},
			"warning GA304: SSP supports only amd64,arm64,s390x and refuses a cluster with ppc64le nodes: " +
				"it creates and updates no golden image. Move the control plane to other nodes: a placement does not exclude it\n",
		},
		{
			"of the control plane alone",
			Architectures{Workload: arch.NewSet("amd64"), ControlPlane: arch.NewSet("riscv64")},
			"warning GA304: SSP supports only amd64,arm64,s390x and refuses a cluster with riscv64 nodes: " +
				"it creates and updates no golden image. Move the control plane to other nodes: a placement does not exclude it\n",
		},
		{
			"verbatim: case counts, and one warning names both",
			Architectures{Workload: arch.NewSet("AMD64", "x86_64")},
			"warning GA304: SSP supports only amd64,arm64,s390x and refuses a cluster with AMD64, x86_64 nodes: " +
				"it creates and updates no golden image. Exclude these nodes from the workload placement\n",
		},
	} {
		if got := Refused(tc.a).String(); got != tc.want {
			t.Errorf("%s: want %q, got %q", tc.reason, tc.want, got)
		}
	}
}
