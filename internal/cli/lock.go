package cli

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/spf13/cobra"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/console"
	"github.com/goldenarch/goldenarch/internal/files"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/fleet"
	"github.com/goldenarch/goldenarch/internal/images/imageref"
	"github.com/goldenarch/goldenarch/internal/images/lock"
	"github.com/goldenarch/goldenarch/internal/images/registry"
	"github.com/goldenarch/goldenarch/internal/input/kustomization"
	"github.com/goldenarch/goldenarch/internal/pipeline"
)

// lockOptions are the flags of lock.
type lockOptions struct {
	inputOptions

	only         []string
	prune, check bool
	file         string

	tree files.Tree // that the run may write in
}

func newLock(streams Streams) *cobra.Command {
	l := &lockOptions{inputOptions: inputOptions{streams: streams}}
	cmd := &cobra.Command{
		Use:   "lock [PATH...]",
		Short: "Write or refresh the lock, or compare it with the registries (--check)",
		Long: `Find the images of the HyperConverged CRs in YAML or JSON files, directories or
standard input (-), and query the registries. Write the answers to an
ArchitectureLock: the one in PATH, or golden-images.lock.yaml beside the CR. With
the lock, the same commit gives the same manifests, without a network.

lock changes an entry only if the registry's answer changed, and keeps comments. If
it cannot resolve one image, it writes nothing. Without a CR, it refreshes the
entries of the lock. With --only and --file it needs no PATH: lock images where the
registry is, and carry the file to the CRs. With --check it writes nothing, and the
status is 3 if the lock would change.

In a directory that holds several clusters, lock finds them and writes the lock of
each, or the one that they share: see docs/fleet.md.`,
		Example: `  goldenarch lock overlays/prod
  goldenarch lock --check --prune overlays/prod
  goldenarch lock hco.yaml --only quay.io/containerdisks/fedora:latest --set verify=config
  goldenarch lock --only quay.io/containerdisks/fedora:latest --file golden-images.lock.yaml`,
		RunE: func(cmd *cobra.Command, args []string) error { return l.untrusted.named(l.run(cmd.Context(), args)) },
	}
	l.flags.registry.add(cmd)
	l.flags.queriesAll = true
	l.flags.addImages(cmd)
	l.addInput(cmd)
	l.flags.settings.addOwn(cmd, workloads, release)
	addFleet(cmd, &l.fleet)
	l.untrusted.add(cmd)
	cmd.Flags().StringVar(&l.file, "file", "", "lock file to write (default: the lock in PATH, or golden-images.lock.yaml beside the CR)")
	cmd.Flags().StringArrayVar(&l.only, "only", nil, "image to lock or refresh, instead of all (may be repeated)")
	cmd.Flags().BoolVar(&l.prune, "prune", false, "remove entries that no CR in PATH uses")
	cmd.Flags().BoolVar(&l.check, "check", false, "print how the lock differs from the registries, and write nothing")
	return cmd
}

func (l *lockOptions) run(ctx context.Context, paths []string) error {
	only, err := l.parse()
	if err != nil {
		return misuse{err}
	}
	end, err := l.distrustLock(ctx, paths)
	if err != nil {
		return err
	}
	defer end()
	function, err := l.function()
	if err != nil {
		return err
	}
	bar := newProgress(l.streams.printer)
	function.Open = withProgress(bar)
	if l.tree, err = l.treeOf(paths); err != nil {
		return err
	}
	if l.needsNoPath(paths) {
		return l.listed(ctx, function, only, bar)
	}
	root, is, err := l.statesFleet(paths)
	if err != nil {
		return err
	}
	if is {
		return l.repository(ctx, root, function, only, bar)
	}
	function.Open = (&fleet.SharedImages{Next: function.Open}).Open // a generator queries what the lock is for
	in := l.newReader()
	in.request = toLock(l.file)
	in.runGenerators(ctx, withoutLock(function))
	items, read := in.read(paths)
	if root, is := isRepository(in, paths, items, read); is {
		return l.repository(ctx, root, function, only, bar)
	}
	return l.input(ctx, paths, function, only, bar, in, items, read)
}

