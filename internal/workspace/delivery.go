package workspace

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/engine"
	"github.com/goldenarch/goldenarch/internal/engine/check"
	"github.com/goldenarch/goldenarch/internal/files"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/kustomize"
	"github.com/goldenarch/goldenarch/internal/machine"
	"github.com/goldenarch/goldenarch/internal/manifest"
	"github.com/goldenarch/goldenarch/internal/manifest/kinds"
	"github.com/goldenarch/goldenarch/internal/manifest/object"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
	"github.com/goldenarch/goldenarch/internal/workspace/repo"
)

// Delivery says in which form files get to the cluster: what a person states, and what the repository says about it.
type Delivery struct {
	// Stated is the form that a person states for the run: committed, rendered, or "".
	Stated string
	// routes returns the routes of the repository that a directory is in; nil if nobody knows
	// the repository. It looks through the repository when it is first called. base returns those of
	// the commit of --base, if the input is not trusted: what one of both changes on the way counts.
	routes, base func() repo.Routes
	untrusted    *Base
}

// lookIn says in which repository the directories are.
func (o *Options) lookIn(path string) {
	w, u, in := &o.As, &o.Base, o.Routes
	if in == nil {
		in = repo.RoutesIn
	}
	w.untrusted = u
	look := func(root string) repo.Routes {
		routes, err := in(root, u.ignoreFrom())
		if err != nil {
			return nil // the check of the paths reports it
		}
		return routes
	}
	root := ""
	if at, err := filepath.Abs(path); err == nil {
		at = dirOf(at)
		root = cmp.Or(files.GitRoot(at), at)
	}
	w.routes = sync.OnceValue(func() repo.Routes { return look(root) })
	w.base = sync.OnceValue(func() repo.Routes {
		there := u.inPolicy(root)
		if !u.Untrusted || there == "" {
			return nil
		}
		routes := slices.Clone(look(there))
		for i := range routes {
			routes[i].OfBase, routes[i].By = true, u.Ref+":"+routes[i].By
		}
		return routes
	})
}

// of returns the form of files that get to the cluster: what somebody states, else what is committed.
func (w *Delivery) of(entry *v1alpha1.FleetCluster) check.As {
	return cmp.Or(w.stated(entry), check.Committed)
}

// stated returns the form that the user states for the run, else what the entry of the Fleet states; "" if neither does.
func (w *Delivery) stated(entry *v1alpha1.FleetCluster) check.As {
	if w.Stated != "" || entry == nil {
		return check.As(w.Stated)
	}
	return check.As(entry.Form())
}

// plugins returns the routes through a plugin on which a path gets to a cluster, or a file with a CR among the items of the path.
func (w *Delivery) plugins(path string, items []*yaml.RNode) repo.Routes {
	if path == manifest.Stdin || w.hasNoRoutes() {
		return nil
	}
	var out repo.Routes
	for _, one := range pathsOfCRs(path, items) {
		for _, r := range w.to(filepath.FromSlash(one)) {
			known := slices.ContainsFunc(out, func(other repo.Route) bool { return other.Plugin == r.Plugin })
			if r.Plugin != nil && !known {
				out = append(out, r)
			}
		}
	}
	return out
}

// statesRendered is how to state that goldenarch runs on the way to the cluster.
const statesRendered = "as: rendered in the entry of goldenarch.yaml, or --as rendered for one run"

// throughPlugin reports a directory that is right as committed, and that an Application applies through a plugin of
// which nothing is known.
func throughPlugin(by, path string) finding.Finding {
	return finding.Finding{
		ID: finding.ChangedByDelivery, Severity: finding.Warning, Object: finding.Object{File: filepath.ToSlash(path)},
		Text: by + " applies this directory through a plugin, and nothing says what the plugin makes of it. The check is about the files as they are committed",
		Do:   "if the plugin runs goldenarch, state " + statesRendered + "; if it leaves the CR as it is, state as: committed",
	}
}

// notRendered reports the Kustomizations of Flux that apply a directory which a person states to be rendered on the way. One that
// reads another branch, to which a pipeline renders, may name the same directory.
func (w *Delivery) notRendered(path string, items []*yaml.RNode, entry *v1alpha1.FleetCluster) finding.List {
	if path == manifest.Stdin || w.stated(entry) != check.Rendered {
		return nil
	}
	var found finding.List
	for _, one := range pathsOfCRs(path, items) {
		for _, r := range w.to(filepath.FromSlash(one)) {
			if r.Flux && !slices.ContainsFunc(found, func(f finding.Finding) bool { return strings.HasPrefix(f.Text, r.By+" ") }) {
				found = append(found, finding.Finding{
					ID: finding.ChangedByDelivery, Severity: finding.Warning, Object: finding.Object{File: filepath.ToSlash(path)},
					Text: r.By + " applies this directory, and kustomize-controller runs no functions: if it reads the branch that is checked, " +
						"the cluster gets what is committed, and not what goldenarch renders",
					Do: "let it apply the directory or the branch with what 'goldenarch render' writes, or state as: committed",
				})
			}
		}
	}
	return found
}

