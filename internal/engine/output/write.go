package output

import (
	"fmt"
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/engine/join"
	"github.com/goldenarch/goldenarch/internal/engine/settings"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/manifest/kinds"
	"github.com/goldenarch/goldenarch/internal/manifest/object"
	"github.com/goldenarch/goldenarch/internal/manifest/wrapper"
	"github.com/goldenarch/goldenarch/internal/plan"
	"github.com/goldenarch/goldenarch/internal/yaml/yamlnode"
	"github.com/goldenarch/goldenarch/transformers"
)

// Write makes the edits of the plans on copies of the items. It returns the copies only
// if all edits succeed, so that there is never half a result.
func Write(list []join.Joined, plans []plan.Plan) (map[*yaml.RNode]*yaml.RNode, finding.List) {
	copies := map[*yaml.RNode]*yaml.RNode{} // by item, which may contain several CRs
	for i, s := range list {
		if plans[i].Empty() {
			continue
		}
		if copies[s.Item] == nil {
			item, err := yamlnode.Expanded(s.Item)
			if err != nil {
				return nil, finding.List{s.Unreadable(err)}
			}
			copies[s.Item] = item
		}
		err := s.Edit(copies[s.Item], func(cr *yaml.RNode) error { return transformers.Apply(cr, string(s.CR.Version), plans[i].Edits) })
		if err != nil {
			return nil, finding.List{s.Unreadable(fmt.Errorf("write the CR: %w", err))}
		}
	}
	return copies, nil
}

// Product returns the items that go to the cluster. It leaves out dumps of Nodes,
// goldenarch's own kinds and local configuration. It also removes them from a List, and
// leaves out a List that is then empty.
func Product(items []*yaml.RNode) []*yaml.RNode {
	var out []*yaml.RNode
	for _, item := range items {
		if KeepForCluster(item) {
			out = append(out, item)
		}
	}
	return out
}

// KeepForCluster reports whether an item goes to the cluster. It removes from a List
// what does not. The run reports a List without an end.
func KeepForCluster(item *yaml.RNode) bool {
	if !yamlnode.IsFinite(item.YNode()) || isWhole(element{node: item.YNode()}) {
		return true
	}
	// A removed object may hold the anchor of one that stays.
	if yamlnode.HasAlias(item.YNode()) {
		if expanded, err := yamlnode.Expanded(item); err == nil {
			object.Replace(item, expanded.YNode())
		}
	}
	return reduce(element{node: item.YNode()})
}

// element is an object, or an element of a List, which may have no kind of its own.
type element struct {
	node *yaml.Node
	in   finding.Object // in a typed list, the kind of its elements
}

// refer identifies the element.
func (e element) refer() finding.Object {
	at := object.Ref(yaml.NewRNode(e.node))
	if at.Kind == "" {
		at.Kind, at.APIVersion = e.in.Kind, e.in.APIVersion
	}
	return at
}

// elements returns the elements of a List, or nil for any other object.
func (e element) elements() []element {
	at, list := e.refer(), object.ListItems(e.node)
	kind, isList := object.ElementKind(at.Kind)
	if !isList || list == nil {
		return nil
	}
	out := make([]element, len(list.Content))
	for i, n := range list.Content {
		out[i] = element{node: n, in: finding.Object{APIVersion: at.APIVersion, Kind: kind}}
	}
	return out
}

// isWhole reports whether an object goes to the cluster, and so do all elements of a
// List.
func isWhole(e element) bool {
	if isForTools(e) {
		return false
	}
	return !slices.ContainsFunc(e.elements(), func(inner element) bool { return !isWhole(inner) })
}

// reduce removes from a List what does not go to the cluster, and reports whether
// anything of the object remains.
func reduce(e element) bool {
	if isForTools(e) {
		return false
	}
	inner := e.elements()
	if len(inner) == 0 {
		return true
	}
	var kept []*yaml.Node
	for _, one := range inner {
		if reduce(one) {
			kept = append(kept, one.node)
		}
	}
	object.ListItems(e.node).Content = kept
	return len(kept) > 0
}

// ownKinds are goldenarch's own kinds.
var ownKinds = []string{
	v1alpha1.GoldenImagesKind, v1alpha1.ClusterArchitecturesKind, v1alpha1.ArchitectureLockKind, v1alpha1.WorkloadArchitecturesKind,
	v1alpha1.FleetKind, v1alpha1.ClusterFactsKind,
}

