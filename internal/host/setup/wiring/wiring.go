package wiring

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/console"
	"github.com/goldenarch/goldenarch/internal/files"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/host/setup"
	"github.com/goldenarch/goldenarch/internal/images/lock"
	"github.com/goldenarch/goldenarch/internal/kustomize"
	"github.com/goldenarch/goldenarch/internal/manifest"
	"github.com/goldenarch/goldenarch/internal/manifest/kinds"
	"github.com/goldenarch/goldenarch/internal/manifest/object"
)

const configFile = "golden-images.yaml"

// Wiring is how goldenarch is set up for a directory.
type Wiring struct {
	Dir  string
	Host setup.Host
	// Items and Built are what was read of the directory.
	Items []*yaml.RNode
	Built kustomize.Built
	// Facts is what is known and not yet in the files.
	Facts setup.Facts
	// Build builds a kustomization.
	Build func(kustomize.Request) (kustomize.Built, error)
	// Hosts are the registries that a check queries for the images that no lock has.
	Hosts []string
	// ArgoCD is the directory for the plugin of Argo CD, "" for none, and Image what it runs.
	ArgoCD, Image string

	// Component is the directory with the component of the plugin, if nothing lists it yet; "" if there is none.
	Component string
	// Wired says that the changes make the host run goldenarch.
	Wired bool

	files []files.Change
}

// errPluginBelow is the error for a plugin among the manifests that it is to render: the
// directory would have a kustomization below it, which goldenarch does not build.
var errPluginBelow = errors.New("flag --argocd: the directory is below the one with the manifests, so goldenarch would read the plugin as one of them")

// Changes returns the files to write, or why goldenarch cannot be set up.
func (w *Wiring) Changes() ([]files.Change, finding.List) {
	var err error
	page := "docs/kustomize.md"
	switch w.Host {
	case setup.HostKustomize:
		err = w.wireKustomization()
	case setup.HostArgoCD:
		if kustomize.In(w.Dir) {
			err = w.wireKustomization()
		} else {
			err = w.wireDirectory()
		}
	case setup.HostKpt:
		page, err = "docs/kpt.md", w.wirePackage()
	case setup.HostFiles:
	}
	w.Wired = len(w.files) > 0 && w.Host != setup.HostFiles
	if err == nil {
		page, err = "docs/ci.md", w.wirePipelines()
	}
	if err == nil && w.ArgoCD != "" {
		page, err = "docs/argocd.md", w.writePlugin()
	}
	if err != nil {
		do := "make the entry by hand, as " + page + " shows it"
		switch {
		case errors.Is(err, errNoImage), errors.Is(err, errNoPluginDir):
			do = "docs/argocd.md says what the plugin needs"
		case errors.Is(err, errPluginBelow):
			do = "name the directory of the kustomization that installs Argo CD, or one outside of the manifests"
		case errors.Is(err, errNoKustomization):
			do = "name the directory of a kustomization, or leave out --host: init then writes the decisions into the files"
		case errors.Is(err, errOtherFile):
			do = "rename it, or move the GoldenImages into a file of another name"
		case errors.Is(err, setup.ErrInList):
			do = "move the GoldenImages into a file of its own"
		}
		return nil, finding.List{{
			ID: finding.InitConflict, Severity: finding.Error, Object: finding.Object{File: w.Dir}, Text: err.Error(), Do: do,
		}}
	}
	slices.SortFunc(w.files, func(a, b files.Change) int { return strings.Compare(a.Name, b.Name) })
	return w.files, nil
}

// DetectHost returns the host that runs functions in the directory already, or none
// ([setup.HostFiles]).
func (w *Wiring) DetectHost() setup.Host {
	switch {
	case w.ArgoCD != "":
		return setup.HostArgoCD
	case kustomize.In(w.Dir):
		built, err := w.Build(kustomize.Request{Dir: w.Dir})
		if at, failed := files.Real(w.Dir); err == nil && (len(built.Steps) > 0 || failed == nil && runsFunctions(files.GitRoot(at))) {
			return setup.HostKustomize
		}
	default:
		if text, err := files.Read(filepath.Join(w.Dir, manifest.PackageFile)); err == nil && setup.HasPipeline(text) {
			return setup.HostKpt
		}
	}
	return setup.HostFiles
}

// Breaks says what no longer works without goldenarch, which its host runs now.
func (w *Wiring) Breaks() string {
	dir := filepath.ToSlash(w.Dir)
	word := console.CommandPath(dir)
	switch {
	case w.Host == setup.HostKpt:
		return console.Command("kpt", "fn", "render", word) + " now needs --allow-exec, and goldenarch on the PATH"
	case w.Host == setup.HostArgoCD && !kustomize.In(w.Dir):
		return "Argo CD now applies " + console.Escape(dir) + " only with the plugin of goldenarch; kubectl apply fails on the GoldenImages"
	default:
		return console.Command("kustomize", "build", word) + " now needs --enable-alpha-plugins --enable-exec, and goldenarch on the PATH. " +
			"Argo CD needs the plugin of goldenarch. kubectl apply -k fails: use " + console.Command("goldenarch", "render", word) + " | kubectl apply -f -"
	}
}

