package workspace

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/console"
	"github.com/goldenarch/goldenarch/internal/engine"
	"github.com/goldenarch/goldenarch/internal/files"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/host/setup"
	"github.com/goldenarch/goldenarch/internal/host/setup/wiring"
	"github.com/goldenarch/goldenarch/internal/kustomize"
	"github.com/goldenarch/goldenarch/internal/manifest"
)

// Initializer sets goldenarch up for a directory.
type Initializer struct {
	Options

	// Patch says that decisions about a kustomization go into a patch of its own, and Offline that no registry is asked.
	Patch, Offline bool
	// Host runs goldenarch: auto, files, kustomize, kpt or argocd. ArgoCD is the directory for its plugin, and Image the image of that.
	Host, ArgoCD, Image string
}

// Initialized is what init writes.
type Initialized struct {
	*wiring.Wiring

	Changes []files.Change
	// Operator says that the repository is that of an operator.
	Operator bool
}

// Run decides how goldenarch is set up for a directory. A run that failed has nothing to write: its result is nil.
func (i *Initializer) Run(ctx context.Context, dir string, function engine.Function) (*Initialized, finding.List, error) {
	host := setup.Host(i.Host)
	if i.Host == "auto" { // one that runs functions there already, or none
		host = i.wiring(dir, "").DetectHost()
	}
	if host == setup.HostFiles && !isChart(dir) {
		return i.inPlace(ctx, dir, function)
	}
	if err := i.forOneDirectory(dir, host, function); err != nil {
		return nil, nil, err
	}
	w, found, err := i.readDirectory(dir, host, function)
	if err != nil || found.Failed() {
		return nil, found, err
	}
	changes, more := w.Changes()
	if found = append(found, more...); found.Failed() {
		return nil, found, nil
	}
	return &Initialized{Wiring: w, Changes: changes}, found, nil
}

// forOneDirectory returns an error for a directory with several clusters, which is none that a host runs functions in.
func (i *Initializer) forOneDirectory(dir string, host setup.Host, function engine.Function) error {
	if kustomize.In(dir) || files.Exists(filepath.Join(dir, manifest.PackageFile)) || isChart(dir) {
		return nil
	}
	all := *i
	of, err := all.lookThrough(dir, function, scan{byDirectory: true})
	layout := of.layout
	if err != nil || of.found.Failed() || len(layout.Places) < 2 {
		return err
	}
	words := append([]string{"goldenarch", "init", console.CommandPath(layout.Places[0].Path)}, i.Commands.words("init")...)
	return Misuse{Err: fmt.Errorf("with the host %s, init sets up one directory, and %s has %d clusters: run it for each of them, such as %s",
		host, console.CommandPath(dir), len(layout.Places), console.Command(words...))}
}

// wiring returns how goldenarch is set up for a directory.
func (i *Initializer) wiring(dir string, host setup.Host) *wiring.Wiring {
	return &wiring.Wiring{Dir: dir, Host: host, ArgoCD: i.ArgoCD, Image: i.Image, Build: i.Build}
}

// readDirectory reads the directory, and what is known about its cluster.
func (i *Initializer) readDirectory(dir string, host setup.Host, function engine.Function) (*wiring.Wiring, finding.List, error) {
	w := i.wiring(dir, host)
	in := i.newReader()
	items, found := in.read([]string{dir})
	found = slices.DeleteFunc(found, func(f finding.Finding) bool { return f.ID == finding.ConfigUnlisted }) // init lists it
	if found.Failed() {
		return w, forCharts(found), nil
	}
	if more := i.appliedByFlux(dir, host); len(more) > 0 {
		return w, append(found, more...), nil
	}
	read, more, err := in.prepareTarget(function, namedTarget(dir, []string{dir}), items)
	if found = append(found, more...); err != nil {
		return w, found, err
	}
	known, more := read.function.Known(read.items, read.steps)
	if found = in.located(append(found, more...)); found.Failed() {
		return w, found, nil
	}
	if more := mustKnow(known, dir); len(more) > 0 {
		return w, append(found, more...), nil
	}
	w.Items, w.Facts = items, factsOf(known)
	if len(in.builds) > 0 {
		w.Built = in.builds[0]
	}
	return w, append(found, w.Application()...), nil
}

