package cli

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/input/kustomization"
	"github.com/goldenarch/goldenarch/internal/pipeline"
	"github.com/goldenarch/goldenarch/internal/setup"
)

// initVerb is the verb's flags and streams.
type initVerb struct {
	fix
	host, argocd string
}

func newInit(streams Streams) *cobra.Command {
	i := &initVerb{fix: fix{render: render{streams: streams}}}
	cmd := &cobra.Command{
		Use:   "init [DIR]",
		Short: "Set goldenarch up for a directory",
		Long: `Write the configuration of goldenarch for the directory of a cluster, and the entries
that run it: in the kustomization, in the pipeline of the Kptfile, in the workflows
and hooks that the repository has. Without a DIR it is the current directory.

What init can see it does not request: the host (a kustomization, a Kptfile, or
plain files), the CR, Nodes and ClusterArchitectures. The nodes and the release come
from the live CR (--live), from Nodes (--nodes) or from flags. If the nodes are not
known, init fails.

init prints a unified diff, and then writes the files. With --diff or --check it
writes nothing, and the status is 3 if it would. What is there already stays, and a
second run changes nothing.`,
		Example: `  goldenarch init overlays/prod --live live.yaml
  goldenarch init --diff . --release 4.23 --workload-architectures amd64,arm64 --control-plane-architectures amd64`,
		Args: asMisuse(cobra.MaximumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error { return i.run(cmd.Context(), args) },
	}
	i.flags.add(cmd)
	i.flags.leaveIdle("mode", "inputs", "platform", "predefined", "existing", "allow", "unsupported", "unresolved", "gate", "single-architecture",
		"defaults", "expand", "expand-namespace", "expand-data-sources", "expand-predefined", "expand-support", "expand-replace-on-change",
		"workloads", "lock", "verify", "registry-timeout", "registry-request-timeout", "registry-retries", "registry-concurrency",
		"registry-requests-per-second", "registry-insecure", "registry-pull-secrets", "registry-certificate-authorities",
		"allow-insecure-credentials", "authfile", "registries-conf", "registry-allow")
	i.addNodes(cmd)
	i.addLive(cmd)
	cmd.Flags().StringVar(&i.host, "host", "auto", "what runs goldenarch: auto, kustomize, kpt or files (the decisions go into the files)")
	cmd.Flags().StringVar(&i.argocd, "argocd", "", "directory to write the plugin of Argo CD to, a component for the kustomization that installs Argo CD")
	cmd.Flags().BoolVar(&i.strict, "strict", false, "fail on a templated file, and on a release newer than the newest verified one (default: warn)")
	cmd.Flags().BoolVar(&i.diff, "diff", false, "change no file: print a unified diff, and exit with status 3 if there is one")
	cmd.Flags().BoolVar(&i.check, "check", false, "change no file: exit with status 3 if one would change")
	must(cmd.RegisterFlagCompletionFunc("host", oneOf([]string{"auto", "files", "kpt", "kustomize"})))
	return cmd
}

func (i *initVerb) run(ctx context.Context, args []string) error {
	if err := chosen("host", "host", i.host, "auto", "kustomize", "kpt", "files"); err != nil {
		return err
	}
	dir := "."
	if len(args) > 0 {
		dir = args[0]
	}
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return misuse{fmt.Errorf("init needs a directory, and %q is not one", dir)}
	}
	function, err := i.flags.function()
	if err != nil {
		return err
	}
	function.Strict = i.strict
	found := interrupted([]string{dir}) // only fix finishes a run
	if found.Failed() {
		return i.tell(found)
	}
	w, more, err := i.see(dir, function)
	if found = append(found, more...); err != nil || found.Failed() {
		return i.failed(err, found)
	}
	changes, more := w.changes()
	if found = append(found, more...); found.Failed() {
		return i.tell(found)
	}
	return i.write(ctx, w, changes, found)
}

// failed prints the findings, and returns the error of a run that failed.
func (i *initVerb) failed(err error, found finding.List) error {
	if told := i.tell(found); err == nil {
		return told
	}
	return err
}

// see reads the directory, and what is known about its cluster.
func (i *initVerb) see(dir string, function pipeline.Function) (wiring, finding.List, error) {
	w := wiring{dir: dir, host: hostOf(dir, i.host), argocd: i.argocd, build: i.streams.built}
	items, found := i.read([]string{dir})
	found = slices.DeleteFunc(found, func(f finding.Finding) bool { return f.ID == finding.ConfigUnlisted }) // init lists it
	if found.Failed() {
		return w, forCharts(found), nil
	}
	steps, err := i.steps()
	if err != nil {
		return w, found, err
	}
	if err := i.giveFacts(&function); err != nil {
		return w, found, err
	}
	known, more := function.Known(items, steps)
	if found = append(found, more...); found.Failed() {
		return w, found, nil
	}
	if more := mustKnow(known, dir); len(more) > 0 {
		return w, append(found, more...), nil
	}
	w.known, w.items = known, items
	if len(i.builds) > 0 {
		w.built = i.builds[0]
	}
	return w, append(found, w.application()...), nil
}

// forCharts returns findings with advice about a chart: helm itself runs goldenarch there.
func forCharts(found finding.List) finding.List {
	for i, f := range found {
		if f.ID == finding.Templated && exists(filepath.Join(filepath.FromSlash(f.Object.File), chartFile)) {
			found[i].Do = "let helm run goldenarch as its post-renderer, as examples/helm of the repository shows"
		}
	}
	return found
}

// hostOf returns the host of a directory: the one that the user names, or else the one
// that the directory is for.
func hostOf(dir, named string) setup.Host {
	switch {
	case named != "auto":
		return setup.Host(named)
	case kustomization.In(dir):
		return setup.HostKustomize
	case exists(filepath.Join(dir, kptfile)):
		return setup.HostKpt
	default:
		return setup.HostFiles
	}
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
