package cli

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/cobra"
	"sigs.k8s.io/kustomize/kyaml/kio/kioutil"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/configuration"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/fleet"
	"github.com/goldenarch/goldenarch/internal/gittree"
	"github.com/goldenarch/goldenarch/internal/input/kustomization"
	"github.com/goldenarch/goldenarch/internal/input/kustomization/edit"
	"github.com/goldenarch/goldenarch/internal/input/manifest"
	"github.com/goldenarch/goldenarch/internal/object"
	"github.com/goldenarch/goldenarch/internal/pathname"
	"github.com/goldenarch/goldenarch/internal/pipeline"
	"github.com/goldenarch/goldenarch/internal/regular"
	"github.com/goldenarch/goldenarch/internal/repo"
)

// untrusted has the flags for an input that a stranger may have written, and where the
// policy for it is.
type untrusted struct {
	on  bool
	ref string
	// tops are the trees of the PATHs: the outermost Git work tree of each, as the user
	// names it and without links.
	tops []string
	// top is the Git work tree of the PATHs, and policy the directory with the files of the commit of
	// --base. They are "" without the flag.
	top, policy string
	// asks reports whether goldenarch may contact a host; nil if it contacts none.
	asks func(host string) bool
	*untrustedState
}

// untrustedState is what the checks of all places share.
type untrustedState struct {
	mu sync.Mutex
	// ignored are the .krmignore of the tree that have no effect.
	ignored map[string]bool
	// same says of paths of builds whether both commits have the same there.
	same map[string]bool
	// session keeps what the clusters of the commit of the policy share.
	session *edit.Session
	// layout returns the clusters of the repository in the commit of the policy.
	layout func() (repo.Layout, error)
}

func (u *untrusted) add(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&u.on, "untrusted", false,
		"do not trust the input, such as a pull request: use no logins of this machine, contact only listed hosts, and believe no exceptions of the input")
	cmd.Flags().StringVar(&u.ref, "base", "",
		"Git commit, branch or tag that the input is a change of, such as origin/main: check says what the change makes worse or better. "+
			"With --untrusted, the Fleet, configurations, node facts, exceptions, lock and .krmignore of that commit count")
}

// errNoBase is the error of a run that does not trust its input and knows nothing else.
var errNoBase = errors.New("--untrusted needs --base REF, the commit whose Fleet, configurations, exceptions and lock count: " +
	"fetch the branch that the change is for (git fetch --depth=1 origin main), and add --base origin/main")

// distrust applies --untrusted and --base to the other flags, before anything is read.
// The caller calls end when the run is over.
func (o *inputOptions) distrust(ctx context.Context, paths []string) (end func(), err error) {
	u := &o.untrusted
	if u.on && u.ref == "" {
		return nil, misuse{errNoBase}
	}
	if u.ref == "" {
		return func() {}, nil
	}
	if err := u.findTrees(o.crPaths.pathsOr(paths)); err != nil {
		return nil, err
	}
	if end, err = u.export(ctx); err != nil || !u.on {
		return end, err
	}
	o.streams.shown = u.shown
	if err := o.trustNothing(); err != nil {
		end()
		return nil, err
	}
	return end, nil
}

// trustNothing applies --untrusted to the other flags.
func (o *inputOptions) trustNothing() error {
	if o.flags.registry.authFile != "" || o.flags.registry.insecureCredentials {
		return misuse{errors.New("--untrusted uses no logins of this machine: leave out --authfile and --allow-insecure-credentials")}
	}
	o.untrusted.untrustedState = &untrustedState{ignored: map[string]bool{}, same: map[string]bool{}, session: &edit.Session{}}
	if err := o.useTrustedFiles(); err != nil {
		return err
	}
	o.strict, o.flags.registry.noLogins = true, true
	return o.limitHosts()
}

// limitHosts sees to it that goldenarch contacts only hosts that the operator lists.
func (o *inputOptions) limitHosts() error {
	f, mode := &o.flags.registry, o.flags.settings.given()["lock"]
	hosts, err := f.options().Confinement()
	switch {
	case err != nil:
		return misuse{err}
	case hosts.ListsHosts():
		o.untrusted.asks = func(host string) bool { return hosts.Host(host) == nil }
	case mode != "" && mode != string(v1alpha1.LockRequire):
		return misuse{fmt.Errorf("--untrusted contacts no registry, so --set lock=%s needs --registry-allow HOST", mode)}
	default:
		o.flags.offline = !o.flags.queriesAll
	}
	return nil
}

// mayAsk reports whether the run may get answers of registries.
func (u *untrusted) mayAsk() bool { return u.asks != nil }

