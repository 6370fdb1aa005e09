package manifest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"
	k8syaml "sigs.k8s.io/yaml"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/files"
	"github.com/goldenarch/goldenarch/internal/manifest/object"
	"github.com/goldenarch/goldenarch/internal/pattern"
	"github.com/goldenarch/goldenarch/internal/yaml/fieldpath"
	"github.com/goldenarch/goldenarch/internal/yaml/yamledit"
	"github.com/goldenarch/goldenarch/internal/yaml/yamlnode"
)

// Parse reads the documents of a file or stream. The nodes keep their comments, and have
// the line numbers of the whole file for messages. Parse notes the path and the index of each
// item, see [object.Place]. It skips empty documents.
//
// The error names the file and the line. For a file that looks like a template, the error
// is [ErrTemplated].
func Parse(file string, data []byte) ([]*yaml.RNode, error) {
	return new(Reader).Parse(file, data)
}

// decode reads the object of a document, with the lines of the file; nil if the document is empty. Any content
// after the object is an error, because the decoder would ignore it.
func (d document) decode() (*yaml.RNode, error) {
	if lock, ok := yamlnode.ListAsText(d.text, v1alpha1.ArchitectureLockKind, v1alpha1.LockedImages); ok {
		return d.object(lock)
	}
	decoder := yaml.NewDecoder(d.reader())
	var node, next yaml.Node
	switch err := decoder.Decode(&node); {
	case errors.Is(err, io.EOF):
		return nil, nil
	case err != nil:
		read := jsonNode(d.text)
		if read == nil {
			return nil, fmt.Errorf("the document that begins at line %d is not YAML: %w", d.line+1, yamlnode.ReadError(err, d.line))
		}
		return d.object(read)
	case !errors.Is(decoder.Decode(&next), io.EOF):
		return nil, fmt.Errorf("the document that begins at line %d has more than one object: begin each with a line \"---\"", d.line+1)
	}
	return d.object(&node)
}

// object returns the object of a document that has been decoded.
func (d document) object(node *yaml.Node) (*yaml.RNode, error) {
	if err := yamlnode.CheckSize(node); err != nil {
		return nil, fmt.Errorf("cannot read the document that begins at line %d: %w", d.line+1, err)
	}
	if yaml.IsYNodeEmptyDoc(node) {
		return nil, nil
	}
	yamlnode.Walk(node, func(n *yaml.Node) { n.Line += d.line })
	return yaml.NewRNode(node), nil
}

// NoObjectError is the error about a document that is no Kubernetes object.
type NoObjectError struct {
	File string
	Line int
}

// Problem says what is wrong, without the place and without advice.
func (e *NoObjectError) Problem() string {
	return "a document without apiVersion or kind is no Kubernetes object"
}

// Error implements error. Its advice is for manifests.
func (e *NoObjectError) Error() string {
	return fmt.Sprintf("%s:%d: %s: correct it, or name the file in .krmignore", e.File, e.Line, e.Problem())
}

// placed checks that an item is an object, and notes where it comes from.
func placed(item *yaml.RNode, file string, index int) error {
	if err := checkMetadata(item.YNode()); err != nil {
		return fmt.Errorf("%s:%w", file, err)
	}
	if headOf(item, "kind") == "" || headOf(item, "apiVersion") == "" {
		return &NoObjectError{File: file, Line: item.YNode().Line}
	}
	object.SetPlace(item, file, index)
	return nil
}

// checkMetadata fails if the metadata or the annotations of an object are neither an object nor null: kyaml
// would panic.
func checkMetadata(n *yaml.Node) error {
	path := ""
	for _, field := range []string{yaml.MetadataField, "annotations"} {
		value, _ := yamlnode.Child(n, field)
		if n = yamlnode.NonNull(yamlnode.Dealias(value)); n == nil {
			return nil
		}
		if path = fieldpath.Join(path, field); n.Kind != yaml.MappingNode {
			what := fmt.Sprintf("the value %q", n.Value)
			if n.Kind == yaml.SequenceNode {
				what = "a list"
			}
			return fmt.Errorf("%d: %s is %s, expected an object: correct it", value.Line, path, what)
		}
	}
	return nil
}

// reader reads the text of a document.
func (d document) reader() io.Reader {
	return bytes.NewReader(yamledit.WithoutVersion([]byte(strings.ReplaceAll(d.text, "\r\n", "\n"))))
}

// document is a part of a file, with the number of lines before it.
type document struct {
	text string
	line int
	// from and to are where the document is in the file. Its text may begin before from,
	// with comments.
	from, to int
}

