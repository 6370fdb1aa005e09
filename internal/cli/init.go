package cli

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/console"
	"github.com/goldenarch/goldenarch/internal/files"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/input/kustomization"
	"github.com/goldenarch/goldenarch/internal/input/manifest"
	"github.com/goldenarch/goldenarch/internal/pipeline"
	"github.com/goldenarch/goldenarch/internal/setup"
	"github.com/goldenarch/goldenarch/internal/setup/wiring"
)

// initOptions are the flags of init.
type initOptions struct {
	inputOptions
	writeOptions

	patch               bool
	host, argocd, image string
}

func newInit(streams Streams) *cobra.Command {
	i := &initOptions{inputOptions: inputOptions{streams: streams}}
	cmd := &cobra.Command{
		Use:   "init [DIR]",
		Short: "Set goldenarch up for a directory",
		Long: `Set goldenarch up for the clusters of a directory, and for what the repository has:
workflows and hooks run 'goldenarch check'. Without a DIR it is the current directory.

The files get the decisions, as 'goldenarch fix' writes them. What the files do not say
about a cluster goes into the Fleet, goldenarch.yaml at the root of the repository. Nothing
else changes: 'kustomize build' and 'kubectl apply' work as before.

With --host kustomize, kpt or argocd that program runs goldenarch as a function instead.
Without the flag, init does the same if the repository already runs functions. It then
says what no longer works without goldenarch.

The nodes and the release come from the live CR (--live), from Nodes (--nodes), from flags,
or from the files. If the nodes are not known, init fails.

init prints a unified diff, and then writes the files: all or none. With --diff or --check
it writes nothing, and the status is 3 if it would. A second run changes nothing.`,
		Example: `  goldenarch init overlays/prod --live live.yaml
  goldenarch init --diff . --release 5.0 --workload-architectures amd64,arm64 --control-plane-architectures amd64`,
		RunE: func(cmd *cobra.Command, args []string) error { return i.run(cmd.Context(), args) },
	}
	i.flags.addSettings(cmd)
	i.flags.registry.add(cmd)
	i.flags.addOffline(cmd)
	i.flags.addImages(cmd)
	i.addStrict(cmd)
	i.addCluster(cmd)
	i.addLive(cmd)
	i.writeOptions.add(cmd)
	cmd.Flags().StringVar(&i.host, "host", "auto",
		"what runs goldenarch: files (nothing: they get the decisions), kustomize, kpt, argocd, or auto (files, unless the repository runs functions)")
	cmd.Flags().BoolVar(&i.patch, "patch", false, "in a kustomization, write the decisions into a patch of this overlay")
	cmd.Flags().StringVar(&i.argocd, "argocd", "", "directory to write the plugin of Argo CD to, a component for the kustomization that installs Argo CD")
	cmd.Flags().StringVar(&i.image, "argocd-image", "", "image of goldenarch that the plugin of Argo CD runs")
	must(cmd.RegisterFlagCompletionFunc("host", oneOf([]string{"argocd", "auto", "files", "kpt", "kustomize"})))
	return cmd
}

func (i *initOptions) run(ctx context.Context, args []string) error {
	if err := checkValue("host", "host", i.host, "auto", "kustomize", "kpt", "argocd", "files"); err != nil {
		return err
	}
	dir := "."
	if len(args) > 0 {
		dir = args[0]
	}
	if !files.IsDir(dir) {
		return misuse{fmt.Errorf("init needs a directory, and %q is not one", dir)}
	}
	function, err := i.function()
	if err != nil {
		return err
	}
	if err := i.checkSettings(); err != nil {
		return err
	}
	var found finding.List
	host := i.hostOf(dir)
	if host == setup.HostFiles && !files.Exists(filepath.Join(dir, manifest.ChartFile)) {
		return i.inPlace(ctx, dir, function, found)
	}
	if err := i.forOneDirectory(dir, host, function); err != nil {
		return err
	}
	w, more, err := i.readDirectory(dir, host, function)
	if found = append(found, more...); err != nil || found.Failed() {
		return i.failed(err, found)
	}
	changes, more := w.Changes()
	if found = append(found, more...); found.Failed() {
		return i.streams.report(found)
	}
	return i.write(ctx, w, changes, found)
}