// isForTools reports whether an object is for tools, or only describes the cluster: a
// dump of a Node, and a NodeList that contains one.
func isForTools(e element) bool {
	at := e.refer()
	return object.IsLocal(yaml.NewRNode(e.node)) ||
		kinds.IsNode(at) && object.IsDump(e.node) ||
		at.APIVersion == "v1" && at.Kind == "NodeList" && len(e.elements()) == 0 ||
		slices.ContainsFunc(ownKinds, func(kind string) bool { return kinds.IsGoldenarch(at, kind) })
}

// Unreachable reports CRs that do not get to the cluster in the way that a policy or another
// wrapper around them is written: one of the input, or one that carriers have of their files.
func Unreachable(list []join.Joined, plans []plan.Plan, spec *settings.Settings, carriers wrapper.Carriers) finding.List {
	var objects []object.Object
	var found finding.List
	for i, s := range list {
		objects = append(objects, s.Resource.Object)
		edits := !plans[i].Empty()
		// The gate is a key of a map, or a list element with a name, so it is merged.
		merges := edits && !plans[i].EditsOnlyGate()
		if !s.IsWrapped() {
			if by := carriers.MergedBy(s.At.File); merges && by != "" {
				found = append(found, s.Locate(finding.List{mergedByACM(by, "the PolicyGenerator, for this manifest")})...)
			}
			continue
		}
		if spec.Expand.Mode != v1alpha1.ExpandNone {
			found = append(found, s.Locate(finding.List{emitsBeside(s, spec)})...)
		}
		switch {
		case merges && s.Reach == wrapper.Merged:
			found = append(found, s.Locate(finding.List{mergedByACM(s.Wrapper.String(), "the object template of the CR")})...)
		case edits && s.Reach == wrapper.CreatedOnce:
			found = append(found, s.Locate(finding.List{s.CreatedOnce("CR")})...)
		}
	}
	return append(found, object.NotApplied(objects, carriers, "CR")...)
}

func mergedByACM(wrapper, in string) finding.Finding {
	return finding.Finding{
		ID: finding.MergedByACM, Severity: finding.Error,
		Text: wrapper + ` has complianceType "musthave" for this CR: the policy controller adds an edited template beside the old one, ` +
			"and HCO refuses a CR with two templates of one name. So goldenarch does not edit this CR",
		Do: "set complianceType: mustonlyhave in " + in,
	}
}

func emitsBeside(s join.Joined, spec *settings.Settings) finding.Finding {
	return finding.Finding{
		ID: finding.EmitWrapped, Severity: finding.Error,
		Text: fmt.Sprintf("spec.expand.mode is %q, and %s carries the CR to another cluster: "+
			"goldenarch would emit the DataImportCrons beside the wrapper, and they would go to the wrong cluster",
			spec.Expand.Mode, s.Wrapper),
		Do: "set spec.expand.mode: None, or render the CR before it is wrapped",
	}
}

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
		at, field := first.At, first.Path
		text := fmt.Sprintf("%s has %s, so it is a dump of a live Node: goldenarch reads it as node facts and omits it from the output",
			first.At, object.DumpField(first.Node.YNode()))
		if len(nodes) > 1 {
			at, field = object.New(item).At, ""
			text = fmt.Sprintf("%d Nodes (%s) are dumps of live Nodes: goldenarch reads them as node facts and omits them from the output",
				len(nodes), finding.FirstOf(namesOf(nodes)))
		}
		found = append(found, finding.Finding{
			ID: finding.NodeLeftOut, Severity: finding.Info, Object: at, Field: field, Line: first.Line(""), Text: text,
			Do: "pass the dump with --nodes; if Git manages the Node, remove status, metadata.uid and metadata.resourceVersion",
		})
	}
	return found
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
		at, what := object.New(item).At, "is a dump of a live Node"
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

// PrepareForHost annotates items that the host did not read itself with their places.
func PrepareForHost(items []*yaml.RNode) finding.List {
	for _, item := range items {
		if err := object.Annotate(item); err != nil {
			return finding.List{object.Object{Item: item, Node: item, At: object.Ref(item)}.Unreadable(err)}
		}
	}
	return nil
}
