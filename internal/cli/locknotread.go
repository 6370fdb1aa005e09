package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/api/konfig"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/images/lock"
	"github.com/goldenarch/goldenarch/internal/input/kustomization"
	"github.com/goldenarch/goldenarch/internal/pipeline"
	"github.com/goldenarch/goldenarch/internal/sanitize"
)

// reportNotRead reports a lock that render would not read for the same paths, so that
// it would have no effect. The contents of a directory decide what render reads of it.
// If the paths are only files, reportNotRead uses the directory of the lock, if that
// has a kustomization.
func (l *lockVerb) reportNotRead(function pipeline.Function, paths []string, images pipeline.Images, name string) finding.List {
	if _, err := os.Stat(name); err != nil || hasRead(images, name) {
		return nil
	}
	dirs := directories(l.crPaths.pathsOr(paths))
	if dir := filepath.Dir(name); len(dirs) == 0 && kustomization.In(dir) {
		dirs = []string{dir}
	}
	if len(dirs) == 0 {
		return nil
	}
	again := lockVerb{render: render{streams: l.streams, config: l.config, crPaths: l.crPaths}}
	images, found, err := again.images(function, dirs) // now that the lock exists
	if err != nil || found.Failed() || hasRead(images, name) {
		return nil
	}
	f := finding.Finding{
		ID: finding.LockNotRead, Severity: finding.Warning,
		Object: finding.Object{APIVersion: v1alpha1.Group + "/v1alpha1", Kind: v1alpha1.ArchitectureLockKind, File: filepath.ToSlash(name)},
		Text:   fmt.Sprintf("the lock is outside of %s, so render and check do not read it", strings.Join(dirs, ", ")),
		Do:     "pass the lock to them too: " + sanitize.Command(slices.Concat([]string{"goldenarch", "render"}, dirs, []string{name})...),
	}
	if slices.ContainsFunc(dirs, kustomization.In) {
		f.Text = "no kustomization lists the lock, so render and check do not read it"
		f.Do = "choose another place with --file: kustomize reads no file above or beside its own directory"
		if file, entry := kustomizationAbove(name); file != "" {
			f.Do = fmt.Sprintf("list %s under resources of %s", entry, file)
		}
	}
	return finding.List{f}
}

// hasRead reports whether a lock is among the locks that were read.
func hasRead(images pipeline.Images, name string) bool {
	return slices.ContainsFunc(images.Locks, func(at finding.Object) bool {
		return lock.Target(filepath.FromSlash(at.File)) == lock.Target(name)
	})
}

// directories returns the paths that are directories.
func directories(paths []string) []string {
	return slices.DeleteFunc(slices.Clone(paths), func(path string) bool {
		info, err := os.Stat(path)
		return err != nil || !info.IsDir()
	})
}

// kustomizationAbove returns the nearest kustomization file at or above a file, and the
// name under which it would list the file; "" if there is no such kustomization.
func kustomizationAbove(name string) (file, entry string) {
	whole, err := filepath.Abs(name)
	if err != nil {
		return "", ""
	}
	dir, above := filepath.Dir(name), filepath.Dir(whole)
	for !kustomization.In(dir) {
		if above == filepath.Dir(above) {
			return "", ""
		}
		dir, above = filepath.Join(dir, ".."), filepath.Dir(above)
	}
	entry, err = filepath.Rel(above, whole)
	if err != nil {
		return "", ""
	}
	for _, one := range konfig.RecognizedKustomizationFileNames() {
		if _, err := os.Stat(filepath.Join(dir, one)); err == nil {
			return filepath.Join(dir, one), filepath.ToSlash(entry)
		}
	}
	return "", ""
}
