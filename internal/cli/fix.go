package cli

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/fleet"
	"github.com/goldenarch/goldenarch/internal/input/kinds"
	"github.com/goldenarch/goldenarch/internal/input/kustomization"
	"github.com/goldenarch/goldenarch/internal/input/manifest"
	"github.com/goldenarch/goldenarch/internal/object"
	"github.com/goldenarch/goldenarch/internal/output"
	"github.com/goldenarch/goldenarch/internal/pipeline"
	"github.com/goldenarch/goldenarch/internal/repo"
	"github.com/goldenarch/goldenarch/internal/sanitize"
	"github.com/goldenarch/goldenarch/internal/write"
)

// fix is the verb's flags and streams.
type fix struct {
	render
	diff, check, patch, abort, keepGoing, undoes bool
	// place returns the files that hold the edits of what was built; nil is builtEdits.
	place func(paths []string, built kustomization.Built) ([]manifest.FileEdit, finding.List)
	// sets writes what a run decides together with what sets goldenarch up; nil for fix itself.
	sets func(ctx context.Context, changes []write.Change, found finding.List) error
	// consumers says who builds a file beside what is fixed, and covering who does beside all
	// that the run decides on. nil covering is a run that decides on one input.
	consumers, covering *kustomization.Consumers
	// shared are the files that must change and that others build, whom the run does not cover.
	shared []*kustomization.SharedError
}

func newFix(streams Streams) *cobra.Command {
	f := &fix{render: render{streams: streams}}
	cmd := &cobra.Command{
		Use:   "fix [PATH...]",
		Short: "Write the decisions of render into the files",
		Long: `Read YAML or JSON files and directories (recursively) as 'goldenarch render' does,
and write its decisions into the files. Only the lines that must change do:
comments, indentation, quotes and line ends stay. Without a PATH the current
directory is fixed.

In a directory that has a kustomization, the file is edited that holds the CR or
the patch that sets the field. If other overlays share that file, it is edited only
if the run covers all of them and decides the same for each. Otherwise --patch adds
a patch to this overlay.

In a directory that holds several clusters, fix finds them and writes into the files
of each: see docs/fleet.md.

With --undo it takes out of the files what earlier runs wrote, and decides nothing.

After an error no file is changed. In a repository of several clusters, --keep-going
writes the clusters that have no error; the status is still 1. A run that was interrupted is finished by the
next one, or undone by --abort. With --diff or --check no file is changed either, and the status is 3 if
one would be.`,
		Example: `  goldenarch fix hyperconverged.yaml --workload-architectures amd64,arm64
  goldenarch fix --diff . --config golden-images.yaml
  goldenarch fix overlays/prod --patch`,
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd.Context(), args) },
	}
	f.flags.add(cmd)
	f.flags.leaveIdle("mode")
	f.flags.addOffline(cmd)
	f.flags.addImages(cmd)
	f.addNodes(cmd)
	f.addLive(cmd)
	f.addCRPath(cmd)
	f.flags.registry.addRecord(cmd)
	cmd.Flags().StringVar(&f.config, "config", "", "file with the GoldenImages configuration")
	cmd.Flags().BoolVar(&f.strict, "strict", false, "fail on a templated file, and on a release newer than the newest verified one (default: warn)")
	addFleet(cmd, &f.fleet)
	cmd.Flags().BoolVar(&f.diff, "diff", false, "change no file: print a unified diff, and exit with status 3 if there is one")
	cmd.Flags().BoolVar(&f.check, "check", false, "change no file: exit with status 3 if one would change")
	cmd.Flags().BoolVar(&f.patch, "patch", false, "in a kustomization, write the decisions into a patch of this overlay")
	cmd.Flags().BoolVar(&f.keepGoing, "keep-going", false,
		"in a directory of several clusters, write those that have no error (default: write none if one has an error)")
	cmd.Flags().BoolVar(&f.abort, "abort", false, "undo a run that was interrupted, and do nothing else (default: finish it)")
	cmd.Flags().BoolVar(&f.undoes, "undo", false, "take out of the files what earlier runs of fix wrote")
	cmd.MarkFlagsMutuallyExclusive("abort", "undo")
	cmd.MarkFlagsMutuallyExclusive("patch", "undo")
	cmd.MarkFlagsMutuallyExclusive("abort", "diff")
	cmd.MarkFlagsMutuallyExclusive("abort", "check")
	return cmd
}

