package write

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/goldenarch/goldenarch/internal/durable"
	"github.com/goldenarch/goldenarch/internal/pathname"
	"github.com/goldenarch/goldenarch/internal/regular"
)

// journalPlace is a place that a journal may be in.
type journalPlace struct {
	dir, name string
	// state says that the place is below the user's state directory, and not in a
	// repository, which somebody else may have packed.
	state bool
	// refused is why goldenarch does not use the place.
	refused error
}

func (p journalPlace) String() string { return filepath.Join(p.dir, p.name) }

// exists reports whether the place has a journal, or anything else of its name.
func (p journalPlace) exists() bool {
	_, err := os.Lstat(p.String())
	return err == nil
}

const (
	gitJournal = "goldenarch-journal.json"
	oldJournal = ".goldenarch-fix.json"
)

// The reasons why goldenarch does not use a place for its journal.
var (
	errNotOurDirectory = errors.New("the directory belongs to another user")
	errNotGitDirectory = errors.New("it is not the Git directory of this work tree")
	errNoState         = errors.New("there is no state directory of the user: set XDG_STATE_HOME to a directory outside the tree")
)

// places returns the places for the journal of a tree, the best first.
func (t Tree) places() []journalPlace {
	var out []journalPlace
	if dir, err := t.gitDirectory(); dir != "" {
		out = append(out, journalPlace{dir: dir, name: gitJournal, refused: err})
	}
	dir, err := stateDirectory(os.Getenv)
	if err == nil && (pathname.Within(dir, t.typed) || pathname.Within(withoutLinks(dir), t.real)) {
		err = errNoState // the authors of the tree write there
	}
	if err == nil {
		sum := sha256.Sum256([]byte(t.real))
		out = append(out, journalPlace{dir: filepath.Join(dir, "goldenarch"), name: hex.EncodeToString(sum[:16]) + ".json", state: true})
	}
	return out
}

// withoutLinks resolves the part of a path that exists.
func withoutLinks(path string) string {
	if resolved, err := filepath.EvalSymlinks(path); err == nil {
		return resolved
	}
	if above := filepath.Dir(path); above != path {
		return filepath.Join(withoutLinks(above), filepath.Base(path))
	}
	return path
}

// gitDirectory returns the Git directory of the work tree, as "git rev-parse --git-dir"
// does, and why goldenarch does not use it. Whoever packs an archive chooses what .git is,
// so the directory must belong to the caller. One elsewhere must also name this work tree.
func (t Tree) gitDirectory() (string, error) {
	link := filepath.Join(t.real, ".git")
	info, err := os.Lstat(link)
	switch {
	case err != nil:
		return "", nil //nolint:nilerr // no repository
	case info.IsDir():
		return link, t.usableGit(link)
	case !info.Mode().IsRegular():
		return "", nil
	}
	const limit = 1 << 16
	text, err := regular.ReadUpTo(link, limit)
	if err != nil {
		return "", nil //nolint:nilerr // it names no directory
	}
	path, is := strings.CutPrefix(strings.TrimRight(string(text), "\r\n"), "gitdir: ")
	if !is || path == "" || strings.ContainsRune(path, 0) {
		return "", nil
	}
	path = from(t.real, path)
	dir, err := filepath.EvalSymlinks(path)
	switch {
	case err != nil:
		return path, errNotGitDirectory
	case pathname.Within(dir, t.real) || !t.isNamedBy(dir):
		return dir, errNotGitDirectory
	}
	return dir, t.usableGit(dir)
}

// usableGit has the rules of Git's is_git_directory (setup.c), and asks for the owner.
func (t Tree) usableGit(dir string) error {
	exists := func(name string) bool {
		_, err := os.Lstat(filepath.Join(dir, name))
		return err == nil
	}
	if !exists("HEAD") || !exists("commondir") && (!exists("objects") || !exists("refs")) {
		return errNotGitDirectory
	}
	info, err := os.Lstat(dir)
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return errNotGitDirectory
	}
	if !t.isOurs(info) {
		return errNotOurDirectory
	}
	return nil
}

// isNamedBy reports whether a Git directory elsewhere is for this work tree: that of a
// linked worktree has the path of the .git file, and that of a submodule the work tree.
func (t Tree) isNamedBy(dir string) bool {
	const limit = 1 << 20
	if text, err := regular.ReadUpTo(filepath.Join(dir, "gitdir"), limit); err == nil {
		path := from(dir, strings.TrimSpace(string(text)))
		resolved, err := filepath.EvalSymlinks(filepath.Dir(path))
		return err == nil && resolved == t.real && filepath.Base(path) == ".git"
	}
	for _, name := range []string{"config", "config.worktree"} {
		text, err := regular.ReadUpTo(filepath.Join(dir, name), limit)
		if err != nil {
			continue
		}
		path := workTreeIn(text)
		if resolved, err := filepath.EvalSymlinks(from(dir, path)); path != "" && err == nil && resolved == t.real {
			return true
		}
	}
	return false
}

// from returns a path that may be relative to a directory.
func from(dir, path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(dir, path)
}

// workTreeIn returns core.worktree of a Git configuration, as Git writes it.
func workTreeIn(config []byte) string {
	section := ""
	for line := range strings.Lines(string(config)) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "[") {
			section = strings.ToLower(line)
			continue
		}
		name, value, _ := strings.Cut(line, "=")
		if section == "[core]" && strings.EqualFold(strings.TrimSpace(name), "worktree") {
			return strings.Trim(strings.TrimSpace(value), `"`)
		}
	}
	return ""
}

// stateDirectory returns the user's directory for state: that of the XDG specification, or
// that of the system.
func stateDirectory(env func(string) string) (string, error) {
	if dir := env("XDG_STATE_HOME"); filepath.IsAbs(dir) {
		return filepath.Clean(dir), nil // the specification ignores relative ones
	}
	home, below := "HOME", filepath.Join(".local", "state")
	switch runtime.GOOS {
	case "windows":
		home, below = "LocalAppData", ""
	case "darwin":
		below = filepath.Join("Library", "Application Support")
	}
	if dir := env(home); filepath.IsAbs(dir) {
		return filepath.Join(dir, below), nil
	}
	return "", errNoState
}

// open opens the place, and makes its directory if it is the user's.
func (p journalPlace) open(faults durable.Faults) (*durable.Dir, error) {
	if p.refused != nil {
		return nil, p.refused
	}
	if p.state {
		const private = 0o700
		if err := os.MkdirAll(p.dir, private); err != nil {
			return nil, err
		}
	}
	info, err := os.Lstat(p.dir)
	switch {
	case err != nil:
		return nil, err
	case !info.IsDir():
		return nil, fmt.Errorf("%s: %w", p.dir, errNotFile)
	case !isOurs(info):
		return nil, fmt.Errorf("%s: %w", p.dir, errNotOurDirectory)
	}
	return durable.OpenDir(p.dir, faults)
}

// OldJournals returns the files with the name that the journal of earlier versions had, in
// the directories of the paths and above. Anybody may have written them.
func (t Tree) OldJournals(paths []string) []string {
	var out []string
	for _, dir := range t.above(paths) {
		name := filepath.Join(dir, oldJournal)
		if _, err := os.Lstat(name); err == nil {
			out = append(out, name)
		}
	}
	return out
}
