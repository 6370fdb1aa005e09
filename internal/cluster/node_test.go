package cluster

import (
	"compress/gzip"
	"encoding/json"
	"os"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"pgregory.net/rapid"

	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/finding"
)

// hcoAnswer is what HCO's own code made of nodes and a placement
// (testdata/README.md).
type hcoAnswer struct {
	Name  string `json:"name"`
	Nodes []struct {
		Name         string            `json:"name"`
		Labels       map[string]string `json:"labels"`
		Architecture arch.Arch         `json:"architecture"`
	} `json:"nodes"`
	Placement struct {
		NodeSelector map[string]string `json:"nodeSelector"`
		Affinity     *corev1.Affinity  `json:"affinity"`
	} `json:"placement"`
	Want struct {
		Workload     []string  `json:"workload"`
		ControlPlane []string  `json:"controlPlane"`
		Default      arch.Arch `json:"default"`
	} `json:"want"`
}

func readAnswers(t *testing.T) []hcoAnswer {
	t.Helper()
	file, err := os.Open("testdata/hco-answers.json.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	unzipped, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	var cases []hcoAnswer
	if err := json.NewDecoder(unzipped).Decode(&cases); err != nil {
		t.Fatal(err)
	}
	return cases
}

func (a hcoAnswer) nodes() []Node {
	var out []Node
	for _, n := range a.Nodes {
		out = append(out, Node{Name: n.Name, Count: 1, Architecture: n.Architecture, Labels: n.Labels})
	}
	return out
}

// ofAllNodes returns what is decided about a cluster that has these nodes and no others.
func ofAllNodes(nodes []Node, p Placement) Architectures {
	out, _ := Decide([]Facts{{Class: Observed, Object: finding.Object{Kind: "Node"}, Nodes: nodes, AllNodes: true}}, p, "")
	return out
}

// TestArchitecturesAreHCOs holds the computation against HCO's own answers.
func TestArchitecturesAreHCOs(t *testing.T) {
	t.Parallel()
	cases := readAnswers(t)
	if len(cases) < 100 {
		t.Fatalf("want the 22 cases of a rule each and the generated ones, got %d", len(cases))
	}
	for _, tc := range cases {
		t.Run(tc.Name, func(t *testing.T) {
			t.Parallel()
			nodes, placement := tc.nodes(), Placement(tc.Placement)
			got := ofAllNodes(nodes, placement)
			if diff := cmp.Diff(tc.Want.Workload, got.Workload.Strings()); diff != "" {
				t.Errorf("workload (-HCO +goldenarch):\n%s", diff)
			}
			if diff := cmp.Diff(tc.Want.ControlPlane, got.ControlPlane.Strings()); diff != "" {
				t.Errorf("control plane (-HCO +goldenarch):\n%s", diff)
			}
			if got.Default != tc.Want.Default {
				t.Errorf("default: HCO has %q, got %q", tc.Want.Default, got.Default)
			}
			slices.Reverse(nodes)
			if diff := cmp.Diff(got, ofAllNodes(nodes, placement)); diff != "" {
				t.Errorf("the order of nodes must not matter:\n%s", diff)
			}
		})
	}
}

// TestCountsAreNodes: a group of n nodes is n nodes.
func TestCountsAreNodes(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		architecture := rapid.SampledFrom([]arch.Arch{arch.AMD64, arch.ARM64, arch.S390X})
		var groups, single []Node
		for range rapid.IntRange(0, 5).Draw(t, "groups") {
			n := Node{Architecture: architecture.Draw(t, "architecture"), Count: rapid.IntRange(0, 3).Draw(t, "count"), Labels: map[string]string{}}
			for _, label := range []string{workerLabel, controlPlaneLabel, masterLabel} {
				if rapid.Bool().Draw(t, label) {
					n.Labels[label] = ""
				}
			}
			groups = append(groups, n)
			for range n.Count {
				one := n
				one.Count = 1
				single = append(single, one)
			}
		}
		of, each := ofAllNodes(groups, Placement{}), ofAllNodes(single, Placement{})
		if !of.Workload.Equal(each.Workload) || !of.ControlPlane.Equal(each.ControlPlane) || of.Default != each.Default {
			t.Fatalf("groups %v differ from nodes %v", groups, single)
		}
	})
}