func (f *fix) run(ctx context.Context, paths []string) error {
	paths = f.crPaths.pathsOr(paths)
	if slices.Contains(paths, manifest.Stdin) {
		return misuse{errors.New("fix writes into files, and standard input (-) is not a file: use 'goldenarch render -'")}
	}
	function, err := f.flags.function()
	if err != nil {
		return err
	}
	function.Strict = f.strict
	if f.abort {
		return f.undo(ctx, f.crPaths.files(paths))
	}
	found, err := f.finishEarlier(ctx, f.crPaths.files(paths))
	if err != nil || found.Failed() {
		return errors.Join(err, f.tell(found))
	}
	f.build = f.buildToFix
	root, is, err := f.statesFleet(paths)
	if err != nil {
		return err
	}
	if is {
		return f.repository(ctx, root, function, found)
	}
	f.runGenerators(ctx, function)
	clean := f.render
	items, more := f.read(paths)
	if root, is := f.isRepository(paths, items, more); is {
		return f.repository(ctx, root, function, found)
	}
	return f.fixPaths(ctx, paths, function, clean, items, append(found, more...))
}

// fixPaths decides about paths that are one input. clean is what the verb knew before it
// read them: it reads them again where patches must stay that only a run shows.
func (f *fix) fixPaths(ctx context.Context, paths []string, function pipeline.Function, clean render, items []*yaml.RNode, found finding.List) error {
	if found.Failed() {
		return f.tell(found)
	}
	var more finding.List
	steps, err := f.steps()
	if err != nil {
		return err
	}
	if err := f.giveFacts(&function, f.firstPath(paths), items); err != nil {
		return err
	}
	if f.undoes {
		return f.write(ctx, paths, items, items, append(found, output.Undo(items, configsOf(steps))...))
	}
	read := len(items)
	items, steps, _, more = f.fromFleet(&function, paths, items, steps)
	stated, configured := items[read:], steps // by the Fleet, and in no file of the paths
	if found = append(found, more...); found.Failed() {
		return f.tell(found)
	}
	kept := f.patchesToKeep(function, items, steps)
	var before, fixed []*yaml.RNode
	for {
		if len(kept) > 0 {
			f.render, f.kept = clean, kept
			if items, more = f.read(paths); more.Failed() {
				return f.tell(more)
			}
			if steps, err = f.steps(); err != nil {
				return err
			}
			if len(configsOf(steps)) == 1 && configsOf(steps)[0] == nil && configured != nil {
				steps = configured
			}
			items = append(items, stated...)
			f.prepare(&function, f.firstPath(paths), items)
		}
		before = slices.Clone(items)
		var decided pipeline.Decided
		fixed, decided, more = function.Fix(ctx, items, steps)
		// A run that failed may do so because of what a kept patch changes.
		if kept = f.undecidedPatches(decided); kept == nil {
			break
		}
	}
	found = append(found, nothingIsError(more, unreadIsAll(function, items, steps))...)
	if err := f.flags.registry.end(); err != nil {
		return errors.Join(err, f.tell(found))
	}
	return f.write(ctx, paths, before, fixed, found)
}

// nothingIsError returns findings in which an input without a CR is an error: who runs fix
// wants something fixed, and a wrong path must not look like a success. Neither must a CR that
// goldenarch does not read, if there is nothing else to decide on.
func nothingIsError(found finding.List, unreadIsAll bool) finding.List {
	out := slices.Clone(found)
	for i, f := range out {
		if f.Severity == finding.Warning && (f.ID == finding.NoCR || f.ID == finding.CRUnread && unreadIsAll) {
			out[i].Severity = finding.Error
		}
	}
	return out
}

// unreadIsAll reports whether the input has no CR that goldenarch reads, in a run that is not
// about pods.
func unreadIsAll(function pipeline.Function, items []*yaml.RNode, steps []pipeline.Step) bool {
	return !slices.ContainsFunc(object.All(items), kinds.IsCR) && !slices.ContainsFunc(configsOf(steps), function.AboutPods)
}

// write writes the changes of the items into the files, unless a finding is an error.
func (f *fix) write(ctx context.Context, paths []string, before, after []*yaml.RNode, found finding.List) error {
	if found.Failed() {
		return f.tell(found)
	}
	changes, more := f.changes(paths, before, after)
	if found = append(found, more...); found.Failed() {
		return f.tell(found)
	}
	return f.finish(ctx, f.crPaths.files(paths), changes, found)
}