// distrustLock prepares a run that does not trust the tree. Such a run must not write a lock,
// and needs a registry to compare with.
func (l *lockOptions) distrustLock(ctx context.Context, paths []string) (end func(), err error) {
	if !l.untrusted.on && l.untrusted.ref != "" {
		return nil, misuse{errors.New("--base needs --untrusted: lock compares with registries")}
	}
	if l.untrusted.on && !l.check {
		return nil, misuse{errors.New("--untrusted is for 'goldenarch lock --check': a lock that strangers decide about must not be written")}
	}
	if end, err = l.distrust(ctx, paths); err != nil {
		return nil, err
	}
	if l.untrusted.on && !l.untrusted.mayAsk() {
		end()
		return nil, misuse{errors.New("lock --check compares the lock with registries, and --untrusted contacts none: " +
			"list hosts with --registry-allow or GOLDENARCH_ALLOWED_REGISTRIES")}
	}
	return end, nil
}

// input locks the images of paths that are one input.
func (l *lockOptions) input(
	ctx context.Context, paths []string, function pipeline.Function, only []imageref.Reference, bar *progress,
	in *inputReader, items []*yaml.RNode, found finding.List,
) error {
	var images pipeline.Images
	var entry *v1alpha1.FleetCluster
	if !found.Failed() {
		input, more, err := in.preparePaths(&function, paths, items)
		if err != nil {
			return err
		}
		entry = input.entry
		if found = append(found, more...); !found.Failed() {
			images, more = function.Images(input.items, input.steps)
			found = append(found, more...)
		}
	}
	if found.Failed() {
		return in.report(found)
	}
	parts := []pipeline.Images{images}
	if l.file == "" {
		parts = images.ByLock()
	}
	var writes []lockWrite
	for _, part := range parts {
		one, more, err := l.queried(ctx, function, part, in.bundles, onlyOf(only, part, len(parts)), found)
		if found = append(found, more...); err != nil {
			return errors.Join(err, in.report(found))
		}
		one.entry = entry
		writes = append(writes, one)
	}
	bar.clear()
	failed := in.report(found)
	if failed != nil {
		return failed
	}
	return l.finish(ctx, paths, writes, func() finding.List {
		var unread finding.List
		for i, one := range writes {
			unread = append(unread, l.reportNotRead(function, paths, parts[i], one.name)...)
		}
		return in.located(unread)
	})
}

// needsNoPath reports whether the flags say all: which images to lock, and in which file. The CRs
// may be on another machine.
func (l *lockOptions) needsNoPath(paths []string) bool {
	return len(l.only) > 0 && l.file != "" && len(paths)+len(l.crPaths) == 0 && l.fleet == ""
}

// listed locks the images of --only in the file of --file, and reads no other file than those of
// flags.
func (l *lockOptions) listed(ctx context.Context, function pipeline.Function, only []imageref.Reference, bar *progress) error {
	in := l.newReader()
	steps, err := in.steps()
	if err != nil {
		return err
	}
	images, found := function.Images(nil, steps)
	if found.Failed() {
		return in.report(found)
	}
	one, more, err := l.queried(ctx, function, images, nil, only, found)
	bar.clear()
	if err := errors.Join(err, in.report(append(found, more...))); err != nil {
		return err
	}
	return l.finish(ctx, nil, []lockWrite{one}, func() finding.List { return nil })
}

// finish writes the locks of paths, or shows how they differ from the registries. Then it reports the
// locks that render would not read.
func (l *lockOptions) finish(ctx context.Context, paths []string, locks []lockWrite, notRead func() finding.List) error {
	var differs error
	if l.check {
		for _, one := range locks {
			if err := l.show(paths, one); errors.Is(err, errDiffers) {
				differs = err
			} else if err != nil {
				return err
			}
		}
	} else if err := l.write(ctx, locks); err != nil {
		return err
	}
	return cmp.Or(differs, l.streams.report(notRead()))
}

// onlyOf returns the images of --only that a lock of several is for.
func onlyOf(only []imageref.Reference, part pipeline.Images, parts int) []imageref.Reference {
	if parts == 1 {
		return only
	}
	return slices.DeleteFunc(slices.Clone(only), func(ref imageref.Reference) bool { return !slices.Contains(part.ToQuery, ref) })
}

// queried opens the lock of images, and queries the registries for them.
func (l *lockOptions) queried(
	ctx context.Context, function pipeline.Function, images pipeline.Images, bundles []bundle, only []imageref.Reference, found finding.List,
) (lockWrite, finding.List, error) {
	name := l.file
	if name == "" {
		var err error
		if name, err = lockPlace(images, bundles); err != nil {
			return lockWrite{}, nil, err
		}
	}
	opened, more, err := openLock(l.tree, name)
	if err != nil || more.Failed() {
		return lockWrite{}, more, err
	}
	var refs, dropped []imageref.Reference
	if len(l.only) == 0 || len(only) > 0 {
		if refs, dropped, err = l.references(images, opened.file.Lock(), only, found); err != nil {
			return lockWrite{}, more, err
		}
	}
	answers, list := function.Answers(ctx, images, refs)
	return lockWrite{openedLock: opened, differs: l.differences(answers, dropped, images)}, append(more, list...), nil
}

