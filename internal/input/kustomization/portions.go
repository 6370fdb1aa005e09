package kustomization

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync/atomic"

	"sigs.k8s.io/kustomize/api/konfig"
	"sigs.k8s.io/kustomize/kyaml/filesys"
	"sigs.k8s.io/kustomize/kyaml/resid"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/parallel"
	"github.com/goldenarch/goldenarch/internal/yamlnode"
)

// kustomize compares each object with all others, several times (kustomize api
// resmap/reswrangler.go: Append, SubsetThatCouldBeReferencedByResource), so the time of a build
// grows with the square of the objects. Where no object can depend on another one, goldenarch
// builds a directory in portions, several at once: each build has all kustomizations, and some of
// the objects in their files. An object depends on others by their names only: two with one name
// may collide, and a reference may get what the name or the namespace of its object becomes
// (filters/nameref). So objects stay together if one has the name of another one as a value.
//
// A portion that does not build, and one that depends on another one after all, leave the
// directory to one build of the whole.

const (
	// minInPortions is how many objects are worth it, and portionSize how many a portion has.
	minInPortions = 300
	portionSize   = 25
	// maxPortions is how many are built at once.
	maxPortions = 8
	// parsedAtOnce is how many objects are parsed at once to divide a directory.
	parsedAtOnce = 128
)

// separate are the fields of a kustomization that change each object by itself, and no name.
var separate = []string{
	"apiVersion", "kind", "metadata", "resources", "bases", "components", "transformers", "validators",
	"namespace", "labels", "commonLabels", "commonAnnotations", "images",
}

// unreferenced are the fields whose values are never the name of another object for kustomize
// (internal/konfig/builtinpluginconsts/namereference.go).
var unreferenced = []string{"apiVersion", "kind", "namespace", "labels", "matchLabels", "selector"}

// inPortions builds the portions of a result at the same time, adds their findings to it, and
// returns their objects in the order of one build. The error is errWhole.
func (r Request) inPortions(build func(Request) (Result, error), result *Result) ([]parsedObject, error) {
	portions := make([]Result, len(result.Portions))
	parts := make([][]parsedObject, len(portions))
	var failed atomic.Bool
	parallel.Queue(len(portions), maxPortions, func(i int) {
		if failed.Load() {
			return // the build of the whole says what is wrong
		}
		portion := r
		portion.Portion, portion.Texts = true, map[string][]byte{}
		maps.Copy(portion.Texts, result.Shared)
		maps.Copy(portion.Texts, result.Portions[i])
		var err error
		if portions[i], err = build(portion); err == nil {
			parts[i], err = r.Session.parseObjects(portions[i].Objects)
		}
		if err != nil {
			failed.Store(true)
		}
	})
	if failed.Load() {
		return nil, errWhole
	}
	of := newDependence()
	var all []sortable
	for i, part := range parts {
		for _, f := range portions[i].Found {
			if !slices.Contains(result.Found, f) {
				result.Found = append(result.Found, f)
			}
		}
		for _, o := range part {
			for _, item := range o.items {
				of.add(i, item.YNode())
				all = append(all, sortable{o, resid.GvkFromNode(item), cmp.Or(item.GetNamespace(), "~X") + "|" + cmp.Or(item.GetName(), "~N")})
			}
		}
	}
	if of.unclear || len(of.groups(len(portions))) < len(portions) {
		return nil, errWhole
	}
	return inLegacyOrder(build, all)
}

// portionLimits say what is worth portions.
type portionLimits struct {
	least int // how many objects the directory must have
	size  int // of a portion
}

// errWhole says that portions do not give what kustomize makes of the directory.
var errWhole = errors.New("the directory needs one build of the whole")

// documentOf is a document of a file.
type documentOf struct{ file, text string }

// divided divides the documents of files into portions.
func divided(from filesys.FileSystem, limits portionLimits, files []string) []map[string][]byte {
	var all []documentOf
	for _, file := range files {
		data, err := from.ReadFile(file)
		if err != nil {
			return nil
		}
		texts, ok := documentsOf(string(data))
		if !ok || len(texts) > 0 && !strings.HasSuffix(texts[len(texts)-1], "\n") {
			return nil // a line end may be a part of a value, and another document may come last
		}
		for _, text := range texts {
			all = append(all, documentOf{file, text})
		}
	}
	if len(all) < limits.least {
		return nil
	}
	of := newDependence()
	err := parallel.Ordered(len(all), parsedAtOnce, func(i int) *yaml.Node { return yamlNode([]byte(all[i].text)) }, func(i int, n *yaml.Node) error {
		if n == nil || isListKind(n) {
			return errWhole
		}
		of.add(i, n)
		return nil
	})
	if err != nil || of.unclear {
		return nil
	}
	var out []map[string][]byte
	filled := limits.size
	for _, group := range of.groups(len(all)) {
		if len(group) > len(all)/2 {
			return nil
		}
		if filled+len(group) > limits.size {
			out, filled = append(out, map[string][]byte{}), 0
		}
		texts := out[len(out)-1]
		for _, i := range group {
			if text := texts[all[i].file]; text != nil {
				texts[all[i].file] = append(text, separator...)
			}
			texts[all[i].file] = append(texts[all[i].file], all[i].text...)
		}
		filled += len(group)
	}
	return out
}

// separator is between the documents that documentsOf returns.
const separator = "---\n"

