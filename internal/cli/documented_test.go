package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/goldenarch/goldenarch/internal/manifest"
	"github.com/goldenarch/goldenarch/test/filetest"
	"github.com/goldenarch/goldenarch/test/registrytest"
)

// documentedCommand is a command line of goldenarch in a page.
type documentedCommand struct {
	page  string
	words []string // after "goldenarch"
	// inText says that the command stands in a line of text, which may name only a part of it, such as "check -o json".
	inText bool
}

// TestDocumentedCommands: every command in the README, the pages and the examples runs as it is
// printed, in a directory that has the files which pages name. It may find something, but no flag,
// verb or file is unknown to it. A command with a placeholder (PATH, …) is parsed only.
func TestDocumentedCommands(t *testing.T) {
	t.Parallel()
	commands := documentedCommands(t)
	if len(commands) < 100 {
		t.Fatalf("only %d commands found: are the pages written in another way now?", len(commands))
	}
	workspace, flags := documentedWorkspace(t)
	seen := map[string]bool{}
	for _, command := range commands {
		line := strings.Join(command.words, " ")
		if seen[line] {
			continue
		}
		seen[line] = true
		t.Run(line, func(t *testing.T) {
			t.Parallel()
			if command.inText && !command.namesFile(workspace) || slices.ContainsFunc(command.words, isPlaceholder) {
				parseDocumented(t, command)
				return
			}
			dir := t.TempDir()
			copyDocumented(t, workspace, dir)
			if strings.Contains(line, "examples/") {
				copyDocumented(t, "../../examples", filepath.Join(dir, "examples"))
			}
			runDocumented(t, command, dir, flags)
		})
	}
}

// namesFile reports whether the command names a file of a directory, or standard input.
func (c documentedCommand) namesFile(dir string) bool {
	return slices.ContainsFunc(c.words[1:], func(word string) bool {
		_, err := os.Stat(filepath.Join(dir, word))
		return err == nil || word == manifest.Stdin
	})
}

// runDocumented runs a command in a directory, with more flags if its verb queries registries.
func runDocumented(t *testing.T, command documentedCommand, dir string, flags []string) {
	t.Helper()
	words := slices.Clone(command.words)
	if verb, _, err := newRoot(Streams{}).Find(words); err == nil && verb.Flags().Lookup("registries-conf") != nil {
		words = append(words, flags...)
	}
	child := goldenarch(t, words...)
	child.Dir = dir
	if slices.Contains(command.words, manifest.Stdin) {
		input := filetest.Read(t, filepath.Join(dir, "hyperconverged.yaml"))
		child.Stdin = bytes.NewReader(input)
	}
	out, err := child.CombinedOutput()
	var failed *exec.ExitError
	if err != nil && !errors.As(err, &failed) {
		t.Fatal(err)
	}
	if status := child.ProcessState.ExitCode(); status == 2 || status < 0 || bytes.Contains(out, []byte("no such file")) {
		t.Errorf("%s: goldenarch %s: status %d\n%s", command.page, strings.Join(command.words, " "), status, out)
	}
}

// parseDocumented parses the flags of a command whose paths are placeholders.
func parseDocumented(t *testing.T, command documentedCommand) {
	t.Helper()
	found, rest, err := newRoot(Streams{}).Find(command.words)
	if err != nil {
		t.Errorf("%s: %q: %v", command.page, command.words, err)
		return
	}
	for _, word := range rest {
		name, isFlag := strings.CutPrefix(word, "--")
		name, _, _ = strings.Cut(name, "=")
		if isFlag && name != "" && found.Flags().Lookup(name) == nil && found.InheritedFlags().Lookup(name) == nil {
			t.Errorf("%s: %q: %q has no flag --%s", command.page, command.words, found.CommandPath(), name)
		}
	}
}

// placeholder is a word that stands for something else, such as PATH, HOST,..., a path with a variable of a shell, or a path of the reader's machine.
var placeholder = regexp.MustCompile(`^[A-Z][A-Z_]*([,.=#…].*)?$|…|\.\.\.|^/|/\$[A-Z]`)

func isPlaceholder(word string) bool { return placeholder.MatchString(word) }

