package workspace

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/engine"
	"github.com/goldenarch/goldenarch/internal/engine/configuration"
	"github.com/goldenarch/goldenarch/internal/files"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/kustomize"
	"github.com/goldenarch/goldenarch/internal/kustomize/edit"
	"github.com/goldenarch/goldenarch/internal/manifest"
	"github.com/goldenarch/goldenarch/internal/manifest/object"
	"github.com/goldenarch/goldenarch/internal/workspace/fleet"
	"github.com/goldenarch/goldenarch/internal/workspace/repo"
)

// Base is the commit that an input is a change of, with the policy for an input that a stranger may have written.
type Base struct {
	// Untrusted says that the input is a stranger's.
	Untrusted bool
	// Ref names the commit; "" for none.
	Ref string
	// tops are the trees of the PATHs: the outermost Git work tree of each, as the user
	// names it and without links.
	tops []string
	// top is the Git work tree of the PATHs, and policy the directory with the files of the commit of
	// --base. They are "" without a commit.
	top, policy string
	// Asks reports whether goldenarch may contact a host; nil if it contacts none.
	Asks func(host string) bool
	*untrustedState
}

// untrustedState is what the checks of all places share.
type untrustedState struct {
	mu sync.Mutex
	// ignored are the .krmignore of the tree that have no effect.
	ignored map[string]bool
	// session keeps what the clusters of the commit of the policy share.
	session *edit.Session
	// layout returns the clusters of the repository in the commit of the policy.
	layout func() (repo.Layout, error)
}

// FindTrees finds the trees of the PATHs.
func (u *Base) FindTrees(paths []string) error {
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
		own, outermost := files.GitTop(dir)
		_, reached := files.GitTop(target)
		u.tops = append(u.tops, cmp.Or(outermost, dir), cmp.Or(reached, target))
		if own == "" || u.top != "" && own != u.top {
			return Misuse{Err: fmt.Errorf("--base needs PATHs in one Git work tree, and %q is in none or in another", path)}
		}
		u.top = own
	}
	return nil
}

