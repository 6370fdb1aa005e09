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
	"github.com/goldenarch/goldenarch/internal/images/lock"
	"github.com/goldenarch/goldenarch/internal/input/kinds"
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

// initPlan is what init has seen of a directory.
type initPlan struct {
	dir   string
	host  setup.Host
	known pipeline.Known
	items []*yaml.RNode
	built kustomization.Built
	files []write.Change
	// facts is what is known and not yet in the files.
	facts setup.Facts
	// wired says that the run makes the host run goldenarch.
	wired bool
	// build builds a kustomization.
	build func(kustomization.Request) (kustomization.Built, error)
	// argocd is the directory for the plugin of Argo CD, "" for none, and image what it runs.
	argocd, image string
}

// changes returns the files to write, or why goldenarch cannot be set up.
func (w *initPlan) changes() ([]write.Change, finding.List) {
	var err error
	switch w.host {
	case setup.HostKustomize:
		err = w.wireKustomization()
	case setup.HostArgoCD:
		if kustomization.In(w.dir) {
			err = w.wireKustomization()
		} else {
			err = w.wireDirectory()
		}
	case setup.HostKpt:
		err = w.wirePackage()
	case setup.HostFiles:
	}
	w.wired = len(w.files) > 0 && w.host != setup.HostFiles
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

// factsOf returns what is known and not yet in the files.
func factsOf(known pipeline.Known) setup.Facts {
	var out setup.Facts
	if known.HasConfig {
		return out
	}
	out.Release = known.Release.Text()
	if !known.HasNodeFacts {
		if out.Workload = known.Workload.Strings(); len(out.Workload) == 0 {
			out.Workload = nil
		}
		if !known.ControlPlaneUnknown {
			out.ControlPlane = known.ControlPlane.Strings()
		}
	}
	return out
}

// breaks says what no longer works without goldenarch, which its host runs now.
func (w *initPlan) breaks() string {
	dir := filepath.ToSlash(w.dir)
	switch {
	case w.host == setup.HostKpt:
		return sanitize.Command("kpt", "fn", "render", dir) + " now needs --allow-exec, and goldenarch on the PATH"
	case w.host == setup.HostArgoCD && !kustomization.In(w.dir):
		return "Argo CD now applies " + sanitize.Escape(dir) + " only with the plugin of goldenarch; kubectl apply fails on the GoldenImages"
	default:
		return sanitize.Command("kustomize", "build", dir) + " now needs --enable-alpha-plugins --enable-exec, and goldenarch on the PATH. " +
			"Argo CD needs the plugin of goldenarch. kubectl apply -k fails: use " + sanitize.Command("goldenarch", "render", dir) + " | kubectl apply -f -"
	}
}

// edit adds a file to the changes, if its text changes. A file that does not exist has
// no text.
func (w *initPlan) edit(name string, edit func(text []byte) ([]byte, error)) error {
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
func (w *initPlan) configName() (string, error) {
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
func (w *initPlan) kustomizationName() (string, error) {
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
func (w *initPlan) next() []string {
	if w.host == setup.HostFiles {
		commands := setup.Commands(w.host, filepath.ToSlash(w.dir), w.facts)
		return commands[:1]
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

var errNotListed = errors.New("the kustomization would not run goldenarch last: components, or transformers of a component, come after it")

// wireKustomization lists goldenarch as the last transformer of the kustomization, with a
// configuration and a lock beside it. It fails unless kustomize builds the result.
func (w *initPlan) wireKustomization() error {
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
			return setup.Config(setup.HostKustomize, w.facts), nil
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
func (w *initPlan) builds() error {
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
func (w *initPlan) hasLock() bool {
	for _, o := range object.All(w.items) {
		if kinds.IsGoldenarch(o.At, v1alpha1.ArchitectureLockKind) {
			return true
		}
	}
	return false
}

// wireDirectory adds a configuration to a directory of plain files, where the plugin of Argo
// CD finds it.
func (w *initPlan) wireDirectory() error {
	config, err := w.configName()
	if err != nil || config == "" {
		return err
	}
	return w.edit(filepath.Join(w.dir, config), newFile(setup.Config(w.host, w.facts)))
}

// wirePackage adds goldenarch to the pipeline of the Kptfile, with a configuration.
func (w *initPlan) wirePackage() error {
	config, err := w.configName()
	if err != nil {
		return err
	}
	if config == "" {
		return fmt.Errorf("%s: the GoldenImages is not below the package", w.dir)
	}
	if err := w.edit(filepath.Join(w.dir, config), newFile(setup.Config(w.host, w.facts))); err != nil {
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
func (w *initPlan) wirePipelines() error {
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
	commands := setup.Commands(w.host, below, w.facts)
	// The hook queries no registry, and a lock beside files that are applied as they are
	// would be applied too.
	offline := w.host != setup.HostFiles || w.hasLock()
	if name := fromHere(filepath.Join(root, ".pre-commit-config.yaml")); exists(name) && offline {
		if err := w.edit(name, func(text []byte) ([]byte, error) { return setup.AddHook(text, w.host, below, w.facts) }); err != nil {
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
