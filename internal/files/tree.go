package files

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Tree is what a run may write in: a directory, and what the operator names for output.
type Tree struct {
	typed, real string // the root, as the operator reaches it, and without links
	here        []string
	outputs     []output
	// wide says that nothing but the paths chose the root: there is no repository. A
	// kustomization may name files beside it.
	wide bool
	// linked is why goldenarch writes nothing below the root: links choose it.
	linked error
}

// output is a file or directory that the operator names for output.
type output struct{ typed, dir, name string }

// errSeveralTrees is the error of paths that no tree holds together.
var errSeveralTrees = errors.New("the paths are in different repositories, or only some are in one: run goldenarch for each of them")

// errLinkedPath is the error of a path outside of the tree of the working directory that has
// links. Without a repository nothing says who made them.
var errLinkedPath = errors.New("the path has a link, and is in no Git repository")

// FindTree returns the tree of a run. It is the Git work tree that contains the working
// directory, or else the working directory itself. A path below it does not change that,
// except one in a repository of its own. Paths that are elsewhere choose the Git work tree
// that contains them, or else the nearest directory above all of them.
//
// Only a part of a path above a repository may have links: what follows is from Git, and
// its author must not choose another tree.
func FindTree(paths []string) (Tree, error) {
	base, err := treeHere()
	if err != nil {
		return Tree{}, err
	}
	if len(paths) == 0 {
		return base, nil
	}
	trees := map[string]Tree{}
	var common string
	for i, path := range paths {
		one, dir, err := base.treeOf(path)
		if err != nil {
			return Tree{}, err
		}
		if trees[one.real] = one; i == 0 {
			common = dir
		}
		for !Within(dir, common) {
			common = filepath.Dir(common)
		}
	}
	switch one, none := trees[""]; {
	case none && len(trees) == 1:
		one.typed, one.wide, one.linked = common, true, base.linksOf(paths)
		one.real, err = filepath.EvalSymlinks(common)
		return one, err
	case len(trees) == 1:
		return slices.Collect(maps.Values(trees))[0], nil
	case base.isBase() && base.holdsAll(paths):
		return base, nil // several repositories below the working directory
	}
	delete(trees, "")
	return Tree{}, fmt.Errorf("%w (%s)", errSeveralTrees, strings.Join(slices.Sorted(maps.Keys(trees)), ", "))
}

// linksOf returns an error if the directory of a path has links. Those above the working
// directory, such as /tmp of macOS, are not the path's.
func (t Tree) linksOf(paths []string) error {
	for _, path := range paths {
		dir := t.absolute(path)[0]
		if info, err := os.Stat(dir); err == nil && !info.IsDir() {
			dir = filepath.Dir(dir)
		}
		for at := dir; !slices.ContainsFunc(t.here, func(here string) bool { return Within(here, at) }); at = filepath.Dir(at) {
			if info, err := os.Lstat(at); err == nil && info.Mode()&fs.ModeSymlink != 0 {
				return fmt.Errorf("%w: %q is a link: name the directory that it leads to, or run goldenarch there", errLinkedPath, at)
			}
		}
	}
	return nil
}

// isBase reports whether paths below the working directory are in its tree. The root of
// the file system, where containers start, holds everything and is nobody's tree.
func (t Tree) isBase() bool { return t.hasGit() || filepath.Dir(t.real) != t.real }

// treeHere returns the tree of the working directory.
func treeHere() (Tree, error) {
	dir, err := os.Getwd()
	if err != nil {
		return Tree{}, err
	}
	resolved, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return Tree{}, err
	}
	t := Tree{typed: resolved, real: resolved, here: []string{dir, resolved}}
	if top := GitRoot(resolved); top != "" {
		t.typed, t.real = top, top
	}
	// The shell's name of the directory may have links, and its part of the tree too.
	for above := dir; above != filepath.Dir(above); above = filepath.Dir(above) {
		if resolved, err := filepath.EvalSymlinks(above); err == nil && resolved == t.real {
			t.typed = above
			break
		}
	}
	return t, nil
}

func (t Tree) hasGit() bool { return hasGit(t.real) }

