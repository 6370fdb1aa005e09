package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/spf13/cobra"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/fleet"
	"github.com/goldenarch/goldenarch/internal/images/imageref"
	"github.com/goldenarch/goldenarch/internal/images/registry"
	"github.com/goldenarch/goldenarch/internal/input/kustomization"
	"github.com/goldenarch/goldenarch/internal/pipeline"
	"github.com/goldenarch/goldenarch/internal/write"
)

// lockVerb is the verb's flags and streams.
type lockVerb struct {
	render
	only         []string
	prune, check bool
	file         string
	tree         write.Tree
}

func newLock(streams Streams) *cobra.Command {
	l := &lockVerb{render: render{streams: streams}}
	cmd := &cobra.Command{
		Use:   "lock [PATH...]",
		Short: "Write or refresh the lock, or compare it with the registries (--check)",
		Long: `Find the images of the HyperConverged CRs in YAML or JSON files, directories or
standard input (-), and query the registries. Write the answers to an
ArchitectureLock: the one in PATH, or golden-images.lock.yaml beside the CR. With
the lock, the same commit gives the same manifests, without a network.

lock changes an entry only if the registry's answer changed, and keeps comments. If
it cannot resolve one image, it writes nothing. Without a CR, it refreshes the
entries of the lock. With --check it writes nothing, and the status is 3 if the lock
would change.

In a directory that holds several clusters, lock finds them and writes the lock of
each, or the one that they share: see docs/fleet.md.`,
		Example: `  goldenarch lock overlays/prod
  goldenarch lock --check --prune overlays/prod
  goldenarch lock hco.yaml --only quay.io/containerdisks/fedora:latest --verify config`,
		RunE: func(cmd *cobra.Command, args []string) error { return l.run(cmd.Context(), args) },
	}
	l.flags.add(cmd)
	l.flags.queriesAll = true
	l.flags.leaveIdle("mode", "workload-architectures", "control-plane-architectures", "platform", "existing", "allow", "unsupported", "unresolved",
		"gate", "single-architecture", "defaults", "expand", "expand-namespace", "expand-data-sources", "expand-predefined",
		"expand-support", "expand-replace-on-change", "lock")
	l.flags.registry.addRecord(cmd)
	l.addCRPath(cmd)
	cmd.Flags().StringVar(&l.config, "config", "", "file with the GoldenImages configuration")
	cmd.Flags().BoolVar(&l.strict, "strict", false, "fail on a templated file, and on a release newer than the newest verified one (default: warn)")
	addFleet(cmd, &l.fleet)
	l.untrusted.add(cmd)
	cmd.Flags().StringVar(&l.file, "file", "", "lock file to write (default: the lock in PATH, or golden-images.lock.yaml beside the CR)")
	cmd.Flags().StringSliceVar(&l.only, "only", nil, "image to lock or refresh, instead of all (may be repeated)")
	cmd.Flags().BoolVar(&l.prune, "prune", false, "remove entries that no CR in PATH uses")
	cmd.Flags().BoolVar(&l.check, "check", false, "print how the lock differs from the registries, and write nothing")
	return cmd
}

func (l *lockVerb) run(ctx context.Context, paths []string) error {
	only, err := l.parse()
	if err != nil {
		return misuse{err}
	}
	end, err := l.distrustLock(ctx, paths)
	if err != nil {
		return err
	}
	defer end()
	function, err := l.flags.function()
	if err != nil {
		return err
	}
	function.Strict = l.strict
	bar := newProgress(l.streams.printer)
	function.Open = withProgress(bar)
	if l.tree, err = l.treeOf(paths); err != nil {
		return err
	}
	earlier := interrupted(paths) // also with --file: it reads the paths
	if earlier.Failed() {
		return l.report(earlier)
	}
	root, is, err := l.statesFleet(paths)
	if err != nil {
		return err
	}
	if is {
		return l.repository(ctx, root, function, only, bar, earlier)
	}
	function.Open = (&fleet.SharedImages{Next: function.Open}).Open // a generator queries what the lock is for
	l.runGenerators(ctx, withoutLock(function))
	items, read := l.readToLock(paths)
	if root, is := l.isRepository(paths, items, read); is {
		return l.repository(ctx, root, function, only, bar, earlier)
	}
	if !read.Failed() {
		read = append(read, l.givePolicyOf(&function, paths)...)
	}
	return l.lockPaths(ctx, paths, function, items, only, bar, slices.Concat(earlier, read))
}

