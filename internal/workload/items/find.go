package items

import (
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/bound"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/object"
	"github.com/goldenarch/goldenarch/internal/olm"
	"github.com/goldenarch/goldenarch/internal/workload"
	"github.com/goldenarch/goldenarch/internal/workload/podspec"
)

// Items are the items of a run that hold pods.
type Items struct {
	list []item
	run  workload.Run
}

// item is an item with the objects in its copy.
type item struct {
	original *yaml.RNode
	copied   *yaml.RNode
	objects  []podspec.Object
}

// Find returns the objects with pods that the run's configuration selects. edited has the
// copies of items that earlier steps changed; Find uses these copies.
func Find(all []*yaml.RNode, edited map[*yaml.RNode]*yaml.RNode, run workload.Run) (Items, finding.List) {
	out := Items{run: run}
	var found finding.List
	for _, original := range all {
		if object.IsLocal(original) {
			continue
		}
		one, list := out.find(original, edited[original])
		found = append(found, list...)
		if len(one.objects) > 0 {
			out.list = append(out.list, one)
		}
	}
	return out, found
}

func (i Items) find(original, copied *yaml.RNode) (item, finding.List) {
	if !object.IsFinite(original.YNode()) {
		return item{}, finding.List{object.New(original).Unreadable(bound.ErrAnchors)}
	}
	// An item that the run only reads needs no copy, but an alias or a merge key hides
	// fields.
	if copied == nil && !object.HasAlias(original.YNode()) && !object.HasMergeKey(original.YNode()) && len(i.withPods(original)) == 0 {
		return item{}, nil
	}
	if copied == nil {
		var err error
		if copied, err = object.Copy(original); err != nil {
			return item{}, finding.List{object.New(original).Unreadable(err)}
		}
	}
	one := item{original: original, copied: copied, objects: i.withPods(copied)}
	if len(one.objects) == 0 {
		return item{}, nil
	}
	at := object.New(original)
	found := object.DuplicateKeys(at)
	if len(found) > 0 {
		at.RemoveRepeated(copied)
		one.objects = i.withPods(copied)
	}
	return one, found
}

// withPods returns the selected objects of an item that have pods.
func (i Items) withPods(n *yaml.RNode) []podspec.Object {
	return slices.DeleteFunc(podspec.Objects(n.YNode()), func(o podspec.Object) bool {
		return object.IsLocal(yaml.NewRNode(o.Node)) || !i.run.Selects(o) || len(podspec.Places(o, i.run.Options())) == 0
	})
}

// Images returns the texts that name the images of pods, sorted and without duplicates. It
// omits images that do not count.
func (i Items) Images() []string {
	var out []string
	for _, one := range i.list {
		for _, o := range one.objects {
			out = append(out, i.run.Images(o)...)
			out = append(out, olm.Images(i.run, o)...)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// Len returns how many objects with pods there are.
func (i Items) Len() int {
	n := 0
	for _, one := range i.list {
		n += len(one.objects)
	}
	return n
}

// Objects returns the objects with pods, with the files that have them.
func (i Items) Objects() []finding.Object {
	var out []finding.Object
	for _, one := range i.list {
		at := object.New(one.original).At
		for _, o := range one.objects {
			out = append(out, finding.Object{APIVersion: o.APIVersion, Kind: o.Kind, Namespace: o.Namespace, Name: o.Name, File: at.File, Index: at.Index})
		}
	}
	return out
}

// Places returns the locations of the objects with pods.
func (i Items) Places() []finding.Object {
	var out []finding.Object
	for _, one := range i.list {
		out = append(out, object.New(one.original).At)
	}
	return out
}
