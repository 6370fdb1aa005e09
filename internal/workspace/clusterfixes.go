package workspace

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/console"
	"github.com/goldenarch/goldenarch/internal/engine"
	"github.com/goldenarch/goldenarch/internal/engine/check"
	"github.com/goldenarch/goldenarch/internal/files"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/kustomize/edit"
	"github.com/goldenarch/goldenarch/internal/manifest"
	"github.com/goldenarch/goldenarch/internal/manifest/kinds"
	"github.com/goldenarch/goldenarch/internal/manifest/object"
	"github.com/goldenarch/goldenarch/internal/operators/forecast"
	"github.com/goldenarch/goldenarch/internal/report"
	"github.com/goldenarch/goldenarch/internal/workload/podspec"
	"github.com/goldenarch/goldenarch/internal/yaml/yamlnode"
)

// clusterFixer decides about the clusters of a run, and says which files change.
type clusterFixer struct {
	*Fixer

	paths []string // in whose tree the run writes
	// shares has texts of files that clusters of the run build, by their names without links: what
	// others make of them. With it, such a file is written before one of the cluster's own.
	shares map[string][]byte

	// common are the edits of files that clusters of the run build, for what all of these need. Patches have the rest.
	common []files.Change

	consumers, covering *edit.Consumers // nil in a run about one input
	session             *edit.Session
}

// clusterFix is what the decisions about one cluster change.
type clusterFix struct {
	target

	edits []files.Change
	found finding.List
	err   error // why the cluster cannot be read, which is also a finding
	// shared are the files that must change and that others build, too: others whom the run
	// does not cover, or for whom it decides something else.
	shared []*edit.SharedError
	// workload are the architectures of the cluster's workload nodes.
	workload arch.Set
	has      bool // the place has a CR, or pods that the run is about
	failed   bool // nothing is written
}

// clusterFixes is what a run decides about all clusters.
type clusterFixes []clusterFix

// fix decides about the clusters of a run. After an error among the findings of the run no cluster is decided on. A run that failed
// has nothing to write: its result is nil.
func (f *clusterFixer) fix(ctx context.Context, function engine.Function, of run) (*Fixed, finding.List, error) {
	if err := f.forOneCluster(of.layout); err != nil {
		return nil, nil, err
	}
	found := slices.Concat(of.found, of.layout.Found, asWarnings(append(of.beside, of.layout.Unread...)), f.skipped(of.layout))
	var all clusterFixes
	if !of.found.Failed() {
		var err error
		if all, err = f.decide(ctx, function, of); err != nil {
			return nil, nil, err
		}
		found = append(found, of.states.Unmatched(of.root)...)
		found = append(found, all.sharedFindings(
			func([]string) string { return f.Commands.patch(f.Commands.Verb, of.root) },
			func(i int) error {
				patching, patched := *f.Fixer, *f
				patching.Patch, patched.Fixer = true, &patching
				return firstError(patched.fixCluster(ctx, all[i].target, function).found)
			},
		)...)
	}
	clusters := &report.Repository{}
	var failed []string
	for _, done := range all {
		if done.failed {
			failed = append(failed, console.Escape(filepath.ToSlash(done.Path)))
		}
		if done.has {
			clusters.Clusters = append(clusters.Clusters, report.Cluster{Path: done.Path})
		}
		found = append(found, done.found...)
	}
	if !of.isOne() {
		found = report.Check{Summary: check.Summary{Findings: found.Sorted()}, Repository: clusters}.Shown()
	}
	if found.Failed() && (!f.KeepGoing || of.found.Failed() || of.isOne()) {
		return nil, found, nil
	}
	if len(clusters.Clusters) == 0 && !of.isOne() {
		return nil, append(found, noCluster(of.layout, "changes", finding.Error)), nil
	}
	out := &Fixed{Changes: all.changes(), Paths: f.paths, Clusters: len(clusters.Clusters), Failed: failed}
	if !of.isOne() {
		out.Root = of.root
	}
	return out, found, nil
}

