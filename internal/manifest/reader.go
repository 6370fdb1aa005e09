package manifest

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/files"
	"github.com/goldenarch/goldenarch/internal/manifest/template"
	"github.com/goldenarch/goldenarch/internal/parallel"
	"github.com/goldenarch/goldenarch/internal/yaml/yamlnode"
)

// Reader reads manifests. It reads every document, so that it reports an error in any of
// them. It keeps nodes only for the documents that the run needs, and text for the others:
// nodes take fifty times the memory of their text.
type Reader struct {
	// Needed reports whether the run needs the nodes of an item. If it is nil, all are
	// needed.
	Needed func(item *yaml.RNode) bool
	// Skip reports whether the text of a document shows that the run does not need its nodes. Nobody decodes such a
	// document, so an error in it is not found. With Skip, Texts does not know where the documents that are not
	// needed were among the items. If it is nil, none is skipped.
	Skip func(head Head) bool
	// Each gets each item that the run needs, in their order. If it is set, the reader keeps none of them.
	Each func(item *yaml.RNode)
	// Texts has the documents that the run does not need as nodes.
	Texts Texts
	// Lenient leaves out documents that are not Kubernetes objects: configuration of
	// other programs, playbooks, values. Without it, they are errors.
	Lenient bool
	// IgnoreFrom says which .krmignore counts; nil: those of the directories themselves.
	IgnoreFrom IgnoreFrom

	budget files.Budget
	read   map[string][]*yaml.RNode // what Paths has read, by the paths without links
	// crFiles are the files that CRAt has read, and places what it has read of them.
	crFiles []*fileText
	places  []*origin
}

// Parse reads the documents of a file or stream as the function [Parse] does. It returns
// one item without fields for each run of documents that are not needed, and Texts knows
// their text.
func (r *Reader) Parse(file string, data []byte) ([]*yaml.RNode, error) {
	p := parsing{reader: r, fileText: newFileText(file, data)}
	p.templated = template.HasAction(p.text)
	if p.templated && isTemplate(p.name) {
		return nil, fmt.Errorf("%s: %w", file, ErrTemplated)
	}
	docs := split(p.text)
	skips := r.Skip != nil && !p.templated
	decode := func(i int) (out decoded) {
		if skips {
			head, ok := docs[i].head(p.name)
			out.skipped = ok && r.Skip(head)
		}
		if !out.skipped && r.Needed != nil {
			out.list, out.isList = docs[i].list()
		}
		if !out.skipped && !out.isList {
			out.node, out.err = docs[i].decode()
		}
		return out
	}
	if err := parallel.Ordered(len(docs), decodedAtOnce, decode, func(i int, read decoded) error { return p.add(docs[i], read) }); err != nil {
		return nil, err
	}
	switch { // what follows the last object belongs to that object
	case p.run != nil:
		p.run.end = len(p.text)
	case p.last != nil:
		p.last.end = len(p.text)
	}
	return p.items, nil
}

// decodedAtOnce is how many documents of a file have nodes at once before it is known which of
// them the run needs: most of those of a large file are not.
const decodedAtOnce = 128

// decoded is what a document has, or why it cannot be read.
type decoded struct {
	skipped bool          // nobody decodes it
	list    yamlnode.List // its elements, which nobody has decoded yet
	isList  bool
	node    *yaml.RNode // its object, nil if it is empty
	err     error
}

// parsing is a file while Parse reads it.
type parsing struct {
	*fileText

	templated bool // the file has an action of a template engine
	reader    *Reader
	items     []*yaml.RNode
	objects   int     // the number of objects read so far
	end       int     // where the last object read so far ends
	last      *origin // the last object read so far that is needed
	run       *run    // the current run of documents that are not needed
}

// add adds the object of a document of the file.
func (p *parsing) add(doc document, read decoded) error {
	switch {
	case p.reader.isCRPart(p.fileText, doc):
		return nil
	case read.skipped, read.isList && p.isUnneeded(read.list):
		p.keepText(doc)
		return nil
	case read.isList:
		read.node, read.err = doc.decode()
	}
	switch node := read.node; {
	case read.err != nil:
		return p.unreadable(read.err)
	case node == nil:
		return nil
	case p.templated && template.HasObjectKey(node.YNode()):
		return fmt.Errorf("%s: %w", p.name, ErrTemplated)
	case p.reader.Lenient && isForeign(node):
		return nil
	case node.YNode().Kind != yaml.MappingNode:
		return fmt.Errorf("%s: the document that begins at line %d is not an object: expected a Kubernetes manifest", p.name, doc.line+1)
	}
	return p.addObject(doc, read.node)
}

