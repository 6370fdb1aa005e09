package e2e

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write what the commands of the guides print into the pages")

// TestGuides runs the commands of the pages for four people, each in a copy of its example in a repository of its own, and compares
// what they print with the page.
func TestGuides(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"add-architecture", "alerts", "fleet-check"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			page := filepath.Join(repository(t), "docs", "guides", name+".md")
			text := read(t, page, "")
			r := newRunner(t)
			r.env = append(r.env, "GIT_CONFIG_GLOBAL=/dev/null", "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.com",
				"GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.com", "GIT_PAGER=cat", "GIT_CONFIG_NOSYSTEM=1")
			r.dir = filepath.Join(copied(t, "examples/guides/"+name), "repository")
			for _, args := range [][]string{{"init", "-q", "-b", "main"}, {"add", "."}, {"commit", "-q", "-m", "start"}} {
				if got := r.run(t, "git", args...); got.status != 0 {
					t.Fatalf("git %v: %s", args, got.stderr)
				}
			}
			got, commands := r.played(t, text)
			if commands < 3 {
				t.Errorf("want the commands of a guide, got %d", commands)
			}
			if *update {
				write(t, page, got)
			} else if got != text {
				t.Errorf("%s is not what its commands print; go test . -run TestGuides -update writes it. Now it is\n%s", page, got)
			}
		})
	}
}

// played runs the commands in the console blocks of a page, and returns the page with what they print, and how many there are.
func (r runner) played(t *testing.T, page string) (string, int) {
	t.Helper()
	var out strings.Builder
	inBlock, commands := false, 0
	for _, line := range strings.SplitAfter(page, "\n") {
		command, isCommand := strings.CutPrefix(line, "$ ")
		switch {
		case !inBlock:
			inBlock = line == "```console\n"
			out.WriteString(line)
		case line == "```\n":
			inBlock = false
			out.WriteString(line)
		case isCommand:
			commands++
			out.WriteString(line + r.printed(t, command))
		}
	}
	return out.String(), commands
}

// printed returns what a command prints.
func (r runner) printed(t *testing.T, command string) string {
	t.Helper()
	script := filepath.Join(t.TempDir(), "command.sh")
	if err := os.WriteFile(script, []byte("exec 2>&1\n"+command), 0o600); err != nil {
		t.Fatal(err)
	}
	text := r.run(t, "bash", script).stdout
	if text != "" && !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	return text
}
