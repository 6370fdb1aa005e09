package cli

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/images/lock"
	"github.com/goldenarch/goldenarch/internal/input/kinds"
	"github.com/goldenarch/goldenarch/internal/input/kustomization"
	"github.com/goldenarch/goldenarch/internal/object"
	"github.com/goldenarch/goldenarch/internal/regular"
	"github.com/goldenarch/goldenarch/internal/setup"
)

var errNotListed = errors.New("the kustomization would not run goldenarch last: components, or transformers of a component, come after it")

// wireKustomization lists goldenarch as the last transformer of the kustomization, with a
// configuration and a lock beside it. It fails unless kustomize builds the result.
func (w *wiring) wireKustomization() error {
	if len(w.built.Steps) > 0 {
		return nil // it lists goldenarch
	}
	config, err := w.configName()
	if err != nil {
		return err
	}
	if config == "" {
		return nil // a base has the configuration, and this overlay takes it from there
	}
	list, err := w.kustomizationName()
	if err != nil {
		return err
	}
	var resources []string
	if !w.hasLock() {
		resources = append(resources, lock.FileName)
		if err := w.edit(filepath.Join(w.dir, lock.FileName), newFile(lock.Empty())); err != nil {
			return err
		}
	}
	err = w.edit(filepath.Join(w.dir, config), func(text []byte) ([]byte, error) {
		if text == nil {
			return setup.Config(w.host, w.facts()), nil
		}
		return setup.AddFunction(text)
	})
	if err != nil {
		return err
	}
	err = w.edit(list, func(text []byte) ([]byte, error) {
		return setup.ListInKustomization(text, filepath.ToSlash(config), resources...)
	})
	if err != nil {
		return err
	}
	return w.builds()
}

// builds fails unless the changed kustomization builds and lists goldenarch.
func (w *wiring) builds() error {
	texts := map[string][]byte{}
	for _, file := range w.files {
		name, err := absolute(file.Name)
		if err != nil {
			return err
		}
		texts[name] = file.After
	}
	built, err := w.build(kustomization.Request{Dir: w.dir, Texts: texts})
	if err != nil {
		return fmt.Errorf("the kustomization would not build: %w", err)
	}
	if len(built.Steps) == 0 {
		return errNotListed
	}
	return nil
}

// hasLock reports whether a lock is among the items.
func (w *wiring) hasLock() bool {
	for _, o := range object.All(w.items) {
		if kinds.IsGoldenarch(o.At, v1alpha1.ArchitectureLockKind) {
			return true
		}
	}
	return false
}

// wirePackage adds goldenarch to the pipeline of the Kptfile, with a configuration.
func (w *wiring) wirePackage() error {
	config, err := w.configName()
	if err != nil {
		return err
	}
	if config == "" {
		return fmt.Errorf("%s: the GoldenImages is not below the package", w.dir)
	}
	if err := w.edit(filepath.Join(w.dir, config), newFile(setup.Config(w.host, w.facts()))); err != nil {
		return err
	}
	return w.edit(filepath.Join(w.dir, kptfile), func(text []byte) ([]byte, error) {
		if text == nil {
			return nil, errors.New("there is no Kptfile: run kpt pkg init")
		}
		return setup.AddMutator(text, filepath.ToSlash(config))
	})
}

// wirePipelines adds goldenarch to the pipelines and hooks that the repository has.
func (w *wiring) wirePipelines() error {
	dir, err := absoluteDir(w.dir)
	if err != nil {
		return err
	}
	root := gitRoot(dir)
	if root == "" {
		return nil
	}
	below, err := filepath.Rel(root, dir)
	if err != nil {
		return err
	}
	below = filepath.ToSlash(below)
	commands := setup.Commands(w.host, below, w.facts())
	// The hook queries no registry, and a lock beside files that are applied as they are
	// would be applied too.
	offline := w.host != setup.HostFiles || w.hasLock()
	if name := fromHere(filepath.Join(root, ".pre-commit-config.yaml")); exists(name) && offline {
		if err := w.edit(name, func(text []byte) ([]byte, error) { return setup.AddHook(text, w.host, below, w.facts()) }); err != nil {
			return err
		}
	}
	if name := fromHere(filepath.Join(root, ".gitlab-ci.yml")); exists(name) {
		if err := w.edit(name, func(text []byte) ([]byte, error) { return setup.AddGitLabJob(text, commands) }); err != nil {
			return err
		}
	}
	workflows := fromHere(filepath.Join(root, ".github", "workflows"))
	name := filepath.Join(workflows, workflowFile)
	if !exists(workflows) || !exists(name) && mentions(workflows, "goldenarch") {
		return nil
	}
	return w.edit(name, func(text []byte) ([]byte, error) {
		if text == nil {
			return setup.Workflow(commands), nil
		}
		return setup.AddSteps(text, commands)
	})
}

// workflowFile is the workflow that init writes.
const workflowFile = "golden-images.yaml"

// absoluteDir returns a directory without links.
func absoluteDir(dir string) (string, error) {
	path, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(path)
}

// fromHere returns a path as seen from the working directory, for messages.
func fromHere(path string) string {
	here, err := filepath.Abs(".")
	if err != nil {
		return path
	}
	if below, err := filepath.Rel(here, path); err == nil && !strings.HasPrefix(below, "../../..") {
		return below
	}
	return path
}

// mentions reports whether a file of a directory has a word.
func mentions(dir, word string) bool {
	for _, entry := range readDir(dir) {
		data, err := regular.Read(filepath.Join(dir, entry.Name()))
		if err == nil && bytes.Contains(data, []byte(word)) {
			return true
		}
	}
	return false
}
