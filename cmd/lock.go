package cmd

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/goldenarch/goldenarch/finding"
	"github.com/goldenarch/goldenarch/fn"
	"github.com/goldenarch/goldenarch/lock"
	"github.com/goldenarch/goldenarch/registry"
)

// lockFile is the name of a lock that is made.
const lockFile = "golden-images.lock.yaml"

// lockVerb is the verb's flags and streams.
type lockVerb struct {
	render
	only         []string
	prune, check bool
	verify       string
	file         string
}

func newLock(streams Streams) *cobra.Command {
	l := &lockVerb{render: render{streams: streams}}
	cmd := &cobra.Command{
		Use:   "lock [PATH...]",
		Short: "Write or refresh the lock; --check compares it with the registries",
		Long: `Find the images that the HyperConverged CRs in YAML or JSON files, directories or
standard input (-) refer to, ask the registries for them, and keep the answers in
an ArchitectureLock: the one among PATH, or golden-images.lock.yaml beside the
CR. The same commit then gives the same manifests, with no network.

Entries change only where the registry's answer has changed, comments stay. If one
image cannot be resolved, nothing is written. Without a CR the entries of the lock
are refreshed. With --check nothing is written, and the status is 3 if the lock
is not what it would be.`,
		Example: `  goldenarch lock overlays/prod
  goldenarch lock --check --prune overlays/prod
  goldenarch lock hco.yaml --only quay.io/containerdisks/fedora:latest --verify config`,
		RunE: func(cmd *cobra.Command, args []string) error { return l.run(cmd.Context(), args) },
	}
	l.flags.add(cmd)
	l.flags.asksAll = true
	l.flags.registry.addRecord(cmd)
	cmd.Flags().StringVar(&l.config, "config", "", "file with the GoldenImages configuration")
	cmd.Flags().BoolVar(&l.strict, "strict", false, "a templated file is an error instead of being skipped")
	cmd.Flags().StringVar(&l.file, "file", "", "the lock to write, instead of the one among PATH or beside the CR")
	cmd.Flags().StringSliceVar(&l.only, "only", nil, "lock or refresh this image only (may be repeated)")
	cmd.Flags().BoolVar(&l.prune, "prune", false, "drop what no CR among PATH refers to")
	cmd.Flags().BoolVar(&l.check, "check", false, "write nothing: print how the lock differs from the registries")
	cmd.Flags().StringVar(&l.verify, "verify", string(registry.VerifyIndex),
		"how far an index is believed: index, children (its manifests exist), config (they are of the architecture it says)")
	return cmd
}

func (l *lockVerb) run(ctx context.Context, paths []string) error {
	only, err := l.parse()
	if err != nil {
		return misuse{err}
	}
	l.flags.registry.verify = registry.Verify(l.verify)
	function, err := l.flags.function()
	if err != nil {
		return err
	}
	bar := newProgress(l.streams.Err)
	function.Resolver = shown(bar, function.Resolver)
	items, found := l.read(paths)
	if found.Failed() {
		return l.tell(found)
	}
	given, err := l.given()
	if err != nil {
		return err
	}
	function.Dir = cmp.Or(l.dir, function.Dir)
	images, more := function.Images(items, given)
	if found = append(found, more...); found.Failed() {
		return l.tell(found)
	}
	file, name, old, more, err := l.open(images)
	if found = append(found, more...); err != nil || found.Failed() {
		return errors.Join(err, l.tell(found))
	}
	refs, dropped, err := l.references(images, file.Lock(), only, found)
	if err != nil {
		return errors.Join(err, l.tell(found))
	}
	answers, more := function.Answers(ctx, images, refs)
	bar.clear()
	failed := l.tell(append(found, more...))
	if err := cmp.Or(l.flags.registry.end(), failed); err != nil {
		return err
	}
	changes := lock.Compare(file.Lock(), answers, dropped)
	if l.check {
		return l.show(name, changes)
	}
	return l.write(ctx, name, file, old, changes)
}

// shown puts the bar before the registries.
func shown(bar *progress, reach func(fn.Access) (registry.Resolver, error)) func(fn.Access) (registry.Resolver, error) {
	return func(access fn.Access) (registry.Resolver, error) {
		next, err := reach(access)
		return bar.before(next), err
	}
}

// parse reads the flags that a word or a reference can be wrong in.
func (l *lockVerb) parse() ([]registry.Reference, error) {
	levels := []registry.Verify{registry.VerifyIndex, registry.VerifyChildren, registry.VerifyConfig}
	if !slices.Contains(levels, registry.Verify(l.verify)) {
		return nil, fmt.Errorf("unknown level %q of --verify: expected index, children or config", l.verify) //nolint:err113 // for eyes only
	}
	if l.prune && len(l.only) > 0 {
		return nil, errors.New("--prune looks at all images, --only at some: use one of them") //nolint:err113 // for eyes only
	}
	var out []registry.Reference
	for _, text := range l.only {
		ref, err := registry.ParseReference(text)
		if err != nil {
			return nil, fmt.Errorf("--only: %w", err)
		}
		if !slices.Contains(out, ref) {
			out = append(out, ref)
		}
	}
	return out, nil
}