// findTrees finds the trees of the PATHs.
func (u *untrusted) findTrees(paths []string) error {
	for _, path := range paths {
		if path == manifest.Stdin {
			path = "."
		}
		dir, err := filepath.Abs(path)
		if err != nil {
			return err
		}
		dir = dirOf(dir)
		target, err := filepath.EvalSymlinks(dir)
		if err != nil {
			target = dir // reported when it is read
		}
		own, outermost := gittree.Top(dir)
		_, reached := gittree.Top(target)
		u.tops = append(u.tops, cmp.Or(outermost, dir), cmp.Or(reached, target))
		if own == "" || u.top != "" && own != u.top {
			return misuse{fmt.Errorf("--base needs PATHs in one Git work tree, and %q is in none or in another", path)}
		}
		u.top = own
	}
	return nil
}

// export copies the commit of the policy out of Git.
func (u *untrusted) export(ctx context.Context) (end func(), err error) {
	dir, err := os.MkdirTemp("", "goldenarch-policy-")
	if err != nil {
		return nil, err
	}
	end = func() { _ = os.RemoveAll(dir) } // a leftover in the temporary directory harms nobody
	if dir, err = filepath.EvalSymlinks(dir); err == nil {
		err = gittree.Export(ctx, u.top, u.ref, dir)
	}
	if err == nil { // the root of the copy is where that of the repository is
		err = os.Mkdir(filepath.Join(dir, ".git"), 0o700)
	}
	if err != nil {
		end()
		return nil, fmt.Errorf("--base: %w", err)
	}
	u.policy = dir
	return end, nil
}

// namedError is an error with the files of the policy as the user knows them.
type namedError struct {
	error

	text string
}

func (e namedError) Error() string { return e.text }

func (e namedError) Unwrap() error { return e.error }

// named returns an error with the files of the policy as the user knows them.
func (u *untrusted) named(err error) error {
	if err == nil || u.policy == "" || !strings.Contains(err.Error(), u.policy) {
		return err
	}
	return namedError{err, u.shown(err.Error())}
}

// holds reports whether a file is in a tree of the input, by its name or through a link.
func (u *untrusted) holds(file string) bool {
	path, err := filepath.Abs(file)
	if err != nil {
		return true
	}
	names := []string{path}
	if target, err := filepath.EvalSymlinks(path); err == nil {
		names = append(names, target)
	}
	return slices.ContainsFunc(names, func(name string) bool {
		return slices.ContainsFunc(u.tops, func(top string) bool { return pathname.Within(name, top) })
	})
}

// inPolicy returns the path of a file in the commit of the policy, "" if it has none.
func (u *untrusted) inPolicy(file string) string {
	at := u.placeInCommit(file)
	if !pathname.Exists(at) {
		return ""
	}
	return at
}

// placeInCommit returns where the commit of the policy would have a file, "" for one outside of its tree.
func (u *untrusted) placeInCommit(file string) string {
	path, err := filepath.Abs(file)
	if err != nil || u.policy == "" {
		return ""
	}
	below, err := filepath.Rel(u.top, path)
	if err != nil || !filepath.IsLocal(below) {
		return ""
	}
	return filepath.Join(u.policy, below)
}

// inBase returns a build of the checked commit as that of the commit of the policy: all that it asked for is the same in both.
func (u *untrusted) inBase(one kustomization.Built) (kustomization.Built, bool) {
	if one.Path = u.placeInCommit(one.Path); one.Path == "" || !u.haveSame(one.Asked) {
		return one, false
	}
	one.Items, one.Steps = slices.Clone(one.Items), slices.Clone(one.Steps)
	for i, item := range one.Items {
		one.Items[i] = item.Copy()
		if at := object.NodeAt(one.Items[i], "metadata", "annotations", kioutil.PathAnnotation); at != nil {
			at.Value = filepath.ToSlash(u.placeInCommit(filepath.FromSlash(at.Value)))
		}
	}
	for i := range one.Steps {
		one.Steps[i].Dir = u.placeInCommit(one.Steps[i].Dir)
	}
	return one, true
}

// haveSame reports whether the checked commit and that of the policy have the same at all paths.
func (u *untrusted) haveSame(paths []string) bool {
	top, err := filepath.EvalSymlinks(u.top)
	if err != nil || len(paths) == 0 {
		return false
	}
	for _, path := range paths {
		u.mu.Lock()
		same, ok := u.same[path]
		u.mu.Unlock()
		if !ok {
			same = u.hasSame(top, path)
			u.mu.Lock()
			u.same[path] = same
			u.mu.Unlock()
		}
		if !same {
			return false
		}
	}
	return true
}

