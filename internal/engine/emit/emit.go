package emit

import (
	"fmt"
	"maps"
	"path"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/kio/kioutil"
	"sigs.k8s.io/kustomize/kyaml/yaml"
	k8syaml "sigs.k8s.io/yaml"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/generators"
	"github.com/goldenarch/goldenarch/internal/engine/join"
	"github.com/goldenarch/goldenarch/internal/engine/settings"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/manifest/object"
	"github.com/goldenarch/goldenarch/internal/operators/cdi"
	"github.com/goldenarch/goldenarch/internal/operators/expansion"
	"github.com/goldenarch/goldenarch/internal/plan"
	"github.com/goldenarch/goldenarch/internal/yaml/yamlnode"
)

// Merge adds the objects that the plans expand to, and removes those that an earlier
// run emitted and that no plan expands to any more. It does not change the given items,
// and returns them on an error.
func Merge(items []*yaml.RNode, list []join.Joined, plans []plan.Plan, spec *settings.Settings) ([]*yaml.RNode, finding.List) {
	var wanted []expansion.Object
	var found finding.List
	for i, p := range plans {
		if p.Expansion == nil {
			continue
		}
		for _, o := range generators.Objects(generatorInput(p.Expansion, spec.Expand)) {
			wanted = append(wanted, o)
		}
		found = append(found, list[i].Locate(missingNamespace(items, p, spec))...)
	}
	out, more := upsert(items, wanted)
	found = append(found, more...)
	if found.Failed() {
		return items, found
	}
	return out, found
}

// generatorInput returns the expansion of a plan as input for the generators.
func generatorInput(e *plan.Expansion, stated v1alpha1.ExpandSpec) generators.Input {
	in := generators.Input{
		Namespace: e.SSP.Namespace, DataSources: stated.DataSources, ReplaceOnChange: stated.ReplaceOnChange, Support: stated.Support,
	}
	for _, a := range e.SSP.Order {
		in.Architectures = append(in.Architectures, string(a))
	}
	for _, t := range e.Templates {
		in.Templates = append(in.Templates, generators.Template{
			Name: t.Metadata.Name, Namespace: t.Metadata.Namespace, Labels: t.Metadata.Labels, Annotations: t.Metadata.Annotations, Spec: t.Spec,
		})
	}
	return in
}

// missingNamespace reports a golden images namespace that nothing creates: without SSP,
// only the objects in Git do.
func missingNamespace(items []*yaml.RNode, p plan.Plan, spec *settings.Settings) finding.List {
	if spec.Expand.Support || len(p.Expansion.Templates) == 0 || spec.Expand.Mode != v1alpha1.ExpandEmit {
		return nil
	}
	name := p.Expansion.SSP.Namespace
	for _, o := range applied(items) {
		if o.At.APIVersion == "v1" && o.At.Kind == namespaceKind && o.At.Name == name {
			return nil
		}
	}
	return finding.List{{
		ID: finding.NamespaceMissing, Severity: finding.Warning,
		Text: fmt.Sprintf("the input has no Namespace %q: without SSP, nothing creates it, nor the permissions to clone golden images from it", name),
		Do:   "set spec.expand.support: true",
	}}
}

// applied returns the objects of the items that reach the cluster of the CR. A wrapper carries
// what it holds to another cluster, and what is only for tools reaches none. An object in the
// file of an emitted one counts: goldenarch may rewrite it.
func applied(items []*yaml.RNode) []object.Object {
	return slices.DeleteFunc(object.All(items), func(o object.Object) bool {
		return o.IsWrapped() || !isInEmittedFile(o) && o.IsLocal()
	})
}

// matches reports whether an object of the input equals the wanted one, apart from the
// annotations of the host.
func matches(o object.Object, want expansion.Object) bool {
	have := content(o)
	return have != nil && reflect.DeepEqual(have, map[string]any(want))
}

