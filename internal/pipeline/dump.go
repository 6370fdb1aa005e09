package pipeline

import (
	"fmt"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/finding"
)

// isDump reports whether an object was read from a cluster: only the API server
// gives a uid, a resourceVersion and a status that says something. Tools that
// write manifests from Go types leave "status: {}" behind, which says nothing.
func isDump(n *yaml.Node) bool {
	return dumpedBy(n) != ""
}

// dumpedBy names the field that shows that an object was read from a cluster; ""
// if none does.
func dumpedBy(n *yaml.Node) string {
	o := yaml.NewRNode(n)
	switch status := nodeAt(o, "status"); {
	case status != nil && len(status.Content) > 0:
		return "status"
	case textAt(o, "metadata", "uid") != "":
		return "metadata.uid"
	case textAt(o, "metadata", "resourceVersion") != "":
		return "metadata.resourceVersion"
	default:
		return ""
	}
}

// isNode reports whether an object is a Node of Kubernetes.
func isNode(at finding.Object) bool { return at.APIVersion == "v1" && at.Kind == "Node" }

// dumpedNodes returns the Nodes in an item that were read from a cluster and that
// nobody has marked as local configuration.
func dumpedNodes(item *yaml.RNode) []object {
	if isLocal(item) {
		return nil
	}
	var out []object
	for _, o := range objects([]*yaml.RNode{item}) {
		if isNode(o.at) && isDump(o.node.YNode()) && !isLocal(o.node) {
			out = append(out, o)
		}
	}
	return out
}

// leftOutNodes tells of the Nodes that are left out of the product: one finding
// for each item that holds some. Who names a file in spec.inputs has said that it
// tells of the cluster, and is told nothing.
func leftOutNodes(items []*yaml.RNode) finding.List {
	var found finding.List
	for _, item := range items {
		nodes := dumpedNodes(item)
		if len(nodes) == 0 {
			continue
		}
		first := nodes[0]
		text := fmt.Sprintf("%s has %s, so it is a dump of a live Node: goldenarch reads it as node facts and leaves it out of the output",
			first.at, dumpedBy(first.node.YNode()))
		if len(nodes) > 1 {
			text = fmt.Sprintf("%d Nodes (%s) are dumps of live Nodes: goldenarch reads them as node facts and leaves them out of the output",
				len(nodes), firstOf(namesOf(nodes)))
		}
		found = append(found, finding.Finding{
			ID: finding.NodeLeftOut, Severity: finding.Info, Object: itemOf(first, len(nodes)), Field: fieldOf(first, len(nodes)),
			Line: lineOf(first.node.YNode(), ""), Text: text,
			Do: "pass the dump with --nodes, or, if Git manages the Node, remove status, metadata.uid and metadata.resourceVersion",
		})
	}
	return found
}

// itemOf returns the only object, or the item that holds several.
func itemOf(first object, n int) finding.Object {
	if n == 1 {
		return first.at
	}
	at := refer(first.item)
	at.File, at.Index = place(first.item)
	return at
}

// fieldOf returns the place of the only object in its item; "" of several.
func fieldOf(first object, n int) string {
	if n == 1 {
		return first.path
	}
	return ""
}

func namesOf(list []object) []string {
	out := make([]string, len(list))
	for i, o := range list {
		out[i] = o.at.Name
	}
	return out
}

// nodesInPackage tells of dumps of Nodes that the host would apply to the cluster.
func nodesInPackage(items []*yaml.RNode) finding.List {
	var found finding.List
	for _, item := range items {
		nodes := dumpedNodes(item)
		if len(nodes) == 0 {
			continue
		}
		at := refer(item)
		at.File, at.Index = place(item)
		what := "is a dump of a live Node"
		if !isNode(at) {
			what = "holds dumps of live Nodes (" + firstOf(namesOf(nodes)) + ")"
		}
		found = append(found, finding.Finding{
			ID: finding.NodeInPackage, Severity: finding.Warning, Object: at,
			Text: fmt.Sprintf("%s %s, and a function passes it on like any other item: whoever applies the output applies it to the cluster", at, what),
			Do:   "annotate it with " + localConfig + `: "true", or state the nodes in a ClusterArchitectures`,
		})
	}
	return found
}
