package repo

import (
	"path/filepath"
	"strings"

	"github.com/goldenarch/goldenarch/internal/files"
	"github.com/goldenarch/goldenarch/internal/pattern"
)

// checkout is the Git repository that a tree is in.
type checkout struct {
	// top is the directory that paths of Applications are relative to.
	top string
	// names are the last parts of the URLs of its remotes; empty if none is known.
	names map[string]bool
}

// In the configuration of Git, section matches the name of a section, and remoteURL the URL of
// a remote, which may be in quotes, in the line of its section, and before a comment.
var (
	section   = pattern.Of(`^\s*\[\s*([\w-]+)`)
	remoteURL = pattern.Of(`(?i)^\s*(?:\[[^\]]*\]\s*)?(?:push)?url\s*=\s*"?([^\s"#;]+)"?\s*(?:[#;].*)?$`)
)

// repositoryOf returns the repository that a directory is in. Without one, paths are
// relative to the directory.
func repositoryOf(dir string) checkout {
	out := checkout{top: files.GitRoot(dir), names: map[string]bool{}}
	if out.top == "" {
		out.top = dir
		return out
	}
	data, err := files.Read(filepath.Join(GitDir(out.top), "config"))
	if err != nil {
		return out
	}
	isRemote := false // and not a submodule, which is another repository
	for line := range strings.Lines(string(data)) {
		if found := section().FindStringSubmatch(line); found != nil {
			isRemote = strings.EqualFold(found[1], "remote")
		}
		if found := remoteURL().FindStringSubmatch(strings.TrimSpace(line)); isRemote && found != nil {
			out.names[nameOf(found[1])] = true
		}
	}
	return out
}

// GitDir returns the directory with the configuration of a repository. In a worktree and in
// a submodule, .git is a file that names it. In a worktree, the file commondir there names
// the directory of the main one (gitrepository-layout).
func GitDir(top string) string {
	dir := filepath.Join(top, ".git")
	data, err := files.Read(dir)
	if err != nil {
		return dir
	}
	named, ok := strings.CutPrefix(string(data), "gitdir:")
	if !ok {
		return dir
	}
	dir = below(top, named)
	if data, err := files.Read(filepath.Join(dir, "commondir")); err == nil {
		dir = below(dir, string(data))
	}
	return dir
}

// below returns the path that a file of Git names, relative to a directory.
func below(dir, named string) string {
	named = filepath.FromSlash(strings.TrimSpace(named))
	if filepath.IsAbs(named) {
		return named
	}
	return filepath.Join(dir, named)
}

// is reports whether a URL may be that of the repository. A fork has another owner, so
// the name of the repository decides. A URL with a placeholder may be any.
func (c checkout) is(url string) bool {
	return len(c.names) == 0 || strings.ContainsAny(url, "{$") || url == "" || c.names[nameOf(url)]
}

// nameOf returns the name of a repository, without its owner and its host.
func nameOf(url string) string {
	url = strings.TrimSuffix(strings.TrimRight(url, "/"), ".git")
	return strings.ToLower(url[strings.LastIndexAny(url, "/:")+1:])
}