// `tell` prints the findings, and returns the error of a run that failed.
func (f *fix) tell(found finding.List) error {
	f.streams.printer.Findings(found.Sorted())
	if found.Failed() {
		return errSilent
	}
	return nil
}

// changes returns the files that must change.
func (f *fix) changes(paths []string, before, after []*yaml.RNode) ([]write.Change, finding.List) {
	if found := newObjects(before, after); found.Failed() {
		return nil, found
	}
	edits, err := f.reader.Texts.Edits(after)
	if err != nil {
		return nil, unsafeFindings(err)
	}
	if f.covering == nil && len(f.builds) > 1 {
		return f.changesOfBuilds(paths, asChanges(edits))
	}
	for _, built := range f.builds {
		more, found := f.placed(paths, built)
		if found.Failed() {
			return nil, found
		}
		edits = append(edits, more...)
	}
	return asChanges(edits), nil
}

// placed returns the files that hold the edits of what was built.
func (f *fix) placed(paths []string, built kustomization.Built) ([]manifest.FileEdit, finding.List) {
	if f.place != nil {
		return f.place(paths, built)
	}
	return f.builtEdits(paths, built)
}

func asChanges(edits []manifest.FileEdit) []write.Change {
	var out []write.Change
	for _, edit := range edits {
		change := write.Change{Name: edit.Name, Before: edit.Before, After: edit.After}
		for _, e := range edit.Edits {
			change.Edits = append(change.Edits, write.Edit(e))
		}
		out = append(out, change)
	}
	return out
}

// finish writes the files, or shows what it would write.
func (f *fix) finish(ctx context.Context, paths []string, changes []write.Change, found finding.List) error {
	tree, err := treeOf(paths)
	if err != nil {
		return err
	}
	set, conflicts := tree.Prepare(changes)
	if len(conflicts) > 0 {
		return f.tell(append(found, conflictFindings(conflicts)...))
	}
	switch {
	case len(changes) == 0:
		failed := f.tell(found)
		if failed == nil && !f.diff && !f.check {
			f.streams.printer.Message("no file needs a change")
		}
		return failed
	case f.diff:
		if err := writeDiff(f.streams.printer, tree.Root(), changes); err != nil {
			return err
		}
		fallthrough
	case f.check:
		return cmp.Or(f.tell(found), errDiffers)
	}
	failed := f.tell(found)
	if err := doStep(ctx, set.Commit); err != nil {
		found, err := writeFindings(err)
		return errors.Join(err, f.tell(found))
	}
	for _, change := range changes {
		if change.After == nil {
			f.streams.printer.Message("removed %s", change.Name)
			continue
		}
		f.streams.printer.Message("wrote %s", change.Name)
	}
	return failed
}

// buildToFix builds a kustomization. goldenarch decides again on what an earlier run
// wrote into a patch, based on what the patch changes.
func (f *fix) buildToFix(dir string) (kustomization.Built, error) {
	if !kustomization.HasPatch(dir) {
		return f.builtFrom(kustomization.Request{Dir: dir})
	}
	return f.buildWithoutPatch(dir)
}

// builtEdits returns the files for the edits of the build result.
func (f *fix) builtEdits(paths []string, built kustomization.Built) ([]manifest.FileEdit, finding.List) {
	var edits []manifest.FileEdit
	var err error
	patches := f.patch || kustomization.HasPatch(built.Path)
	if patches {
		edits, err = built.PatchEdits(f.kept[built.Path]...)
		edits = built.Shown(edits)
	} else {
		edits, err = f.ownEdits(paths, built)
	}
	if shared, is := errors.AsType[*kustomization.SharedError](err); is && f.covering != nil {
		f.shared = append(f.shared, shared)
		return nil, nil // reported once, for all overlays
	}
	if err == nil {
		return edits, nil
	}
	found := placeFindings(built, err, f.patchCommand(built.Path))
	var failed error
	if !patches {
		_, failed = built.PatchEdits()
	}
	for i := range found {
		switch {
		case f.patch && found[i].ID == finding.EditNoPlace:
			found[i].Do = "make the edit by hand: something that kustomize runs after the patches, such as patchesJson6902 or a transformer, sets the field"
		case failed != nil && (found[i].ID == finding.EditNoPlace || found[i].ID == finding.EditShared || found[i].ID == finding.EditUnknown):
			found[i].Do = "make the edit by hand, because a patch of this overlay does not help either: " + failed.Error()
		}
	}
	return nil, found
}