// hasSame reports whether the checked commit, which is at top, and that of the policy have the same file there, both a directory, or
// nothing.
func (u *untrusted) hasSame(top, path string) bool {
	path, err := filepath.Abs(path) // that of the directory is as the user names it
	if err != nil {
		return false
	}
	below, err := filepath.Rel(top, path)
	if err != nil || !filepath.IsLocal(below) {
		return false
	}
	target, err := filepath.EvalSymlinks(path)
	there, errThere := filepath.EvalSymlinks(filepath.Join(u.policy, below))
	if err != nil || errThere != nil {
		return errors.Is(err, fs.ErrNotExist) && errors.Is(errThere, fs.ErrNotExist)
	}
	below, err = filepath.Rel(top, target)
	return err == nil && there == filepath.Join(u.policy, below) && (sameFile(target, there) || pathname.IsDir(target) && pathname.IsDir(there))
}

// useTrustedFiles replaces each file of a flag that is in the tree with the one in the commit
// of the policy. It is a misuse if that has none: whoever wrote the tree wrote the file.
func (o *inputOptions) useTrustedFiles() error {
	u := &o.untrusted
	trusted := func(flag string, file *string, exported bool) error {
		if *file == "" || *file == manifest.Stdin || !u.holds(*file) {
			return nil
		}
		if at := u.inPolicy(*file); at != "" && exported {
			*file = at
			return nil
		}
		if exported {
			return misuse{fmt.Errorf("--%s: %s has no file %q", flag, u.ref, *file)}
		}
		return misuse{fmt.Errorf("--%s: %q is part of the untrusted input: name a file outside of its tree", flag, *file)}
	}
	errs := []error{
		trusted("config", &o.config, true), trusted("live", &o.live, true), trusted("facts", &o.facts, true),
		trusted("registries-conf", &o.flags.registry.registriesConf, false),
	}
	for i := range o.nodes {
		errs = append(errs, trusted("nodes", &o.nodes[i], true))
	}
	if o.fleet != "" {
		file := o.fleet // its paths are relative to where it is in the tree
		errs = append(errs, trusted("fleet", &file, true))
	}
	return cmp.Or(errs...)
}

// ignoreFrom returns which .krmignore count. Those of an untrusted tree hide nothing.
func (u *untrusted) ignoreFrom() manifest.IgnoreFrom {
	if !u.on {
		return nil
	}
	return func(dir string) string {
		own := filepath.Join(dir, manifest.IgnoreFile)
		if pathname.Within(dir, u.policy) {
			return dir
		}
		there := u.placeInCommit(dir)
		_, err := os.Lstat(own) //nolint:gosec // the same path is read below
		if err == nil && (there == "" || !sameFile(own, filepath.Join(there, manifest.IgnoreFile))) {
			u.mu.Lock()
			defer u.mu.Unlock()
			u.ignored[own] = true
		}
		return there
	}
}