// treeOf returns the tree of one path, an empty one if it is in no repository, and the
// directory of the path.
func (t Tree) treeOf(path string) (Tree, string, error) {
	dir, err := filepath.Abs(path)
	if err != nil {
		return Tree{}, "", err
	}
	outer := Tree{here: t.here}
	below, ok := t.below(path)
	if ok = ok && t.isBase(); ok {
		dir, outer = filepath.Join(t.typed, below), t
	}
	if info, err := os.Stat(dir); err != nil || !info.IsDir() { //nolint:gosec // the same
		dir = filepath.Dir(dir)
	}
	if ok && t.hasGit() {
		return t, dir, nil
	}
	var tops []string
	for at := dir; at != filepath.Dir(at) && (!ok || at != t.typed); at = filepath.Dir(at) {
		if hasGit(at) {
			tops = append(tops, at)
		}
	}
	// From the root down: links may lead to the first repository, and not to one below it.
	for _, top := range slices.Backward(tops) {
		resolved, err := filepath.EvalSymlinks(top)
		if err != nil {
			return Tree{}, "", err
		}
		if outer.typed != "" {
			if below, err := filepath.Rel(outer.typed, top); err != nil || filepath.Join(outer.real, below) != resolved {
				break
			}
		}
		outer.typed, outer.real = top, resolved
	}
	return outer, dir, nil
}

// holdsAll reports whether all paths are below the root.
func (t Tree) holdsAll(paths []string) bool {
	return !slices.ContainsFunc(paths, func(path string) bool {
		_, ok := t.below(path)
		return !ok
	})
}

// Root returns the directory as the operator reaches it.
func (t Tree) Root() string { return t.typed }

// absolute returns what a name may mean: the working directory may have two names.
func (t Tree) absolute(name string) []string {
	if filepath.IsAbs(name) {
		return []string{filepath.Clean(name)}
	}
	var out []string
	for _, here := range t.here {
		out = append(out, filepath.Join(here, name))
	}
	return out
}

// below returns the part of a name that is below the root. It resolves no link.
func (t Tree) below(name string) (string, bool) {
	for _, path := range t.absolute(name) {
		for _, root := range []string{t.typed, t.real} {
			if below, err := filepath.Rel(root, path); err == nil && filepath.IsLocal(below) {
				return below, true
			}
		}
	}
	return "", false
}

// Output adds a file that the operator names for output, or a directory that exists. Its name is
// resolved as given.
func (t *Tree) Output(name string) error {
	target, err := targetOf(name)
	if err != nil {
		return err
	}
	out := output{typed: t.absolute(name)[0], dir: target}
	if !IsDir(target) {
		out.dir, out.name = filepath.Dir(target), filepath.Base(target)
	}
	t.outputs = append(t.outputs, out)
	return nil
}

func realPath(name string) (string, error) {
	path, err := filepath.EvalSymlinks(name)
	if err != nil {
		return "", err
	}
	return filepath.Abs(path)
}

// targetOf returns the file that a name leads to. The file need not exist, its directory
// must.
func targetOf(name string) (string, error) {
	target, err := realPath(name)
	if !errors.Is(err, fs.ErrNotExist) {
		return target, err
	}
	if info, err := os.Lstat(name); err == nil && info.Mode()&fs.ModeSymlink != 0 { //nolint:gosec // the same
		return "", fmt.Errorf("%s: %w", name, errBrokenLink)
	}
	dir, err := realPath(filepath.Dir(name))
	return filepath.Join(dir, filepath.Base(name)), err
}

// locate returns where a file is. It refuses what leads out of the tree and what is Git's.
func (t Tree) locate(name string) (location, error) {
	for _, o := range t.outputs {
		below, err := filepath.Rel(o.typed, t.absolute(name)[0])
		if err != nil || !filepath.IsLocal(below) || o.name != "" && below != "." {
			continue
		}
		if o.name != "" {
			below = o.name
		}
		p, err := locate(o.dir, below)
		if err == nil && inGit(p.String()) {
			err = errGit
		}
		return p, err
	}
	if t.linked != nil {
		return location{}, t.linked
	}
	below, ok := t.below(name)
	switch {
	case !ok && t.wide:
		return t.beside(name)
	case !ok:
		return location{}, fmt.Errorf("%w: goldenarch writes below %s", errOutside, t.typed)
	}
	if inGit(below) {
		return location{}, errGit
	}
	p, err := locate(t.real, below)
	if err == nil && inGit(p.path) {
		err = errGit
	}
	return p, err
}

// beside returns where a file beside the root is, below the nearest directory above both.
func (t Tree) beside(name string) (location, error) {
	path := t.absolute(name)[0]
	for _, root := range []string{t.typed, t.real} {
		for !Within(path, root) {
			root = filepath.Dir(root)
		}
		if root == filepath.Dir(root) {
			continue // they have nothing in common
		}
		above, err := filepath.EvalSymlinks(root)
		if err != nil {
			return location{}, err
		}
		below, err := filepath.Rel(root, path)
		if err != nil {
			return location{}, err
		}
		p, err := locate(above, below)
		if err == nil && (inGit(below) || inGit(p.path)) {
			err = errGit
		}
		return p, err
	}
	return location{}, fmt.Errorf("%w: goldenarch writes below %s", errOutside, t.typed)
}

