package e2e

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/goldenarch/goldenarch/test/registrytest"
)

var update = flag.Bool("update", false, "write what the commands of the guides print into the pages")

// TestGuides runs the commands of the pages for four people, each in a copy of its example in a repository of its own, and compares
// what they print with the page.
func TestGuides(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"add-architecture", "alerts", "fleet-check", "operator"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			page := filepath.Join(repository(t), "docs", "guides", name+".md")
			text := read(t, page, "")
			r := newRunner(t)
			builds := func() {}
			if name == "operator" {
				r.env, builds = ofOperator(t, r)
			}
			r.env = append(r.env, "GIT_CONFIG_GLOBAL=/dev/null", "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.com",
				"GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.com", "GIT_PAGER=cat", "GIT_CONFIG_NOSYSTEM=1")
			r.dir = filepath.Join(copied(t, "examples/guides/"+name), "repository")
			for _, args := range [][]string{{"init", "-q", "-b", "main"}, {"add", "."}, {"commit", "-q", "-m", "start"}} {
				if got := r.run(t, "git", args...); got.status != 0 {
					t.Fatalf("git %v: %s", args, got.stderr)
				}
			}
			got, commands := r.played(t, text, builds)
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

// ofOperator returns the environment of the guide for an operator: its registry is one of the test. The function does what a build
// of its image does.
func ofOperator(t *testing.T, r runner) (env []string, builds func()) {
	t.Helper()
	server, err := registrytest.Start(registrytest.Options{PlainHTTP: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Close)
	two := registrytest.AttestedIndex("linux/amd64", "linux/arm64")
	server.Push("acme/manager:v1.2.0", two).Push("acme/db:16", registrytest.AttestedIndex("linux/amd64"))
	conf := filepath.Join(t.TempDir(), "registries.conf")
	write(t, conf, "[[registry]]\nprefix = \"registry.example.com\"\nlocation = \""+server.Host()+"\"\ninsecure = true\n")
	shim := t.TempDir() // the guide names no registry, so that the flag for this one is added to each command
	verbs := "case \"$1\" in check|fix) set -- \"$@\" --registries-conf '" + conf + "' --set verify=children ;; esac\n"
	write(t, filepath.Join(shim, "goldenarch"), "#!/bin/sh\n"+verbs+"exec '"+own(t, r)+"' \"$@\"\n")
	if err := os.Chmod(filepath.Join(shim, "goldenarch"), 0o755); err != nil {
		t.Fatal(err)
	}
	return append(r.env, "PATH="+shim+string(os.PathListSeparator)+os.Getenv("PATH")), func() { server.Push("acme/db:16", two) }
}

// played runs the commands in the console blocks of a page, and returns the page with what they print, and how many there are. builds
// takes the place of docker.
func (r runner) played(t *testing.T, page string, builds func()) (string, int) {
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
		case strings.HasPrefix(command, "docker buildx build "):
			commands++
			builds()
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