// Edit adds a file to the changes, if its text changes. A file that does not exist has
// no text.
func (w *Wiring) Edit(name string, edit func(text []byte) ([]byte, error)) error {
	before, err := files.Read(name)
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
		w.files = append(w.files, files.Change{Name: name, Before: before, After: after})
	}
	return nil
}

// After returns the text that a file has after the changes; nil if it does not change.
func (w *Wiring) After(name string) []byte {
	i := slices.IndexFunc(w.files, func(c files.Change) bool { return c.Name == name })
	if i < 0 {
		return nil
	}
	return w.files[i].After
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

var errNoKustomization = errors.New("has no kustomization")

var errOtherFile = errors.New("the file is not a GoldenImages, and goldenarch does not replace it")

// configName returns the file of the directory that has the configuration, or is to have
// it. It returns "" if the configuration is elsewhere.
func (w *Wiring) configName() (string, error) {
	for _, o := range object.All(w.Items) {
		if !kinds.IsGoldenarch(o.At, v1alpha1.GoldenImagesKind) {
			continue
		}
		below, err := filepath.Rel(w.Dir, filepath.FromSlash(o.At.File))
		switch isBelow := err == nil && filepath.IsLocal(below); {
		case isBelow && o.Path != "" && w.Host != setup.HostArgoCD: // whose plugin opens Lists
			return "", fmt.Errorf("%s: %w", o.At.File, setup.ErrInList)
		case isBelow:
			return below, nil
		}
		return "", nil
	}
	for _, one := range w.Built.Unlisted {
		if one.Kind == v1alpha1.GoldenImagesKind {
			return filepath.Base(one.File), nil
		}
	}
	if files.Exists(filepath.Join(w.Dir, configFile)) {
		return "", fmt.Errorf("%s: %w", filepath.Join(w.Dir, configFile), errOtherFile)
	}
	return configFile, nil
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

var errNotListed = errors.New("the kustomization would not run goldenarch last: components, or transformers of a component, come after it")

// wireKustomization lists goldenarch as the last transformer of the kustomization, with a
// configuration and a lock beside it. It fails unless kustomize builds the result.
func (w *Wiring) wireKustomization() error {
	if len(w.Built.Steps) > 0 {
		return nil // it lists goldenarch
	}
	config, err := w.configName()
	if err != nil {
		return err
	}
	if config == "" {
		return nil // a base has the configuration, and this overlay takes it from there
	}
	list := kustomize.FileIn(w.Dir)
	if list == "" {
		return fmt.Errorf("%s %w", w.Dir, errNoKustomization)
	}
	var resources []string
	if !w.hasLock() {
		resources = append(resources, lock.FileName)
		if err := w.Edit(filepath.Join(w.Dir, lock.FileName), newFile(lock.Empty())); err != nil {
			return err
		}
	}
	err = w.Edit(filepath.Join(w.Dir, config), func(text []byte) ([]byte, error) {
		if text == nil {
			return setup.Config(setup.HostKustomize, w.Facts), nil
		}
		return setup.AddFunction(text)
	})
	if err != nil {
		return err
	}
	err = w.Edit(list, func(text []byte) ([]byte, error) {
		return setup.ListInKustomization(text, filepath.ToSlash(config), resources...)
	})
	if err != nil {
		return err
	}
	return w.builds()
}

// builds fails unless the changed kustomization builds and lists goldenarch.
func (w *Wiring) builds() error {
	texts := map[string][]byte{}
	for _, file := range w.files {
		name, err := absolute(file.Name)
		if err != nil {
			return err
		}
		texts[name] = file.After
	}
	built, err := w.Build(kustomize.Request{Dir: w.Dir, Texts: texts})
	if err != nil {
		return fmt.Errorf("the kustomization would not build: %w", err)
	}
	if len(built.Steps) == 0 {
		return errNotListed
	}
	return nil
}

// NeedsLock reports whether the hook and the checks of strangers' commits, which query no registry,
// have no answers yet.
func (w *Wiring) NeedsLock() bool { return w.Host != setup.HostFiles && !w.hasLock() }

// hasLock reports whether a lock is among the items.
func (w *Wiring) hasLock() bool {
	return slices.ContainsFunc(object.All(w.Items), func(o object.Object) bool { return kinds.IsGoldenarch(o.At, v1alpha1.ArchitectureLockKind) })
}

// wireDirectory adds a configuration to a directory of plain files, where the plugin of Argo
// CD finds it.
func (w *Wiring) wireDirectory() error {
	if w.ArgoCD != "" && !kustomize.In(w.ArgoCD) {
		plugin, err := absolute(w.ArgoCD)
		if err != nil {
			return err
		}
		dir, err := absolute(w.Dir)
		if err != nil {
			return err
		}
		if files.Within(plugin, dir) {
			return errPluginBelow
		}
	}
	config, err := w.configName()
	if err != nil || config == "" {
		return err
	}
	return w.Edit(filepath.Join(w.Dir, config), newFile(setup.Config(w.Host, w.Facts)))
}

// wirePackage adds goldenarch to the pipeline of the Kptfile, with a configuration.
func (w *Wiring) wirePackage() error {
	config, err := w.configName()
	if err != nil {
		return err
	}
	if config == "" {
		return fmt.Errorf("%s: the GoldenImages is not below the package", w.Dir)
	}
	if err := w.Edit(filepath.Join(w.Dir, config), newFile(setup.Config(w.Host, w.Facts))); err != nil {
		return err
	}
	return w.Edit(filepath.Join(w.Dir, manifest.PackageFile), func(text []byte) ([]byte, error) {
		if text == nil {
			return nil, errors.New("there is no Kptfile: run kpt pkg init")
		}
		return setup.AddMutator(text, filepath.ToSlash(config))
	})
}

// wirePipelines adds goldenarch to the pipelines and hooks that the repository has.
func (w *Wiring) wirePipelines() error {
	dir, err := files.Real(w.Dir)
	if err != nil {
		return err
	}
	root := files.GitRoot(dir)
	if root == "" {
		return nil
	}
	below, err := filepath.Rel(root, dir)
	if err != nil {
		return err
	}
	below = filepath.ToSlash(below)
	check := setup.Check{Command: setup.Command(w.Host, below, w.Facts)}
	if w.Host == setup.HostFiles { // what a host runs gets a lock
		check.Hosts = w.Hosts
	}
	// The hook queries no registry, and a lock beside files that are applied as they are
	// would be applied too.
	offline := w.Host != setup.HostFiles || w.hasLock()
	if name := files.FromHere(filepath.Join(root, ".pre-commit-config.yaml")); files.Exists(name) && offline {
		if err := w.Edit(name, func(text []byte) ([]byte, error) { return setup.AddHook(text, w.Host, below, w.Facts) }); err != nil {
			return err
		}
	}
	if name := gitLabIn(root); files.Exists(name) {
		if err := w.Edit(name, func(text []byte) ([]byte, error) { return setup.AddGitLabJob(text, check) }); err != nil {
			return err
		}
	}
	workflows := workflowsIn(root)
	name := filepath.Join(workflows, workflowFile)
	if !files.Exists(workflows) || !files.Exists(name) && mentions(workflows, "goldenarch") {
		return nil
	}
	return w.Edit(name, func(text []byte) ([]byte, error) {
		if text == nil {
			return setup.Workflow(check), nil
		}
		return setup.AddStep(text, check)
	})
}

func workflowsIn(root string) string {
	return files.FromHere(filepath.Join(root, ".github", "workflows"))
}

func gitLabIn(root string) string { return files.FromHere(filepath.Join(root, ".gitlab-ci.yml")) }

// Unchecked says why no pipeline gets a check, and what to do; "" if one has it. operator says that the repository is one of an
// operator, to whose pipelines nothing is added.
func (w *Wiring) Unchecked(operator bool) string {
	dir, err := files.Real(w.Dir)
	if err != nil {
		return ""
	}
	root := files.GitRoot(dir)
	workflows, gitLab := workflowsIn(root), gitLabIn(root)
	switch {
	case root == "":
		return "the directory is outside of a Git repository, so no pipeline gets a check: docs/ci.md says how to add one"
	case operator && !mentions(workflows, "goldenarch"):
		return "init adds no check to the pipelines of an operator: copy examples/ci/github/operator.yaml of goldenarch, and see docs/ci.md"
	case !operator && !files.Exists(workflows) && !files.Exists(gitLab):
		return "the repository has neither .github/workflows nor .gitlab-ci.yml, so no pipeline gets a check: " +
			"create one of them and run init again, or see docs/ci.md"
	}
	return ""
}

// workflowFile is the workflow that init writes.
const workflowFile = "golden-images.yaml"

// mentions reports whether a YAML file of a directory has a word. GitHub reads no other files.
func mentions(dir, word string) bool {
	return slices.ContainsFunc(readDir(dir), func(entry os.DirEntry) bool {
		if ext := filepath.Ext(entry.Name()); ext != ".yaml" && ext != ".yml" {
			return false
		}
		data, err := files.Read(filepath.Join(dir, entry.Name()))
		return err == nil && bytes.Contains(data, []byte(word))
	})
}

func readDir(dir string) []os.DirEntry {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil // nothing can be seen there
	}
	return entries
}