// ownEdits returns the files of a kustomization, as they are, that hold the edits of what
// was built. A file that other directories of the run build, too, is edited if it has to be:
// the caller compares what the run decides for each.
func (f *fix) ownEdits(paths []string, built kustomization.Built) ([]manifest.FileEdit, error) {
	if f.consumers == nil {
		tree, err := treeOf(paths)
		if err != nil {
			return nil, err
		}
		f.consumers = kustomization.ConsumersIn(tree.Root(), repo.Applied)
	}
	edits, err := built.Edits(f.consumers)
	if _, is := errors.AsType[*kustomization.SharedError](err); is && f.covering != nil {
		edits, err = built.Edits(f.covering)
	}
	return built.Shown(edits), err
}

// patchCommand returns the command that gives paths patches of their own.
func (f *fix) patchCommand(paths ...string) string {
	if f.sets != nil {
		return f.flags.patchCommand("init", paths...)
	}
	return f.flags.patchCommand("fix", paths...)
}

func (f *configFlags) patchCommand(verb string, paths ...string) string {
	return f.commandLine(verb, append([]string{"--patch"}, paths...)...)
}

// placeFindings reports why no file can hold the edits of the build result. patch is the
// command that gives the overlay a patch.
func placeFindings(built kustomization.Built, err error, patch string) finding.List {
	shared := &kustomization.SharedError{}
	f := finding.Finding{ID: finding.EditNoPlace, Severity: finding.Error, Object: finding.Object{File: built.Path}, Text: err.Error()}
	switch unsafe := (&manifest.UnsafeError{}); {
	case errors.As(err, &shared):
		f.ID, f.Do = sharedID(shared), "run "+patch+" to add a patch to this overlay alone"
	case errors.As(err, &unsafe):
		return withShownFiles(unsafeFindings(err), built.Path)
	case errors.Is(err, kustomization.ErrInlineForm):
		f.Do = "write the patch as a literal block or into a file, or run " + patch
	case errors.Is(err, kustomization.ErrNoPlace):
		f.Do = "run " + patch + ", or make the edit by hand"
	}
	return finding.List{f}
}

// sharedID returns the id of a finding about a file that others build, or may build.
func sharedID(shared *kustomization.SharedError) finding.ID {
	if len(shared.By) == 0 {
		return finding.EditUnknown
	}
	return finding.EditShared
}

// withShownFiles returns findings with their files as the user would write them, from the
// directory that was built.
func withShownFiles(found finding.List, dir string) finding.List {
	root, err := absoluteDir(dir)
	if err != nil {
		return found
	}
	for i, f := range found {
		if below, err := filepath.Rel(root, filepath.FromSlash(f.Object.File)); err == nil && filepath.IsAbs(f.Object.File) {
			found[i].Object.File = filepath.ToSlash(filepath.Join(dir, below))
		}
	}
	return found
}

// newObjects reports objects without a file, and files whose object would be removed.
func newObjects(before, after []*yaml.RNode) finding.List {
	had := map[*yaml.RNode]bool{}
	for _, item := range before {
		had[item] = true
	}
	if len(before) == len(after) && !slices.ContainsFunc(after, func(item *yaml.RNode) bool { return !had[item] }) {
		return nil
	}
	return finding.List{{
		ID: finding.EditNewObjects, Severity: finding.Error, Field: "spec.expand.mode",
		Text: "goldenarch emits objects, or removes those of an earlier run, and fix edits only objects that are in files: no file was changed",
		Do:   "use goldenarch render, kustomize or kpt to write these objects",
	}}
}

// unsafeFindings reports each file that cannot be edited.
func unsafeFindings(err error) finding.List {
	errs := []error{err}
	if several, is := err.(interface{ Unwrap() []error }); is {
		errs = several.Unwrap()
	}
	var found finding.List
	for _, err := range errs {
		unsafe := &manifest.UnsafeError{}
		if !errors.As(err, &unsafe) {
			found = append(found, finding.Finding{ID: finding.EditUnsafe, Severity: finding.Error, Text: err.Error()})
			continue
		}
		at := finding.Object{
			File:       unsafe.File,
			Kind:       unsafe.Item.GetKind(),
			Name:       unsafe.Item.GetName(),
			Namespace:  unsafe.Item.GetNamespace(),
			APIVersion: unsafe.Item.GetApiVersion(),
		}
		found = append(found, finding.Finding{
			ID: finding.EditUnsafe, Severity: finding.Error, Object: at, Line: unsafe.Reason.Line,
			Text: "goldenarch cannot edit the file safely: " + unsafe.Reason.Problem, Do: unsafe.Reason.Fix,
		})
	}
	return found
}