func locate(root, below string) (location, error) {
	target, err := targetOf(filepath.Join(root, below))
	if err != nil {
		return location{}, err
	}
	path, err := filepath.Rel(root, target)
	if err != nil || !filepath.IsLocal(path) {
		return location{}, errLeads
	}
	return location{root: root, path: path}, nil
}

// Check returns why goldenarch would not write a file of the tree, if it would not because
// of its name.
func (t Tree) Check(name string) *ConflictError {
	_, err := t.locate(name)
	if err == nil || errors.Is(err, fs.ErrNotExist) {
		return nil // a directory on the way may be missing, which the write reports
	}
	return &ConflictError{name, err}
}

// prepare checks one change.
func (t Tree) prepare(c Change) (target, error) {
	p, err := t.locate(c.Name)
	if err != nil {
		return target{}, err
	}
	out := target{Change: c, location: p}
	return out, p.with(nil, out.check)
}

// Prepare checks all changes. It returns a conflict for each file that cannot be written.
func (t Tree) Prepare(changes []Change) (ChangeSet, []*ConflictError) {
	var s ChangeSet
	seen := map[string]string{}
	var conflicts []*ConflictError
	for _, c := range changes {
		one, err := t.prepare(c)
		if other, twice := seen[one.String()]; err == nil && twice {
			err = fmt.Errorf("%w (%s)", errSame, other)
		}
		if err != nil {
			conflicts = append(conflicts, &ConflictError{c.Name, err})
			continue
		}
		seen[one.String()] = c.Name
		s.targets = append(s.targets, one)
	}
	return s, conflicts
}

// joined returns the conflicts as one error, nil for none.
func joined(conflicts []*ConflictError) error {
	errs := make([]error, len(conflicts))
	for i, c := range conflicts {
		errs[i] = c
	}
	return errors.Join(errs...)
}

// Update reads files, calls edit for each, and writes all texts that edit returns, or none.
// Meanwhile no other process can update them, so that none of several simultaneous
// additions is lost. The text is nil if the file does not exist. If edit returns nil, or the
// same text, the file stays. Update returns the error of edit unchanged.
func (t Tree) Update(ctx context.Context, names []string, edit func(i int, text []byte) ([]byte, error)) (Written, error) {
	places := make([]location, len(names))
	for i, name := range names {
		p, err := t.locate(name)
		if err != nil {
			return Written{}, &ConflictError{name, err}
		}
		places[i] = p
	}
	unlock, err := lock(places)
	if err != nil {
		return Written{}, err
	}
	defer unlock()
	var changes []Change
	for i, name := range names {
		now, err := Read(places[i].String())
		if errors.Is(err, fs.ErrNotExist) {
			now, err = nil, nil
		}
		if err != nil {
			return Written{}, fmt.Errorf("read %s: %w", name, err)
		}
		after, err := edit(i, now)
		if err != nil {
			return Written{}, err
		}
		if after != nil && !same(now, after) {
			changes = append(changes, Change{Name: name, Before: now, After: after})
		}
	}
	set, conflicts := t.Prepare(changes)
	if len(conflicts) > 0 {
		return Written{}, joined(conflicts)
	}
	return set.commitLocked(ctx, nil)
}

// inGit reports whether a component of a path is a name that Git, or a file system on which
// Git runs, takes for .git. Git runs programs that files below it name.
func inGit(path string) bool {
	components := strings.FieldsFunc(filepath.ToSlash(path), func(r rune) bool { return r == '/' || r == '\\' })
	return slices.ContainsFunc(components, isDotGit)
}

// isDotGit has the rules of Git's is_hfs_dotgit (utf8.c) and is_ntfs_dotgit (path.c): HFS+
// ignores case and some code points; NTFS ignores case and dots and blanks at the end, cuts
// at a colon, and has short names.
func isDotGit(name string) bool {
	name = strings.Map(func(r rune) rune {
		if ignoredByHFS(r) {
			return -1
		}
		return r
	}, name)
	name, _, _ = strings.Cut(name, ":")
	switch strings.ToLower(strings.TrimRight(name, " .")) {
	case ".git", "git~1":
		return true
	}
	return false
}

// ignoredByHFS has the code points of Git's next_hfs_char.
func ignoredByHFS(r rune) bool {
	return r >= 0x200c && r <= 0x200f || r >= 0x202a && r <= 0x202e || r >= 0x206a && r <= 0x206f || r == 0xfeff
}
