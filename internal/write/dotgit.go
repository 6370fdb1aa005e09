package write

import (
	"path/filepath"
	"strings"
)

// inGit reports whether a component of a path is a name that Git, or a file system on which
// Git runs, takes for .git. Git runs programs that files below it name.
func inGit(path string) bool {
	for component := range strings.FieldsFuncSeq(filepath.ToSlash(path), func(r rune) bool { return r == '/' || r == '\\' }) {
		if isDotGit(component) {
			return true
		}
	}
	return false
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
