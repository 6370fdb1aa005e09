package repo

import (
	"path/filepath"
	"testing"
)

// TestCheckout: an Application of another repository is about other directories. A fork
// has another owner.
func TestCheckout(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	write(t, root, ".git/config", "[remote \"origin\"]\n\turl = git@github.com:me/Fleet.git\n")
	write(t, root, "sub/x.yaml", "")
	c := repositoryOf(filepath.Join(root, "sub"))
	if c.top != root {
		t.Errorf("want the top %s, got %s", root, c.top)
	}
	for url, want := range map[string]bool{
		"https://github.com/acme/fleet.git": true, "https://github.com/acme/fleet/": true, "https://github.com/acme/other": false,
		"{{repoURL}}": true, "": true,
	} {
		if got := c.is(url); got != want {
			t.Errorf("%q: want %v, got %v", url, want, got)
		}
	}
	if c := repositoryOf(t.TempDir()); !c.is("https://github.com/acme/other") {
		t.Error("without a known remote, any URL may be the repository's")
	}
}

// TestRemotes: Git accepts a remote in several forms.
func TestRemotes(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ reason, config string }{
		{"as Git writes it", "[remote \"origin\"]\n\turl = https://git.example/me/fleet.git\n"},
		{"in quotes", "[remote \"origin\"]\n\turl = \"https://git.example/me/fleet\"\n"},
		{"before a comment", "[remote \"origin\"]\n\turl = https://git.example/me/fleet # ours\n"},
		{"in the line of its section", "[remote \"origin\"] url=git@git.example:me/fleet.git\n"},
		{"in capitals, with CR line ends", "[remote \"origin\"]\r\n\tURL = https://git.example/me/fleet/\r\n"},
		{
			"before the address of a submodule, which is another repository",
			"[remote \"origin\"]\n\turl = https://git.example/me/fleet\n[submodule \"more\"]\n\tactive = true\n\turl = https://github.com/acme/more\n",
		},
		{"after it", "[submodule \"more\"] url = https://github.com/acme/more\n[Remote \"origin\"]\n\turl = https://git.example/me/fleet\n"},
		{"a remote to push to", "[remote \"mirror\"]\n\turl = https://git.example/other\n\tpushurl = ssh://git@git.example/me/fleet\n"},
	} {
		root := t.TempDir()
		write(t, root, ".git/config", tc.config)
		if c := repositoryOf(root); !c.is("https://github.com/acme/fleet.git") || c.is("https://github.com/acme/more") {
			t.Errorf("%s: got %v", tc.reason, c)
		}
	}
}

// TestCheckoutOfAWorktree: where .git is a file, the remotes are where it leads.
func TestCheckoutOfAWorktree(t *testing.T) {
	t.Parallel()
	const remote = "[remote \"origin\"]\n\turl = https://github.com/me/fleet\n"
	worktree, submodule := t.TempDir(), t.TempDir()
	write(t, worktree, "main/.git/config", remote)
	write(t, worktree, "main/.git/worktrees/w/commondir", "../..\n")
	write(t, worktree, "w/.git", "gitdir: "+filepath.Join(worktree, "main", ".git", "worktrees", "w")+"\n")
	write(t, submodule, ".git/modules/sub/config", remote)
	write(t, submodule, "sub/.git", "gitdir: ../.git/modules/sub\n")
	for _, dir := range []string{filepath.Join(worktree, "w"), filepath.Join(submodule, "sub")} {
		c := repositoryOf(dir)
		if c.top != dir || !c.is("https://github.com/acme/fleet.git") || c.is("https://github.com/acme/other") {
			t.Errorf("%s: got %v", dir, c)
		}
	}
}