// forOneDirectory returns an error for a directory with several clusters, which is none that a host runs functions in.
func (i *initOptions) forOneDirectory(dir string, host setup.Host, function pipeline.Function) error {
	if kustomization.In(dir) || files.Exists(filepath.Join(dir, manifest.PackageFile)) || files.Exists(filepath.Join(dir, manifest.ChartFile)) {
		return nil
	}
	all := *i
	all.byDirectory = true
	_, layout, found, err := all.layout(dir, function)
	if err != nil || found.Failed() || len(layout.Places) < 2 {
		return err
	}
	words := append([]string{"goldenarch", "init", console.CommandPath(filepath.ToSlash(layout.Places[0].Path))}, i.flags.givenFor("init", nil)...)
	return misuse{fmt.Errorf("with the host %s, init sets up one directory, and %s has %d clusters: run it for each of them, such as %s",
		host, console.CommandPath(filepath.ToSlash(dir)), len(layout.Places), console.Command(words...))}
}

// checkSettings reports a setting that changes decisions: init would write them into the files, and a
// later run without the setting would take them back.
func (i *initOptions) checkSettings() error {
	for _, one := range i.flags.settings {
		if !one.ofRegistry() && one.scalar.Key != "lock" && !slices.Contains(stored, one.scalar.Flag) {
			return misuse{fmt.Errorf("flag %s: init does not store it, and a later run would decide without it: state %s in a GoldenImages",
				one.flag, one.scalar.Path)}
		}
	}
	return nil
}

// failed prints the findings, and returns the error of a run that failed.
func (i *initOptions) failed(err error, found finding.List) error {
	return cmp.Or(err, i.streams.report(found))
}

// wiring returns how goldenarch is set up for a directory.
func (i *initOptions) wiring(dir string, host setup.Host) *wiring.Wiring {
	return &wiring.Wiring{Dir: dir, Host: host, ArgoCD: i.argocd, Image: i.image, Build: i.streams.build}
}

