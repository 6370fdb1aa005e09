package kustomization

import (
	"bytes"
	"path/filepath"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/input/manifest"
)

// Unlisted is a file that configures goldenarch, and the kind of the configuration.
type Unlisted struct{ File, Kind string }

// unlisted returns the files of a directory that configure goldenarch and that the build
// did not read. The author of such a file probably expects it to have an effect.
func (d *disk) unlisted(dir string) []Unlisted {
	files, err := manifest.FilesIn(dir)
	if err != nil {
		return nil // the build has succeeded, and this check is optional
	}
	var out []Unlisted
	for _, file := range files {
		if d.hasRead(file) {
			continue
		}
		if kind := d.configurationIn(file); kind != "" {
			out = append(out, Unlisted{File: file, Kind: kind})
		}
	}
	return out
}

// configurationIn returns the kind of the first configuration in a file, "" for none.
func (d *disk) configurationIn(file string) string {
	data, err := d.budget.Read(file)
	if err != nil || !bytes.Contains(data, []byte(v1alpha1.GoldenImagesKind)) && !bytes.Contains(data, []byte(v1alpha1.WorkloadArchitecturesKind)) {
		return ""
	}
	items, err := manifest.Parse(file, data)
	if err != nil {
		return ""
	}
	for _, item := range items {
		if isGoldenImages(item) || isWorkloads(item) {
			return item.GetKind()
		}
	}
	return ""
}

// hasRead reports whether the build has read a file, under any name.
func (d *disk) hasRead(file string) bool {
	path, err := filepath.Abs(file)
	if err == nil {
		path, err = filepath.EvalSymlinks(path)
	}
	return err == nil && d.read[path] != nil
}