// placeFix is what the decisions about one cluster of a repository change.
type placeFix struct {
	fleet.Cluster

	edits []write.Change
	found finding.List
	// shared are the files that must change and that others build, too: others whom the run
	// does not cover, or for whom it decides something else.
	shared []*kustomization.SharedError
	has    bool // the place has a CR, or pods that the run is about
	failed bool // nothing is written
}

// placeFixes is what a run decides about all clusters of a repository.
type placeFixes []placeFix

// changes returns what is written: of each cluster all or nothing.
func (all placeFixes) changes() []write.Change {
	byName := map[string]write.Change{}
	for _, one := range all {
		if one.failed {
			continue
		}
		for _, change := range one.edits {
			byName[change.Name] = change // the same for each cluster
		}
	}
	return slices.SortedFunc(maps.Values(byName), func(a, b write.Change) int { return strings.Compare(a.Name, b.Name) })
}

// failed names the clusters of which nothing is written.
func (all placeFixes) failed() []string {
	var out []string
	for _, one := range all {
		if one.failed {
			out = append(out, sanitize.Escape(filepath.ToSlash(one.Path)))
		}
	}
	return out
}

// settle decides which clusters are written. A file that several clusters build changes only
// if the run decides the same for all of them. With keepGoing a cluster that fails takes along
// those that share such a file with it; otherwise its error is enough.
func (all placeFixes) settle(covering *kustomization.Consumers, keepGoing bool) {
	at := map[string]int{} // the clusters by their paths without links
	for i := range all {
		all[i].failed = all[i].found.Failed() || len(all[i].shared) > 0
		if path, err := absoluteDir(all[i].Path); err == nil {
			at[path] = i
		}
	}
	byFile := map[string][]int{}
	after := map[string]map[int][]byte{}
	for i, one := range all {
		for _, change := range one.edits {
			if after[change.Name] == nil {
				after[change.Name] = map[int][]byte{}
			}
			byFile[change.Name] = append(byFile[change.Name], i)
			after[change.Name][i] = change.After
		}
	}
	builders := buildersOf(byFile, at, covering)
	for again := true; again; again = keepGoing && again {
		again = false
		for _, name := range slices.Sorted(maps.Keys(byFile)) {
			if all.agree(byFile[name], builders[name], after[name], keepGoing) {
				continue
			}
			again = true
			for _, i := range byFile[name] {
				if !all[i].failed {
					all[i].failed = true
					all[i].shared = append(all[i].shared, all.sharedBy(name, builders[name], i))
				}
			}
		}
	}
}

// buildersOf returns the clusters that build each file: those that change it, and those that
// build it without a change. at has the clusters by their paths.
func buildersOf(byFile map[string][]int, at map[string]int, covering *kustomization.Consumers) map[string][]int {
	builders := map[string][]int{}
	for name, changing := range byFile {
		builders[name] = slices.Clone(changing)
		for _, path := range covering.Of(name) {
			if i, is := at[path]; is && !slices.Contains(changing, i) {
				builders[name] = append(builders[name], i)
			}
		}
	}
	return builders
}

// agree reports whether the clusters that build a file want the same text of it. Those that
// change it have it in after. With keepGoing a cluster that failed does not agree.
func (all placeFixes) agree(changing, builders []int, after map[int][]byte, keepGoing bool) bool {
	first := slices.IndexFunc(changing, func(i int) bool { return !all[i].failed })
	if first < 0 || len(builders) < 2 {
		return true
	}
	want := after[changing[first]]
	return !slices.ContainsFunc(builders, func(i int) bool {
		text, changes := after[i]
		if all[i].failed {
			return keepGoing
		}
		return !changes || !bytes.Equal(text, want) || (text == nil) != (want == nil)
	})
}