// readDirectory reads the directory, and what is known about its cluster.
func (i *initOptions) readDirectory(dir string, host setup.Host, function pipeline.Function) (*wiring.Wiring, finding.List, error) {
	w := i.wiring(dir, host)
	in := i.newReader()
	items, found := in.read([]string{dir})
	found = slices.DeleteFunc(found, func(f finding.Finding) bool { return f.ID == finding.ConfigUnlisted }) // init lists it
	if found.Failed() {
		return w, forCharts(found), nil
	}
	steps, err := in.steps()
	if err != nil {
		return w, found, err
	}
	if more := i.appliedByFlux(dir, host); len(more) > 0 {
		return w, append(found, more...), nil
	}
	in.prepare(&function, dir, items)
	known, more := function.Known(items, steps)
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
func (i *initOptions) appliedByFlux(dir string, host setup.Host) finding.List {
	if host != setup.HostKustomize && host != setup.HostArgoCD {
		return nil
	}
	i.as.lookIn(dir, &i.untrusted, i.streams)
	words := append([]string{"goldenarch", "init", console.CommandPath(filepath.ToSlash(dir)), "--host", string(setup.HostFiles)},
		i.flags.givenFor("init", []string{"argocd", "argocd-image", "host"})...)
	for _, route := range i.as.to(dir) {
		if route.Flux {
			return finding.List{{
				ID: finding.InitConflict, Severity: finding.Error, Object: finding.Object{File: filepath.ToSlash(dir)},
				Text: fmt.Sprintf("%s applies this directory, and kustomize-controller runs no functions: with goldenarch in it, "+
					"Flux would apply nothing of it", route.By),
				Do: "write the decisions into the files: " + console.Command(words...),
			}}
		}
	}
	return nil
}

// forCharts returns findings with advice about a chart: helm itself runs goldenarch there.
func forCharts(found finding.List) finding.List {
	for i, f := range found {
		if f.ID == finding.Templated && files.Exists(filepath.Join(filepath.FromSlash(f.Object.File), manifest.ChartFile)) {
			found[i].Do = "let helm run goldenarch as its post-renderer, as examples/helm of the repository shows"
		}
	}
	return found
}

// hostOf returns the host of a directory: the one that the user names, or else one that runs
// functions there already, or none.
func (i *initOptions) hostOf(dir string) setup.Host {
	if i.host != "auto" {
		return setup.Host(i.host)
	}
	return i.wiring(dir, "").DetectHost()
}

// factsOf returns what is known and not yet in the files.
func factsOf(known pipeline.Known) setup.Facts {
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
func gateOf(known pipeline.Known) string {
	if known.KeepsGateOff {
		return string(v1alpha1.GateKeep)
	}
	return ""
}

// mustKnow reports what init needs and cannot see.
func mustKnow(known pipeline.Known, dir string) finding.List {
	switch {
	case len(known.CRs) == 0:
		return finding.List{{
			ID: finding.NoCR, Severity: finding.Error, Object: finding.Object{File: dir},
			Text: "the directory has no HyperConverged CR", Do: "name the directory of a cluster, the one that is applied",
		}}
	case len(known.CRs) > 1:
		return finding.List{{
			ID: finding.CustomizeWhichCR, Severity: finding.Error, Object: finding.Object{File: dir},
			Text: fmt.Sprintf("the directory has %d HyperConverged CRs, so it is not the directory of one cluster", len(known.CRs)),
			Do:   "run goldenarch init for the directory of each cluster",
		}}
	case len(known.Workload) == 0:
		return finding.List{{
			ID: finding.InitNodesUnknown, Severity: finding.Error, Object: finding.Object{File: dir},
			Text: "goldenarch does not know the architectures of the nodes, so the configuration would not work",
			Do:   "pass the live CR (--live FILE), or --workload-architectures and --control-plane-architectures",
		}}
	}
	return nil
}

// write prints the diff, and then writes the files.
func (i *initOptions) write(ctx context.Context, w *wiring.Wiring, changes []files.Change, found finding.List) error {
	tree, err := treeOf([]string{w.Dir})
	if err != nil {
		return err
	}
	if w.ArgoCD != "" {
		if err := tree.OutputDir(w.ArgoCD); err != nil {
			return fmt.Errorf("flag --argocd: %w", err)
		}
	}
	set, conflicts := tree.Prepare(changes)
	if len(conflicts) > 0 {
		return i.streams.report(append(found, conflictFindings(conflicts)...))
	}
	_ = i.streams.report(found)
	if !i.check || i.diff {
		if err := writeDiff(i.streams.printer, tree.Root(), changes); err != nil {
			return err
		}
	}
	writes := !i.diff && !i.check
	switch {
	case len(changes) == 0:
		i.streams.printer.Message("there is nothing to write")
	case writes:
		if err := commitStep(ctx, i.streams, set, changes); err != nil {
			return err
		}
	}
	if w.Wired {
		i.streams.printer.Message("%s", w.Breaks())
	}
	if w.Component != "" {
		i.streams.printer.Message("list %s under components of the kustomization that installs Argo CD", w.Component)
	}
	switch {
	case writes:
		i.streams.printer.Message("next, run: %s", strings.Join(i.next(w), " && "))
	case len(changes) > 0:
		return errDiffers
	}
	return nil
}

// stored are the flags whose facts init writes into the files, or names in the next command.
var stored = []string{"control-plane-architectures", "live", "nodes", "release", "workload-architectures"}

// next returns the commands to run next. They have the flags that init had and that it stores
// nowhere: without them they would ask a registry that init did not ask, or ask it otherwise.
func (i *initOptions) next(w *wiring.Wiring) []string {
	dir := filepath.ToSlash(w.Dir)
	with := func(command, verb string) string {
		words := i.flags.givenFor(verb, slices.Concat(untold, stored))
		return strings.TrimSpace(command + " " + console.Command(words...))
	}
	out := []string{with(setup.Command(w.Host, dir, w.Facts), "check")}
	if w.Host == setup.HostKpt { // which renders in place
		out = append([]string{console.Command("kpt", "fn", "render", console.CommandPath(dir), "--allow-exec")}, out...)
	}
	if w.Host != setup.HostFiles && !i.flags.offline {
		out = append([]string{with(console.Command("goldenarch", "lock", console.CommandPath(dir)), "lock")}, out...)
	}
	return out
}