// treeOf returns the tree that the run may write in. With --file it writes that file alone.
func (l *lockOptions) treeOf(paths []string) (files.Tree, error) {
	if l.file == "" {
		return treeOf(paths)
	}
	tree, err := treeOf(nil)
	if err != nil {
		return tree, err
	}
	if err := tree.Output(l.file); err != nil {
		return tree, fmt.Errorf("flag --file: %w", err)
	}
	return tree, nil
}

// toLock returns what to build of a directory whose images are locked in a file, "" for the usual
// one. A lock that a kustomization lists need not exist yet.
func toLock(file string) func(*inputReader, string) (kustomization.Request, error) {
	return func(_ *inputReader, dir string) (kustomization.Request, error) {
		return kustomization.Request{Dir: dir, ToLock: true, LockFile: file}, nil
	}
}

// withoutLock returns a function that runs the generators for a lock, which has no entry for
// their images yet.
func withoutLock(function pipeline.Function) pipeline.Function {
	flags := maps.Clone(function.Options.Flags)
	flags["lock"] = string(v1alpha1.LockIgnore)
	function.Options.Flags = flags
	return function
}

// withProgress returns a function that opens registries with the progress bar.
func withProgress(bar *progress) func(registry.Options) (registry.Resolver, error) {
	return func(o registry.Options) (registry.Resolver, error) {
		next, err := noted(o)
		return bar.before(next), err
	}
}

// parse reads the flags that may contain an invalid word or reference.
func (l *lockOptions) parse() ([]imageref.Reference, error) {
	if l.prune && len(l.only) > 0 {
		return nil, errors.New("--prune needs all images, and --only names some: use one of them")
	}
	var out []imageref.Reference
	for _, text := range elementsOf(l.only) {
		ref, err := imageref.Parse(text)
		if err != nil {
			return nil, fmt.Errorf("--only: %w", err)
		}
		if !slices.Contains(out, ref) {
			out = append(out, ref)
		}
	}
	return out, nil
}

// references returns the references to query, and those to drop.
func (l *lockOptions) references(
	images pipeline.Images, locked lock.Lock, only []imageref.Reference, found finding.List,
) (asked, dropped []imageref.Reference, err error) {
	all := locked.References()
	switch {
	case len(only) > 0:
		asked = only
	case !hasNothing(images):
		asked = images.ToQuery
	default:
		asked = all
	}
	// The image of a digest never changes; what a person writes into its entry may.
	if !l.check && len(only) == 0 && images.Verify == v1alpha1.VerifyIndex {
		asked = slices.DeleteFunc(slices.Clone(asked), func(ref imageref.Reference) bool {
			_, known := locked.Find(ref)
			return known && ref.Pinned()
		})
	}
	if !l.prune {
		return asked, nil, nil
	}
	unknown := found.Has(finding.NoImageStream)
	switch {
	case hasNothing(images):
		return nil, nil, errors.New("--prune needs the HyperConverged CRs, the pods, or the machines: without them nothing is referred to")
	case unknown:
		return nil, nil, errors.New("--prune needs the ImageStreams: without them it is not known what is referred to")
	}
	dropped = slices.DeleteFunc(all, func(ref imageref.Reference) bool {
		return slices.Contains(images.ToQuery, ref) || slices.Contains(images.Stated, ref)
	})
	return asked, dropped, nil
}

// lockChanges are the changes to a lock.
type lockChanges struct {
	images    []lock.Change
	operators []lock.OperatorChange
}

func (c lockChanges) none() bool { return len(c.images)+len(c.operators) == 0 }

func (c lockChanges) String() string { return lock.Text(c.images) + lock.TextOfOperators(c.operators) }

