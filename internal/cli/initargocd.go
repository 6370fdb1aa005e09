package cli

import (
	"bytes"
	"fmt"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/examples/argocd"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/input/manifest"
	"github.com/goldenarch/goldenarch/internal/object"
	"github.com/goldenarch/goldenarch/internal/regular"
	"github.com/goldenarch/goldenarch/internal/setup"
	"github.com/goldenarch/goldenarch/internal/yamlnode"
)

// writePlugin adds the files of the plugin of Argo CD.
func (w *wiring) writePlugin() error {
	if !exists(w.argocd) {
		return fmt.Errorf("flag --argocd: there is no directory %q: create it", w.argocd)
	}
	files := argocd.Plugin()
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if err := w.edit(filepath.Join(w.argocd, name), newFile([]byte(files[name]))); err != nil {
			return err
		}
	}
	return nil
}

// application reports an Application of the repository that applies the directory. Argo CD
// cannot build a kustomization that lists goldenarch unless it has the plugin, which finds
// the directory by itself then.
func (w *wiring) application() finding.List {
	dir, err := absoluteDir(w.dir)
	root := gitRoot(dir)
	if err != nil || root == "" || w.host != setup.HostKustomize || w.argocd != "" {
		return nil
	}
	below, err := filepath.Rel(root, dir)
	if err != nil {
		return nil
	}
	for _, item := range applications(root) {
		if source := yamlnode.Lookup(item.YNode(), []string{"spec", "source", "path"}); source == nil || path.Clean(source.Value) != filepath.ToSlash(below) {
			continue
		}
		if plugin := yamlnode.Lookup(item.YNode(), []string{"spec", "source", "plugin"}); plugin != nil {
			continue
		}
		at := object.New(item).At
		at.File = filepath.ToSlash(fromHere(filepath.FromSlash(at.File)))
		return finding.List{{
			ID: finding.InitArgoCD, Severity: finding.Info, Object: at, Field: "spec.source",
			Text: "the Application seems to apply this directory, and Argo CD runs goldenarch only as a plugin",
			Do:   "if Argo CD does not have the plugin yet, write it with --argocd DIR (docs/argocd.md), or run goldenarch init --host files",
		}}
	}
	return nil
}

// applications returns the Applications of Argo CD in a repository. What cannot be read has
// none.
func applications(root string) []*yaml.RNode {
	a := applicationsFinder{left: 20_000}
	a.below(root)
	return a.found
}

// applicationsFinder looks for Applications in files.
type applicationsFinder struct {
	budget regular.Budget
	left   int // the number of files to look at
	found  []*yaml.RNode
}

func (a *applicationsFinder) below(dir string) {
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

func (a *applicationsFinder) file(name string) {
	data, err := a.budget.Read(name)
	if err != nil || !bytes.Contains(data, []byte("argoproj.io")) {
		return
	}
	items, err := manifest.Parse(filepath.ToSlash(name), data)
	if err != nil {
		return
	}
	for _, item := range items {
		if group, _, _ := strings.Cut(item.GetApiVersion(), "/"); item.GetKind() == "Application" && group == "argoproj.io" {
			a.found = append(a.found, item)
		}
	}
}
