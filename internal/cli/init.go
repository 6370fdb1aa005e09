package cli

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/goldenarch/goldenarch/internal/console"
	"github.com/goldenarch/goldenarch/internal/engine"
	"github.com/goldenarch/goldenarch/internal/files"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/workspace"
)

// initOptions are the flags of init.
type initOptions struct {
	inputOptions
	writeOptions

	patch               bool
	host, argocd, image string
}

func newInit(streams Streams) *cobra.Command {
	i := &initOptions{inputOptions: inputOf(streams)}
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
	i.flags.addQueries(cmd)
	i.addStrict(cmd)
	i.addCluster(cmd)
	i.addLive(cmd)
	i.writeOptions.add(cmd)
	cmd.Flags().StringVar(&i.host, "host", "auto",
		"what runs goldenarch: files (nothing: they get the decisions), kustomize, kpt, argocd or auto (files, unless the repository runs functions)")
	cmd.Flags().BoolVar(&i.patch, "patch", false, "in a kustomization, write the decisions into a patch of this overlay")
	cmd.Flags().StringVar(&i.argocd, "argocd", "", "directory to write the plugin of Argo CD to, a component for the kustomization that installs Argo CD")
	cmd.Flags().StringVar(&i.image, "argocd-image", "", "image of goldenarch that the plugin of Argo CD runs")
	return cmd
}

func (i *initOptions) run(ctx context.Context, args []string) error {
	dir := "."
	if len(args) > 0 {
		dir = args[0]
	}
	if !files.IsDir(dir) {
		return workspace.Misuse{Err: fmt.Errorf("init needs a directory, and %q is not one", dir)}
	}
	function, err := i.function()
	if err != nil {
		return err
	}
	if err := i.checkSettings(); err != nil {
		return err
	}
	set := workspace.Initializer{Options: i.Options, Patch: i.patch, Offline: i.flags.offline, Host: i.host, ArgoCD: i.argocd, Image: i.image}
	out, found, err := set.Run(ctx, dir, function)
	if err != nil || out == nil {
		return cmp.Or(err, i.streams.report(found))
	}
	return i.write(ctx, out, found, function, set.Next(out.Wiring))
}

// checkSettings reports a setting that changes decisions: init would write them into the files, and a
// later run without the setting would take them back.
func (i *initOptions) checkSettings() error {
	for _, one := range i.flags.settings {
		if !one.ofRegistry() && one.scalar.Key != "lock" && !slices.Contains(workspace.Stored, one.scalar.Flag) {
			return workspace.Misuse{Err: fmt.Errorf("flag %s: init does not store it, and a later run would decide without it: state %s in a GoldenImages",
				one.flag, one.scalar.Path)}
		}
	}
	return nil
}

// write prints the diff, and then writes the files.
func (i *initOptions) write(ctx context.Context, out *workspace.Initialized, found finding.List, function engine.Function, next []string) error {
	w, changes := out.Wiring, out.Changes
	tree, err := workspace.TreeOf([]string{w.Dir})
	if err != nil {
		return err
	}
	if w.ArgoCD != "" {
		if err := tree.Output(w.ArgoCD); err != nil {
			return fmt.Errorf("flag --argocd: %w", err)
		}
	}
	set, conflicts := tree.Prepare(changes)
	if len(conflicts) > 0 {
		return i.streams.report(append(found, workspace.ConflictFindings(conflicts)...))
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
	if text := w.Unchecked(out.Operator); text != "" {
		i.streams.printer.Message("%s", text)
	}
	if w.Wired {
		i.streams.printer.Message("%s", w.Breaks())
	}
	if w.Component != "" {
		i.streams.printer.Message("list %s under components of the kustomization that installs Argo CD", w.Component)
	}
	switch {
	case writes:
		if w.Host == "files" { // any other host has to run goldenarch first
			i.sayCheck(ctx, []string{w.Dir}, function)
		}
		i.flags.sayImages(i.streams)
		if i.flags.offline && w.NeedsLock() {
			i.streams.printer.Message("a hook and a pull request of a fork query no registry: where the registries answer, run %s, and commit the lock",
				console.Command("goldenarch", "lock", console.CommandPath(filepath.ToSlash(w.Dir))))
		}
		i.streams.printer.Message("next, run: %s", strings.Join(next, " && "))
	case len(changes) > 0:
		return errDiffers
	}
	return nil
}
