package input

import (
	"fmt"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/cluster"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/input/kinds"
	"github.com/goldenarch/goldenarch/internal/object"
)

// Nodes is what the Nodes say that are given beside the items.
type Nodes struct {
	Facts []cluster.Facts
	names map[string]bool
}

// ReadNodes reads the Nodes that were given beside the items. What is not a Node,
// and Nodes of which none has an architecture, are errors: a person has said that
// they tell which nodes the cluster has.
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
				ID: finding.NodesInvalid, Severity: finding.Error, Object: o.At, Field: o.Path, Line: object.LineOf(o.Node.YNode(), ""),
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
			Text: fmt.Sprintf("none of the %s of --nodes has status.nodeInfo.architecture, so goldenarch cannot see which architectures the cluster has", finding.Count(len(given.names), "Node")),
			Do:   "pass the output of 'kubectl get nodes -o yaml'",
		})
	}
	given.Facts = in.Facts
	return given, found
}

// has reports whether the object is a Node that was given beside the items too.
// What was given for this run counts, and no Node counts twice.
func (n Nodes) has(o object.Object) bool { return kinds.IsNode(o.At) && n.names[o.At.Name] }