// ignoredFiles reports the files of the tree that configure goldenarch and have no effect.
func (u *untrusted) ignoredFiles(root string) finding.List {
	if !u.on {
		return nil
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	if own := filepath.Join(root, fleet.FileName); fleet.In(root) && !sameFile(own, u.inPolicy(own)) {
		u.ignored[own] = true
	}
	var found finding.List
	for file := range u.ignored {
		found = append(found, finding.Finding{
			ID: finding.SettingUntrusted, Severity: finding.Info, Object: finding.Object{File: filepath.ToSlash(file)},
			Text: "--untrusted ignores this file of the checked commit, which could hide an error",
			Do:   "have it in the commit of --base",
		})
	}
	return found.Sorted()
}

// givePolicyOf gives a function the policy for paths that are one input.
func (r *inputReader) givePolicyOf(function *pipeline.Function, paths []string) finding.List {
	return r.givePolicyFrom(function, func(one *inputReader) ([]*yaml.RNode, finding.List) {
		var there []string
		for _, path := range r.crPaths.pathsOr(paths) {
			if at := r.untrusted.inPolicy(path); at != "" && path != manifest.Stdin {
				there = append(there, at)
			}
		}
		return one.readAll(there)
	})
}

// givePolicy gives a function the policy for one place of a repository.
func (r *inputReader) givePolicy(function *pipeline.Function, place repo.Place) finding.List {
	return r.givePolicyFrom(function, func(one *inputReader) ([]*yaml.RNode, finding.List) {
		there, is, err := r.untrusted.placeInPolicy(place)
		if err != nil {
			return nil, finding.List{{ID: finding.Unreadable, Severity: finding.Error, Text: err.Error()}}
		}
		if !is {
			return nil, nil
		}
		for _, beside := range place.Beside {
			if more, is, err := r.untrusted.placeInPolicy(beside); is && err == nil {
				there.Beside = append(there.Beside, more)
			}
		}
		return one.readPlace(there)
	})
}

// givePolicyFrom gives a function the policy among what read reads of the commit that has it.
func (r *inputReader) givePolicyFrom(function *pipeline.Function, read func(*inputReader) ([]*yaml.RNode, finding.List)) finding.List {
	u := &r.untrusted
	if !u.on {
		return nil
	}
	operators, err := r.configOfFlag()
	if err != nil {
		return finding.List{{ID: finding.Unreadable, Severity: finding.Error, Text: err.Error()}}
	}
	policy := &configuration.Policy{
		Ref: u.ref, Operator: operators, Asks: u.asks,
		StatesNodes: len(r.nodes) > 0 || r.live != "" || r.flags.settings.given()[workloadArchitectures] != "",
	}
	function.Policy = policy
	options := inputOptions{streams: r.streams, flags: r.flags, untrusted: *u}
	one := options.newReader()
	one.request, one.session, one.same = r.request, u.session, r.builds
	items, found := read(one)
	if found.Failed() {
		return u.unreadable(found)
	}
	for _, item := range items {
		if at := object.NodeAt(item, "metadata", "annotations", kioutil.PathAnnotation); at != nil {
			at.Value = u.shown(at.Value)
		}
	}
	steps, err := one.steps()
	if err != nil {
		return u.unreadable(finding.List{{ID: finding.Unreadable, Severity: finding.Error, Text: err.Error()}})
	}
	policy.Items, policy.Given = items, configsOf(steps)
	policy.Dir = cmp.Or(steps[0].Dir, u.inPolicy(function.Dir))
	return nil
}

// shown replaces the directory with the files of the policy in a text.
func (u *untrusted) shown(text string) string {
	for _, dir := range []string{filepath.ToSlash(u.policy), u.policy} {
		text = strings.ReplaceAll(strings.ReplaceAll(text, dir+"/", u.ref+":"), dir, u.ref)
	}
	return text
}

// unreadable reports that the policy cannot be read.
func (u *untrusted) unreadable(list finding.List) finding.List {
	var found finding.List
	for _, f := range list {
		if f.Severity != finding.Error {
			continue
		}
		found = append(found, finding.Finding{
			ID: finding.PolicyUnreadable, Severity: finding.Error, Text: fmt.Sprintf("the policy in %s cannot be read: %s", u.ref, u.shown(f.String())),
			Do: "correct that commit, or name another one with --base",
		})
	}
	return found
}

// placeInPolicy returns the place in the commit of the policy, and false if it has none.
func (u *untrusted) placeInPolicy(place repo.Place) (repo.Place, bool, error) {
	at := u.inPolicy(place.Path)
	if at == "" {
		return repo.Place{}, false, nil
	}
	if kustomization.In(at) {
		return repo.Place{Path: at, Kind: repo.Kustomization}, true, nil
	}
	if u.layout == nil {
		return repo.Place{}, false, nil
	}
	layout, err := u.layout()
	if err != nil {
		return repo.Place{}, false, err
	}
	if i := slices.IndexFunc(layout.Places, func(p repo.Place) bool { return p.Path == at }); i >= 0 {
		return layout.Places[i], true, nil
	}
	out := repo.Place{Path: at, Kind: repo.File}
	for _, file := range place.Files {
		if there := u.inPolicy(file); there != "" {
			out.Files = append(out.Files, there)
		}
	}
	return out, true, nil
}

// scanPolicy sees to it that the clusters of a repository are looked for in the commit of the
// policy as well, when a place first needs them.
func (u *untrusted) scanPolicy(root string, options repo.Options) {
	there := u.inPolicy(root)
	if there == "" {
		return
	}
	options.Named, options.Stated = nil, nil
	u.layout = sync.OnceValues(func() (repo.Layout, error) { return repo.Scan(there, options) })
}

// couldHide are the findings about what is not checked: a stranger decides where a CR is.
var couldHide = []finding.ID{finding.OutsideClusters, finding.ClusterUnseen, finding.NoCR, finding.NoPods}

// raised makes errors of what a stranger could have hidden from the check.
func (u *untrusted) raised(found finding.List) finding.List {
	for i, f := range found {
		if u.on && f.Severity == finding.Warning && slices.Contains(couldHide, f.ID) {
			found[i].Severity = finding.Error
			if f.ID == finding.ClusterUnseen {
				found[i].Do += ", or name it in the .krmignore of --base"
			}
		}
	}
	return found
}

// sameFile reports whether two files have the same content.
func sameFile(a, b string) bool {
	one, err := regular.Read(a)
	other, wrong := regular.Read(b)
	return err == nil && wrong == nil && bytes.Equal(one, other)
}
