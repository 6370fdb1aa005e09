package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/spf13/cobra"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/argocd"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/gittree"
	"github.com/goldenarch/goldenarch/internal/input/kinds"
	"github.com/goldenarch/goldenarch/internal/input/kustomization"
	"github.com/goldenarch/goldenarch/internal/input/manifest"
	"github.com/goldenarch/goldenarch/internal/object"
	"github.com/goldenarch/goldenarch/internal/pathname"
	"github.com/goldenarch/goldenarch/internal/repo"
	"github.com/goldenarch/goldenarch/internal/verdict"
)

// asFlag has the flag that says in which form files get to the cluster, and what the repository
// says about it.
type asFlag struct {
	stated string
	// routes returns the routes of the repository that a directory is in; nil if nobody knows
	// the repository. It looks through the repository when it is first called.
	routes func() repo.Routes
}

func (w *asFlag) add(cmd *cobra.Command) {
	cmd.Flags().StringVar(&w.stated, "as", "",
		"judge the files as they are committed, or as goldenarch renders them on the way to the cluster: committed, rendered "+
			"(default: rendered where an Argo CD plugin renders the directory, else committed)")
}

// lookIn says in which repository the directories are. An untrusted input says nothing about
// the way that it takes: that is for the commit of the policy.
func (w *asFlag) lookIn(path string, u *untrusted, streams Streams) {
	w.routes = sync.OnceValue(func() repo.Routes {
		root, err := filepath.Abs(path)
		if err != nil {
			return nil
		}
		root = dirOf(root)
		if top := gittree.Root(root); top != "" {
			root = top
		}
		if u.on {
			if root = u.inPolicy(root); root == "" {
				return nil
			}
		}
		routes, err := streams.routesIn(root, u.ignoreFrom())
		if err != nil {
			return nil // the check of the paths reports it
		}
		return routes
	})
}

// of returns the form in which a path gets to the cluster, and what applies it. steps are those
// of its kustomization; nil if nothing was built.
func (w *asFlag) of(path string, entry *v1alpha1.FleetCluster, u *untrusted, steps []kustomization.Step) (verdict.As, repo.Routes) {
	if w.stated != "" {
		return verdict.As(w.stated), nil
	}
	if entry != nil && entry.As != "" {
		return verdict.As(entry.As), nil
	}
	if path == manifest.Stdin {
		return verdict.Committed, nil
	}
	dir := directoryOf(path, u)
	if dir == "" {
		return verdict.Committed, nil
	}
	all := w.to(dir)
	plain := slices.ContainsFunc(all, func(r repo.Route) bool { return !r.Plugin })
	switch {
	case plain:
		return verdict.Committed, all
	case len(all) > 0:
		return verdict.Rendered, all
	case inKptPackage(dir):
		return verdict.Committed, nil
	}
	kinds := []string{argocd.GoldenImages, argocd.Workloads}
	if !u.on && slices.ContainsFunc(steps, func(step kustomization.Step) bool { // Mentioned would find it again
		config, err := step.Config()
		return err == nil && argocd.KindOf(config, kinds) != ""
	}) {
		return verdict.Rendered, nil
	}
	reason, err := argocd.Mentioned(dir, kinds)
	if err == nil && reason != "" {
		return verdict.Rendered, nil
	}
	return verdict.Committed, nil
}

// directoryOf returns the directory of a path, in the commit of the policy if the input is not
// trusted; "" if that does not have it.
func directoryOf(path string, u *untrusted) string {
	dir := dirOf(path)
	if u.on {
		return u.inPolicy(dir)
	}
	return dir
}

// dirOf returns the directory of a file, and a directory itself.
func dirOf(path string) string {
	if info, err := os.Stat(path); err == nil && !info.IsDir() { //nolint:gosec // G703: it opens nothing, and the operator names the path
		return filepath.Dir(path)
	}
	return path
}

// to returns what applies a directory of this repository.
func (w *asFlag) to(dir string) repo.Routes {
	if w.routes == nil || dir == "" {
		return nil
	}
	return w.routes().To(dir)
}

// onServer names what applies a path, or a file with a CR, on the server side; "" if nothing in
// the repository says so. Without Argo CD, only Flux counts.
func (w *asFlag) onServer(path string, files []string, argoCD bool, u *untrusted) string {
	if path == manifest.Stdin {
		return ""
	}
	for _, one := range append([]string{path}, files...) {
		for _, r := range w.to(directoryOf(filepath.FromSlash(one), u)) {
			if r.OnServer && (argoCD || r.Flux) {
				return r.By
			}
		}
		if kustomization.In(path) {
			break // what applies the file may not apply what is built of it
		}
	}
	return ""
}