// content returns an object without the annotations of the host, or nil if it cannot be
// read.
func content(o object.Object) map[string]any {
	have, err := o.Tree()
	if err != nil {
		return nil
	}
	if metadata, ok := have["metadata"].(map[string]any); ok {
		notes, _ := metadata["annotations"].(map[string]any)
		for key := range notes {
			if yamlnode.IsHostAnnotation(key) {
				delete(notes, key)
			}
		}
		if len(notes) == 0 {
			delete(metadata, "annotations")
		}
	}
	return have
}

// note is an annotation of the host.
type note struct{ key, value string }

// newItem returns an object as an item with its own file and index in the package.
func newItem(o expansion.Object, index int) *yaml.RNode {
	file := fileOf(refOf(o))
	return itemOf(o, []note{
		{kioutil.PathAnnotation, file},
		{kioutil.IndexAnnotation, strconv.Itoa(index)},
		{kioutil.LegacyPathAnnotation, file},                 //nolint:staticcheck // older hosts
		{kioutil.LegacyIndexAnnotation, strconv.Itoa(index)}, //nolint:staticcheck // older hosts
	})
}

// renewed returns an object that replaces an item. It keeps the annotations of the
// host.
func renewed(item *yaml.RNode, o expansion.Object) (*yaml.RNode, error) {
	expanded, err := yamlnode.Expanded(item) // annotations can come from an alias or a merge key
	if err != nil {
		return nil, err
	}
	all := expanded.GetAnnotations()
	var notes []note
	for _, key := range slices.Sorted(maps.Keys(all)) {
		if yamlnode.IsHostAnnotation(key) {
			notes = append(notes, note{key, all[key]})
		}
	}
	out := itemOf(o, notes)
	object.CopyPlace(out, item)
	return out, nil
}

// itemOf returns an object as an item with annotations.
func itemOf(o expansion.Object, notes []note) *yaml.RNode {
	text, err := k8syaml.Marshal(o)
	if err != nil {
		panic(err) // it is decoded JSON
	}
	out := yaml.MustParse(string(text))
	for _, one := range notes {
		if err := out.PipeE(yaml.SetAnnotation(one.key, one.value)); err != nil {
			panic(err) // the generators make a mapping of annotations, or none
		}
	}
	return out
}

// Dir is the directory of a package that contains the emitted objects.
const Dir = "golden-images"

// namespaceKind is the kind of a Namespace.
const namespaceKind = "Namespace"

// fileOf returns the file of an emitted object. A later run recognizes the object by
// this name. RBAC allows colons in names, file systems do not.
func fileOf(at finding.Object) string {
	return path.Join(Dir, strings.ToLower(at.Kind)+"-"+strings.ReplaceAll(at.Name, ":", "-")+".yaml")
}

// isEmitted reports whether an object is where goldenarch emits it.
func isEmitted(at finding.Object) bool {
	return at.File == fileOf(at) || strings.HasSuffix(at.File, "/"+fileOf(at))
}

// isStale reports whether an item looks like an object that a template expanded to.
// goldenarch never removes a Namespace or a Role: deleting the Namespace would delete
// all images.
func isStale(item *yaml.RNode) bool {
	at := object.Ref(item)
	if at.Group() != "cdi.kubevirt.io" {
		return false
	}
	architecture := object.TextAt(item, "metadata", "labels", cdi.ArchitectureLabel)
	switch at.Kind {
	case "DataImportCron":
		return architecture != "" && strings.HasSuffix(at.Name, "-"+architecture)
	case "DataSource":
		reference := object.TextAt(item, "spec", "source", "dataSource", "name")
		return architecture != "" && strings.HasSuffix(at.Name, "-"+architecture) || strings.HasPrefix(reference, at.Name+"-")
	}
	return false
}

func keyOfObject(o expansion.Object) string { return keyOf(refOf(o)) }

// keyOf returns the identity of an object, without the version of its API.
func keyOf(at finding.Object) string {
	return strings.Join([]string{at.Group(), at.Kind, at.Namespace, at.Name}, "/")
}

func refOf(o expansion.Object) finding.Object {
	return finding.Object{APIVersion: o.Text("apiVersion"), Kind: o.Kind(), Namespace: o.Namespace(), Name: o.Name()}
}

