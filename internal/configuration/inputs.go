package configuration

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"

	"sigs.k8s.io/kustomize/kyaml/kio/kioutil"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/images/lock"
	"github.com/goldenarch/goldenarch/internal/input/kinds"
	"github.com/goldenarch/goldenarch/internal/input/livecr"
	"github.com/goldenarch/goldenarch/internal/input/manifest"
	"github.com/goldenarch/goldenarch/internal/object"
)

// readInputs reads the files that spec.inputs names. A configuration in one of them is an
// error, because the object that names the files is already the configuration.
func (s Source) readInputs(files []string) ([]*yaml.RNode, finding.List) {
	var items []*yaml.RNode
	reader := cmp.Or(s.Reader, &manifest.Reader{})
	for _, file := range files {
		read, err := reader.Below(s.Dir, file)
		if s.Options.QueriesAll && errors.Is(err, fs.ErrNotExist) && path.Base(filepath.ToSlash(file)) == lock.FileName {
			read, err = manifest.Parse(file, lock.Empty()) // the lock to write
		}
		shown := s.displayName(file)
		if err != nil {
			var at finding.Object
			if s.WorkDir != "" {
				at.File = shown
			}
			return nil, finding.List{{
				ID: finding.Unreadable, Severity: finding.Error, Object: at, Field: "spec.inputs", Current: file, Text: err.Error(),
				Do: doAboutInput(file, err),
			}}
		}
		for _, item := range read {
			if at := object.NodeAt(item, "metadata", "annotations", kioutil.PathAnnotation); at != nil {
				at.Value = shown
			}
		}
		if err := livecr.MarkLocal(read); err != nil {
			return nil, finding.List{{ID: finding.Unreadable, Severity: finding.Error, Field: "spec.inputs", Current: file, Text: err.Error()}}
		}
		items = append(items, read...)
	}
	return items, configurationsIn(items)
}

// doAboutInput returns the fix for a file of spec.inputs that cannot be read.
func doAboutInput(file string, err error) string {
	if errors.Is(err, fs.ErrNotExist) && path.Base(filepath.ToSlash(file)) == lock.FileName {
		return "write the lock: run 'goldenarch lock' with the same PATH"
	}
	return "correct spec.inputs: paths are relative to the directory of the kustomization, and a container sees no files"
}

// displayName returns the name by which the user opens a file of spec.inputs.
func (s Source) displayName(file string) string {
	if s.WorkDir == "" || s.WorkDir == s.Dir {
		return file
	}
	whole := filepath.Join(s.Dir, file)
	from, err := filepath.EvalSymlinks(s.WorkDir) // resolve links first, as the system does for ".."
	if err != nil {
		return filepath.ToSlash(whole)
	}
	below, err := filepath.Rel(from, whole)
	if err != nil || len(below) > len(whole) {
		below = whole
	}
	return filepath.ToSlash(below)
}

// configurationsIn reports the configurations in files of spec.inputs.
func configurationsIn(items []*yaml.RNode) finding.List {
	var found finding.List
	for _, o := range object.All(items) {
		if !kinds.IsGoldenarch(o.At, v1alpha1.GoldenImagesKind) && !kinds.IsGoldenarch(o.At, v1alpha1.WorkloadArchitecturesKind) {
			continue
		}
		f := kinds.Duplicate(o)
		f.Text = fmt.Sprintf("the input has two configurations: the one with spec.inputs, and %s in a file that it lists", o.At)
		f.Do = "remove the file from spec.inputs"
		found = append(found, f)
	}
	return found
}