// pathsOfCRs returns a path, and the files of the CRs among its items. What applies a file may not apply what a
// kustomization builds of it.
func pathsOfCRs(path string, items []*yaml.RNode) []string {
	paths := []string{path}
	if kustomize.In(path) {
		return paths
	}
	for _, o := range object.All(items) {
		if o.At.File != "" && kinds.IsCR(o) {
			paths = append(paths, o.At.File)
		}
	}
	return paths
}

// dirOf returns the directory of a file, and a directory itself.
func dirOf(path string) string {
	if info, err := os.Stat(path); err == nil && !info.IsDir() {
		return filepath.Dir(path)
	}
	return path
}

// hasNoRoutes reports whether nothing in this repository applies a directory of it, so that nobody need ask which one it is.
func (w *Delivery) hasNoRoutes() bool {
	return w.routes == nil || !w.untrusted.Untrusted && len(w.routes()) == 0
}

// to returns what applies the directory of a path of this repository.
func (w *Delivery) to(path string) repo.Routes { return w.routesOf(dirOf(path), repo.Routes.To) }

// rendering returns the HelmReleases that render values in a file of this repository.
func (w *Delivery) rendering(file string) repo.Routes { return w.routesOf(file, repo.Routes.Rendering) }

// routesOf returns those routes that are for a path. For an untrusted input these are also what the commit of --base says.
func (w *Delivery) routesOf(path string, of func(repo.Routes, string) repo.Routes) repo.Routes {
	if path == "" || w.hasNoRoutes() {
		return nil
	}
	out := of(w.routes(), path)
	if there := w.untrusted.inPolicy(path); w.untrusted.Untrusted && there != "" {
		out = append(out, of(w.base(), there)...)
	}
	return out
}

// onServer names what applies a path, or a file with a CR, on the server side; "" if nothing in
// the repository says so. Without Argo CD, only Flux counts.
func (w *Delivery) onServer(path string, files []string, argoCD bool) string {
	if path == manifest.Stdin {
		return ""
	}
	for _, one := range append([]string{path}, files...) {
		for _, r := range w.to(filepath.FromSlash(one)) {
			if r.OnServer && (argoCD || r.Flux) {
				return r.By
			}
		}
		if kustomize.In(path) {
			break // what applies the file may not apply what is built of it
		}
	}
	return ""
}

// hasVariables reports whether Flux fills in variables of a path, or of a file with a CR among
// the items of the path. Of an untrusted input both commits must say so.
func (w *Delivery) hasVariables(path string, items []*yaml.RNode) bool {
	if path == manifest.Stdin {
		return false
	}
	return slices.ContainsFunc(pathsOfCRs(path, items), func(one string) bool {
		says := func(ofBase bool) bool {
			return slices.ContainsFunc(w.to(filepath.FromSlash(one)), func(r repo.Route) bool { return r.Variables && r.OfBase == ofBase })
		}
		return says(false) && (!w.untrusted.Untrusted || says(true))
	})
}

// notRun reports a listed function that does not run on the way to the cluster, and says what
// the host does. kustomize builds functions only with flags that these hosts do not pass.
func notRun(dir string, all repo.Routes) finding.Finding {
	out := finding.Finding{
		ID: finding.FunctionDoesNotRun, Severity: finding.Error, Object: finding.Object{File: filepath.ToSlash(cmp.Or(kustomize.FileIn(dir), dir))},
		Do: "render before the commit, or let goldenarch render on the way and say so with --as rendered",
	}
	const lists = "the kustomization lists goldenarch"
	const fails = `: the build fails with "external plugins disabled", and the cluster gets nothing of it`
	first := slices.IndexFunc(all, func(r repo.Route) bool { return r.Plugin == nil }) // which is sure to fail
	if first < 0 && len(all) > 0 {
		first = 0
	}
	switch {
	case first < 0:
		out.Text = lists + ", and nothing here runs it on the way to the cluster. 'kustomize build' and 'kubectl apply -k' run no functions" + fails
	case all[first].Plugin != nil:
		out.Text = fmt.Sprintf("%s, and %s applies the directory through a plugin. Nothing says that the plugin runs goldenarch, "+
			"and without it the cluster gets nothing of what the kustomization lists", lists, all[first].By)
		out.Do = "state that the plugin renders: " + statesRendered
	case all[first].Flux:
		out.Text = fmt.Sprintf("%s, and %s applies the directory. kustomize-controller runs no functions%s", lists, all[first].By, fails)
		out.Do = "commit what 'goldenarch render' writes, and apply that"
	default:
		out.Text = fmt.Sprintf("%s, and %s applies the directory without a plugin. Argo CD's kustomize runs no functions%s", lists, all[first].By, fails)
		out.Do = "commit what 'goldenarch render' writes and apply that, or, if a plugin of Argo CD renders the directory, state " + statesRendered
	}
	return out
}