// unreadable returns the error that a document of the file cannot be read.
func (f *fileText) unreadable(err error) error {
	if template.IsCause(f.text) {
		err = ErrTemplated
	}
	return fmt.Errorf("%s: %w", f.name, err)
}

// addObject adds an object of the file.
func (p *parsing) addObject(doc document, node *yaml.RNode) error {
	if err := placed(node, p.name, p.objects); err != nil {
		return err
	}
	if p.reader.Needed != nil && !p.reader.Needed(node) {
		p.keepText(doc)
		return nil
	}
	p.run = nil
	if p.reader.Each != nil {
		p.reader.Each(node)
	} else {
		p.last = originOf(p.fileText, doc, p.end, doc.to)
		p.items = append(p.items, node)
		p.reader.Texts.keep(node, p.last)
	}
	p.objects, p.end = p.objects+1, doc.to
	return nil
}

// keepText keeps the text of a document that the run does not need as nodes.
func (p *parsing) keepText(doc document) {
	if p.run == nil {
		p.run = &run{text: p.fileText, first: p.objects}
		p.items = append(p.items, p.reader.Texts.add(p.run, p.reader.Skip == nil)...)
	}
	p.run.docs = append(p.run.docs, kept{document: doc, begin: p.end})
	p.objects, p.end = p.objects+1, doc.to
}

const (
	// Stdin is the path that means standard input.
	Stdin = "-"
	// StdinFile replaces the file name of an item from standard input.
	StdinFile = "stdin"
)

// ReadFile reads the items of a file, see [Parse].
func ReadFile(path string) ([]*yaml.RNode, error) { return new(Reader).file(path) }

func (r *Reader) file(path string) ([]*yaml.RNode, error) {
	data, err := r.budget.Read(path)
	if err != nil {
		return nil, fmt.Errorf("read the manifest: %w", err)
	}
	return r.Parse(filepath.ToSlash(path), data)
}

// Stream reads the items of standard input, see [Reader.Parse].
func (r *Reader) Stream(stream io.Reader) ([]*yaml.RNode, error) {
	data, err := files.ReadStream(StdinFile, stream)
	if err != nil {
		return nil, err
	}
	return r.Parse(StdinFile, data)
}

// Documents reads the documents that an item represents, one after the other. For an item
// that does not represent documents, it returns nil.
func (r *Reader) Documents(item *yaml.RNode) iter.Seq[*yaml.RNode] {
	if r.Texts.of[item] == nil {
		return nil
	}
	return func(yield func(*yaml.RNode) bool) {
		for _, r := range r.Texts.of[item] {
			for i := range r.docs {
				if node, _ := r.read(i); node != nil && !yield(node) {
					return
				}
			}
		}
	}
}

// Below reads a file that a package names, relative to a directory. It never reads a
// file outside the directory, whether by an absolute path, by "..", or by a link. It
// keeps only the text of the documents that the run does not need.
func (r *Reader) Below(dir, file string) ([]*yaml.RNode, error) {
	if isKustomization(filepath.Base(file)) {
		return nil, fmt.Errorf("read input %q: %w: name the files that it lists", file, errToBuild)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("open the directory: %w", err)
	}
	data, err := files.ReadIn(root, filepath.FromSlash(file))
	if reason, ok := errors.AsType[*fs.PathError](err); ok {
		err = reason.Err // the path is named below, and the system call (statat) helps nobody
	}
	if err := errors.Join(err, root.Close()); err != nil {
		return nil, fmt.Errorf("read input %q below the directory %q: %w", file, dir, err)
	}
	return r.Parse(filepath.ToSlash(file), data)
}

