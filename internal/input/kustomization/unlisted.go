package kustomization

import (
	"bytes"
	"path/filepath"
	"slices"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/input/manifest"
)

// unlisted returns the files of a directory that have a GoldenImages and that the build
// did not read. The author of such a file probably expects it to have an effect.
func (d *disk) unlisted(dir string) []string {
	files, err := manifest.FilesIn(dir)
	if err != nil {
		return nil // the build has succeeded, and this check is optional
	}
	var out []string
	for _, file := range files {
		if d.hasRead(file) {
			continue
		}
		data, err := d.budget.Read(file)
		if err != nil || !bytes.Contains(data, []byte(v1alpha1.GoldenImagesKind)) {
			continue
		}
		if items, err := manifest.Parse(file, data); err == nil && slices.ContainsFunc(items, isGoldenImages) {
			out = append(out, file)
		}
	}
	return out
}

// hasRead reports whether the build has read a file, under any name.
func (d *disk) hasRead(file string) bool {
	path, err := filepath.Abs(file)
	if err == nil {
		path, err = filepath.EvalSymlinks(path)
	}
	return err == nil && d.read[path] != nil
}