// split cuts a file before each line that begins with "---": otherwise comments before a
// document would belong to the document before. It also cuts before each line that begins
// with "...", because the reader stops there.
func split(text string) []document {
	docs := make([]document, 0, strings.Count(text, "\n---")+1) // growing takes as much memory as the file
	start, startLine := 0, 0
	before := -1 // where the previous document begins, if "..." ended it
	cut := func(at int) {
		last := len(docs) - 1
		switch blank := !hasContent(text[start:at]); {
		case blank && before >= 0 && at < len(text) && isMarker(text[at:], "..."): // "..." again
			return
		case blank && before >= 0 && at == len(text) && hasContent(docs[last].text):
			docs[last].text, docs[last].to = text[before:], at // its own comments
			return
		}
		docs, before = append(docs, document{text[start:at], startLine, start, at}), start
	}
	offset, line := 0, 0
	for row := range strings.SplitAfterSeq(text, "\n") {
		switch {
		case isMarker(row, "---") && offset > 0:
			cut(offset)
			start, startLine, before = offset, line, -1
		case isMarker(row, "..."):
			cut(offset)
			start, startLine = offset+len("..."), line
		}
		offset += len(row)
		line++
	}
	cut(len(text))
	return cutJSON(keepComments(docs))
}

// keepComments moves a document that has only comments and directives into the document
// after it. Otherwise the comments would be lost.
func keepComments(docs []document) []document {
	out := docs[:0] // never longer than the part of docs already read
	for i, doc := range docs {
		if i+1 == len(docs) || hasContent(doc.text) || !strings.ContainsAny(doc.text, "#%") {
			out = append(out, doc)
			continue
		}
		above, next := string(yamledit.WithoutVersion([]byte(doc.text))), &docs[i+1]
		if rest, ok := strings.CutPrefix(next.text, "---"); ok && !hasDirective(above) && opens(rest) {
			next.text = strings.TrimLeft(rest, " \t") // a line does not begin with a tab
		}
		next.text, next.line = strings.TrimPrefix(above, "---")+next.text, doc.line
		if hasDirective(doc.text) {
			next.from = doc.from // the document may need the directives
		}
	}
	return out
}

// hasContent reports whether a text has more than comments and directives.
func hasContent(text string) bool {
	for row := range strings.Lines(strings.TrimPrefix(text, "---")) {
		if first := strings.TrimSpace(row); first != "" && first[0] != '#' && row[0] != '%' {
			return true
		}
	}
	return false
}

func hasDirective(text string) bool {
	return strings.HasPrefix(text, "%") || strings.Contains(text, "\n%")
}

// opens reports whether nothing but a comment follows a marker in its line.
func opens(rest string) bool {
	row, _, _ := strings.Cut(rest, "\n")
	row = strings.TrimSpace(row)
	return row == "" || row[0] == '#'
}

// isMarker reports whether a line begins with a YAML marker.
func isMarker(row, marker string) bool {
	rest, ok := strings.CutPrefix(row, marker)
	return ok && (rest == "" || strings.ContainsAny(rest[:1], " \t\r\n"))
}

// nextObject matches the end of an object of JSON and the begin of the next.
var nextObject = pattern.Of(`\}\s*\{`)

// cutJSON cuts documents of consecutive JSON objects, as kubectl and jq write and read them.
func cutJSON(docs []document) []document {
	for i := 0; i < len(docs); i++ {
		if text := strings.TrimPrefix(docs[i].text, "---"); opensJSON(text) && nextObject().MatchString(text) {
			parts := docs[i].objects(text)
			docs = slices.Replace(docs, i, i+1, parts...)
			i += len(parts) - 1
		}
	}
	return docs
}

func opensJSON(text string) bool { return strings.HasPrefix(strings.TrimSpace(text), "{") }

// objects returns the parts of a document of consecutive JSON objects, and any other document itself.
func (d document) objects(text string) []document {
	var out []document
	decoder := json.NewDecoder(strings.NewReader(text))
	for at := 0; strings.TrimSpace(text[at:]) != ""; {
		var object map[string]json.RawMessage
		if err := decoder.Decode(&object); err != nil {
			return []document{d}
		}
		end := int(decoder.InputOffset())
		from := d.to - len(text)
		out = append(out, document{text[at:end], d.line + strings.Count(text[:at], "\n"), from + at, from + end})
		at = end
	}
	if len(out) == 1 {
		return []document{d}
	}
	return out
}

