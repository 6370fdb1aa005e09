package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/goldenarch/goldenarch/internal/console"
	"github.com/goldenarch/goldenarch/internal/files"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/host/argocd"
	"github.com/goldenarch/goldenarch/internal/kustomize"
	"github.com/goldenarch/goldenarch/internal/kustomize/worker"
	"github.com/goldenarch/goldenarch/internal/manifest"
	"github.com/goldenarch/goldenarch/internal/memory"
	"github.com/goldenarch/goldenarch/internal/workspace"
	"github.com/goldenarch/goldenarch/internal/workspace/repo"
)

// Exit statuses.
const (
	statusOK      = 0
	statusFailed  = 1
	statusMisuse  = 2
	statusDiffers = 3
)

// Streams are what a process reads and writes.
type Streams struct {
	In  io.Reader
	Out io.Writer
	Err io.Writer

	// printer shows on Out and Err. Verbs have nothing else to write to.
	printer *console.Printer
	// queries are the images that registries are asked about.
	queries *queries
	// step is the change of the user's files.
	step *step

	// shown replaces in a text what only this run knows, such as the name of a temporary directory;
	// nil for nothing.
	shown func(text string) string
	// routes says what applies the directories of a repository; nil for what the repository says. Tests have one that looks
	// through this repository once.
	routes func(root string, from manifest.IgnoreFrom) (repo.Routes, error)
	// build builds a kustomization.
	build func(kustomize.Request) (kustomize.Built, error)
}

// show prints a whole report in a format on standard output, or nothing of it.
func (s Streams) show(format string, write func(io.Writer) error) error {
	var out bytes.Buffer
	if err := write(&out); err != nil {
		return err
	}
	to, text := s.printer.Report(format), out.Bytes()
	if format == "text" && s.printer.Colors() {
		to, text = s.printer.Product(), []byte(console.Colored(console.SafeLines(out.String())))
	}
	_, err := to.Write(text)
	return err
}

// report prints findings on standard error, and returns the error of a run that failed.
func (s Streams) report(found finding.List) error {
	s.printer.Findings(s.named(found).Sorted())
	if found.Failed() {
		return errSilent
	}
	return nil
}

// named returns findings with the files as the user knows them.
func (s Streams) named(found finding.List) finding.List {
	if s.shown == nil {
		return found
	}
	out := slices.Clone(found)
	for i, f := range out {
		f.Object.File, f.File, f.Text, f.Do = s.shown(f.Object.File), s.shown(f.File), s.shown(f.Text), s.shown(f.Do)
		out[i] = f
	}
	return out
}

var errNoBuilder = errors.New("this program has nothing that builds kustomizations: build the directory first, with kustomize")

// Main runs goldenarch as this process and returns its exit status.
func Main() int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	memory.CollectBelow(memory.Limit())
	workers := &worker.Pool{Memory: memory.OfWorkers}
	defer workers.Close()
	in, out, errs := console.Standard()
	streams := Streams{In: in, Out: out, Err: errs}
	if !argocd.In(os.LookupEnv) {
		console.TakeLogger(streams.Err)
		return Run(ctx, os.Args[1:], streams, workers)
	}
	workers.MaxProcesses = 1 // other calls of Argo CD share the memory of the container
	messages := &argocd.Brief{To: console.New(out, errs).Messages(), Root: argocd.RepositoryRoot(os.LookupEnv)}
	streams.Err = messages
	console.TakeLogger(streams.Err)
	status := Run(ctx, os.Args[1:], streams, workers)
	messages.Print(status != statusOK)
	return status
}

// Run runs goldenarch with the given arguments and returns its exit status. When
// the context ends it returns at once, even while it waits for standard input or for
// the reader of the output. It then reports whether the run wrote anything, and the run
// writes nothing more. Kustomizations are built by builder; nil builds none.
func Run(ctx context.Context, args []string, streams Streams, builder kustomize.Builder) int {
	printer, last := console.New(streams.Out, streams.Err), console.New(streams.Out, streams.Err)
	defer last.Flush()
	// The run learns that the context has ended when it can print no more: it would report as an error
	// of a registry what the signal has made of it.
	running, end := context.WithCancelCause(context.WithoutCancel(ctx))
	defer end(nil)
	done := make(chan error, 1)
	asked, change := &queries{}, &step{}
	inner := Streams{In: streams.In, printer: printer, queries: asked, step: change, routes: streams.routes, build: func(r kustomize.Request) (kustomize.Built, error) {
		if builder == nil {
			return kustomize.Built{}, fmt.Errorf("build %s: %w", r.Dir, errNoBuilder)
		}
		return kustomize.Build(running, builder, r)
	}}
	go func() { done <- run(running, args, inner) }()
	select {
	case err := <-done:
		return status(shownAll(printer, err), last)
	case <-ctx.Done():
		select {
		case err := <-done: // the run ended before the signal
			return status(shownAll(printer, err), last)
		default:
		}
		written := printer.Stop()
		pending := asked.unanswered()
		end(context.Cause(ctx))
		if done, err := change.stop(); done {
			if err == nil {
				last.Message("stopped by a signal, after the files were written")
			}
			return status(err, last)
		}
		if pending != "" {
			pending = "; " + pending
		}
		last.Message("stopped by a signal, %s%s", written, pending)
		return statusFailed
	}
}

