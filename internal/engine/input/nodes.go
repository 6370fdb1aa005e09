package input

import (
	"fmt"
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/cluster"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/manifest/kinds"
	"github.com/goldenarch/goldenarch/internal/manifest/object"
)

// Nodes is what the Nodes say that the user passes in addition to the items.
type Nodes struct {
	Facts []cluster.Facts
	// Only says that node facts of the items do not count, and NoStatus that the status of
	// a CR among the items is not one.
	Only, NoStatus bool

	names map[string]bool
}

// With returns the Nodes and the node facts of other objects that the operator states. only
// says that the items do not count.
func (n Nodes) With(facts []object.Object, only bool) (Nodes, finding.List) {
	in := Input{Facts: slices.Clone(n.Facts)}
	var found finding.List
	for _, o := range facts {
		found = append(found, in.AddFacts(o)...)
	}
	n.Facts, n.Only = in.Facts, only
	return n, found
}

// ReadNodes reads the Nodes that the user passes in addition to the items. The user says
// with them which nodes the cluster has. So ReadNodes returns an error for an object that
// is not a Node, and for a list in which no Node has an architecture.
func ReadNodes(nodes []*yaml.RNode) (Nodes, finding.List) {
	given := Nodes{names: map[string]bool{}}
	if nodes == nil {
		return given, nil
	}
	var in Input
	var found finding.List
	for _, o := range object.All(nodes) {
		if !kinds.IsNode(o.At) {
			found = append(found, finding.Finding{
				ID: finding.NodesInvalid, Severity: finding.Error, Object: o.At, Field: o.Path, Line: o.Line(""),
				Text: fmt.Sprintf("--nodes accepts only Nodes, but this is %q of apiVersion %q", o.At.Kind, o.At.APIVersion),
				Do:   "pass the output of 'kubectl get nodes -o yaml'",
			})
			continue
		}
		given.names[o.At.Name] = true
		found = append(found, in.AddFacts(o)...)
	}
	if len(in.Facts) == 0 && !found.Failed() {
		found = append(found, finding.Finding{
			ID: finding.NodesInvalid, Severity: finding.Error,
			Text: fmt.Sprintf("none of the %s of --nodes has status.nodeInfo.architecture, so goldenarch cannot see which architectures the cluster has",
				finding.Count(len(given.names), "Node")),
			Do: "pass the output of 'kubectl get nodes -o yaml'",
		})
	}
	for i := range in.Facts {
		in.Facts[i].AllNodes = true // the user says which nodes the cluster has
	}
	given.Facts = in.Facts
	return given, found
}

// has reports whether the user also passed the object as a Node in addition to the items.
// The Node that the user passed for this run takes precedence, and no Node counts twice.
func (n Nodes) has(o object.Object) bool { return kinds.IsNode(o.At) && n.names[o.At.Name] }