// changesOfBuilds returns the files that must change for several directories that were
// built, beside those of plain files.
func (f *fix) changesOfBuilds(paths []string, plain []write.Change) ([]write.Change, finding.List) {
	tree, err := treeOf(paths)
	if err != nil {
		return nil, finding.List{{ID: finding.EditFile, Severity: finding.Error, Text: err.Error()}}
	}
	f.consumers = kustomization.ConsumersIn(tree.Root(), repo.Applied)
	var dirs []string
	for _, built := range f.builds {
		dirs = append(dirs, built.Path)
	}
	f.covering = f.consumers.Covering(dirs)
	all := placeFixes{{edits: plain}}
	var found finding.List
	for _, built := range f.builds {
		f.shared = nil
		edits, more := f.placed(paths, built)
		one := placeFix{edits: asChanges(edits), found: more, shared: f.shared}
		one.Path = built.Path
		all, found = append(all, one), append(found, more...)
	}
	all.settle(f.covering, false)
	found = append(found, all.sharedFindings(func(names []string) string {
		return f.patchCommand(names...)
	},
		func(i int) error {
			_, err := f.builds[i-1].PatchEdits(f.kept[f.builds[i-1].Path]...)
			return err
		})...)
	return all.changes(), found
}

// sharedBy says that a file is not right for all clusters that build it.
func (all placeFixes) sharedBy(name string, builders []int, of int) *kustomization.SharedError {
	out := &kustomization.SharedError{File: filepath.ToSlash(name), Of: filepath.ToSlash(all[of].Path)}
	for _, i := range builders {
		if i != of {
			out.By = append(out.By, filepath.ToSlash(all[i].Path))
		}
	}
	return out
}

// cannotWrite takes out the clusters with files that cannot be written, and reports them.
func (all placeFixes) cannotWrite(conflicts []*write.ConflictError, covering *kustomization.Consumers) {
	if len(conflicts) == 0 {
		return
	}
	for i := range all {
		for _, change := range all[i].edits {
			if slices.ContainsFunc(conflicts, func(c *write.ConflictError) bool { return c.Name == change.Name }) {
				all[i].found = append(all[i].found, inCluster(conflictFindings(conflicts), all[i].Path)...)
				break
			}
		}
	}
	all.settle(covering, true)
}

// sharedFindings reports each file that must change for some clusters of a repository and
// that several build: once, with all of them. command returns what gives these clusters
// patches, and patched tries that for the cluster at an index.
func (all placeFixes) sharedFindings(command func(clusters []string) string, patched func(i int) error) finding.List {
	byFile := map[string]*kustomization.SharedError{}
	clusters := map[string][]int{}
	for i, one := range all {
		for _, shared := range one.shared {
			file := byFile[shared.File]
			if file == nil {
				file = &kustomization.SharedError{File: shared.File}
				byFile[shared.File] = file
			}
			file.By = append(append(file.By, shared.Of), shared.By...)
			file.Unknown = append(file.Unknown, shared.Unknown...)
			clusters[shared.File] = append(clusters[shared.File], i)
		}
	}
	tried := map[int]error{}
	var found finding.List
	for _, name := range slices.Sorted(maps.Keys(byFile)) {
		file := byFile[name]
		by, unknown := slices.Compact(slices.Sorted(slices.Values(file.By))), slices.Compact(slices.Sorted(slices.Values(file.Unknown)))
		one := finding.Finding{
			ID: finding.EditShared, Severity: finding.Error, Object: finding.Object{File: name},
			Text: fmt.Sprintf("%d overlays build this file, and goldenarch changes it only if the run decides the same for all of them: %s",
				len(by), strings.Join(by, ", ")),
		}
		if len(unknown) > 0 {
			one.ID, one.Text = finding.EditUnknown, (&kustomization.SharedError{File: name, Unknown: unknown}).Error()
		}
		var names []string
		for _, i := range clusters[name] {
			err, is := tried[i]
			if !is {
				err = patched(i)
				tried[i] = err
			}
			if path := filepath.ToSlash(all[i].Path); err != nil {
				one.Do = fmt.Sprintf("make the edit by hand, because a patch does not help in %s: %s", path, err)
			} else {
				names = append(names, path)
			}
		}
		if one.Do == "" {
			one.Do = "run the command again with --patch (" + command(names) + "): it gives each of them a patch of its own"
		}
		found = append(found, one)
	}
	return found
}

// firstError returns the first error among findings, nil for none.
func firstError(found finding.List) error {
	for _, f := range found {
		if f.Severity == finding.Error {
			return errors.New(f.Text)
		}
	}
	return nil
}