// differences returns a function that compares the answers with a lock. A run for some images
// leaves the operators alone.
func (l *lockOptions) differences(answers []registry.Image, dropped []imageref.Reference, inputs ...pipeline.Images) func(lock.Lock) lockChanges {
	return func(locked lock.Lock) lockChanges {
		out := lockChanges{images: lock.Compare(locked, answers, dropped)}
		if len(l.only) == 0 {
			isUnused := func(o v1alpha1.LockedOperator) bool {
				return l.prune && !slices.ContainsFunc(inputs, func(images pipeline.Images) bool { return !images.IsUnused(o) })
			}
			out.operators = lock.CompareOperators(locked, pipeline.Operators(inputs, answers, locked), isUnused)
		}
		return out
	}
}

// show prints the differences between the lock and the registries.
func (l *lockOptions) show(paths []string, one lockWrite) error {
	changes := one.differs(one.file.Lock())
	if changes.none() {
		return nil
	}
	if _, err := fmt.Fprint(l.streams.printer.Text(), changes); err != nil {
		return fmt.Errorf("write: %w", err)
	}
	how := "differs from the registries: refresh it with"
	if !files.Exists(one.name) {
		how = "does not exist: write it with"
	}
	l.streams.printer.Message("%s %s: %s", one.name, how, l.refreshes(paths, changes))
	return errDiffers
}

// refreshes returns the commands that make the changes. goldenarch lock queries the
// entry of a digest again only if --only names it.
func (l *lockOptions) refreshes(paths []string, changes lockChanges) string {
	var pinned []string
	for _, c := range changes.images {
		ref, err := imageref.Parse(c.Reference())
		if err == nil && ref.Pinned() && c.Locked != nil && c.Answer != nil {
			pinned = append(pinned, c.Reference())
		}
	}
	if !l.needsNoPath(paths) {
		paths = console.CommandPaths(l.crPaths.pathsOr(paths))
	}
	all := l.flags.commandLine("lock", paths...)
	if len(l.only) > 0 || len(pinned) == 0 {
		return all
	}
	var words []string
	for _, reference := range pinned {
		words = append(words, "--only", reference)
	}
	given := slices.DeleteFunc(slices.Clone(l.flags.given["lock"]), func(word string) bool { return word == "--prune" })
	named := console.Command(slices.Concat([]string{"goldenarch", "lock"}, words, paths, given)...)
	if len(pinned) == len(changes.images) && len(changes.operators) == 0 {
		return named
	}
	return all + " && " + named
}

// lockWrite is a lock to write, with its changes.
type lockWrite struct {
	openedLock

	differs func(lock.Lock) lockChanges
	entry   *v1alpha1.FleetCluster // of its first cluster; nil for none
}

// write writes the changes into the files, all or none. If another process has changed a
// file since it was read, write applies the answers to the current contents.
func (l *lockOptions) write(ctx context.Context, locks []lockWrite) error {
	locks = slices.DeleteFunc(slices.Clone(locks), func(one lockWrite) bool { return one.differs(one.file.Lock()).none() })
	if len(locks) == 0 {
		return nil
	}
	names := make([]string, len(locks))
	changes := make([]lockChanges, len(locks))
	for i, one := range locks {
		names[i] = one.name
	}
	edit := func(i int, now []byte) ([]byte, error) {
		one := locks[i]
		if !bytes.Equal(now, one.text) {
			again, found, err := readLock(one.name, now, one.text)
			if err != nil || found.Failed() {
				return nil, errors.Join(err, l.streams.report(found))
			}
			one.file = again
		}
		changes[i] = one.differs(one.file.Lock())
		return one.file.With(changes[i].images, changes[i].operators...)
	}
	var written files.Written
	if err := doStep(ctx, func() error {
		var err error
		written, err = l.tree.Update(ctx, names, edit)
		return err
	}); err != nil {
		if c, is := errors.AsType[*files.ConflictError](err); is {
			return fmt.Errorf("write the lock %s: %w", c.Name, c.Err)
		}
		return fmt.Errorf("write the lock: %w", err)
	}
	for i, name := range names {
		if !changes[i].none() {
			l.streams.printer.Message("wrote %s", name)
			l.streams.printer.Findings(changes[i])
			l.sayApplied(locks[i])
		}
	}
	sayBeside(l.streams, written)
	return nil
}

// readLock reads a lock that has changed since it was read. If somebody removed the
// lock, it does not create it again.
func readLock(name string, now, old []byte) (*lock.File, finding.List, error) {
	switch {
	case now != nil:
		return lock.ReadFile(name, now)
	case old != nil:
		return nil, nil, &files.ConflictError{Name: name, Err: files.ErrChanged}
	}
	return lock.NewFile(name), nil, nil
}