// decide decides about each cluster, and which clusters are written. The error is that of a run about one input.
func (f *clusterFixer) decide(ctx context.Context, function engine.Function, of run) (clusterFixes, error) {
	if of.isOne() {
		one := f.fixCluster(ctx, of.targets[0], function)
		return clusterFixes{one}, one.err
	}
	tree, err := TreeOf(f.paths)
	if err != nil {
		return nil, err
	}
	f.session = &edit.Session{}
	f.consumers, f.covering = consumersIn(tree, of.paths())
	if f.Patch {
		if f.common, err = f.commonEdits(ctx, function, of); err != nil {
			return nil, err
		}
	}
	fix := func(ctx context.Context, t target) clusterFix { return f.fixCluster(ctx, t, function) }
	var all clusterFixes = decideAll(ctx, of.targets, f.covering, fix)
	all.share(f.covering, func(i int, texts map[string][]byte) clusterFix {
		shared := *f
		shared.shares = texts
		return shared.fixCluster(ctx, all[i].target, function)
	})
	all.settle(f.covering, f.KeepGoing)
	if f.KeepGoing {
		_, conflicts := tree.Prepare(all.changes())
		all.cannotWrite(conflicts, f.covering)
	}
	lists := make([]*finding.List, len(all))
	for i := range all {
		lists[i] = &all[i].found
	}
	dropUsedFlags(lists)
	return all, nil
}

// commonEdits returns the edits of files that several clusters build, where all of these need the same: which architectures an image
// has does not depend on the cluster. What does, the gate and what is disabled, is left for patches. It decides as if the gate were on
// everywhere: where it is off, HCO does not read what the others need.
func (f *clusterFixer) commonEdits(ctx context.Context, function engine.Function, of run) ([]files.Change, error) {
	function.Options = function.Options.With("gate", string(v1alpha1.GateEnable)).With("unsupported", string(v1alpha1.UnsupportedKeep))
	function.LeavesGate = true
	plain := *f.Fixer
	plain.Patch, plain.KeepGoing = false, true // a cluster with an error takes along only what it shares
	common := clusterFixer{Fixer: &plain, paths: f.paths}
	all, err := common.decide(ctx, function, of)
	if err != nil {
		return nil, err
	}
	several := map[string]bool{}
	for _, use := range all.uses(common.covering) {
		several[use.file] = len(use.builders) > 1
	}
	return slices.DeleteFunc(all.changes(), func(c files.Change) bool { return !several[realName(c.Name)] }), nil
}

// commonOf returns the common edits of the files that a directory builds.
func (f *clusterFixer) commonOf(dir string) []files.Change {
	builder := realName(dir)
	return slices.DeleteFunc(slices.Clone(f.common), func(c files.Change) bool { return !slices.Contains(f.covering.Of(realName(c.Name)), builder) })
}

// fixCluster decides about one cluster.
func (f *clusterFixer) fixCluster(ctx context.Context, t target, function engine.Function) clusterFix {
	function.Others = t.others
	in := f.readerOf(t)
	in.unpatched, in.session, in.shared = true, f.session, textsOf(f.common)
	decided, err := in.decideWithoutPatches(ctx, function, t)
	edit := &editor{clusterFixer: f, in: decided.reader, place: (*editor).builtEdits}
	out := clusterFix{target: t, err: err, found: decided.read, has: true}
	switch {
	case err != nil:
		out.found = append(out.found, finding.Finding{ID: finding.Unreadable, Severity: finding.Error, Text: err.Error()})
	case decided.read.Failed():
	case t.named:
		out.found = slices.Concat(out.found, decided.nothingIsError(t))
	default:
		out.has = !decided.found.Has(finding.NoCR) && (slices.ContainsFunc(object.All(decided.before), mayHoldCROrPods) ||
			!slices.ContainsFunc(configsOf(decided.steps), function.AboutPods))
		known, _ := decided.function.Known(decided.before, decided.steps) // the run has reported what is wrong
		out.found, out.workload = append(out.found, withoutID(decided.found, finding.NoCR)...), known.Workload
	}
	if out.found = t.in(edit.in.located(out.found)); out.found.Failed() {
		return out
	}
	changes, more := edit.changes(decided.before, decided.after)
	out.edits, out.shared = append(changes, f.commonOf(t.Path)...), edit.shared
	out.found = append(out.found, t.in(more)...)
	return out
}

// textsOf returns the texts that changes write, by the names of the files without links.
func textsOf(changes []files.Change) map[string][]byte {
	out := map[string][]byte{}
	for _, c := range changes {
		out[realName(c.Name)] = c.After
	}
	return out
}

func (one clusterFix) corrects() (arch.Set, finding.List) { return one.workload, one.found }

// changes returns what is written: of each cluster all or nothing.
func (all clusterFixes) changes() []files.Change {
	byName := map[string]files.Change{}
	for _, one := range all {
		if one.failed {
			continue
		}
		for _, change := range one.edits {
			byName[realName(change.Name)] = change // the same for each cluster
		}
	}
	return slices.SortedFunc(maps.Values(byName), func(a, b files.Change) int { return strings.Compare(a.Name, b.Name) })
}

