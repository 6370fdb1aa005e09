package cli

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestFix runs the verb on the directories of testdata/fix: in a copy of tree, with
// the arguments of args.txt, "fix --diff" gives diff.txt, the findings of stderr.txt and
// the status that begins them. What a case lacks is shared, see sharedMark. "git apply" of the diff makes the files that "fix"
// makes, after which there is nothing to fix. After an error no file is touched.
func TestFix(t *testing.T) { holdEdits(t, "fix", 20) }

// TestCustomize does the same with the verb customize on the directories of
// testdata/customize.
func TestCustomize(t *testing.T) { holdEdits(t, "customize", 30) }

// TestInit does the same with the verb init on the directories of testdata/init.
func TestInit(t *testing.T) { holdEdits(t, "init", 37) }

// holdEdits holds a verb that edits files against its golden directories.
func holdEdits(t *testing.T, verb string, least int) {
	t.Helper()
	t.Parallel()
	dirs, err := filepath.Glob(filepath.Join("testdata", verb, "*"))
	if err != nil || len(dirs) < least {
		t.Fatalf("want at least %d directories, got %d (%v)", least, len(dirs), err)
	}
	for _, dir := range dirs {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			t.Parallel()
			holdEdit(t, verb, dir)
		})
	}
}

func holdEdit(t *testing.T, verb, dir string) {
	t.Helper()
	args := strings.Fields(golden(t, dir, "args.txt"))
	applied, fixed := repository(t, dir), repository(t, dir)
	before := filesBelow(t, fixed)
	diff, messages, status := runIn(t, applied, append([]string{verb, "--diff"}, args...)...)
	hold(t, dir, "diff.txt", diff)
	hold(t, dir, "stderr.txt", fmt.Sprintf("status %d\n%s", status, messages))
	if cmp.Diff(before, filesBelow(t, applied)) != "" {
		t.Error("--diff has changed a file")
	}
	if diff != "" {
		git(t, applied, diff, "apply", "-")
	}
	_, _, fixStatus := runIn(t, fixed, append([]string{verb}, args...)...)
	if want := map[int]int{statusDiffers: statusOK}[status]; status == statusDiffers && fixStatus != want || status != statusDiffers && fixStatus != status {
		t.Errorf("--diff ends with %d, and the run that writes with %d", status, fixStatus)
	}
	if diff := cmp.Diff(filesBelow(t, applied), filesBelow(t, fixed)); diff != "" {
		t.Errorf("git apply of the diff is not what %s writes (-git +%s):\n%s", verb, verb, diff)
	}
	if status == statusFailed {
		if diff := cmp.Diff(before, filesBelow(t, fixed)); diff != "" {
			t.Errorf("a run that failed has changed files:\n%s", diff)
		}
		return
	}
	if out, messages, status := runIn(t, fixed, append([]string{verb, "--check"}, args...)...); status != statusOK || out != "" {
		t.Errorf("a second run would change something (%d):\n%s", status, messages)
	}
}

// repository returns a copy of a case's tree, in a Git repository.
func repository(t *testing.T, dir string) string {
	t.Helper()
	out := t.TempDir()
	copyTree(t, dir, out)
	git(t, out, "", "init", "-q")
	return out
}

var gitProgram, errNoGit = exec.LookPath("git")

func git(t *testing.T, dir, stdin string, args ...string) {
	t.Helper()
	if errNoGit != nil {
		t.Fatal(errNoGit)
	}
	cmd := exec.CommandContext(t.Context(), gitProgram, args...)
	cmd.Dir, cmd.Stdin = dir, strings.NewReader(stdin)
	cmd.Env = append(os.Environ(), "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git %v: %v\n%s\n%s", args, err, out, stdin)
	}
}

// runIn runs goldenarch in a directory.
func runIn(t *testing.T, dir string, args ...string) (stdout, stderr string, status int) {
	t.Helper()
	var out, messages bytes.Buffer
	cmd := goldenarch(t, args...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &out, &messages
	_ = cmd.Run()
	return out.String(), strings.ReplaceAll(messages.String(), dir, "DIR"), cmd.ProcessState.ExitCode()
}

// succeeds runs goldenarch in a directory, and fails the test if that does.
func succeeds(t *testing.T, dir string, args ...string) {
	t.Helper()
	if out, messages, status := runIn(t, dir, args...); status != statusOK {
		t.Fatalf("%q: status %d\n%s%s", args, status, out, messages)
	}
}

// filesBelow returns all files of a directory, but those of Git.
func filesBelow(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.Name() == ".git":
			return filepath.SkipDir
		case d.IsDir():
			return nil
		}
		data, err := os.ReadFile(path)
		out[filepath.ToSlash(path[len(dir)+1:])] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}