// shownAll shows what is left of the output of a run, and returns the error of the run. Without one,
// or where the run only found a difference, that is the error of an output that was not written.
func shownAll(printer *console.Printer, err error) error {
	printer.Flush()
	if failed := printer.Failed(); failed != nil && (err == nil || errors.Is(err, errDiffers)) {
		return fmt.Errorf("write the output: %w", failed)
	}
	return err
}

func run(ctx context.Context, args []string, streams Streams) error {
	root := newFunction(streams)
	if len(args) > 0 || console.IsTerminal(streams.In) {
		root = newRoot(streams)
	}
	if len(args) > 0 && strings.HasPrefix(args[0], cobra.ShellCompRequestCmd) {
		complete(root)
	}
	root.SetArgs(args)
	root.SetIn(streams.In)
	root.SetOut(streams.printer.Text())
	root.SetErr(streams.printer.Messages())
	strict(root)
	checkArguments(root)
	return argocd.RunQueued(ctx, args, memory.CollectBelow, root.ExecuteContext)
}

// errSilent is the error of a run that has already reported what is wrong. One that failed for another reason, too, returns that.
var errSilent = errors.New("failed")

// errDiffers is the error of a run that found a difference and has already reported it.
var errDiffers = errors.New("differs")

func status(err error, printer *console.Printer) int {
	switch _, wrong := errors.AsType[workspace.Misuse](err); {
	case err == nil:
		return statusOK
	case errors.Is(err, errSilent):
		return statusFailed
	case errors.Is(err, errDiffers):
		return statusDiffers
	case wrong:
		printer.Error(fmt.Errorf("%w\nRun 'goldenarch help' for usage.", err)) //nolint:staticcheck // the last line of a message
		return statusMisuse
	default:
		printer.Error(err)
		return statusFailed
	}
}

const long = `goldenarch makes the golden images of a KubeVirt cluster boot on every node. It
reads a HyperConverged CR and the architectures of the nodes, and queries the
registries for the architectures of each image. It writes the CR so that the
HyperConverged operator does the right thing.

Without a command, goldenarch is a KRM function for kustomize and kpt: it reads a
ResourceList from standard input and writes one to standard output. Its functionConfig
is a GoldenImages of goldenarch.dev/v1alpha1, or a ConfigMap with the same keys:

  apiVersion: goldenarch.dev/v1alpha1
  kind: GoldenImages
  metadata:
    name: golden-images
  spec:
    release: "1.19"
    cluster:
      workloadArchitectures: [amd64, arm64]
      controlPlaneArchitectures: [amd64]

docs/configuration.md lists all fields with their keys. For one run, --set KEY=VALUE
states a field: --set gate=Enable.`

// newRoot returns goldenarch with its verbs.
func newRoot(streams Streams) *cobra.Command {
	root := newFunction(streams)
	root.AddCommand(newRender(streams), newCheck(streams), newForecast(streams), newPlan(streams), newLock(streams), newFix(streams),
		newCustomize(streams), newInit(streams), newResolve(streams), newExplain(streams))
	addOthers(root, newArgoCD(streams), newCopyTo(streams), newVersion(streams))
	for name, others := range suggestFor {
		command, _, err := root.Find([]string{name})
		must(err)
		command.SuggestFor = others
	}
	root.SetUsageFunc(usage)
	addVersion(root, streams)
	return root
}

// addOthers adds the commands that hosts and installations call, or that people seldom need. Help
// lists them after the others, with cobra's own.
func addOthers(root *cobra.Command, commands ...*cobra.Command) {
	others := &cobra.Group{ID: "others", Title: "Other commands"}
	root.AddGroup(others)
	root.SetHelpCommandGroupID(others.ID)
	root.SetCompletionCommandGroupID(others.ID)
	for _, command := range commands {
		command.GroupID = others.ID
	}
	root.AddCommand(commands...)
}

