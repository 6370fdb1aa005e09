package pipeline

import (
	"fmt"
	"path/filepath"

	"sigs.k8s.io/kustomize/kyaml/kio/kioutil"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/input/manifest"
)

// inputs reads the files that spec.inputs names. A configuration in one of them
// is an error: what names the files is one already.
func (f Function) inputs(files []string) ([]*yaml.RNode, finding.List) {
	var items []*yaml.RNode
	for _, file := range files {
		read, err := manifest.ReadBelow(f.Dir, file)
		shown := f.shown(file)
		if err != nil {
			var at finding.Object
			if f.WorkDir != "" {
				at.File = shown
			}
			return nil, finding.List{{
				ID: finding.Unreadable, Severity: finding.Error, Object: at, Field: "spec.inputs", Current: file, Text: err.Error(),
				Do: "correct spec.inputs: files are named relative to the directory of the kustomization; a container sees none of them",
			}}
		}
		for _, item := range read {
			if at := nodeAt(item, "metadata", "annotations", kioutil.PathAnnotation); at != nil {
				at.Value = shown
			}
		}
		if err := dumpsAsLocal(read); err != nil {
			return nil, finding.List{{ID: finding.Unreadable, Severity: finding.Error, Field: "spec.inputs", Current: file, Text: err.Error()}}
		}
		items = append(items, read...)
	}
	return items, configsAmong(items)
}

// shown returns the name by which the user opens a file of spec.inputs.
func (f Function) shown(file string) string {
	if f.WorkDir == "" || f.WorkDir == f.Dir {
		return file
	}
	whole := filepath.Join(f.Dir, file)
	from, err := filepath.EvalSymlinks(f.WorkDir) // as ".." of a path is understood
	if err != nil {
		return filepath.ToSlash(whole)
	}
	below, err := filepath.Rel(from, whole)
	if err != nil || len(below) > len(whole) {
		below = whole
	}
	return filepath.ToSlash(below)
}

// forHost takes off items what hosts do not know on those that they did not read
// themselves.
func forHost(items []*yaml.RNode) finding.List {
	for _, item := range items {
		for _, key := range []string{kioutil.SeqIndentAnnotation, manifest.EmptyAnnotation} {
			if err := item.PipeE(yaml.ClearAnnotation(key)); err != nil {
				return finding.List{object{item: item, node: item, at: refer(item)}.unreadable(err)}
			}
		}
	}
	return nil
}

// configsAmong tells of the configurations in files of spec.inputs.
func configsAmong(items []*yaml.RNode) finding.List {
	var found finding.List
	for _, o := range objects(items) {
		if !isOwn(o.at, v1alpha1.GoldenImagesKind) {
			continue
		}
		f := twice(o)
		f.Text = fmt.Sprintf("there are two configurations: the one that names its inputs, and %s in such a file", o.at)
		f.Do = "remove it from the file, or the file from spec.inputs"
		found = append(found, f)
	}
	return found
}
