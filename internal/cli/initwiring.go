package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/api/konfig"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/input/kustomization"
	"github.com/goldenarch/goldenarch/internal/object"
	"github.com/goldenarch/goldenarch/internal/pipeline"
	"github.com/goldenarch/goldenarch/internal/regular"
	"github.com/goldenarch/goldenarch/internal/sanitize"
	"github.com/goldenarch/goldenarch/internal/setup"
	"github.com/goldenarch/goldenarch/internal/write"
)

const (
	kptfile    = "Kptfile"
	configFile = "golden-images.yaml"
)

// wiring is what init has seen of a directory.
type wiring struct {
	dir   string
	host  setup.Host
	known pipeline.Known
	items []*yaml.RNode
	built kustomization.Built
	files []write.Change
	// build builds a kustomization.
	build func(kustomization.Request) (kustomization.Built, error)
	// argocd is the directory for the plugin of Argo CD; "" for none.
	argocd string
}

// changes returns the files to write, or why goldenarch cannot be set up.
func (w *wiring) changes() ([]write.Change, finding.List) {
	var err error
	switch w.host {
	case setup.HostKustomize:
		err = w.wireKustomization()
	case setup.HostKpt:
		err = w.wirePackage()
	case setup.HostFiles:
	}
	if err == nil {
		err = w.wirePipelines()
	}
	if err == nil && w.argocd != "" {
		err = w.writePlugin()
	}
	if err != nil {
		do := "make the entry by hand, as docs/init.md shows it"
		if errors.Is(err, errOtherFile) {
			do = "rename it, or move the GoldenImages into a file of another name"
		}
		return nil, finding.List{{
			ID: finding.InitConflict, Severity: finding.Error, Object: finding.Object{File: w.dir}, Text: err.Error(), Do: do,
		}}
	}
	slices.SortFunc(w.files, func(a, b write.Change) int { return strings.Compare(a.Name, b.Name) })
	return w.files, nil
}

// facts returns what is known and not yet in the files.
func (w *wiring) facts() setup.Facts {
	var out setup.Facts
	if w.known.HasConfig {
		return out
	}
	out.Release = w.known.Release.Text()
	if !w.known.HasNodeFacts {
		if out.Workload = w.known.Workload.Strings(); len(out.Workload) == 0 {
			out.Workload = nil
		}
		if !w.known.ControlPlaneUnknown {
			out.ControlPlane = w.known.ControlPlane.Strings()
		}
	}
	return out
}

// edit adds a file to the changes, if its text changes. A file that does not exist has
// no text.
func (w *wiring) edit(name string, edit func(text []byte) ([]byte, error)) error {
	before, err := regular.Read(name)
	if errors.Is(err, fs.ErrNotExist) {
		before, err = nil, nil
	}
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	after, err := edit(before)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if !bytes.Equal(before, after) {
		w.files = append(w.files, write.Change{Name: name, Before: before, After: after})
	}
	return nil
}

// newFile returns an edit that makes a file, and leaves one that is there.
func newFile(made []byte) func([]byte) ([]byte, error) {
	return func(text []byte) ([]byte, error) {
		if text != nil {
			return text, nil
		}
		return made, nil
	}
}

var errOtherFile = errors.New("the file is not a GoldenImages, and goldenarch does not replace it")

// configName returns the file of the directory that has the configuration, or is to have
// it. It returns "" if the configuration is elsewhere.
func (w *wiring) configName() (string, error) {
	for _, item := range w.items {
		if item.GetKind() != v1alpha1.GoldenImagesKind {
			continue
		}
		file, _ := object.Place(item)
		if below, err := filepath.Rel(w.dir, filepath.FromSlash(file)); err == nil && filepath.IsLocal(below) {
			return below, nil
		}
		return "", nil
	}
	for _, one := range w.built.Unlisted {
		if one.Kind == v1alpha1.GoldenImagesKind {
			return filepath.Base(one.File), nil
		}
	}
	if exists(filepath.Join(w.dir, configFile)) {
		return "", fmt.Errorf("%s: %w", filepath.Join(w.dir, configFile), errOtherFile)
	}
	return configFile, nil
}

// kustomizationName returns the file of the directory's kustomization.
func (w *wiring) kustomizationName() (string, error) {
	for _, name := range konfig.RecognizedKustomizationFileNames() {
		if path := filepath.Join(w.dir, name); exists(path) {
			return path, nil
		}
	}
	return "", fmt.Errorf("%s has no kustomization", w.dir)
}

// absolute returns a path as kustomize's library names a file: absolute and without links.
func absolute(name string) (string, error) {
	path, err := filepath.Abs(name)
	if err != nil {
		return "", err
	}
	dir, err := filepath.EvalSymlinks(filepath.Dir(path))
	if err != nil {
		return "", err
	}
	path = filepath.Join(dir, filepath.Base(path))
	if target, err := filepath.EvalSymlinks(path); err == nil {
		return target, nil
	}
	return path, nil
}

// next returns the commands to run next.
func (w *wiring) next() []string {
	if w.host == setup.HostFiles {
		commands := setup.Commands(w.host, filepath.ToSlash(w.dir), w.facts())
		return commands[len(commands)-1:]
	}
	dir := filepath.ToSlash(w.dir)
	return []string{sanitize.Command("goldenarch", "lock", dir), sanitize.Command("goldenarch", "check", dir)}
}

func readDir(dir string) []os.DirEntry {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil // nothing can be seen there
	}
	return entries
}