// realName returns the name of a file without links, or that of a new file: two clusters may name
// one file in two ways.
func realName(name string) string {
	if path, err := files.Real(name); err == nil {
		return path
	}
	return name
}

// settle decides which clusters are written. A file that several clusters build changes only
// if the run decides the same for all of them. With KeepGoing a cluster that fails takes along
// those that share such a file with it; otherwise its error is enough.
func (all clusterFixes) settle(covering *edit.Consumers, keepGoing bool) {
	for i := range all {
		all[i].failed = all[i].found.Failed() || len(all[i].shared) > 0
	}
	uses := all.uses(covering)
	for again := true; again; again = keepGoing && again {
		again = false
		for _, use := range uses {
			if all.agree(use, keepGoing) {
				continue
			}
			again = true
			for _, i := range use.changing {
				if !all[i].failed {
					all[i].failed = true
					all[i].shared = append(all[i].shared, all.sharedBy(use, i))
				}
			}
		}
	}
}

// share lets clusters write one text into a file that all of them build, where one of theirs is right
// for each: an overlay with a patch of its own does not keep its base as it is, and where a patch sets
// other keys of a mapping, its cluster leaves that mapping behind empty. again decides about the cluster
// at an index once more, with texts for files, and as if only this run built them.
func (all clusterFixes) share(covering *edit.Consumers, again func(i int, texts map[string][]byte) clusterFix) {
	texts, tried := map[string][]byte{}, map[string]bool{}
	for open := true; open; {
		open = false
		for _, use := range all.uses(covering) {
			if !tried[use.file] && !all.agree(use, false) {
				tried[use.file] = true
				if open = all.adopt(use, texts, again); open {
					break // the clusters may write other files than before
				}
			}
		}
	}
}

// adopt looks for a text of a file that is right for all clusters that build it, and reports whether
// there is one. It adds the text to those that were found before.
func (all clusterFixes) adopt(use fileUse, texts map[string][]byte, again func(i int, texts map[string][]byte) clusterFix) bool {
	if slices.ContainsFunc(use.builders, func(i int) bool { return len(all[i].edits) == 0 }) {
		return false // a cluster that keeps the file
	}
	const maxTexts = 4 // where clusters differ for good, each costs a build
	var candidates [][]byte
	for _, i := range use.changing {
		text := use.after[i]
		if text != nil && len(candidates) < maxTexts && !slices.ContainsFunc(candidates, func(c []byte) bool { return sameText(c, text) }) {
			candidates = append(candidates, text)
		}
	}
	for _, text := range candidates {
		texts[use.file] = text
		decided := map[int]clusterFix{}
		if !slices.ContainsFunc(use.builders, func(i int) bool {
			if own, changes := use.after[i]; changes && sameText(own, text) {
				return false
			}
			decided[i] = again(i, texts)
			return !sameText(decided[i].textOf(use.file), text)
		}) {
			for i, one := range decided {
				all[i] = one
			}
			return true
		}
	}
	delete(texts, use.file)
	return false
}

// textOf returns what a cluster makes of a file, named without links; nil if it does not change it,
// or fails.
func (one clusterFix) textOf(file string) []byte {
	i := slices.IndexFunc(one.edits, func(c files.Change) bool { return realName(c.Name) == file })
	if i < 0 || one.found.Failed() || len(one.shared) > 0 {
		return nil
	}
	return one.edits[i].After
}

// fileUse is a file that clusters change.
type fileUse struct {
	// Name is one of the names that clusters have for it, and file the one without links.
	name, file string
	// changing are the clusters that change it, builders these and then those that build it without
	// a change.
	changing, builders []int
	after              map[int][]byte // what each makes of it
}

// uses returns the files that change, in the order of their names.
func (all clusterFixes) uses(covering *edit.Consumers) []fileUse {
	at := map[string]int{} // the clusters by their paths without links
	byName := map[string]*fileUse{}
	for i, one := range all {
		if path, err := files.Real(one.Path); err == nil {
			at[path] = i
		}
		for _, change := range one.edits {
			file := realName(change.Name)
			use := byName[file]
			if use == nil {
				use = &fileUse{name: change.Name, file: file, after: map[int][]byte{}}
				byName[file] = use
			}
			use.changing, use.after[i] = append(use.changing, i), change.After
		}
	}
	var out []fileUse
	for _, file := range slices.Sorted(maps.Keys(byName)) {
		use := byName[file]
		use.builders = slices.Clone(use.changing)
		for _, path := range covering.Of(file) {
			if i, ok := at[path]; ok && !slices.Contains(use.changing, i) {
				use.builders = append(use.builders, i)
			}
		}
		out = append(out, *use)
	}
	return out
}

