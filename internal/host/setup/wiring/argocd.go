package wiring

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/examples/argocd"
	"github.com/goldenarch/goldenarch/internal/files"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/host/setup"
	"github.com/goldenarch/goldenarch/internal/kustomize"
	"github.com/goldenarch/goldenarch/internal/manifest"
	"github.com/goldenarch/goldenarch/internal/manifest/object"
	"github.com/goldenarch/goldenarch/internal/yaml/fieldpath"
	"github.com/goldenarch/goldenarch/internal/yaml/yamlnode"
)

// writePlugin adds the files of the plugin of Argo CD.
func (w *Wiring) writePlugin() error {
	if !files.Exists(w.ArgoCD) {
		return fmt.Errorf("flag --argocd: %w %q: create it", errNoPluginDir, w.ArgoCD)
	}
	names := argocd.Plugin()
	if !files.Exists(filepath.Join(w.ArgoCD, repoServer)) {
		if w.Image == "" {
			return errNoImage
		}
		names[repoServer] = strings.ReplaceAll(names[repoServer], argocd.Image, w.Image)
	}
	list := kustomize.FileIn(w.ArgoCD)
	if list != "" { // the kustomization that installs Argo CD, or the component of an earlier run
		delete(names, pluginList)
	}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if err := w.Edit(filepath.Join(w.ArgoCD, name), newFile([]byte(names[name]))); err != nil {
			return err
		}
	}
	if list == "" {
		w.Component = filepath.ToSlash(w.ArgoCD)
		return nil
	}
	return w.Edit(list, func(text []byte) ([]byte, error) { return setup.AddPlugin(text, pluginFile, repoServer) })
}

// The files of the plugin.
const (
	pluginList = "kustomization.yaml"
	pluginFile = "plugin.yaml"
	repoServer = "repo-server.yaml"
)

var errNoPluginDir = errors.New("there is no directory")

var errNoImage = errors.New("the plugin of Argo CD needs an image of goldenarch, and none is published: " +
	"build and push one (make image-multiarch), and name it with --argocd-image")

// Application reports an Application of the repository that applies the directory. Argo CD
// cannot build a kustomization that lists goldenarch unless it has the plugin, which finds
// the directory by itself then.
func (w *Wiring) Application() finding.List {
	dir, err := files.Real(w.Dir)
	root := files.GitRoot(dir)
	if err != nil || root == "" || w.Host != setup.HostKustomize || w.ArgoCD != "" {
		return nil
	}
	below, err := filepath.Rel(root, dir)
	if err != nil {
		return nil
	}
	for _, o := range applications(root) {
		field := appliedFrom(o, filepath.ToSlash(below))
		if field == "" {
			continue
		}
		at := o.At
		at.File = filepath.ToSlash(files.FromHere(filepath.FromSlash(at.File)))
		return finding.List{{
			ID: finding.InitArgoCD, Severity: finding.Info, Object: at, Field: fieldpath.Below(o.Path, field),
			Text: "the Application seems to apply this directory, and Argo CD runs goldenarch only as a plugin",
			Do:   "if Argo CD does not have the plugin yet, write it with --argocd DIR (docs/argocd.md), or undo this and run goldenarch init --host files",
		}}
	}
	return nil
}

// appliedFrom returns the field of the source without a plugin from which an Application applies
// a directory, "" for none. source counts only if there are no sources (argo-cd
// pkg/apis/application/v1alpha1/types.go: GetSources).
func appliedFrom(application object.Object, dir string) string {
	spec := yamlnode.Get(application.Node.YNode(), "spec")
	applies := func(source *yaml.Node) bool {
		named := yamlnode.Text(source, "path")
		return named != "" && path.Clean(named) == dir && yamlnode.Get(source, "plugin") == nil
	}
	list := yamlnode.Get(spec, "sources")
	if list == nil || len(list.Content) == 0 {
		if applies(yamlnode.Get(spec, "source")) {
			return "spec.source"
		}
		return ""
	}
	if i := slices.IndexFunc(list.Content, applies); i >= 0 {
		return fmt.Sprintf("spec.sources[%d]", i)
	}
	return ""
}

// applications returns the Applications of Argo CD in a repository. What cannot be read has
// none.
func applications(root string) []object.Object {
	return objectsWith(root, "argoproj.io", func(o object.Object) bool {
		return o.At.Kind == "Application" && o.At.Group() == "argoproj.io"
	})
}

// runsFunctions reports whether a repository has the configuration of a function that
// kustomize runs.
func runsFunctions(root string) bool {
	return len(objectsWith(root, "/function", func(o object.Object) bool {
		return setup.IsFunction(o.Node.YNode())
	})) > 0
}

// objectsWith returns the objects of a kind in the files of a repository that have a word.
func objectsWith(root, word string, is func(o object.Object) bool) []object.Object {
	o := objectFinder{left: 20_000, word: []byte(word), is: is}
	o.below(root)
	return o.found
}

// objectFinder looks for objects in files.
type objectFinder struct {
	budget files.Budget
	left   int    // the number of files to look at
	word   []byte // that the files have
	is     func(o object.Object) bool
	found  []object.Object
}

func (a *objectFinder) below(dir string) {
	for _, entry := range readDir(dir) {
		name := filepath.Join(dir, entry.Name())
		switch ext := filepath.Ext(name); {
		case strings.HasPrefix(entry.Name(), "."), a.left == 0:
		case entry.IsDir():
			a.below(name)
		case entry.Type().IsRegular() && (ext == ".yaml" || ext == ".yml"):
			a.left--
			a.file(name)
		}
	}
}

func (a *objectFinder) file(name string) {
	data, err := a.budget.Read(name)
	if err != nil || !bytes.Contains(data, a.word) {
		return
	}
	items, err := manifest.Parse(filepath.ToSlash(name), data)
	if err != nil {
		return
	}
	for _, o := range object.All(items) {
		if a.is(o) {
			a.found = append(a.found, o)
		}
	}
}