// leftOut reports the objects among items that a check would judge, and that an annotation leaves out. kustomize, kpt and the plugin
// keep them off the cluster, and kubectl and Argo CD apply them from plain files. A dump of the live CR is read for what it says.
func (c *Checker) leftOut(function *engine.Function, t target, items []*yaml.RNode) finding.List {
	var found finding.List
	pods := t.Pods || function.AboutPods(nil)
	for _, o := range object.All(items) {
		isCR := hyperconverged.Is(o.At.APIVersion, o.At.Kind)
		if !o.IsLocal() || !isCR && !(c.Machines && machine.IsOne(o.At)) && !(pods && len(imagesOf(o)) > 0) {
			continue
		}
		f := finding.Finding{
			ID: finding.LeftOutLocal, Severity: finding.Warning, Field: "metadata.annotations",
			Text: fmt.Sprintf("the annotation %s says that this %s is not for the cluster, so goldenarch does not check it", object.LocalConfig, o.At.Kind),
			Do:   "if a cluster gets it, remove the annotation; else accept that with " + finding.IgnoreAnnotation + ", or name the file in " + manifest.IgnoreFile,
		}
		file := filepath.FromSlash(o.At.File)
		isRendered := c.As.of(t.Entry) == check.Rendered
		routes := c.As.to(file)
		i := slices.IndexFunc(routes, func(r repo.Route) bool { return !isRendered && r.Applies(file, object.IsLocal(o.Node)) })
		switch {
		case i >= 0:
			f.Severity, f.Text = finding.Error, f.Text+". "+routes[i].By+" applies it nevertheless"
			f.Do = "remove the annotation. If no cluster should get the object, move it out of what the Application applies"
		case function.Policy.Hides(o):
			f.Severity = finding.Error
			f.Do = "remove the annotation; pass a dump of the cluster with --live, or have it in the commit of --base"
		case kinds.IsLive(o):
			continue
		case isRendered || kustomize.In(t.Path):
			f.Severity = finding.Info
		}
		found = append(found, o.Locate(finding.List{f})...)
	}
	return found
}

// appliedSettings reports configurations of goldenarch that what applies their directory also
// applies. The API server knows none of these kinds, so the sync of all of it fails.
func (w *Delivery) appliedSettings(items []*yaml.RNode, entry *v1alpha1.FleetCluster) finding.List {
	if w.of(entry) == check.Rendered {
		return nil
	}
	var found finding.List
	for _, o := range object.All(items) {
		if o.At.Group() != v1alpha1.Group || o.At.File == "" || o.IsWrapped() {
			continue
		}
		file := filepath.FromSlash(o.At.File)
		local := object.IsLocal(o.Node) // kustomize takes a List apart, and looks at each element
		routes := w.to(file)
		i := slices.IndexFunc(routes, func(r repo.Route) bool { return r.Applies(file, local) })
		if i < 0 {
			continue
		}
		one := finding.Finding{
			ID: finding.SettingsApplied, Severity: finding.Error, Object: o.At,
			Text: fmt.Sprintf("%s applies this %s without a plugin, and the API server refuses it: the kind exists in no cluster",
				routes[i].By, o.At.Kind),
			Do: "keep the settings in the Fleet (goldenarch.yaml, its config), add the comment # " + object.SkipComment + " to the file, " +
				"or, if a plugin of Argo CD renders the directory, state " + statesRendered,
		}
		if o.At.Kind == v1alpha1.FleetKind {
			one.Do = "add the comment # " + object.SkipComment + " to the file, with which Argo CD skips it"
		}
		if routes[i].Flux {
			one.Text = fmt.Sprintf("%s applies this %s, and the API server refuses it: the kind exists in no cluster", routes[i].By, o.At.Kind)
			one.Do = "add the annotation " + object.LocalConfig + `: "true", which kustomize heeds`
		}
		found = append(found, one)
	}
	return found
}