// distrustLock prepares a run that does not trust the tree. Such a run must not write a lock,
// and needs a registry to compare with.
func (l *lockVerb) distrustLock(ctx context.Context, paths []string) (end func(), err error) {
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

// lockPaths locks the images of paths that are one input.
func (l *lockVerb) lockPaths(
	ctx context.Context, paths []string, function pipeline.Function, items []*yaml.RNode, only []imageref.Reference, bar *progress, read finding.List,
) error {
	images, found, err := l.imagesOf(function, items, read)
	found = append(found, l.flags.idleGiven()...)
	if err != nil || found.Failed() {
		return errors.Join(err, l.report(found))
	}
	parts := []pipeline.Images{images}
	if l.file == "" {
		parts = images.ByLock()
	}
	var writes []lockWrite
	for _, part := range parts {
		one, more, err := l.queried(ctx, function, part, onlyOf(only, part, len(parts)), found)
		if found = append(found, more...); err != nil {
			return errors.Join(err, l.report(found))
		}
		writes = append(writes, one...)
	}
	bar.clear()
	failed := l.report(found)
	if err := cmp.Or(l.flags.registry.end(), failed); err != nil {
		return err
	}
	if l.check {
		for _, one := range writes {
			err = cmp.Or(l.show(one.name, one.differs(one.file.Lock())), err)
		}
	} else {
		err = l.write(ctx, writes)
	}
	if err != nil && !errors.Is(err, errDiffers) {
		return err
	}
	var unread finding.List
	for i, one := range writes {
		unread = append(unread, l.reportNotRead(function, paths, parts[i], one.name)...)
	}
	return cmp.Or(err, l.report(unread))
}

// onlyOf returns the images of --only that a lock of several is for.
func onlyOf(only []imageref.Reference, part pipeline.Images, parts int) []imageref.Reference {
	if parts == 1 {
		return only
	}
	return slices.DeleteFunc(slices.Clone(only), func(ref imageref.Reference) bool { return !slices.Contains(part.ToQuery, ref) })
}

// queried opens the lock of images, and queries the registries for them.
func (l *lockVerb) queried(ctx context.Context, function pipeline.Function, images pipeline.Images, only []imageref.Reference, found finding.List) (
	[]lockWrite, finding.List, error,
) {
	opened, more, err := l.open(images)
	if err != nil || more.Failed() {
		return nil, more, err
	}
	var refs, dropped []imageref.Reference
	if len(l.only) == 0 || len(only) > 0 {
		if refs, dropped, err = l.references(images, opened.file.Lock(), only, found); err != nil {
			return nil, more, err
		}
	}
	answers, list := function.Answers(ctx, images, refs)
	return []lockWrite{{opened, l.differences(answers, dropped, images)}}, append(more, list...), nil
}

// treeOf returns the tree that the run may write in. With --file it writes that file alone.
func (l *lockVerb) treeOf(paths []string) (write.Tree, error) {
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

// images reads the paths, and finds the images that their CRs refer to.
func (l *lockVerb) images(function pipeline.Function, paths []string) (pipeline.Images, finding.List, error) {
	items, found := l.readToLock(paths)
	return l.imagesOf(function, items, found)
}

// readToLock reads the paths. A lock that a kustomization lists need not exist yet.
func (l *lockVerb) readToLock(paths []string) ([]*yaml.RNode, finding.List) {
	l.build = func(dir string) (kustomization.Built, error) {
		return l.builtFrom(kustomization.Request{Dir: dir, ToLock: true, LockFile: l.file})
	}
	return l.read(paths)
}

// withoutLock returns a function that runs the generators for a lock, which has no entry for
// their images yet.
func withoutLock(function pipeline.Function) pipeline.Function {
	flags := maps.Clone(function.Options.Flags)
	if flags == nil {
		flags = map[string]string{}
	}
	flags["lock"] = string(v1alpha1.LockIgnore)
	function.Options.Flags = flags
	return function
}

// imagesOf finds the images that the CRs among items refer to.
func (l *lockVerb) imagesOf(function pipeline.Function, items []*yaml.RNode, found finding.List) (pipeline.Images, finding.List, error) {
	if found.Failed() {
		return pipeline.Images{}, found, nil
	}
	steps, err := l.steps()
	if err != nil {
		return pipeline.Images{}, nil, err
	}
	l.prepare(&function)
	images, more := function.Images(items, steps)
	return images, append(found, more...), nil
}

// withProgress returns a function that opens registries with the progress bar.
func withProgress(bar *progress) func(registry.Options) (registry.Resolver, error) {
	return func(o registry.Options) (registry.Resolver, error) {
		next, err := noted(o)
		return bar.before(next), err
	}
}

// parse reads the flags that may contain an invalid word or reference.
func (l *lockVerb) parse() ([]imageref.Reference, error) {
	if l.prune && len(l.only) > 0 {
		return nil, errors.New("--prune needs all images, and --only names some: use one of them")
	}
	var out []imageref.Reference
	for _, text := range l.only {
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

// report prints the findings, and returns the error of a run that failed.
func (l *lockVerb) report(found finding.List) error {
	l.streams.printer.Findings(found.Sorted())
	if found.Failed() {
		return errSilent
	}
	return nil
}
