package fleet

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"sigs.k8s.io/kustomize/kyaml/kio/kioutil"
	"sigs.k8s.io/kustomize/kyaml/yaml"
	k8syaml "sigs.k8s.io/yaml"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/input/kinds"
	"github.com/goldenarch/goldenarch/internal/input/manifest"
	"github.com/goldenarch/goldenarch/internal/object"
	"github.com/goldenarch/goldenarch/internal/regular"
	"github.com/goldenarch/goldenarch/internal/yamlnode"
)

// FileName is the name of the file at the root of a repository that has its Fleet.
const FileName = "goldenarch.yaml"

// Fleet is the Fleet of a repository, and where it is. A nil Fleet states nothing: it is
// that of a repository without one.
type Fleet struct {
	*v1alpha1.Fleet

	at   finding.Object
	node *yaml.RNode
	dir  string       // that its paths are relative to
	from string       // that the files are read below
	used map[int]bool // the entries that have matched a cluster
}

// In reports whether a directory has a Fleet.
func In(dir string) bool {
	data, err := regular.Read(filepath.Join(dir, FileName))
	if err != nil {
		return false
	}
	var head v1alpha1.TypeMeta
	err = k8syaml.Unmarshal(data, &head)
	return err == nil && kinds.IsGoldenarch(finding.Object{APIVersion: head.APIVersion, Kind: head.Kind}, v1alpha1.FleetKind)
}

// Read reads the Fleet in a file. The findings are errors if it is not valid.
func Read(file string) (*Fleet, finding.List) { return ReadFor(file, filepath.Dir(file)) }

// ReadFor reads a Fleet whose paths are relative to another directory than its own. The files
// that it names are beside it.
func ReadFor(file, dir string) (*Fleet, finding.List) {
	invalid := func(at finding.Object, text string) (*Fleet, finding.List) {
		return nil, finding.List{{ID: finding.FleetInvalid, Severity: finding.Error, Object: at, Text: text, Do: "correct the Fleet"}}
	}
	shown := finding.Object{File: filepath.ToSlash(file)}
	items, err := manifest.ReadFile(file)
	if err != nil {
		return invalid(shown, err.Error())
	}
	if len(items) != 1 {
		return invalid(shown, fmt.Sprintf("the file has %d documents, expected one Fleet", len(items)))
	}
	o := object.All(items)[0]
	f := &Fleet{at: o.At, node: o.Node, dir: dir, from: filepath.Dir(file), used: map[int]bool{}}
	if twice := object.DuplicateKeys(o); twice.Failed() {
		return nil, twice
	}
	tree, err := o.Tree()
	if err != nil {
		return invalid(o.At, err.Error())
	}
	f.Fleet, err = v1alpha1.DecodeFleet(tree)
	var list v1alpha1.Errors
	if !errors.As(err, &list) {
		return f, nil
	}
	var found finding.List
	for _, one := range list {
		_, more := invalid(o.At, one.Text)
		more[0].Field, more[0].Line = one.Path, o.Line(one.Path)
		found = append(found, more...)
	}
	return nil, found
}

// pathOf returns a path as the entries of the Fleet name it.
func (f *Fleet) pathOf(path string) string {
	if below, err := relativeTo(f.dir, path); err == nil {
		return below
	}
	return filepath.ToSlash(path)
}

// relativeTo returns a path relative to a directory, with slashes.
func relativeTo(dir, path string) (string, error) {
	dir, err := filepath.Abs(dir)
	if err == nil {
		path, err = filepath.Abs(path)
	}
	if err != nil {
		return "", err
	}
	below, err := filepath.Rel(dir, path)
	return filepath.ToSlash(below), err
}

// EntryOf returns what the Fleet states about a cluster; nil for nothing.
func (f *Fleet) EntryOf(path string) *v1alpha1.FleetCluster {
	if f == nil {
		return nil
	}
	i, is := f.Entry(f.pathOf(path))
	if !is {
		return nil
	}
	f.used[i] = true
	return &f.Clusters[i]
}

// States reports whether an entry names a directory itself, and not by a pattern.
func (f *Fleet) States(dir string) bool {
	return f != nil && slices.ContainsFunc(f.Clusters, func(c v1alpha1.FleetCluster) bool {
		return slices.Contains(c.Paths, f.pathOf(dir))
	})
}

// Files returns the files that the Fleet names, and its own, absolute and without links.
func (f *Fleet) Files() []string {
	if f == nil {
		return nil
	}
	names := []string{f.at.File}
	for _, c := range f.Clusters {
		for _, file := range []string{c.Live, c.Config} {
			if file != "" {
				names = append(names, filepath.Join(f.dir, filepath.FromSlash(file)))
			}
		}
	}
	var out []string
	for _, name := range names {
		if path, err := filepath.Abs(name); err == nil {
			if path, err = filepath.EvalSymlinks(path); err == nil {
				out = append(out, path)
			}
		}
	}
	return out
}

// Configurations returns the configurations that the Fleet names. One that cannot be read
// is left out: it is an error of its cluster.
func (f *Fleet) Configurations() []*yaml.RNode {
	if f == nil {
		return nil
	}
	var out []*yaml.RNode
	for _, c := range f.Clusters {
		if c.Config == "" {
			continue
		}
		if items, err := f.readIn(c.Config); err == nil && len(items) == 1 {
			out = append(out, items[0])
		}
	}
	return out
}

// Unmatched reports the entries that match no cluster of a directory. In a part of what
// the Fleet is about, the other entries need not match.
func (f *Fleet) Unmatched(root string) finding.List {
	var found finding.List
	if f == nil {
		return nil
	}
	if below, err := relativeTo(root, f.dir); err != nil || !filepath.IsLocal(filepath.FromSlash(below)) {
		return nil
	}
	for i, c := range f.Clusters {
		if f.used[i] {
			continue
		}
		field := fmt.Sprintf("clusters[%d].paths", i)
		found = append(found, finding.Finding{
			ID: finding.FleetUnmatched, Severity: finding.Warning, Object: f.at, Field: field, Line: yamlnode.Line(f.node.YNode(), field),
			Text: fmt.Sprintf("no cluster is left that %q match, so the entry has no effect", c.Paths),
			Do:   "correct the paths: 'goldenarch check' lists the clusters. Of several entries that match, the first counts",
		})
	}
	return found
}

// readIn reads a file that the Fleet names. It never leaves the directory of the Fleet.
func (f *Fleet) readIn(file string) ([]*yaml.RNode, error) {
	items, err := new(manifest.Reader).Below(f.from, file)
	for _, item := range items {
		if at := object.NodeAt(item, "metadata", "annotations", kioutil.PathAnnotation); at != nil {
			at.Value = filepath.ToSlash(filepath.Join(f.from, filepath.FromSlash(file)))
		}
	}
	return items, err
}
