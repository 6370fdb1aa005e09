package output

import (
	"fmt"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/input/kinds"
	"github.com/goldenarch/goldenarch/internal/object"
)

// LeftOutNodes reports the Nodes that the product leaves out: one finding for each item
// that contains Nodes. It skips files that spec.inputs names, because the user states
// there that they describe the cluster.
func LeftOutNodes(items []*yaml.RNode) finding.List {
	var found finding.List
	for _, item := range items {
		nodes := kinds.DumpedNodes(item)
		if len(nodes) == 0 {
			continue
		}
		first := nodes[0]
		text := fmt.Sprintf("%s has %s, so it is a dump of a live Node: goldenarch reads it as node facts and omits it from the output",
			first.At, object.DumpField(first.Node.YNode()))
		if len(nodes) > 1 {
			text = fmt.Sprintf("%d Nodes (%s) are dumps of live Nodes: goldenarch reads them as node facts and omits them from the output",
				len(nodes), finding.FirstOf(namesOf(nodes)))
		}
		found = append(found, finding.Finding{
			ID: finding.NodeLeftOut, Severity: finding.Info, Object: itemOf(first, len(nodes)), Field: fieldOf(first, len(nodes)),
			Line: first.Line(""), Text: text,
			Do: "pass the dump with --nodes; if Git manages the Node, remove status, metadata.uid and metadata.resourceVersion",
		})
	}
	return found
}

// itemOf returns the only object, or the item that contains several.
func itemOf(first object.Object, n int) finding.Object {
	if n == 1 {
		return first.At
	}
	at := object.New(first.Item).At
	return at
}

// fieldOf returns the path of the only object in its item, or "" for several objects.
func fieldOf(first object.Object, n int) string {
	if n == 1 {
		return first.Path
	}
	return ""
}

func namesOf(list []object.Object) []string {
	out := make([]string, len(list))
	for i, o := range list {
		out[i] = o.At.Name
	}
	return out
}

// NodesInPackage reports dumps of Nodes that the host would apply to the cluster.
func NodesInPackage(items []*yaml.RNode) finding.List {
	var found finding.List
	for _, item := range items {
		nodes := kinds.DumpedNodes(item)
		if len(nodes) == 0 {
			continue
		}
		at := object.New(item).At
		what := "is a dump of a live Node"
		if !kinds.IsNode(at) {
			what = "holds dumps of live Nodes (" + finding.FirstOf(namesOf(nodes)) + ")"
		}
		found = append(found, finding.Finding{
			ID: finding.NodeInPackage, Severity: finding.Warning, Object: at,
			Text: fmt.Sprintf("%s %s. A function passes on all items, so applying the output applies this one to the cluster", at, what),
			Do:   "annotate it with " + object.LocalConfig + `: "true"`,
		})
	}
	return found
}