// appliedByFlux reports a Kustomization of Flux that applies a directory whose functions a host is to run: it would
// fail to build the directory, or to apply the configuration in it.
func (i *Initializer) appliedByFlux(dir string, host setup.Host) finding.List {
	if host != setup.HostKustomize && host != setup.HostArgoCD {
		return nil
	}
	i.lookIn(dir)
	words := append([]string{"goldenarch", "init", console.CommandPath(dir), "--host", string(setup.HostFiles)},
		i.Commands.words("init", "argocd", "argocd-image", "host")...)
	for _, route := range i.As.to(dir) {
		if route.Flux {
			return conflict(dir, fmt.Sprintf("%s applies this directory, and kustomize-controller runs no functions: with goldenarch in it, "+
				"Flux would apply nothing of it", route.By), "write the decisions into the files: "+console.Command(words...))
		}
	}
	return nil
}

// conflict reports why init cannot set up a file or a directory.
func conflict(path, text, do string) finding.List {
	return finding.List{{ID: finding.InitConflict, Severity: finding.Error, Object: finding.Object{File: filepath.ToSlash(path)}, Text: text, Do: do}}
}

// forCharts returns findings with advice about a chart: helm itself runs goldenarch there.
func forCharts(found finding.List) finding.List {
	for i, f := range found {
		if f.ID == finding.Templated && isChart(filepath.FromSlash(f.Object.File)) {
			found[i].Do = "let helm run goldenarch as its post-renderer, as examples/helm of the repository shows"
		}
	}
	return found
}

// factsOf returns what is known and not yet in the files.
func factsOf(known engine.Known) setup.Facts {
	var out setup.Facts
	if known.HasConfig {
		return out
	}
	out.Release, out.Gate = known.Release.Text(), gateOf(known)
	if !known.HasNodeFacts {
		out.Workload = known.Workload.Strings()
		if !known.ControlPlaneUnknown {
			out.ControlPlane = known.ControlPlane.Strings()
		}
	}
	return out
}

// gateOf returns what init states about the multi-arch gate: that a person's false stays, where an alert
// of HCO asks for a word about it.
func gateOf(known engine.Known) string {
	if known.KeepsGateOff {
		return string(v1alpha1.GateKeep)
	}
	return ""
}

// mustKnow reports what init needs and cannot see.
func mustKnow(known engine.Known, dir string) finding.List {
	f := finding.Finding{Severity: finding.Error, Object: finding.Object{File: dir}}
	switch {
	case len(known.CRs) == 0:
		f.ID, f.Text, f.Do = finding.NoCR, "the directory has no HyperConverged CR", "name the directory of a cluster, the one that is applied"
	case len(known.CRs) > 1:
		f.ID, f.Do = finding.CustomizeWhichCR, "run goldenarch init for the directory of each cluster"
		f.Text = fmt.Sprintf("the directory has %d HyperConverged CRs, so it is not the directory of one cluster", len(known.CRs))
	case len(known.Workload) == 0:
		f.ID, f.Text = finding.InitNodesUnknown, "goldenarch does not know the architectures of the nodes, so the configuration would not work"
		f.Do = "pass the live CR (--live FILE), or --workload-architectures and --control-plane-architectures"
	default:
		return nil
	}
	return finding.List{f}
}

// Stored are the flags whose facts init writes into the files, or names in the next command.
var Stored = []string{"control-plane-architectures", "live", "nodes", "release", "workload-architectures"}

// Next returns the commands to run next. They have the flags that init had and that it stores
// nowhere: without them they would ask a registry that init did not ask, or ask it otherwise.
func (i *Initializer) Next(w *wiring.Wiring) []string {
	dir := filepath.ToSlash(w.Dir)
	with := func(command, verb string) string {
		words := i.Commands.words(verb, slices.Concat(untold, Stored)...)
		return strings.TrimSpace(command + " " + console.Command(words...))
	}
	out := []string{with(setup.Command(w.Host, dir, w.Facts), "check")}
	if w.Host == setup.HostKpt { // which renders in place
		out = append([]string{console.Command("kpt", "fn", "render", console.CommandPath(dir), "--allow-exec")}, out...)
	}
	if w.Host != setup.HostFiles && !i.Offline {
		out = append([]string{with(console.Command("goldenarch", "lock", console.CommandPath(dir)), "lock")}, out...)
	}
	return out
}