// documentedCommands returns the commands of all pages, also those of the workflows in examples.
func documentedCommands(t *testing.T) []documentedCommand {
	t.Helper()
	const root = "../.."
	var out []documentedCommand
	for _, top := range []string{"README.md", "docs", "examples"} {
		err := filepath.WalkDir(filepath.Join(root, top), func(path string, entry fs.DirEntry, err error) error {
			if path == filepath.Join(root, "docs", "guides") {
				return filepath.SkipDir // test/e2e runs these, each in its example
			}
			if err != nil || entry.IsDir() || !slices.Contains([]string{".md", ".yaml", ".yml"}, filepath.Ext(path)) {
				return err
			}
			text, err := os.ReadFile(path)
			out = append(out, commandsOf(filepath.ToSlash(strings.TrimPrefix(path, root+"/")), string(text))...)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return out
}

// codeSpan is a piece of code in a line of text.
var codeSpan = regexp.MustCompile("`([^`]+)`")

// commandsOf returns the commands of a page: those in its lines of code, and in the code of its
// lines of text.
func commandsOf(page, text string) []documentedCommand {
	var out []documentedCommand
	add := func(code string, inText bool) {
		words := commandIn(code)
		if words == nil {
			return
		}
		out = append(out, documentedCommand{page: page, words: words, inText: inText})
	}
	for line := range strings.Lines(strings.ReplaceAll(text, "\\\n", " ")) {
		spans := codeSpan.FindAllStringSubmatch(line, -1)
		for _, span := range spans {
			add(strings.ReplaceAll(span[1], `\|`, "|"), true)
		}
		if len(spans) == 0 {
			add(line, false)
		}
	}
	return out
}

// commandAt is where a command of goldenarch begins in code: at its start, behind the key of a
// step, or behind another command.
var commandAt = regexp.MustCompile(`(?:^\s*|^\s*\$ |^\s*-? ?(?:run|script): |\| |&& |then )goldenarch ([a-z].*)`)

// commandIn returns the words of the command in a piece of code, from its verb on; nil if there is none. A verb
// alone, and prose, is none.
func commandIn(code string) []string {
	found := commandAt.FindStringSubmatch(code)
	if found == nil {
		return nil
	}
	words := shellWords(found[1])
	verb, _, err := newRoot(Streams{}).Find(words)
	if err != nil || !verb.HasParent() || len(words) < 2 || slices.Contains(words, "[flags]") {
		return nil
	}
	return words
}

// shellWords returns the words of the first command in a line, as a shell separates them. A variable is empty.
func shellWords(line string) []string {
	var out []string
	word, quote, open := "", rune(0), false
	end := func() {
		if open && !strings.HasPrefix(word, "$") {
			out = append(out, word)
		}
		word, open = "", false
	}
	for _, r := range line {
		switch {
		case quote != 0 && r == quote:
			quote = 0
		case quote != 0:
			word += string(r)
		case r == '\'' || r == '"':
			quote, open = r, true
		case r == ' ' || r == '\t' || r == '\n':
			end()
		case strings.ContainsRune("|>;&)", r), r == '#' && !open:
			end()
			return out
		default:
			word, open = word+string(r), true
		}
	}
	end()
	return out
}

// documentedWorkspace returns a Git repository with the files that pages name, and the flags that lead each
// query of a registry to one that has any image for amd64, arm64 and s390x.
func documentedWorkspace(t *testing.T) (dir string, flags []string) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "workspace")
	for from, to := range map[string]string{
		"kustomize/base":                       "base",
		"machines/machines/web.yaml":           "vms/web.yaml",
		"machines/machines/cluster-facts.yaml": "cluster-facts.yaml",
		"machines/platform":                    "platform",
		"workloads/operator/bundle":            "bundle",
		"workloads/operator/config":            "config",
		"workloads/kpt/shop.yaml":              "deploy/shop.yaml",
		"flux/source":                          "source",
		"flux/rendered":                        "rendered",
		"argocd/application":                   "manifests",
		"plan/before.yaml":                     "dump.yaml",
		"plan/after.yaml":                      "live.yaml",
		"machines/machines":                    "machines",
	} {
		copyDocumented(t, filepath.Join("../../examples", from), filepath.Join(dir, to))
	}
	copyDocumented(t, "testdata/documented", dir)
	for _, words := range [][]string{
		{"init", "-q"},
		{"add", "-A"},
		{"-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "-q", "-m", "All"},
		{"update-ref", "refs/remotes/origin/main", "HEAD"},
	} {
		git := exec.CommandContext(t.Context(), "git", words...)
		git.Dir = dir
		if out, err := git.CombinedOutput(); err != nil {
			t.Fatalf("git %s: %v\n%s", words, err, out)
		}
	}
	return dir, []string{"--registries-conf", registryOfPages(t)}
}

// copyDocumented copies a file or directory.
func copyDocumented(t *testing.T, from, to string) {
	t.Helper()
	info, err := os.Stat(from)
	if err != nil {
		t.Fatal(err)
	}
	if info.IsDir() {
		err = os.CopyFS(to, os.DirFS(from))
	} else {
		var text []byte
		text, err = os.ReadFile(from)
		filetest.File(t, to, string(text))
	}
	if err != nil {
		t.Fatal(err)
	}
}

// registryOfPages starts a registry that has every image, and returns the registries.conf that leads to it.
func registryOfPages(t *testing.T) string {
	t.Helper()
	index := registrytest.Index("linux/amd64", "linux/arm64", "linux/s390x")
	var server *registrytest.Server
	path := regexp.MustCompile(`^/v2/(.+)/manifests/([^:]+)$`)
	pushed := func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if m := path.FindStringSubmatch(r.URL.Path); m != nil {
				server.Push(m[1]+":"+m[2], index)
			}
			next.ServeHTTP(w, r)
		})
	}
	server, err := registrytest.Start(registrytest.Options{PlainHTTP: true, Wrappers: []registrytest.Wrapper{pushed}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Close)
	var conf strings.Builder
	for _, host := range []string{"quay.io", "registry.redhat.io", "docker.io", "ghcr.io", "registry.example.com", "*.example.com"} {
		fmt.Fprintf(&conf, "[[registry]]\nprefix = %q\nlocation = %q\ninsecure = true\n", host, server.Host())
	}
	file := filepath.Join(t.TempDir(), "registries.conf")
	filetest.File(t, file, conf.String())
	return file
}