// IsEmittedKind reports whether templates expand to objects of a kind.
func IsEmittedKind(kind string) bool {
	switch kind {
	case namespaceKind, "Role", "RoleBinding", "DataImportCron", "DataSource":
		return true
	}
	return false
}

// removeCopies removes the objects that goldenarch emitted although the input already
// had them. kpt causes this if the selectors of a pipeline hide items: it does not pass
// these items to the function, and appends the emitted objects to the same file.
//
// goldenarch may rewrite an emitted object at any time, so the content of a copy does
// not matter. Only additions to a Namespace belong to the user.
func removeCopies(items []*yaml.RNode, open map[string]expansion.Object) ([]*yaml.RNode, finding.List) {
	if len(open) == 0 {
		return items, nil
	}
	objects := applied(items)
	kept := map[string]*object.Object{} // by package and object, and also by file if goldenarch emits it there
	for _, o := range objects {
		if _, ok := open[keyOf(o.At)]; ok && !isInEmittedFile(o) {
			kept[object.PackageOf(o.Item)+" "+keyOf(o.At)] = &o
		}
	}
	gone := map[*yaml.RNode]bool{}
	var found finding.List
	for _, o := range objects {
		want, ok := open[keyOf(o.At)]
		if !ok || !isInEmittedFile(o) {
			continue
		}
		place := object.PackageOf(o.Item) + " " + keyOf(o.At)
		if kept[place] == nil {
			place += " " + o.At.File // several directories have an object each
		}
		first := kept[place]
		switch {
		case first == nil:
			kept[place] = &o
		case !hasUserContent(o, want), reflect.DeepEqual(content(o), content(*first)):
			gone[o.Item] = true
			found = append(found, copyRemoved(o))
		case isInEmittedFile(*first) && !hasUserContent(*first, want):
			gone[first.Item] = true
			found = append(found, copyRemoved(*first))
			kept[place] = &o
		default:
			found = append(found, copiesDiffer(o, *first))
		}
	}
	return slices.DeleteFunc(slices.Clone(items), func(item *yaml.RNode) bool { return gone[item] }), found
}

// isInEmittedFile reports whether an object is an item in the file where goldenarch
// emits it.
func isInEmittedFile(o object.Object) bool { return o.Path == "" && isEmitted(o.At) }

// hasUserContent reports whether a user added something to an emitted object that
// stays.
func hasUserContent(o object.Object, want expansion.Object) bool {
	return o.At.Kind == namespaceKind && !matches(o, want)
}

func copyRemoved(o object.Object) finding.Finding {
	return finding.Finding{
		ID: finding.EmittedDuplicate, Severity: finding.Warning, Object: o.At, Line: o.Line(""),
		Text: fmt.Sprintf("an earlier run emitted %s to %s without seeing this copy, so goldenarch removes the copy", o.At, o.At.File),
		Do:   "if the pipeline has selectors, select what goldenarch emits too",
	}
}

func copiesDiffer(o, first object.Object) finding.Finding {
	return finding.Finding{
		ID: finding.EmittedDuplicate, Severity: finding.Error, Object: o.At, Line: o.Line(""),
		Text: fmt.Sprintf("%s is a duplicate, and both copies have fields that goldenarch did not write: the first is %s", o.At, first.Location()),
		Do:   "merge the two into one",
	}
}

// packageFiles records the items of a package, by the files that goldenarch emits to.
type packageFiles struct {
	items map[string]finding.Object // by file, one of its items
	added map[string]int            // by file, the number of newly emitted objects
}

// filesOf collects the items of the package that goldenarch runs on. kpt also passes
// those of the packages below it, each with the files of its own package. The
// function's own package has the shortest path.
func filesOf(items []*yaml.RNode) packageFiles {
	t := packageFiles{items: map[string]finding.Object{}, added: map[string]int{}}
	if len(items) == 0 {
		return t
	}
	own := object.PackageOf(items[0])
	for _, item := range items {
		if p := object.PackageOf(item); len(p) < len(own) {
			own = p
		}
	}
	for _, item := range items {
		if file, _ := object.Place(item); file != "" && object.PackageOf(item) == own {
			t.items[file] = object.Ref(item)
		}
	}
	return t
}