// hasVariables reports whether Flux fills in variables of a path, or of a file with a CR among
// the items of the path.
func (w *asFlag) hasVariables(path string, items []*yaml.RNode, u *untrusted) bool {
	if path == manifest.Stdin {
		return false
	}
	paths := []string{path}
	if !kustomization.In(path) {
		for _, o := range object.All(items) {
			if o.At.File != "" && kinds.IsCR(o) {
				paths = append(paths, o.At.File)
			}
		}
	}
	return slices.ContainsFunc(paths, func(one string) bool {
		return slices.ContainsFunc(w.to(directoryOf(filepath.FromSlash(one), u)), func(r repo.Route) bool { return r.Variables })
	})
}

// ofFiles returns the form in which files with CRs get to the cluster. In a directory without
// a kustomization, what applies a file may apply its own directory.
func (w *asFlag) ofFiles(path string, files []string, entry *v1alpha1.FleetCluster, u *untrusted) verdict.As {
	as, all := w.of(path, entry, u, nil)
	if as == verdict.Rendered || len(all) > 0 || path == manifest.Stdin || kustomization.In(path) {
		return as
	}
	for _, file := range files {
		if as, _ = w.of(filepath.FromSlash(file), entry, u, nil); as == verdict.Committed {
			break
		}
	}
	return as
}

// inKptPackage reports whether a directory is in a package of kpt, which renders in place:
// what applies the package runs no pipeline.
func inKptPackage(dir string) bool {
	at, err := filepath.Abs(dir)
	if err != nil {
		return false
	}
	top := gittree.Root(at)
	for {
		if pathname.Exists(filepath.Join(at, manifest.PackageFile)) {
			return true
		}
		if at == top || at == filepath.Dir(at) {
			return false
		}
		at = filepath.Dir(at)
	}
}

// notRun reports a listed function that does not run on the way to the cluster, and says what
// the host does. kustomize builds functions only with flags that these hosts do not pass.
func notRun(dir string, all repo.Routes) finding.Finding {
	out := finding.Finding{
		ID: finding.FunctionDoesNotRun, Severity: finding.Error, Object: finding.Object{File: filepath.ToSlash(dir)},
		Do: "render before the commit, or let goldenarch render on the way and say so with --as rendered",
	}
	const lists = "the kustomization lists goldenarch"
	const fails = `: the build fails with "external plugins disabled", and the cluster gets nothing of it`
	for _, r := range all {
		switch {
		case r.Plugin:
			continue
		case r.Flux:
			out.Text = fmt.Sprintf("%s, and %s applies the directory. kustomize-controller runs no functions%s", lists, r.By, fails)
			out.Do = "commit what 'goldenarch render' writes, and apply that"
		default:
			out.Text = fmt.Sprintf("%s, and %s applies the directory without a plugin. Argo CD's kustomize runs no functions%s", lists, r.By, fails)
			out.Do = "name the plugin in its source (plugin: {name: goldenarch}), or commit what 'goldenarch render' writes and apply that"
		}
		return out
	}
	out.Text = lists + ", and nothing here runs it on the way to the cluster. 'kustomize build' and 'kubectl apply -k' run no functions" + fails
	return out
}

// appliedSettings reports configurations of goldenarch that what applies their directory also
// applies. The API server knows none of these kinds, so the sync of all of it fails.
func (w *asFlag) appliedSettings(items []*yaml.RNode, entry *v1alpha1.FleetCluster, u *untrusted) finding.List {
	if w.stated == string(verdict.Rendered) || entry != nil && entry.As == v1alpha1.FormRendered {
		return nil
	}
	var found finding.List
	for _, o := range object.All(items) {
		if o.At.Group() != v1alpha1.Group || o.At.File == "" || o.IsWrapped() {
			continue
		}
		file := filepath.FromSlash(o.At.File)
		local := object.IsLocal(o.Node) // kustomize takes a List apart, and looks at each element
		routes := w.to(directoryOf(file, u))
		i := slices.IndexFunc(routes, func(r repo.Route) bool { return r.Applies(file, local) })
		if i < 0 {
			continue
		}
		one := finding.Finding{
			ID: finding.SettingsApplied, Severity: finding.Warning, Object: o.At,
			Text: fmt.Sprintf("%s applies this %s without a plugin, and the API server refuses it: the kind exists in no cluster",
				routes[i].By, o.At.Kind),
			Do: "name the plugin in its source (plugin: {name: goldenarch}), or keep the settings in the Fleet (goldenarch.yaml, its config)",
		}
		if routes[i].Flux {
			one.Text = fmt.Sprintf("%s applies this %s, and the API server refuses it: the kind exists in no cluster", routes[i].By, o.At.Kind)
			one.Do = `add the annotation config.kubernetes.io/local-config: "true", which kustomize heeds`
		}
		found = append(found, one)
	}
	return found
}
