package frozen

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/goldenarch/goldenarch/internal/filetest"
	"github.com/goldenarch/goldenarch/internal/programtest"
)

var (
	makeWith = flag.String("make", "", "a program of commit 0c732c6d that writes testdata/repository and testdata/expected; see make.sh")
	gotDir   = flag.String("got", "", "a directory that gets what the current program says otherwise than expected")
)

// program is the current one.
var program string

func TestMain(m *testing.M) {
	flag.Parse()
	status, err := build(m)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		status = 1
	}
	os.Exit(status)
}

func build(m *testing.M) (status int, err error) {
	dir, err := os.MkdirTemp("", "frozen")
	if err != nil {
		return 1, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	program = filepath.Join(dir, "goldenarch")
	if err := programtest.Build(dir); err != nil {
		return 1, err
	}
	return m.Run(), nil
}

// tree is files by their path.
type tree map[string]string

func read(t *testing.T, dir string) tree {
	t.Helper()
	out := tree{}
	err := fs.WalkDir(os.DirFS(dir), ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			if err == nil && d.Name() == ".git" {
				return fs.SkipDir
			}
			return err
		}
		data, err := os.ReadFile(filepath.Join(dir, path))
		out[path] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// needed are the files of the top directories that a command names, those at the root, and
// the answers of the registries: a copy of all for each command would take most of the time.
func (f tree) needed(c command) tree {
	top := func(path string) string {
		first, _, _ := strings.Cut(path, "/")
		return first
	}
	names := map[string]bool{"answers": true, top(c.dir): true, top(c.stdin): true}
	for _, arg := range c.args {
		names[top(arg)] = true
	}
	out := maps.Clone(f)
	maps.DeleteFunc(out, func(path, _ string) bool {
		return !names["."] && strings.Contains(path, "/") && !names[top(path)]
	})
	return out
}

// since is the files that are new, changed or gone.
func (f tree) since(before tree) string {
	var out strings.Builder
	paths := maps.Clone(f)
	maps.Copy(paths, before)
	for _, path := range slices.Sorted(maps.Keys(paths)) {
		switch text, is := f[path]; {
		case !is:
			fmt.Fprintf(&out, "=== %s is gone\n", path)
		case text != before[path]:
			fmt.Fprintf(&out, "=== %s\n%s", path, text)
		}
	}
	return out.String()
}

// checkout is a repository of Git with the files.
func checkout(t *testing.T, files tree) string {
	t.Helper()
	dir := t.TempDir()
	filetest.Write(t, dir, files)
	filetest.Write(t, dir, tree{
		".git/HEAD":   "ref: refs/heads/main\n",
		".git/config": "[core]\n\trepositoryformatversion = 0\n\tbare = false\n[remote \"origin\"]\n\turl = https://git.example.com/platform/clusters.git\n",
	})
	for _, name := range []string{".git/objects", ".git/refs/heads"} {
		if err := os.MkdirAll(filepath.Join(dir, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// call runs a program in the checkout, without a network and without a home.
func call(t *testing.T, program, checkout string, c command) (status int, stdout, stderr string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), program, c.args...)
	cmd.Dir = filepath.Join(checkout, c.dir)
	home := t.TempDir()
	const nobody = "http://127.0.0.1:9"
	cmd.Env = append([]string{
		"HOME=" + home, "USERPROFILE=" + home, "TMPDIR=" + home, "PATH=" + os.Getenv("PATH"), "SYSTEMROOT=" + os.Getenv("SYSTEMROOT"), "TZ=UTC",
		"HTTP_PROXY=" + nobody, "HTTPS_PROXY=" + nobody,
	}, c.env...)
	if c.stdin != "" {
		data, err := os.ReadFile(filepath.Join(checkout, c.stdin))
		if err != nil {
			t.Fatal(err)
		}
		cmd.Stdin = bytes.NewReader(data)
	}
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), out.String(), errs.String()
}

var (
	foundLine = regexp.MustCompile(`(?m)^(error|warning|info) (GA\d+)`)
	foundJSON = regexp.MustCompile(`"id": "(GA\d+)",\s*"severity": "(\w+)"`)
)

// run is what a program makes of a command, as files of testdata/expected: the status and
// the findings, the product, and the files that changed.
func run(t *testing.T, program string, repository tree, c command) tree {
	t.Helper()
	repository = repository.needed(c)
	for _, e := range c.edits {
		if !strings.Contains(repository[e.file], e.old) {
			t.Fatalf("%s has no %q to replace", e.file, e.old)
		}
		repository[e.file] = strings.ReplaceAll(repository[e.file], e.old, e.new)
	}
	dir := checkout(t, repository)
	status, stdout, stderr := call(t, program, dir, c)
	found := map[string]bool{}
	for _, match := range foundLine.FindAllStringSubmatch(stderr, -1) {
		found[match[1]+" "+match[2]] = true
	}
	for _, match := range foundJSON.FindAllStringSubmatch(stdout, -1) {
		found[match[2]+" "+match[1]] = true
	}
	out := tree{c.name + ".txt": fmt.Sprintf("status %d\n%s", status, lines(slices.Sorted(maps.Keys(found))))}
	if c.product {
		out[c.name+".stdout"] = product(stdout)
	}
	after := read(t, dir)
	if changed := after.since(repository); changed != "" {
		out[c.name+".changed"] = changed
		_, _, _ = call(t, program, dir, c)
		if again := read(t, dir).since(after); again != "" {
			t.Errorf("a second run changes\n%s", again)
		}
	}
	for _, e := range c.keeps {
		if !strings.Contains(after[e.file], e.old) {
			t.Errorf("%s has no %q any more:\n%s", e.file, e.old, after[e.file])
		}
	}
	for _, e := range c.lacks {
		if text, is := after[e.file]; !is || strings.Contains(text, e.old) {
			t.Errorf("%s still has %q:\n%s", e.file, e.old, text)
		}
	}
	if t.Failed() {
		t.Logf("status %d, standard error:\n%s", status, stderr)
	}
	return out
}

func lines(of []string) string {
	if len(of) == 0 {
		return ""
	}
	return strings.Join(of, "\n") + "\n"
}

// product is the standard output without the results of a function, whose texts may change.
func product(stdout string) string {
	out, _, _ := strings.Cut(stdout, "\nresults:\n")
	return strings.TrimSuffix(out, "\n") + "\n"
}

// of are the files of a command.
func (f tree) of(c command) tree {
	out := tree{}
	for _, suffix := range []string{".txt", ".stdout", ".changed"} {
		if text, is := f[c.name+suffix]; is {
			out[c.name+suffix] = text
		}
	}
	return out
}

// TestFrozen: each command says what commit 0c732c6d said, and does what it did, but for the
// differences that are allowed.
func TestFrozen(t *testing.T) {
	t.Parallel()
	repository, expected, intended := read(t, "testdata/repository"), read(t, "testdata/expected"), read(t, "testdata/allowed")
	rest := maps.Clone(expected)
	for _, c := range commands() {
		for name := range expected.of(c) {
			delete(rest, name)
		}
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			want := expected.of(c)
			if len(want) == 0 {
				t.Fatal("testdata/expected has nothing of this command: run make.sh")
			}
			if problem := c.different(want, repository); problem != "" {
				t.Errorf("the expectation of a command that changes nothing: %s", problem)
			}
			maps.Copy(want, intended.of(c))
			got := run(t, program, repository, c)
			diff := cmp.Diff(want, got)
			if diff == "" {
				return
			}
			t.Errorf("goldenarch %s: -want +got (doc.go says how to allow a difference):\n%s", strings.Join(c.args, " "), diff)
			if *gotDir != "" {
				maps.DeleteFunc(got, func(name, text string) bool { return want[name] == text })
				filetest.Write(t, *gotDir, got)
			}
		})
	}
	if len(rest) > 0 {
		t.Errorf("files of no command: %v", slices.Sorted(maps.Keys(rest)))
	}
}

// different says what a command that changes nothing has changed.
func (c command) different(result, repository tree) string {
	if !c.same {
		return ""
	}
	stdout := result[c.name+".stdout"]
	if c.stdin != "" && stdout == repository[c.stdin] {
		stdout = ""
	}
	switch status, _, _ := strings.Cut(result[c.name+".txt"], "\n"); {
	case status != "status 0":
		return status
	case strings.TrimSpace(stdout) != "":
		return "it prints " + stdout
	}
	return result[c.name+".changed"]
}

// TestAllowed: each difference is named in the changelog, is one, and is of a command that
// exists.
func TestAllowed(t *testing.T) {
	t.Parallel()
	changelog, err := os.ReadFile("../../CHANGELOG.md")
	if err != nil {
		t.Fatal(err)
	}
	expected, intended := read(t, "testdata/expected"), read(t, "testdata/allowed")
	delete(intended, "README")
	for _, d := range allowed {
		files := intended.of(command{name: d.command})
		if len(files) == 0 {
			t.Errorf("%s: testdata/allowed says nothing of it", d.command)
		}
		for name, text := range files {
			delete(intended, name)
			if text == expected[name] {
				t.Errorf("testdata/allowed/%s is what is expected anyway: remove it", name)
			}
		}
		if d.changelog == "" || !slices.ContainsFunc(strings.Split(string(changelog), "\n"), func(line string) bool { return strings.Contains(line, d.changelog) }) {
			t.Errorf("%s: no line of CHANGELOG.md has %q", d.command, d.changelog)
		}
	}
	if len(intended) > 0 {
		t.Errorf("allowed_test.go does not name the reason for %v", slices.Sorted(maps.Keys(intended)))
	}
}

// TestMake writes testdata/repository and testdata/expected, with the program of make.sh.
func TestMake(t *testing.T) {
	if *makeWith == "" {
		return
	}
	dir := checkout(t, read(t, "testdata/source"))
	for _, s := range steps() {
		status, stdout, stderr := call(t, *makeWith, dir, command{args: s.args, stdin: s.stdin})
		if status != 0 {
			t.Fatalf("%v: status %d: %s", s.args, status, stderr)
		}
		if s.to != "" {
			filetest.Write(t, dir, tree{s.to: product(stdout)})
		}
	}
	repository := read(t, dir)
	expected := tree{}
	for _, c := range commands() {
		t.Run(c.name, func(t *testing.T) {
			result := run(t, *makeWith, repository, c)
			if problem := c.different(result, repository); problem != "" {
				t.Errorf("changes: %s", problem)
			}
			maps.Copy(expected, result)
		})
	}
	if t.Failed() {
		t.Fatal("nothing was written")
	}
	for name, files := range map[string]tree{"testdata/repository": repository, "testdata/expected": expected} {
		if err := os.RemoveAll(name); err != nil {
			t.Fatal(err)
		}
		filetest.Write(t, name, files)
	}
}