// ErrTemplated is the error for a file that becomes valid YAML only after a template
// engine has rendered it.
var ErrTemplated = errors.New("the file is a template (Helm, Jinja or similar): render it first and pass the output")

// templateNames are the ends of the names of templates: of Jinja, Go, Terraform, Ruby, Puppet,
// Mustache and what is like them.
var templateNames = []string{
	".j2", ".jinja", ".jinja2", ".tpl", ".tmpl", ".gotmpl", ".gotpl", ".tftpl", ".template", ".erb", ".epp", ".mustache", ".hbs", ".handlebars",
	".ejs", ".njk", ".liquid", ".mako", ".jsonnet",
}

// templateSuffixes are the ends that make a template of the name of a manifest: hco.yaml.in.
// Alone they say nothing.
var templateSuffixes = []string{".in", ".envsubst", ".subst"}

// TemplateOf returns the name of the file that a template makes, and whether the file is a
// template by its name.
func TemplateOf(name string) (made string, ok bool) {
	made = name
	for {
		end := filepath.Ext(made)
		shorter := strings.TrimSuffix(made, end)
		end = strings.ToLower(end)
		if !slices.Contains(templateNames, end) && !(slices.Contains(templateSuffixes, end) && isManifest(shorter)) {
			return made, ok
		}
		made, ok = shorter, true
	}
}

// isTemplate reports whether a file with actions is one for a template engine by its place: its name ends
// like one, or it is among the templates of a Helm chart. Elsewhere "{{" in a string of valid YAML is text.
func isTemplate(file string) bool {
	if _, ok := TemplateOf(file); ok {
		return true
	}
	for dir := filepath.Dir(filepath.FromSlash(file)); dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if filepath.Base(dir) == "templates" && isChart(filepath.Join(filepath.Dir(dir), ChartFile)) {
			return true
		}
	}
	return false
}

// FilesIn lists the manifests of a directory that [Reader.Paths] would read, in lexical
// order. It skips the files in subdirectories, and links out of the directory.
func FilesIn(dir string) ([]string, error) {
	ignored, err := newIgnores().below(dir, nil)
	if err != nil {
		return nil, err
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("list the manifests: %w", err)
	}
	var out []string
	for _, entry := range entries {
		name, path := entry.Name(), filepath.Join(dir, entry.Name())
		if !entry.IsDir() && isManifest(name) && !isKustomization(name) && !ignored.match(path, isFile) {
			out = append(out, path)
		}
	}
	return slices.DeleteFunc(out, func(path string) bool { return leaves(dir, path) }), nil
}

// ourWord matches an apiVersion or a kind that goldenarch reads.
var ourWord = pattern.Of(`(?i)hyperconverged|^hco\.|^ssp\.kubevirt|goldenarch`)

// isForeign reports whether a document is not a Kubernetes object: not a mapping, or
// without apiVersion or kind. If the one that it has is of an object that goldenarch reads,
// the document is an object with a mistake in it.
func isForeign(item *yaml.RNode) bool {
	if item.YNode().Kind != yaml.MappingNode {
		return true
	}
	apiVersion, kind := headOf(item, "apiVersion"), headOf(item, "kind")
	if apiVersion != "" && kind != "" {
		return false
	}
	return !ourWord().MatchString(apiVersion) && !ourWord().MatchString(kind)
}

// headOf returns the text of a field at the top of a document. It follows an alias, for which
// the accessors of kyaml return the name of the anchor, and no merge key: kustomize does not
// read these fields from one either.
func headOf(item *yaml.RNode, field string) string {
	value := yamlnode.Dealias(yamlnode.Value(item.YNode(), field))
	if value == nil || value.Kind != yaml.ScalarNode || yamlnode.IsNull(value) {
		return ""
	}
	return strings.TrimSpace(value.Value)
}

// ChartFile is the name of the file that makes a directory a Helm chart.
const ChartFile = "Chart.yaml"

// isChart reports whether a file describes a Helm chart: it has an apiVersion and a name
// and, unlike a manifest, no kind (helm pkg/chart/metadata.go).
func isChart(file string) bool {
	if filepath.Base(file) != ChartFile {
		return false
	}
	data, err := files.Read(file)
	if err != nil {
		return false
	}
	var chart struct{ APIVersion, Name, Kind string }
	if err := k8syaml.Unmarshal(data, &chart); err != nil {
		return false
	}
	return (chart.APIVersion == "v1" || chart.APIVersion == "v2") && chart.Name != "" && chart.Kind == ""
}