// Export copies the commit of the policy out of Git.
func (u *Base) Export(ctx context.Context) (end func(), err error) {
	dir, err := os.MkdirTemp("", "goldenarch-policy-")
	if err != nil {
		return nil, err
	}
	end = func() { _ = os.RemoveAll(dir) } // a leftover in the temporary directory harms nobody
	if dir, err = filepath.EvalSymlinks(dir); err == nil {
		err = files.ExportCommit(ctx, u.top, u.Ref, dir)
	}
	if err == nil { // the root of the copy is where that of the repository is, and has its remotes
		err = os.WriteFile(filepath.Join(dir, ".git"), []byte("gitdir: "+repo.GitDir(u.top)+"\n"), 0o600)
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

// Named returns an error with the files of the policy as the user knows them.
func (u *Base) Named(err error) error {
	if err == nil || u.policy == "" || !strings.Contains(err.Error(), u.policy) {
		return err
	}
	return namedError{err, u.Shown(err.Error())}
}

// Holds reports whether a file is in a tree of the input, by its name or through a link.
func (u *Base) Holds(file string) bool {
	path, err := filepath.Abs(file)
	if err != nil {
		return true
	}
	names := []string{path}
	if target, err := filepath.EvalSymlinks(path); err == nil {
		names = append(names, target)
	}
	return slices.ContainsFunc(names, func(name string) bool {
		return slices.ContainsFunc(u.tops, func(top string) bool { return files.Within(name, top) })
	})
}

// inPolicy returns the path of a file in the commit of the policy, "" if it has none.
func (u *Base) inPolicy(file string) string {
	at := u.placeInCommit(file)
	if !files.Exists(at) {
		return ""
	}
	return at
}

// placeInCommit returns where the commit of the policy would have a file, "" for one outside of its tree.
func (u *Base) placeInCommit(file string) string {
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

// UseBaseAlone sees to it that the run believes only the commit of the policy. It replaces each file of a flag that is in the tree with the
// one in that commit.
func (o *Options) UseBaseAlone() error {
	u := &o.Base
	u.untrustedState = &untrustedState{ignored: map[string]bool{}, session: &edit.Session{}}
	errs := []error{u.trustedFile("config", &o.Config), u.trustedFile("live", &o.Live), u.trustedFile("facts", &o.Facts)}
	for i := range o.Nodes {
		errs = append(errs, u.trustedFile("nodes", &o.Nodes[i]))
	}
	file := o.Fleet // its paths are relative to where it is in the tree
	return cmp.Or(append(errs, u.trustedFile("fleet", &file))...)
}

// trustedFile replaces the file of a flag that is in the tree with the one in the commit of the policy. It is a misuse if that has
// none: whoever wrote the tree wrote the file.
func (u *Base) trustedFile(flag string, file *string) error {
	if *file == "" || *file == manifest.Stdin || !u.Holds(*file) {
		return nil
	}
	at := u.inPolicy(*file)
	if at == "" {
		return Misuse{Err: fmt.Errorf("--%s: %s has no file %q", flag, u.Ref, *file)}
	}
	*file = at
	return nil
}

// ignoreFrom returns which .krmignore count. Those of an untrusted tree hide nothing.
func (u *Base) ignoreFrom() manifest.IgnoreFrom {
	if !u.Untrusted {
		return nil
	}
	return func(dir string) string {
		own := filepath.Join(dir, manifest.IgnoreFile)
		if files.Within(dir, u.policy) {
			return dir
		}
		there := u.placeInCommit(dir)
		_, err := os.Lstat(own)
		if err == nil && (there == "" || !sameFile(own, filepath.Join(there, manifest.IgnoreFile))) {
			u.mu.Lock()
			defer u.mu.Unlock()
			u.ignored[own] = true
		}
		return there
	}
}

// ignoredFiles reports the files of the tree that configure goldenarch and have no effect.
func (u *Base) ignoredFiles(root string) finding.List {
	if !u.Untrusted {
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

// givePolicy gives a function the policy for a target, from what the commit of the policy has of it.
func (r *reader) givePolicy(function *engine.Function, t target) finding.List {
	u := &r.Base
	if !u.Untrusted {
		return nil
	}
	operators, err := r.configOfFlag()
	if err != nil {
		return finding.List{{ID: finding.Unreadable, Severity: finding.Error, Text: err.Error()}}
	}
	policy := &configuration.Policy{
		Ref: u.Ref, Operator: operators, Asks: u.Asks,
		StatesNodes: len(r.Nodes) > 0 || r.Live != "" || r.StatesArchitectures,
	}
	function.Policy = policy
	there := Options{Environment: r.Environment, StatesArchitectures: r.StatesArchitectures, Base: *u}
	one := there.newReader()
	one.request, one.unpatched, one.session = r.request, r.unpatched, u.session
	items, found := one.readInPolicy(t, r.CRPaths)
	if found.Failed() {
		return u.unreadable(found)
	}
	steps, err := one.steps(items)
	if err != nil {
		return u.unreadable(finding.List{{ID: finding.Unreadable, Severity: finding.Error, Text: err.Error()}})
	}
	object.Rename(items, u.Shown)
	policy.Given = configsOf(steps)
	policy.Items = slices.DeleteFunc(items, func(item *yaml.RNode) bool { return slices.Contains(policy.Given, item) })
	policy.Dir = cmp.Or(steps[0].Dir, u.inPolicy(function.Dir))
	return nil
}

// readInPolicy reads what the commit of the policy has of a target; places are those of CRs in files.
func (r *reader) readInPolicy(t target, places CRPaths) ([]*yaml.RNode, finding.List) {
	u := &r.Base
	if t.Kind == "" {
		return r.readAll(u.pathsInPolicy(places.PathsOr(t.paths)))
	}
	there, ok, err := u.placeInPolicy(t.Place)
	if err != nil {
		return nil, finding.List{{ID: finding.Unreadable, Severity: finding.Error, Text: err.Error()}}
	}
	if !ok {
		return nil, nil
	}
	for _, beside := range t.Beside {
		if more, ok, err := u.placeInPolicy(beside); ok && err == nil {
			there.Beside = append(there.Beside, more)
		}
	}
	return r.readPlace(there)
}

// pathsInPolicy returns those of some paths that the commit of the policy has.
func (u *Base) pathsInPolicy(paths []string) []string {
	var out []string
	for _, path := range paths {
		if at := u.inPolicy(path); at != "" && path != manifest.Stdin {
			out = append(out, at)
		}
	}
	return out
}

// Shown replaces the directory with the files of the policy in a text.
func (u *Base) Shown(text string) string {
	for _, dir := range []string{filepath.ToSlash(u.policy), u.policy} {
		text = strings.ReplaceAll(strings.ReplaceAll(text, dir+"/", u.Ref+":"), dir, u.Ref)
	}
	return text
}

// unreadable reports that the policy cannot be read.
func (u *Base) unreadable(list finding.List) finding.List {
	var found finding.List
	for _, f := range list {
		if f.Severity != finding.Error {
			continue
		}
		found = append(found, finding.Finding{
			ID: finding.PolicyUnreadable, Severity: finding.Error, Text: fmt.Sprintf("the policy in %s cannot be read: %s", u.Ref, u.Shown(f.String())),
			Do: "correct that commit, or name another one with --base",
		})
	}
	return found
}

// placeInPolicy returns the place in the commit of the policy, and false if it has none.
func (u *Base) placeInPolicy(place repo.Place) (repo.Place, bool, error) {
	at := u.inPolicy(place.Path)
	if at == "" {
		return repo.Place{}, false, nil
	}
	if kustomize.In(at) {
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
func (u *Base) scanPolicy(root string, options repo.Options) {
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
func (u *Base) raised(found finding.List) finding.List {
	for i, f := range found {
		if u.Untrusted && f.Severity == finding.Warning && slices.Contains(couldHide, f.ID) {
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
	one, err := files.Read(a)
	other, wrong := files.Read(b)
	return err == nil && wrong == nil && bytes.Equal(one, other)
}
