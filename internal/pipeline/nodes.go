package pipeline

import (
	"fmt"

	"github.com/goldenarch/goldenarch/internal/cluster"
	"github.com/goldenarch/goldenarch/internal/finding"
)

// givenNodes is what [Function.Nodes] says.
type givenNodes struct {
	facts []cluster.Facts
	names map[string]bool
}

// readNodes reads the Nodes that were given beside the items. What is not a Node,
// and Nodes of which none has an architecture, are errors: a person has said that
// they tell which nodes the cluster has.
func (f Function) readNodes() (givenNodes, finding.List) {
	given := givenNodes{names: map[string]bool{}}
	if f.Nodes == nil {
		return given, nil
	}
	var in input
	var found finding.List
	for _, o := range objects(f.Nodes) {
		if !isNode(o.at) {
			found = append(found, finding.Finding{
				ID: finding.NodesInvalid, Severity: finding.Error, Object: o.at, Field: o.path, Line: lineOf(o.node.YNode(), ""),
				Text: fmt.Sprintf("--nodes takes Nodes only, and this is %q of apiVersion %q", o.at.Kind, o.at.APIVersion),
				Do:   "pass the output of 'kubectl get nodes -o yaml'",
			})
			continue
		}
		given.names[o.at.Name] = true
		found = append(found, in.takeFacts(o)...)
	}
	if len(in.facts) == 0 && !found.Failed() {
		found = append(found, finding.Finding{
			ID: finding.NodesInvalid, Severity: finding.Error,
			Text: fmt.Sprintf("none of the %s that --nodes gives has status.nodeInfo.architecture, so they do not say which architectures the cluster has", counted(len(given.names), "Node")),
			Do:   "pass the output of 'kubectl get nodes -o yaml'",
		})
	}
	given.facts = in.facts
	return given, found
}

// has reports whether the object is a Node that was given beside the items too.
// What was given for this run counts, and no Node counts twice.
func (n givenNodes) has(o object) bool { return isNode(o.at) && n.names[o.at.Name] }
