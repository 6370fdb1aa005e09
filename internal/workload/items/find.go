package items

import (
	"fmt"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/manifest/object"
	"github.com/goldenarch/goldenarch/internal/manifest/wrapper"
	"github.com/goldenarch/goldenarch/internal/olm"
	"github.com/goldenarch/goldenarch/internal/workload"
	"github.com/goldenarch/goldenarch/internal/workload/podspec"
	"github.com/goldenarch/goldenarch/internal/yaml/yamlnode"
)

// Items are the items of a run that hold pods.
type Items struct {
	// Carriers returns the policies that are made of the files of the items; nil knows none.
	Carriers wrapper.Carriers

	list   []item
	finder finder
}

// item is an item with its objects.
type item struct {
	original *yaml.RNode
	// copied is the copy that the run edits, and that has the objects; nil if the item itself has them.
	copied  *yaml.RNode
	objects []podObject
}

// podObject is an object with pods of an item.
type podObject struct {
	podspec.Object

	// in is the object in the item, or in its copy.
	in object.Object
	// line returns the line of a field in the file.
	line func(field string) int
}

// Find returns the objects with pods that the run's configuration selects. edited has the
// copies of items that earlier steps changed; Find uses these copies. It copies no other item that
// can be read as it is: [Items.Treat] copies what it edits.
func Find(all []*yaml.RNode, edited map[*yaml.RNode]*yaml.RNode, run workload.Run) (Items, finding.List) {
	out := Items{finder: finder{opener: object.NewOpener(all), run: run}}
	var found finding.List
	for _, original := range all {
		if object.IsLocal(original) {
			continue
		}
		one, list := out.finder.item(original, edited[original])
		found = append(found, list...)
		if len(one.objects) > 0 {
			out.list = append(out.list, one)
		}
	}
	out.finder.run.Deployments = deploymentsOf(out.list, run)
	return out, found
}

// deploymentsOf returns the Deployments among items that are of an operator.
func deploymentsOf(list []item, run workload.Run) []podspec.Object {
	var out []podspec.Object
	for _, one := range list {
		for _, o := range one.objects {
			if run.IsOperator(o.Object) && !o.IsCSV() {
				out = append(out, o.Object)
			}
		}
	}
	return out
}

// finder finds the objects with pods in items.
type finder struct {
	opener object.Opener
	run    workload.Run
}

func (f finder) item(original, copied *yaml.RNode) (item, finding.List) {
	at := object.New(original)
	if !yamlnode.IsFinite(original.YNode()) {
		return item{}, finding.List{at.Unreadable(yamlnode.ErrAnchors)}
	}
	before := f.withPods(original)
	// An alias or a merge key hides fields.
	hides := yamlnode.HasAlias(original.YNode()) || yamlnode.HasMergeKey(original.YNode())
	if copied == nil && !hides && len(before) == 0 {
		return item{}, nil
	}
	one := item{original: original, copied: copied, objects: before}
	if hides {
		if err := one.copy(); err != nil {
			return item{}, finding.List{at.Unreadable(err)}
		}
	}
	if one.copied != nil {
		one.objects = f.withPods(one.copied)
	}
	if len(one.objects) == 0 {
		return item{}, nil
	}
	found := object.DuplicateKeys(at)
	if len(found) > 0 {
		if err := one.copy(); err != nil {
			return item{}, append(found, at.Unreadable(err))
		}
		at.RemoveRepeated(one.copied)
		one.objects = f.withPods(one.copied)
	}
	if wrong := one.prepare(before); wrong != nil {
		return item{}, append(found, *wrong)
	}
	return one, found
}

// expand expands the aliases of an object in a text: that of the copy is as it is written.
func (o *podObject) expand() error {
	if !o.in.IsText() {
		return nil
	}
	copied, err := yamlnode.Expanded(yaml.NewRNode(o.Node))
	if err != nil {
		return fmt.Errorf("the text in %s: %w", o.Path, err)
	}
	o.Node = copied.YNode()
	return nil
}

// setLines says where the fields of the objects are, given the objects of the original. The
// lines of a text are those of its own objects.
func (one item) setLines(before []podObject) {
	inText := map[string]object.Object{}
	for _, o := range before {
		if o.in.IsText() {
			inText[o.Path+" "+o.in.At.String()] = o.in
		}
	}
	for i := range one.objects {
		o := &one.objects[i]
		o.line = object.New(one.original).Line
		if in, ok := inText[o.Path+" "+o.in.At.String()]; ok {
			o.line = func(field string) int { return in.Line(strings.TrimPrefix(strings.TrimPrefix(field, o.Path), ".")) }
		}
	}
}

// withPods returns the selected objects of an item that have pods.
func (f finder) withPods(n *yaml.RNode) []podObject {
	var out []podObject
	list, of := workload.Objects(f.opener.Open(n))
	for i, o := range list {
		if !of[i].IsLocal() && f.run.Selects(o) && (o.IsCSV() || len(podspec.Places(o, f.run.Options())) > 0) {
			out = append(out, podObject{Object: o, in: of[i]})
		}
	}
	return out
}

// Images returns the texts that name the images of pods, sorted and without duplicates. It
// omits images that do not count.
func (i Items) Images() []string {
	var out []string
	for _, one := range i.list {
		for _, o := range one.objects {
			out = append(out, i.finder.run.Images(o.Object)...)
			out = append(out, olm.Images(i.finder.run, o.Object)...)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// Counts returns how many objects with pods each item holds, and into how many of them the
// run may write.
func (i Items) Counts() (all, writable map[*yaml.RNode]int) {
	all, writable = map[*yaml.RNode]int{}, map[*yaml.RNode]int{}
	for _, one := range i.list {
		all[one.original] = len(one.objects)
		for _, o := range one.objects {
			if i.finder.run.Writes(o.Object) {
				writable[one.original]++
			}
		}
	}
	return all, writable
}

// Len returns how many objects with pods there are.
func (i Items) Len() int { return len(i.Objects()) }

// Objects returns the objects with pods, with the files that have them.
func (i Items) Objects() []finding.Object {
	var out []finding.Object
	for _, one := range i.list {
		for _, o := range one.objects {
			out = append(out, o.in.At)
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