// documentsOf returns the documents of a text as kustomize divides it (kyaml
// kio/byteio_reader.go: splitDocuments, Read), each but the last with its last line end. It returns
// false for a text of another form than that of most: a line of "%" or "..." is about the whole text,
// and YAML has more line ends than kustomize divides at.
func documentsOf(text string) ([]string, bool) {
	for _, unusual := range []string{"\r", "\x00", "\ufeff", "\u0085", "\u2028", "\u2029", "\n%", "\n..."} {
		if strings.Contains(text, unusual) {
			return nil, false
		}
	}
	if strings.HasPrefix(text, "%") || strings.HasPrefix(text, "...") {
		return nil, false
	}
	var out []string
	add := func(part string) {
		if !isBlank(part) {
			out = append(out, part)
		}
	}
	for rest := text; ; {
		at := strings.Index(rest, "\n---")
		if at < 0 {
			add(rest)
			return out, true
		}
		line, after, found := strings.Cut(rest[at+1:], "\n")
		if !found { // kustomize wants a line after it
			add(rest)
			return out, true
		}
		if note := strings.TrimSpace(line[len("---"):]); note != "" && note[0] != '#' {
			return nil, false
		}
		add(rest[:at+1])
		rest = after
	}
}

// isBlank reports whether a text has no object: only blanks, comments and markers.
func isBlank(text string) bool {
	for line := range strings.Lines(text) {
		content := strings.Trim(strings.TrimPrefix(line, "---"), " \n")
		if content != "" && !strings.HasPrefix(strings.TrimLeft(line, " "), "#") {
			return false
		}
	}
	return true
}

// isListKind reports whether kustomize may take the objects out of an object (kustomize
// api/resource/factory.go: inlineAnyEmbeddedLists; kyaml kio/byteio_reader.go).
func isListKind(n *yaml.Node) bool {
	return n.Kind != yaml.MappingNode || strings.HasSuffix(yamlnode.Text(n, "kind"), "List")
}

// dependence says which parts may depend on each other: those with a value that is the name of
// an object of another part.
type dependence struct {
	names  map[string][]int // the parts that have an object with a name
	values map[string][]int // the parts that have a value
	// unclear says that an object has an alias: its value is that of another place.
	unclear bool
}

func newDependence() *dependence {
	return &dependence{names: map[string][]int{}, values: map[string][]int{}}
}

// add adds an object of a part.
func (d *dependence) add(part int, object *yaml.Node) {
	note := func(of map[string][]int, text string) {
		if list := of[text]; len(list) == 0 || list[len(list)-1] != part {
			of[text] = append(list, part)
		}
	}
	note(d.names, yamlnode.Text(object, yaml.MetadataField, "name"))
	var visit func(n *yaml.Node)
	visit = func(n *yaml.Node) {
		switch n.Kind {
		case yaml.ScalarNode:
			note(d.values, n.Value)
		case yaml.AliasNode:
			d.unclear = true
		case yaml.MappingNode:
			for key, value := range yamlnode.Pairs(n) {
				if !slices.Contains(unreferenced, key.Value) {
					visit(value)
				}
			}
		default:
			for _, child := range n.Content {
				visit(child)
			}
		}
	}
	visit(object)
}

// groups returns the parts from 0 to n-1, those that may depend on each other together.
func (d *dependence) groups(n int) [][]int {
	parent := make([]int, n)
	for i := range parent {
		parent[i] = i
	}
	top := func(i int) int {
		for parent[i] != i {
			parent[i] = parent[parent[i]]
			i = parent[i]
		}
		return i
	}
	for name, in := range d.names {
		for _, other := range slices.Concat(in, d.values[name]) {
			a, b := top(in[0]), top(other)
			parent[max(a, b)] = min(a, b) // the first of a group is its top
		}
	}
	var out [][]int
	at := map[int]int{}
	for i := range n {
		first := top(i)
		if _, known := at[first]; !known {
			at[first] = len(out)
			out = append(out, nil)
		}
		out[at[first]] = append(out[at[first]], i)
	}
	return out
}

// sortable is a built object with that by which kustomize sorts objects where nothing says how.
type sortable struct {
	parsedObject

	gvk  resid.Gvk
	name string // with the namespace
}

// inLegacyOrder returns objects in the order of kustomize where nothing says how: by their kinds,
// then by namespace and name (kustomize internal/builtins/SortOrderTransformer.go). It lets
// kustomize sort the kinds.
func inLegacyOrder(build func(Request) (Result, error), all []sortable) ([]parsedObject, error) {
	kinds := map[resid.Gvk]int{}
	var text bytes.Buffer
	for _, o := range all {
		if _, known := kinds[o.gvk]; !known {
			kinds[o.gvk] = 0
			fmt.Fprintf(&text, "---\napiVersion: %q\nkind: %q\nmetadata: {name: x}\n", o.gvk.ApiVersion(), o.gvk.Kind)
		}
	}
	result, err := build(Request{Dir: ".", Files: map[string][]byte{
		konfig.DefaultKustomizationFileName(): []byte("resources: [kinds.yaml]\n"), "kinds.yaml": text.Bytes(),
	}})
	if err != nil {
		return nil, errWhole
	}
	sorted, err := readAll(result.Objects)
	if err != nil || len(sorted) != len(kinds) {
		return nil, errWhole
	}
	for i, item := range sorted {
		kinds[resid.GvkFromNode(item)] = i
	}
	slices.SortFunc(all, func(a, b sortable) int {
		return cmp.Or(cmp.Compare(kinds[a.gvk], kinds[b.gvk]), strings.Compare(a.name, b.name))
	})
	out := make([]parsedObject, len(all))
	for i, o := range all {
		out[i] = o.parsedObject
	}
	return out, nil
}