// Dir is a directory of a tree.
type Dir struct {
	// Path is the directory, below the path that the user named.
	Path string
	// Files are the manifests that may be in it, by their paths: .yaml, .yml and .json
	// files without the kustomization.
	Files []string
	// Kustomized says that the directory has a kustomization.
	Kustomized bool
	// Chart says that it is a Helm chart, and OfChart that it is a directory in one: below a chart
	// at the root, these are those that helm reads. All their files are among the Others.
	Chart, OfChart bool
	// Templates are the files that are templates by their names ([TemplateOf]), by their paths.
	Templates []string
	// Others are the other files, hidden ones too, by their paths, without links.
	Others []string
	// Hidden says that it is a hidden directory, or below one. Git's own is not in the tree.
	Hidden bool
	// Ignored are the manifests, templates and directories in it that a .krmignore names, but the
	// modules that Go has copied.
	Ignored []string
	// Err says why the directory cannot be read.
	Err error
}

// Tree lists a directory and those below it, each before the ones in it. It leaves out what a
// .krmignore names. It follows no links to directories.
func Tree(root string, from IgnoreFrom) []Dir {
	return treeWalk{from: from, root: root}.list(Dir{Path: root}, newIgnores())
}

// treeWalk is the walk of Tree.
type treeWalk struct {
	from IgnoreFrom
	root string
}

// list lists a directory and those below it.
func (w treeWalk) list(out Dir, above ignores) []Dir {
	dir := out.Path
	ignored, err := above.below(dir, w.from)
	if err != nil {
		out.Err = err
		return []Dir{out}
	}
	if chart := filepath.Join(dir, ChartFile); !out.OfChart && !ignored.match(chart, isFile) && isChart(chart) {
		out.Chart = true
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		out.Err = err
		return []Dir{out}
	}
	var below []Dir
	for _, entry := range entries {
		path := filepath.Join(dir, entry.Name())
		switch {
		case !entry.IsDir() || ignored.match(path, true):
			out.add(entry, ignored)
		case entry.Name() != ".git":
			below = append(below, w.list(Dir{
				Path: path, Hidden: out.Hidden || strings.HasPrefix(entry.Name(), "."),
				OfChart: out.OfChart || out.Chart && (dir != w.root || slices.Contains(chartDirs, entry.Name())),
			}, ignored)...)
		}
	}
	if out.Err = ignored.exhausted(dir); out.Err != nil && dir != w.root {
		return nil // an error of the whole tree
	}
	return append([]Dir{out}, below...)
}

// add adds an entry: a file, or a directory that a .krmignore names.
func (d *Dir) add(entry fs.DirEntry, ignored ignores) {
	path := filepath.Join(d.Path, entry.Name())
	_, templated := TemplateOf(entry.Name())
	isFile, hidden := entry.Type().IsRegular(), strings.HasPrefix(entry.Name(), ".")
	switch {
	case ignored.match(path, entry.IsDir()):
		if !hidden && !d.Hidden && (entry.IsDir() && !isVendor(path) || isManifest(entry.Name()) || templated) {
			d.Ignored = append(d.Ignored, path)
		}
	case hidden, d.Chart, d.OfChart:
		if isFile {
			d.Others = append(d.Others, path)
		}
	case isKustomization(entry.Name()):
		d.Kustomized = true
	case isManifest(entry.Name()) && (isFile || !files.IsDir(path)):
		d.Files = append(d.Files, path)
	case templated && isFile:
		d.Templates = append(d.Templates, path)
	case isFile:
		d.Others = append(d.Others, path)
	}
}

// chartDirs are the directories of a chart that helm reads as manifests (helm
// pkg/chart/loader/load.go).
var chartDirs = []string{"templates", "charts", "crds"}

// Files reads files one by one. Unlike [Reader.Paths], it goes on after an error, and
// returns the errors by file.
func (r *Reader) Files(files []string) (Read, map[string]error) {
	var all Read
	failed := map[string]error{}
	for _, file := range files {
		items, err := r.file(file)
		if err != nil {
			failed[file] = err
			continue
		}
		all.Items = append(all.Items, items...)
	}
	return all, failed
}

// ErrKustomization is the error for a directory that kustomize must build before
// goldenarch can read it. In a tree of bases and overlays, only the user knows which
// directory to build.
var ErrKustomization = errors.New("the directory has a kustomization, but the directory above it has none: name the directory to build")