// nextIndex returns the index of a newly emitted object in its file. It returns an
// error if the file already has an item: kpt rejects two items with the same index, and
// does not say whose they are.
func (t packageFiles) nextIndex(at finding.Object) (int, finding.List) {
	at.File = fileOf(at)
	index := t.added[at.File]
	t.added[at.File]++
	there, ok := t.items[at.File]
	if !ok {
		return index, nil
	}
	return index, finding.List{{
		ID: finding.PlaceTaken, Severity: finding.Error, Object: at,
		Text: fmt.Sprintf("goldenarch emits %s to %s, but that file has %s, which goldenarch did not emit", at, at.File, there),
		Do:   "move it to another file, outside of " + Dir + "/",
	}}
}

// upsert merges the wanted objects into the items. It updates an object that an earlier
// run emitted in its place, unless it is up to date. It removes one that is no longer
// wanted, and appends new objects in order.
func upsert(items []*yaml.RNode, wanted []expansion.Object) ([]*yaml.RNode, finding.List) {
	open := map[string]expansion.Object{}
	var found finding.List
	for _, o := range wanted {
		if other, twice := open[keyOfObject(o)]; twice && !reflect.DeepEqual(other, o) {
			found = append(found, finding.Finding{
				ID: finding.PlaceTaken, Severity: finding.Error, Object: refOf(o),
				Text: "two CRs of the input expand to this object, with different content", Do: "run goldenarch on each CR alone",
			})
		}
		open[keyOfObject(o)] = o
	}
	items, list := removeCopies(items, open)
	found = append(found, list...)
	done := map[string]bool{}
	var out []*yaml.RNode
	for _, item := range items {
		kept, list := update(item, open, done)
		found = append(found, list...)
		if kept != nil {
			out = append(out, kept)
		}
	}
	if len(wanted) == 0 {
		return out, found
	}
	taken := filesOf(out)
	for _, o := range wanted {
		if done[keyOfObject(o)] {
			continue
		}
		done[keyOfObject(o)] = true
		index, list := taken.nextIndex(refOf(o))
		found = append(found, list...)
		out = append(out, newItem(o, index))
	}
	return out, found
}

// update returns the new state of an item, or nil to remove it.
func update(item *yaml.RNode, open map[string]expansion.Object, done map[string]bool) (*yaml.RNode, finding.List) {
	at := object.New(item).At
	var found finding.List
	var objects []object.Object
	if len(open) > 0 {
		objects = applied([]*yaml.RNode{item})
	}
	for _, o := range objects {
		want, ok := open[keyOf(o.At)]
		switch {
		case !ok:
		case matches(o, want), o.At.Kind == namespaceKind: // additions to a Namespace belong to the user
			done[keyOf(o.At)] = true
		case !isInEmittedFile(o):
			found = append(found, finding.Finding{
				ID: finding.PlaceTaken, Severity: finding.Error, Object: o.At, Field: o.Path, Line: o.Line(""),
				Text: fmt.Sprintf("the input has %s with other content than what a template expands to", o.At),
				Do:   "remove it from the input",
			})
		default:
			done[keyOf(o.At)] = true
			fresh, err := renewed(item, want)
			if err != nil {
				return item, append(found, o.Unreadable(err))
			}
			return fresh, found
		}
	}
	if _, ok := open[keyOf(at)]; !ok && isEmitted(at) && isStale(item) {
		return nil, append(found, finding.Finding{
			ID: finding.ItemRemoved, Severity: finding.Info, Object: at, Line: yamlnode.Line(item.YNode(), ""),
			Text: fmt.Sprintf("goldenarch removes %s, which an earlier run emitted: no template expands to it now", at),
			Unchanged: finding.Advice{
				Text: fmt.Sprintf("an earlier run emitted %s, but no template expands to it now", at), Do: "remove it",
			},
		})
	}
	return item, found
}
