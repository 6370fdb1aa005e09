package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/goldenarch/goldenarch/internal/files"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/images/imageref"
	"github.com/goldenarch/goldenarch/internal/workspace"
)

// lockOptions are the flags of lock.
type lockOptions struct {
	inputOptions

	only         []string
	prune, check bool
	file         string
}

func newLock(streams Streams) *cobra.Command {
	l := &lockOptions{inputOptions: inputOf(streams)}
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
		RunE: func(cmd *cobra.Command, args []string) error { return l.Base.Named(l.run(cmd.Context(), args)) },
	}
	l.flags.registry.add(cmd)
	l.flags.queriesAll = true
	l.flags.addImages(cmd)
	l.addInput(cmd)
	l.flags.settings.addOwn(cmd, workloads, release)
	l.addFleet(cmd)
	l.addUntrusted(cmd)
	cmd.Flags().StringVar(&l.file, "file", "", "lock file to write (default: the lock in PATH, or golden-images.lock.yaml beside the CR)")
	cmd.Flags().StringArrayVar(&l.only, "only", nil, "image to lock or refresh, instead of all (may be repeated)")
	cmd.Flags().BoolVar(&l.prune, "prune", false, "remove entries that no CR in PATH uses")
	cmd.Flags().BoolVar(&l.check, "check", false, "print how the lock differs from the registries, and write nothing")
	return cmd
}

func (l *lockOptions) run(ctx context.Context, paths []string) error {
	only, err := l.parse()
	if err != nil {
		return workspace.Misuse{Err: err}
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
	hide := l.streams.queries.show(l.streams.printer)
	tree, err := l.treeOf(paths)
	if err != nil {
		return err
	}
	lock := workspace.Locker{Options: l.Options, Only: only, Prune: l.prune, Check: l.check, File: l.file, Tree: tree}
	locks, found, err := lock.Run(ctx, paths, function)
	hide()
	if failed := l.streams.report(found); err != nil || failed != nil {
		return cmp.Or(err, failed)
	}
	if l.check {
		err = l.show(lock, paths, locks)
	} else {
		err = l.write(ctx, lock, locks)
	}
	if err != nil && !errors.Is(err, errDiffers) {
		return err
	}
	return cmp.Or(err, l.streams.report(lock.NotRead(locks)))
}

// distrustLock prepares a run that does not trust the tree. Such a run must not write a lock,
// and needs a registry to compare with.
func (l *lockOptions) distrustLock(ctx context.Context, paths []string) (end func(), err error) {
	if !l.Base.Untrusted && l.Base.Ref != "" {
		return nil, workspace.Misuse{Err: errors.New("--base needs --untrusted: lock compares with registries")}
	}
	if l.Base.Untrusted && !l.check {
		return nil, workspace.Misuse{Err: errors.New("--untrusted is for 'goldenarch lock --check': a lock that strangers decide about must not be written")}
	}
	if end, err = l.distrust(ctx, paths); err != nil {
		return nil, err
	}
	if l.Base.Untrusted && l.Base.Asks == nil {
		end()
		return nil, workspace.Misuse{Err: errors.New("lock --check compares the lock with registries, and --untrusted contacts none: " +
			"list hosts with --registry-allow or GOLDENARCH_ALLOWED_REGISTRIES")}
	}
	return end, nil
}

// treeOf returns the tree that the run may write in. With --file it writes that file alone.
func (l *lockOptions) treeOf(paths []string) (files.Tree, error) {
	if l.file == "" {
		return workspace.TreeOf(paths)
	}
	tree, err := workspace.TreeOf(nil)
	if err != nil {
		return tree, err
	}
	if err := tree.Output(l.file); err != nil {
		return tree, fmt.Errorf("flag --file: %w", err)
	}
	return tree, nil
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

// show prints how locks differ from the registries.
func (l *lockOptions) show(lock workspace.Locker, paths []string, locks []*workspace.SharedLock) error {
	var differs error
	for _, one := range locks {
		if one.Changes.None() {
			continue
		}
		differs = errDiffers
		fmt.Fprint(l.streams.printer.Text(), one.Changes)
		how := "differs from the registries: refresh it with"
		if !files.Exists(one.Name) {
			how = "does not exist: write it with"
		}
		l.streams.printer.Message("%s %s: %s", one.Name, how, lock.Refreshes(paths, one.Changes))
	}
	if differs == nil {
		l.streams.printer.Message("%s", lock.Unchanged(locks))
	}
	return differs
}

// write writes the changes into the files, all or none, and says what it wrote.
func (l *lockOptions) write(ctx context.Context, lock workspace.Locker, locks []*workspace.SharedLock) error {
	var beside files.Written
	var found finding.List
	if err := l.streams.step.run(ctx, func() (err error) {
		beside, found, err = lock.Write(ctx, locks)
		return err
	}); err != nil {
		return cmp.Or(err, l.streams.report(found))
	}
	changed := slices.DeleteFunc(slices.Clone(locks), func(one *workspace.SharedLock) bool { return one.Changes.None() })
	if len(changed) == 0 {
		l.streams.printer.Message("%s", lock.Unchanged(locks))
	}
	for _, one := range changed {
		l.streams.printer.Message("wrote %s", one.Name)
		l.streams.printer.Findings(one.Changes)
		found, note := lock.Applied(one)
		_ = l.streams.report(found)
		if note != "" {
			l.streams.printer.Message("%s", note)
		}
	}
	sayBeside(l.streams, beside)
	return nil
}