// errToBuild is the error for a kustomization as an input file. A kustomization says what
// to build, and is not an object for the cluster.
var errToBuild = errors.New("the file is a kustomization, not a manifest")

// Read is what [Reader.Paths] has read.
type Read struct {
	Items []*yaml.RNode
	// Before has the items of the files that were read before.
	Before []*yaml.RNode
	// Templated has the files that Paths skipped because they are templates.
	Templated []string
	// Charts has the directories that Paths skipped because they are Helm charts.
	Charts []string
	// Broken has the links of directories that lead to no file, which Paths skipped.
	Broken []*LinkError
}

// Paths reads files, and directories recursively. It skips hidden directories, and the
// paths that a .krmignore of a directory names. In a directory, it reads only .yaml, .yml
// and .json files. It skips links to directories. It reads a link to a file below the
// directory, unless it reads that file anyway, and skips a link to no file. A link to a file
// elsewhere is an error. It reads a file once, by the name of the first path that names it.
func (r *Reader) Paths(paths []string) (Read, error) {
	var all Read
	r.budget = files.Budget{}
	if r.read == nil {
		r.read = map[string][]*yaml.RNode{}
	}
	for _, path := range paths {
		found, broken, err := manifestPaths(path, r.IgnoreFrom)
		if err != nil {
			return Read{}, err
		}
		all.Broken = append(all.Broken, broken...)
		for _, file := range found {
			if isChart(file) {
				all.Charts = append(all.Charts, filepath.Dir(file))
				continue
			}
			target, err := files.Real(file)
			if items, ok := r.read[target]; ok && err == nil {
				all.Before = append(all.Before, items...)
				continue
			}
			items, err := r.file(file)
			if errors.Is(err, ErrTemplated) {
				all.Templated = append(all.Templated, file)
				continue
			}
			if err != nil {
				return Read{}, err
			}
			all.Items = append(all.Items, items...)
			r.read[target] = items
		}
	}
	return all, nil
}

// manifestPaths lists the manifests of a path, in lexical order, and the links that lead to no file.
func manifestPaths(path string, from IgnoreFrom) ([]string, []*LinkError, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, nil, fmt.Errorf("read the manifests: %w", err)
	}
	if !info.IsDir() {
		if isKustomization(filepath.Base(path)) {
			return nil, nil, fmt.Errorf("%s: %w: name the directory, %s", path, errToBuild, filepath.Dir(path))
		}
		return []string{path}, nil, nil
	}
	var broken []*LinkError
	out, err := manifestsIn(path, newIgnores(), from)
	if err == nil {
		out, broken, err = followed(path, out)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("read the manifests: %w", err)
	}
	return out, broken, nil
}

// manifestsIn lists the manifests of a directory and of those below it, without the files that a
// .krmignore there or above excludes. Only helm can render a Helm chart. For a chart, it
// lists the file that describes it.
func manifestsIn(dir string, above ignores, from IgnoreFrom) ([]string, error) {
	ignored, err := above.below(dir, from)
	if err != nil {
		return nil, err
	}
	if chart := filepath.Join(dir, ChartFile); !ignored.match(chart, isFile) && isChart(chart) {
		return []string{chart}, nil
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var out []string
	for _, entry := range entries {
		path := filepath.Join(dir, entry.Name())
		switch {
		case ignored.match(path, entry.IsDir()), entry.IsDir() && strings.HasPrefix(entry.Name(), "."):
		case entry.IsDir():
			below, err := manifestsIn(path, ignored, from)
			if err != nil {
				return nil, err
			}
			out = append(out, below...)
		case isKustomization(entry.Name()):
			return nil, fmt.Errorf("%s: %w", dir, ErrKustomization)
		case isManifest(entry.Name()):
			out = append(out, path)
		}
	}
	return out, ignored.exhausted(dir)
}

func isManifest(name string) bool {
	return slices.Contains([]string{".yaml", ".yml", ".json"}, filepath.Ext(name))
}

func isKustomization(name string) bool {
	return slices.Contains([]string{"kustomization.yaml", "kustomization.yml", "Kustomization"}, name)
}
