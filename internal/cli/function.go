package cli

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"runtime/debug"
	"strings"
	"sync"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/engine"
	product "github.com/goldenarch/goldenarch/internal/engine/output"
	"github.com/goldenarch/goldenarch/internal/files"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/manifest"
	"github.com/goldenarch/goldenarch/internal/manifest/resourcelist"
)

// runFunction is the KRM function: it reads a ResourceList and writes one. On error
// findings it writes the items unchanged, with the results, and the status is 1.
func runFunction(ctx context.Context, streams Streams, flags *configFlags) error {
	function, err := flags.function(streams.queries)
	if err != nil {
		return err
	}
	function.WorkDir = ""
	program := sync.OnceValue(parent)
	function.KustomizeVersion = func() string { return kustomizeOf(program()) }
	var out bytes.Buffer
	found, shown, err := process(ctx, function, program, streams.In, &out)
	if err != nil && !errors.Is(err, engine.ErrFindings) {
		return err
	}
	if _, err := streams.printer.Product().Write(out.Bytes()); err != nil {
		return err
	}
	// kustomize drops the results, so goldenarch prints the findings as well. kpt prints the
	// results, and would show each finding twice.
	if len(found) > 0 && !shown() {
		streams.printer.Findings(found)
	}
	if err != nil {
		return errSilent
	}
	return nil
}

// process reads a ResourceList, runs the function and writes the list. It returns the
// findings, and a function that reports whether the host, whose program is the parent, shows
// them. It looks at that program, and a run without findings need not.
func process(
	ctx context.Context, function engine.Function, program func() *debug.BuildInfo, in io.Reader, out io.Writer,
) (found finding.List, shown func() bool, err error) {
	shown = func() bool { return false }              // before there are items
	reader := &manifest.Reader{Needed: engine.Needed} // of spec.inputs
	processor := func(rl *resourcelist.List) (err error) {
		shown = showsResults(rl.Items, program, os.LookupEnv)
		if engine.HostOf(rl.Items) != engine.Kpt { // in kpt, items belong to packages by their own annotations
			function.Reader = reader
		}
		if isIsolated(os.Getpid()) {
			function.Open = advised(function.Open, networkAdvice(rl.Items))
		}
		rl.Items, found, err = function.Process(ctx, rl.Items, rl.FunctionConfig)
		rl.Results = found.Results()
		return err
	}
	lazy := resourcelist.Lazy{Needed: engine.NeededBeside, Others: forHost(reader)}
	function.Named = func(item *yaml.RNode, kind, name string) []*yaml.RNode {
		return append(lazy.Named(item, kind, name), reader.Texts.Named(item, kind, name)...)
	}
	err = lazy.Execute(processor, files.Reader(in), out)
	if errors.Is(err, resourcelist.ErrKind) {
		err = errNoResourceList
	}
	return found, shown, err
}

// forHost returns a function for the items that an item of a file of spec.inputs
// represents, as the host expects them.
func forHost(reader *manifest.Reader) func(*yaml.RNode) iter.Seq[*yaml.RNode] {
	return func(item *yaml.RNode) iter.Seq[*yaml.RNode] {
		documents := reader.Documents(item)
		if documents == nil {
			return nil
		}
		return func(yield func(*yaml.RNode) bool) {
			for one := range documents {
				product.PrepareForHost([]*yaml.RNode{one}) // of these items nothing can fail: they have been read before
				if !yield(one) {
					return
				}
			}
		}
	}
}

var errNoResourceList = errors.New("standard input is not a ResourceList: for plain manifests use 'goldenarch render -'")

// The linker sets these in releases and images, which are built without the repository.
// In all other builds they are empty, and Go has the values.
var version, commit, date string

// build has the version, commit and date of the program.
type build struct{ version, commit, date string }

// String returns what "goldenarch version" prints.
func (b build) String() string {
	return fmt.Sprintf("goldenarch %s (commit %s, %s)", b.version, b.commit, b.date)
}

// currentBuild returns the build of this program.
var currentBuild = sync.OnceValue(func() build {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		info = &debug.BuildInfo{}
	}
	return buildOf(build{version, commit, date}, info)
})

// buildOf returns what the linker set, and otherwise what Go recorded: the version of
// the module, and the commit of the repository of the build.
func buildOf(stamped build, info *debug.BuildInfo) build {
	settings := map[string]string{}
	for _, setting := range info.Settings {
		settings[setting.Key] = setting.Value
	}
	noted := build{version: info.Main.Version, commit: settings["vcs.revision"], date: settings["vcs.time"]}
	if noted.version == "(devel)" {
		noted.version = ""
	}
	// Go appends +dirty to a version that it derives from the repository, but not to
	// the commit.
	if noted.commit != "" && settings["vcs.modified"] == "true" {
		noted.commit += "+dirty"
		if noted.version != "" && !strings.HasSuffix(noted.version, "+dirty") {
			noted.version += "+dirty"
		}
	}
	return build{
		version: cmp.Or(stamped.version, noted.version, "dev"),
		commit:  cmp.Or(stamped.commit, noted.commit, "unknown"),
		date:    cmp.Or(stamped.date, noted.date, "unknown"),
	}
}

// step is the change of the user's files by a verb. A verb makes it completely or not
// at all, and a stopped run knows which.
type step struct {
	mu    sync.Mutex
	done  bool
	err   error // of the completed step
	never bool
}

// run runs the step, unless the run has been stopped.
func (s *step) run(ctx context.Context, do func() error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.never || ctx.Err() != nil {
		return context.Cause(ctx)
	}
	s.done, s.err = true, do()
	return s.err
}

// stop waits for the end of a step that has begun, and prevents new steps. It reports
// whether there was a step, and its error.
func (s *step) stop() (bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.never = true
	return s.done, s.err
}