// agree reports whether the clusters that build a file want the same text of it. With KeepGoing
// a cluster that failed does not agree.
func (all clusterFixes) agree(use fileUse, keepGoing bool) bool {
	first := slices.IndexFunc(use.changing, func(i int) bool { return !all[i].failed })
	if first < 0 || len(use.builders) < 2 {
		return true
	}
	want := use.after[use.changing[first]]
	return !slices.ContainsFunc(use.builders, func(i int) bool {
		text, changes := use.after[i]
		if all[i].failed {
			return keepGoing
		}
		return !changes || (text == nil) != (want == nil) || !sameText(text, want)
	})
}

// sameText reports whether two texts of a file say the same. In a build the keys of an object have
// another order than in its file, and so have those that a run adds.
func sameText(a, b []byte) bool {
	if bytes.Equal(a, b) {
		return true
	}
	first, wrong := manifest.Parse("", a)
	second, err := manifest.Parse("", b)
	return wrong == nil && err == nil && slices.EqualFunc(first, second, func(a, b *yaml.RNode) bool { return yamlnode.Same(a.YNode(), b.YNode()) })
}

// sharedBy says that a file is not right for all clusters that build it.
func (all clusterFixes) sharedBy(use fileUse, of int) *edit.SharedError {
	out := &edit.SharedError{File: filepath.ToSlash(use.name), Of: filepath.ToSlash(all[of].Path)}
	for _, i := range use.builders {
		if i != of {
			out.By = append(out.By, filepath.ToSlash(all[i].Path))
		}
	}
	return out
}

// cannotWrite takes out the clusters with files that cannot be written, and reports them.
func (all clusterFixes) cannotWrite(conflicts []*files.ConflictError, covering *edit.Consumers) {
	if len(conflicts) == 0 {
		return
	}
	for i := range all {
		for _, change := range all[i].edits {
			if slices.ContainsFunc(conflicts, func(c *files.ConflictError) bool { return c.Name == change.Name }) {
				all[i].found = append(all[i].found, all[i].in(ConflictFindings(conflicts))...)
				break
			}
		}
	}
	all.settle(covering, true)
}

// sharedFindings reports each file that must change for some clusters of a repository and
// that several build: once, with all of them. command returns what gives these clusters
// patches, and patched tries that for the cluster at an index.
func (all clusterFixes) sharedFindings(command func(clusters []string) string, patched func(i int) error) finding.List {
	byFile := map[string]*edit.SharedError{}
	clusters := map[string][]int{}
	for i, one := range all {
		for _, shared := range one.shared {
			file := byFile[shared.File]
			if file == nil {
				file = &edit.SharedError{File: shared.File}
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
			one.ID, one.Text = finding.EditUnknown, (&edit.SharedError{File: name, Unknown: unknown}).Error()
		}
		var names []string
		for _, i := range clusters[name] {
			err, ok := tried[i]
			if !ok {
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
			one.Do = "run the command again with --patch (" + command(names) + "): it gives each that needs one a patch of its own"
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

// nothingIsError returns the findings of a decision in which an input without a CR is an error: who runs fix
// wants something fixed, and a wrong path must not look like a success. Neither must a CR that
// goldenarch does not read, if there is nothing else to decide on.
func (d fixDecision) nothingIsError(t target) finding.List {
	all := object.All(d.before)
	noCR := !slices.ContainsFunc(all, kinds.IsCR) && !slices.ContainsFunc(configsOf(d.steps), d.function.AboutPods)
	nothing := t.Kind != "" && !slices.ContainsFunc(all, mayHoldCROrPods) // a hook may name files that have none
	out := slices.Clone(d.found)
	for i, f := range out {
		isError := f.ID == finding.NoCR || f.ID == finding.CRUnread && noCR || f.ID == finding.NoPods && nothing
		if f.Severity == finding.Warning && isError {
			out[i].Severity = finding.Error
		}
	}
	return out
}

// mayHoldCROrPods reports whether an object is a CR, or may have pods.
func mayHoldCROrPods(o object.Object) bool {
	return kinds.IsCR(o) || forecast.IsSSP(o.At.APIVersion, o.At.Kind) || podspec.MayHave(o.Node.YNode())
}