// tell prints what was found, and returns the error of a run that failed.
func (l *lockVerb) tell(found finding.List) error {
	fmt.Fprint(l.streams.Err, found.Sorted())
	if found.Failed() {
		return errSilent
	}
	return nil
}

// open reads the file that the lock is in, or is to be in; old is nil if it is not
// there yet.
func (l *lockVerb) open(images fn.Images) (file *lock.File, name string, old []byte, found finding.List, err error) {
	name = l.file
	if name == "" {
		if name, err = lockPlace(images); err != nil {
			return nil, "", nil, nil, err
		}
	}
	old, err = os.ReadFile(name)
	if errors.Is(err, os.ErrNotExist) {
		return lock.NewFile(name), name, nil, nil, nil
	}
	if err != nil {
		return nil, "", nil, nil, fmt.Errorf("read the lock: %w", err)
	}
	file, found, err = lock.ReadFile(name, old)
	return file, name, old, found, err //nolint:wrapcheck // it names the file
}

// standardInput is what items have in the place of a file that were read of it.
const standardInput = "stdin"

// lockPlace returns the file of the lock among the items, or else the one beside
// their CR. Where there are several it is for a person to say which.
func lockPlace(images fn.Images) (string, error) {
	files := func(list []finding.Object, of func(string) string) []string {
		var out []string
		for _, at := range list {
			if at.File != "" && at.File != standardInput {
				out = append(out, of(filepath.FromSlash(at.File)))
			}
		}
		slices.Sort(out)
		return slices.Compact(out)
	}
	locks := files(images.Locks, filepath.Clean)
	dirs := files(images.CRs, filepath.Dir)
	switch {
	case len(locks) == 1:
		return locks[0], nil
	case len(locks) > 1:
		return "", fmt.Errorf("there are several locks (%s): say with --file which one is meant, or lock each PATH by itself", strings.Join(locks, ", ")) //nolint:err113 // for eyes only
	case len(dirs) == 1:
		return filepath.Join(dirs[0], lockFile), nil
	case len(dirs) > 1:
		return "", fmt.Errorf("there are CRs in several directories (%s): say with --file where the lock is to be, or lock each PATH by itself", strings.Join(dirs, ", ")) //nolint:err113 // for eyes only
	case len(images.CRs)+len(images.Locks) > 0:
		return "", errors.New("standard input has no directory: say with --file where the lock is to be") //nolint:err113 // for eyes only
	}
	return "", errors.New("there is neither a HyperConverged CR nor an ArchitectureLock in the input: nothing says what to lock") //nolint:err113 // for eyes only
}

// references returns the references to ask for, and those to drop.
func (l *lockVerb) references(images fn.Images, locked lock.Lock, only []registry.Reference, found finding.List) (asked, dropped []registry.Reference, err error) {
	all := locked.References()
	switch {
	case len(only) > 0:
		asked = only
	case len(images.CRs) > 0:
		asked = images.Asked
	default:
		asked = all
	}
	// What a digest names never changes.
	asked = slices.DeleteFunc(slices.Clone(asked), func(ref registry.Reference) bool {
		_, known := locked.Find(ref)
		return known && ref.Pinned() && l.verify == string(registry.VerifyIndex)
	})
	if !l.prune {
		return asked, nil, nil
	}
	unknown := slices.ContainsFunc(found, func(f finding.Finding) bool { return f.ID == finding.NoImageStream })
	switch {
	case len(images.CRs) == 0:
		return nil, nil, errors.New("--prune needs the HyperConverged CRs: without one nothing is referred to") //nolint:err113 // for eyes only
	case unknown:
		return nil, nil, errors.New("--prune needs the ImageStreams: without them it is not known what is referred to") //nolint:err113 // for eyes only
	}
	dropped = slices.DeleteFunc(all, func(ref registry.Reference) bool {
		return slices.Contains(images.Asked, ref) || slices.Contains(images.Stated, ref)
	})
	return asked, dropped, nil
}

// show prints how the lock differs from the registries.
func (l *lockVerb) show(name string, changes []lock.Change) error {
	if len(changes) == 0 {
		return nil
	}
	if _, err := fmt.Fprint(l.streams.Out, lock.Text(changes)); err != nil {
		return fmt.Errorf("write: %w", err)
	}
	fmt.Fprintf(l.streams.Err, "goldenarch: %s differs from the registries: refresh it with 'goldenarch lock'\n", name)
	return errDiffers
}

// write puts the changes into the file.
func (l *lockVerb) write(ctx context.Context, name string, file *lock.File, old []byte, changes []lock.Change) error {
	if len(changes) == 0 {
		return nil
	}
	text, err := file.With(changes)
	if err != nil {
		return err //nolint:wrapcheck // it names the file
	}
	if err := doStep(ctx, func() error { return lock.Replace(name, old, text) }); err != nil {
		return err //nolint:wrapcheck // it names the file
	}
	fmt.Fprintf(l.streams.Err, "goldenarch: wrote %s\n%s", name, lock.Text(changes))
	return nil
}
