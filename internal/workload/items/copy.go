package items

import (
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/manifest/object"
	"github.com/goldenarch/goldenarch/internal/workload"
	"github.com/goldenarch/goldenarch/internal/workload/podspec"
	"github.com/goldenarch/goldenarch/internal/yaml/yamlnode"
)

// copy copies the whole item, unless that is done.
func (one *item) copy() (err error) {
	if one.copied == nil {
		one.copied, err = yamlnode.Expanded(one.original)
	}
	return err
}

// inCopy returns an item with its objects in a copy, which the run may edit. The copy shares with the item what the run never edits.
func (f finder) inCopy(one item) (item, *finding.Finding) {
	if one.copied != nil {
		return one, nil
	}
	before := one.objects
	edited, ok := f.edited(one)
	if ok {
		one.copied = yaml.NewRNode(yamlnode.CopyOf(one.original.Document(), edited))
	} else if err := one.copy(); err != nil {
		wrong := object.New(one.original).Unreadable(err)
		return one, &wrong
	}
	one.objects = f.withPods(one.copied)
	return one, one.prepare(before)
}

// edited returns the nodes of an item that the run may edit. It reports false for an item where these are not known.
func (f finder) edited(one item) (map[*yaml.Node]bool, bool) {
	out := map[*yaml.Node]bool{}
	for _, o := range one.objects {
		if o.in.IsText() {
			return nil, false
		}
		metadata := yamlnode.Value(o.Node, yaml.MetadataField)
		annotations := yamlnode.Value(metadata, "annotations")
		out[o.Node], out[metadata], out[annotations] = true, true, true
		addTree(out, yamlnode.Value(annotations, workload.RecordAnnotation))
		if f.run.IsOperator(o.Object) { // its labels, too
			addTree(out, metadata)
		}
		for _, place := range podspec.Places(o.Object, f.run.Options()) {
			if place.Shape != podspec.PodSpec || place.Package != "" {
				return nil, false
			}
			out[place.Node] = true
			addTree(out, yamlnode.Value(place.Node, "nodeSelector"))
			addTree(out, yamlnode.Value(place.Node, "affinity"))
		}
	}
	return out, true
}

// addTree adds the nodes of a tree.
func addTree(to map[*yaml.Node]bool, n *yaml.Node) {
	if n == nil {
		return
	}
	to[n] = true
	for _, child := range n.Content {
		addTree(to, child)
	}
}

// prepare prepares the objects for reading, given those of the original. It returns what is wrong with one of them.
func (one *item) prepare(before []podObject) *finding.Finding {
	for i := range one.objects {
		if err := one.objects[i].expand(); err != nil {
			wrong := one.objects[i].in.Unreadable(err)
			return &wrong
		}
	}
	one.setLines(before)
	return nil
}
