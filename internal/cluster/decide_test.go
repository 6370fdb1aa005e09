package cluster_test

import (
	"strings"
	"testing"

	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/cluster"
)

const (
	controlPlane = `node-role.kubernetes.io/control-plane: ""`
	dumped       = `apiVersion: hco.kubevirt.io/v1
kind: HyperConverged
metadata: {name: hc}
status:
  nodeInfo: {workloadsArchitectures: [arm64], controlPlaneArchitectures: [s390x]}
`
	withoutMessage = `apiVersion: machine.openshift.io/v1beta1
kind: MachineSet
metadata: {name: unsaid}
spec:
  template:
    metadata: {labels: {machine.openshift.io/cluster-api-machine-role: worker}}
`
)

// TestDecide: the higher source counts, a field at a time, and where the lower
// one says something else, that is reported.
func TestDecide(t *testing.T) {
	t.Parallel()
	compact := node("a", "amd64", worker, controlPlane)
	for _, tc := range []struct {
		reason  string
		objects []string
		single  arch.Arch
		want    string
	}{
		{"nothing said", nil, "", " | ? |  | error GA301"},
		{"the configuration", []string{"config: arm64,amd64"}, "", "amd64,arm64 | ? | "},
		{"the configuration states that there is no control plane", []string{"config: arm64,amd64 hosted"}, "", "amd64,arm64 |  | "},
		{"that is not what a statement of the workload nodes alone says", []string{"config: hosted", states("{workload: [arm64]}")}, "", "arm64 | ? | arm64"},
		{"a ClusterArchitectures without a control plane", []string{states("{workload: [arm64, amd64], controlPlane: []}")}, "", "amd64,arm64 |  | "},
		{
			reason:  "none is a statement that others contradict",
			objects: []string{"config: amd64 hosted", node("a", "amd64", worker, controlPlane)},
			want:    "amd64 |  | amd64 | warning GA302",
		},
		{
			reason:  "HCO's own status without a control plane says that it sees none",
			objects: []string{strings.Replace(dumped, ", controlPlaneArchitectures: [s390x]", "", 1)},
			want:    "arm64 |  | arm64",
		},
		{"all nodes of a cluster, without a control plane", []string{"all nodes: " + node("a", "amd64", worker)}, "", "amd64 |  | amd64"},
		{
			reason:  "the most frequent counts, if there is no control plane",
			objects: []string{"all nodes: " + node("a", "amd64", worker), "all nodes: " + node("b", "arm64", worker), "all nodes: " + node("c", "arm64", worker)},
			want:    "amd64,arm64 |  | arm64",
		},
		{"the configuration wins", []string{"config: amd64", states("{workload: [arm64]}")}, "", "amd64 | ? | amd64 | warning GA302"},
		{"the same said twice is no disagreement", []string{"config: amd64", states("{workload: [x86_64]}")}, "", "amd64 | ? | amd64"},
		{"of what the configuration leaves out, the next counts", []string{"config: arm64", states("{controlPlane: [amd64]}")}, "", "arm64 | amd64 | arm64"},
		{"a statement wins over nodes", []string{states("{workload: [amd64, arm64]}"), compact}, "", "amd64,arm64 | amd64 | amd64 | warning GA302"},
		{"nodes win over a dumped status", []string{dumped, compact}, "", "amd64 | amd64 | amd64 | warning GA302 | warning GA302"},
		{"a dumped status wins over pools", []string{dumped, nodePool("p", "amd64")}, "", "arm64 | s390x | arm64 | warning GA302"},
		{"a pool that says nothing does not matter below that", []string{dumped, withoutMessage}, "", "arm64 | s390x | arm64"},
		{
			reason:  "three that disagree are told in pairs",
			objects: []string{"config: amd64", dumped, nodePool("p", "s390x")},
			want:    "amd64 | s390x | amd64 | warning GA302 | warning GA302",
		},
		{"no node has the worker label", []string{node("a", "amd64")}, "", " | ? |  | error GA301"},
		{"the control plane alone", []string{node("a", "amd64", controlPlane)}, "", " | amd64 |  | error GA301"},
		{"a Node without an architecture tells nothing", []string{node("a", `""`, worker)}, "", " | ? |  | error GA301"},
		{"an architecture is taken as HCO takes it", []string{node("a", "AMD64", worker)}, "", "AMD64 | ? | AMD64"},
		{
			reason:  "nodes of several objects are one cluster",
			objects: []string{node("a", "amd64", worker), node("b", "arm64", worker), node("c", "arm64", worker)},
			want:    "amd64,arm64 | ? | ",
		},
		{
			reason:  "of two equally frequent the first by name",
			objects: []string{"all nodes: " + node("a", "arm64", worker), "all nodes: " + node("b", "amd64", worker)},
			want:    "amd64,arm64 |  | amd64",
		},
		{
			reason:  "the control plane's, if workloads run on it",
			objects: []string{node("a", "amd64", worker), node("b", "arm64", worker), node("c", "arm64", worker), node("d", "amd64", controlPlane)},
			want:    "amd64,arm64 | amd64 | amd64",
		},
		{
			reason: "groups are counted",
			objects: []string{states("{controlPlane: [], nodes: [{architecture: amd64, labels: {" + worker + "}}, " +
				"{count: 3, architecture: arm64, labels: {" + worker + "}}]}")},
			want: "amd64,arm64 |  | arm64",
		},
		{
			reason:  "a group of none counts as none",
			objects: []string{states("{nodes: [{count: 0, architecture: amd64, labels: {" + worker + "}}, {architecture: arm64, labels: {" + worker + "}}]}")},
			want:    "arm64 | ? | arm64",
		},
		{
			reason:  "what is said directly wins over groups of the same object",
			objects: []string{states("{workload: [arm64], nodes: [{architecture: amd64, labels: {" + worker + "}}]}")},
			want:    "arm64 | ? | arm64 | warning GA302",
		},
		{"narrowed to one", []string{"config: amd64,arm64"}, "arm64", "arm64 | ? | arm64"},
		{"narrowed to one that is not there", []string{"config: amd64,arm64"}, "s390x", " | ? |  | error GA307"},
		{"a pool without an architecture could change the answer", []string{nodePool("p", "amd64"), withoutMessage}, "", "amd64 | ? |  | error GA303"},
		{"it could not, narrowed to one that is there", []string{nodePool("p", "amd64"), withoutMessage}, "amd64", "amd64 | ? | amd64"},
	} {
		if got := messages(cluster.Decide(facts(t, tc.objects...), cluster.Placement{}, tc.single)); got != tc.want {
			t.Errorf("%s: want %q, got %q", tc.reason, tc.want, got)
		}
	}
}

func TestSSPOrder(t *testing.T) {
	t.Parallel()
	a := cluster.Architectures{Workload: arch.NewSet("amd64", "arm64"), ControlPlane: arch.NewSet("arm64", "s390x")}
	if got := a.SSP(); len(got) != 3 || got[0] != "arm64" || got[1] != "s390x" || got[2] != "amd64" {
		t.Errorf("the control plane first, each once: got %v", got)
	}
}