// suggestFor has the names that other programs use for a verb.
var suggestFor = map[string][]string{
	"render": {"build", "generate", "apply", "template"}, "check": {"lint", "validate", "verify", "test"},
	"forecast": {"predict"}, "plan": {"transition", "steps", "upgrade", "leftovers"}, "lock": {"refresh", "update"}, "resolve": {"inspect", "images"},
	"explain": {"describe", "findings"}, "init": {"setup", "create", "bootstrap"}, "customize": {"override", "disable", "enable", "set"},
}

// newFunction returns goldenarch without its verbs: only the function, which hosts
// start for every build.
func newFunction(streams Streams) *cobra.Command {
	flags := &configFlags{}
	root := &cobra.Command{
		Use:           "goldenarch",
		Short:         "Golden images that boot on every node, decided in Git",
		Long:          long,
		Args:          noCommand,
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if console.IsTerminal(streams.In) {
				return cmd.Help()
			}
			return runFunction(cmd.Context(), streams, flags)
		},
	}
	root.SetFlagErrorFunc(flagError)
	flags.addSettings(root)
	flags.settings.addOwn(root, inputs, workloads, release, workloadArchitectures, controlPlaneArchitectures)
	flags.registry.add(root)
	root.PersistentFlags().Var(files.LimitValue{}, files.LimitFlag,
		"largest file or standard input to read: a number of bytes, or of Ki, Mi or Gi")
	return root
}

// helpWidth is the width of a help line in characters. A long word may exceed it.
const helpWidth = 110

// usage prints how to call a command, with its flags in groups.
func usage(cmd *cobra.Command) error {
	var b strings.Builder
	b.WriteString("Usage:\n")
	if cmd.Runnable() {
		fmt.Fprintf(&b, "  %s\n", cmd.UseLine())
	}
	if cmd.HasAvailableSubCommands() {
		fmt.Fprintf(&b, "  %s [command]\n", cmd.CommandPath())
	}
	if cmd.HasExample() {
		fmt.Fprintf(&b, "\nExamples:\n%s\n", cmd.Example)
	}
	for _, group := range commandGroups(cmd) {
		fmt.Fprintf(&b, "\n%s:\n", group.title)
		for _, below := range group.commands {
			fmt.Fprintf(&b, "  %-*s %s\n", below.NamePadding(), below.Name(), below.Short)
		}
	}
	for _, group := range flagGroups(cmd) {
		fmt.Fprintf(&b, "\n%s flags:\n%s", group.name, group.flags.FlagUsagesWrapped(helpWidth))
	}
	if cmd.HasAvailableSubCommands() {
		fmt.Fprintf(&b, "\nRun '%s [command] --help' for more about a command.\n", cmd.CommandPath())
	}
	_, err := fmt.Fprint(cmd.OutOrStderr(), b.String())
	return err
}

// commandGroup has the commands below another one that are in one group.
type commandGroup struct {
	title    string
	commands []*cobra.Command
}

// commandGroups returns the commands below a command by group. Those without a group come first.
func commandGroups(cmd *cobra.Command) []commandGroup {
	var out []commandGroup
	for _, group := range append([]*cobra.Group{{Title: "Commands"}}, cmd.Groups()...) {
		one := commandGroup{title: group.Title}
		for _, below := range cmd.Commands() {
			if below.GroupID == group.ID && (below.IsAvailableCommand() || below.Name() == "help") {
				one.commands = append(one.commands, below)
			}
		}
		if len(one.commands) > 0 {
			out = append(out, one)
		}
	}
	return out
}

func newVersion(streams Streams) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",

		Annotations: readsNothingAnnotations(),
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintln(streams.printer.Text(), currentBuild())
			return err
		},
	}
}

// addVersion adds the flag --version. It replaces cobra's own: for another text than
// its default, cobra needs text/template. That package keeps every method of every type
// in the binary, 5.6 MB of them.
func addVersion(root *cobra.Command, streams Streams) {
	isAsked := root.Flags().Bool("version", false, "print the version")
	run := root.RunE
	root.RunE = func(cmd *cobra.Command, args []string) error {
		if !*isAsked {
			return run(cmd, args)
		}
		_, err := fmt.Fprintln(streams.printer.Text(), currentBuild())
		return err
	}
}
