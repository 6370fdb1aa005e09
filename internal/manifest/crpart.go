package manifest

import (
	"errors"
	"fmt"
	"path/filepath"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/files"
	"github.com/goldenarch/goldenarch/internal/manifest/template"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
	"github.com/goldenarch/goldenarch/internal/yaml/fieldpath"
	"github.com/goldenarch/goldenarch/internal/yaml/yamlnode"
)

// crPart is the place of an item that is a part of a document.
type crPart struct{ fieldpath.Place }

// CRAt reads a HyperConverged CR, or only its spec, at a place inside a YAML or JSON file.
// Such a file is that of the values of a Helm chart. The item is a CR. [Texts.Edits] and [Texts.Write]
// write its changes into the text of the whole file.
func (r *Reader) CRAt(place fieldpath.Place) (*yaml.RNode, error) {
	file, err := r.crFile(place.File)
	if err != nil {
		return nil, err
	}
	var found []*yaml.RNode
	var missing []error
	for i, doc := range split(file.text) {
		root, err := doc.decode()
		if err != nil {
			return nil, file.unreadable(err)
		}
		if root == nil {
			continue
		}
		item, err := file.itemAt(place, root.YNode(), doc, i)
		if lacks := (*yamlnode.MissingError)(nil); errors.As(err, &lacks) {
			missing = append(missing, fmt.Errorf("%s:%d: there is no place %s: %w", file.name, lacks.Line, fieldpath.Of(place.Steps), err))
			continue
		}
		if err != nil {
			return nil, err
		}
		from := origin{fileText: file, begin: 0, from: doc.from, to: doc.to, end: len(file.text), crPart: &crPart{place}}
		r.Texts.keep(item, &from)
		r.places = append(r.places, &from)
		found = append(found, item)
	}
	switch {
	case len(found) > 1:
		return nil, fmt.Errorf("%s: %d documents of the file have a place %s: keep them in files of their own", file.name, len(found), fieldpath.Of(place.Steps))
	case len(found) == 0 && len(missing) == 0:
		return nil, fmt.Errorf("%s: the file is empty, so there is no place %s", file.name, fieldpath.Of(place.Steps))
	case len(found) == 0:
		return nil, missing[0]
	}
	return found[0], nil
}

// crFile reads a file once, so that several places in it are edits of one text.
func (r *Reader) crFile(path string) (*fileText, error) {
	name := filepath.ToSlash(path)
	for _, file := range r.crFiles {
		if file.name == name {
			return file, nil
		}
	}
	data, err := r.budget.Read(path)
	if err != nil {
		return nil, fmt.Errorf("read the file of --cr-path: %w", err)
	}
	r.crFiles = append(r.crFiles, newFileText(name, data))
	return r.crFiles[len(r.crFiles)-1], nil
}

// isCRPart reports whether CRAt has read a document. The item of CRAt has its text.
func (r *Reader) isCRPart(file *fileText, doc document) bool {
	for _, from := range r.places {
		if from.from == doc.from && isSameFile(from.name, file.name) {
			from.begin, from.end = from.from, from.to // the other documents are items of their own
			return true
		}
	}
	return false
}

// isSameFile reports whether two paths lead to one file.
func isSameFile(a, b string) bool {
	if filepath.Base(a) != filepath.Base(b) {
		return false
	}
	one, err := files.Real(filepath.FromSlash(a))
	other, wrong := files.Real(filepath.FromSlash(b))
	return err == nil && wrong == nil && one == other
}

// itemAt returns the CR at a place of a document.
func (f *fileText) itemAt(place fieldpath.Place, root *yaml.Node, doc document, index int) (*yaml.RNode, error) {
	at, err := yamlnode.Find(root, place.Steps)
	if err != nil {
		return nil, err
	}
	n, shown := *at, fieldpath.Of(place.Steps)
	fail := func(line int, format string, args ...any) error {
		return fmt.Errorf("%s:%d: %s %s", f.name, line, shown, fmt.Sprintf(format, args...))
	}
	if by := template.Decided(n); by != nil && template.HasAction(doc.text) {
		return nil, fail(by.Line, "holds text of a template engine ({{ or {%%), so goldenarch does not know what it says: "+
			"render it first and pass the output")
	}
	apiVersion, kind := yamlnode.Text(n, "apiVersion"), yamlnode.Text(n, "kind")
	switch {
	case n.Kind == yaml.AliasNode:
		return nil, fail(n.Line, "is the alias *%s: name the place with the anchor &%s", n.Value, n.Value)
	case hyperconverged.Is(apiVersion, kind) && place.Version != "":
		return nil, fail(n.Line, "is a whole %s: leave out @%s", hyperconverged.Kind, place.Version)
	case hyperconverged.Is(apiVersion, kind):
	case kind != "" || apiVersion != "":
		return nil, fail(n.Line, "is %q of apiVersion %q, expected a %s of %s", kind, apiVersion, hyperconverged.Kind, hyperconverged.Group)
	case n.Kind == yaml.SequenceNode:
		return nil, fail(n.Line, "is a list, expected a %s or its spec: goldenarch needs the whole spec, "+
			"because the gate and the placement decide about the templates", hyperconverged.Kind)
	case n.Kind == yaml.ScalarNode && !yaml.IsYNodeTaggedNull(n):
		return nil, fail(n.Line, "is a single value, expected a %s or its spec", hyperconverged.Kind)
	case place.Version == "":
		return nil, fail(n.Line, "is not a whole %s: it has no apiVersion and kind. If it is the spec of one, "+
			"add the API version that the chart gives it: %s@v1beta1 or %s@v1", hyperconverged.Kind, place, place)
	default:
		n = crOf(n, place.Version)
	}
	item := yaml.NewRNode(n)
	return item, placed(item, f.name, index)
}

// crOf returns a CR around a spec.
func crOf(spec *yaml.Node, version string) *yaml.Node {
	head := fmt.Sprintf("apiVersion: %s/%s\nkind: %s\nmetadata:\n  name: %s\n", hyperconverged.Group, version, hyperconverged.Kind, hyperconverged.Name)
	out := yaml.MustParse(head).YNode()
	yamlnode.Walk(out, func(n *yaml.Node) { n.Line = spec.Line })
	out.Content = append(out.Content, yaml.NewStringRNode("spec").YNode(), spec)
	return out
}
