package cli

import (
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/goldenarch/goldenarch/test/filetest"
)

// TestEditsAreKilled: whenever the process of a verb ends, each file is the old one or the new one,
// whole, and nothing is beside them but temporary files. The next run makes all of them new, and
// removes and names what the killed one left.
func TestEditsAreKilled(t *testing.T) {
	t.Parallel()
	for name, files := range map[string]int{"fix/three_files": 3, "init/kustomization_and_pipelines": 4, "customize/customized_already": 1} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			verb, _, _ := strings.Cut(name, "/")
			dir := filepath.Join("testdata", filepath.FromSlash(name))
			k := &killedVerb{tree: repository(t, dir), args: append([]string{verb}, strings.Fields(golden(t, dir, "args.txt"))...)}
			k.learn(t, files)
			k.kill(t)
		})
	}
}

// killedVerb is a command whose processes are killed, in a tree.
type killedVerb struct {
	tree          string
	args          []string
	before, after map[string]string
	changed       []string // the files that the command changes, in the order in which it writes them
	longest       time.Duration
}

// learn runs the command once to its end.
func (k *killedVerb) learn(t *testing.T, files int) {
	t.Helper()
	git(t, k.tree, "", "add", ".")
	k.before = filesBelow(t, k.tree)
	programDir(t) // the first test that asks for it builds it
	start := time.Now()
	_, messages, status := runIn(t, k.tree, k.args...)
	if status != statusOK {
		t.Fatal(messages)
	}
	k.longest, k.after = time.Since(start), filesBelow(t, k.tree)
	for line := range strings.Lines(messages) {
		if name, ok := strings.CutPrefix(strings.TrimSpace(line), "goldenarch: wrote "); ok {
			k.changed = append(k.changed, name)
		}
	}
	differ := changedIn(k.before, k.after)
	if diff := cmp.Diff(set(differ), set(k.changed)); diff != "" || len(differ) != files {
		t.Fatalf("want %d changed files, got %v (-changed +named):\n%s\n%s", files, differ, diff, messages)
	}
}

// kill kills processes: at any time, when there are temporary files, and when a file is renamed.
func (k *killedVerb) kill(t *testing.T) {
	t.Helper()
	dice := rand.New(rand.NewPCG(1, 2))
	half, left, kills := 0, 0, killsOf(t, 12)
	for turn := 0; turn < kills || left == 0 && turn < 30*kills; turn++ { // on a busy machine the first ones may all be late
		k.reset(t)
		child := goldenarch(t, k.args...)
		child.Dir = k.tree
		if err := child.Start(); err != nil {
			t.Fatal(err)
		}
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			_ = child.Wait()
		}()
		switch turn % 3 {
		case 0:
			killAfter(child.Process, ended, k.longest*time.Duration(40+dice.IntN(70))/100)
		case 1:
			if until(k.hasTemporary, ended) {
				killAfter(child.Process, ended, time.Duration(dice.IntN(3000))*time.Microsecond)
			}
		case 2:
			if until(k.hasNew, ended) {
				killAfter(child.Process, ended, 0)
			}
		}
		<-ended
		news, temporaries := k.whole(t, turn)
		if news > 0 && news < len(k.changed) {
			half++
		}
		left += temporaries
		_, messages, status := runIn(t, k.tree, k.args...)
		if status != statusOK || strings.Count(messages, "a temporary file of a run that was killed") != temporaries {
			t.Fatalf("turn %d: the next run ends with %d, after %d temporary files: %s", turn, status, temporaries, messages)
		}
		if diff := cmp.Diff(k.after, filesBelow(t, k.tree)); diff != "" {
			t.Fatalf("turn %d: the next run (-want +got):\n%s", turn, diff)
		}
	}
	t.Logf("half of the files were new: %d, temporary files left: %d", half, left)
	if left == 0 {
		t.Error("no run was killed while it wrote the files")
	}
}

// reset brings back the files as they were before the command.
func (k *killedVerb) reset(t *testing.T) {
	t.Helper()
	filetest.Write(t, k.tree, k.before)
	for name := range k.after {
		if _, had := k.before[name]; !had {
			if err := os.Remove(filepath.Join(k.tree, name)); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// whole fails unless each file is the old one or the new one, or a temporary one. It counts the new ones
// and the temporary ones.
func (k *killedVerb) whole(t *testing.T, turn int) (news, temporaries int) {
	t.Helper()
	now := filesBelow(t, k.tree)
	names := maps.Clone(k.before)
	maps.Copy(names, now)
	for name := range names {
		text, ok := now[name]
		was, had := k.before[name]
		will, has := k.after[name]
		switch {
		case ok == had && text == was:
		case ok == has && text == will:
			news++
		case isTemporary(name):
			temporaries++
		default:
			t.Fatalf("turn %d: %s is neither the old file nor the new one:\n%s", turn, name, text)
		}
	}
	return news, temporaries
}

// hasTemporary reports whether a temporary file is beside the first file that is written.
func (k *killedVerb) hasTemporary() bool {
	found, err := filepath.Glob(filepath.Join(k.tree, filepath.Dir(k.changed[0]), ".*.goldenarch-*.tmp"))
	return err == nil && len(found) > 0
}

// hasNew reports whether the first file has its new text.
func (k *killedVerb) hasNew() bool {
	text, err := os.ReadFile(filepath.Join(k.tree, k.changed[0]))
	return err == nil && string(text) == k.after[filepath.ToSlash(k.changed[0])]
}

// killAfter kills a process after some time, unless it has ended.
func killAfter(process *os.Process, ended <-chan struct{}, wait time.Duration) {
	select {
	case <-ended:
	case <-time.After(wait):
		_ = process.Kill()
	}
}

// until waits for an event, and returns false if the process ends first.
func until(is func() bool, ended <-chan struct{}) bool {
	for !is() {
		select {
		case <-ended:
			return false
		default:
		}
	}
	return true
}

// TestGitIsTheWayBack: fix names the files whose former text Git does not have.
func TestGitIsTheWayBack(t *testing.T) {
	t.Parallel()
	dir := repository(t, "testdata/fix/three_files")
	git(t, dir, "", "add", ".")
	before := filesBelow(t, dir)
	edited := filepath.Join(dir, "overlay", "gates.yaml")
	filetest.File(t, edited, "# an edit\n"+before["overlay/gates.yaml"])
	_, messages, status := runIn(t, dir, "fix", "overlay")
	const said = "Git does not have what these files had before, so going back with Git takes that, too: overlay/gates.yaml\n"
	if status != statusOK || !strings.Contains(messages, said) {
		t.Errorf("want %q, got %d: %s", said, status, messages)
	}
	git(t, dir, "", "checkout", "--", ".")
	if diff := cmp.Diff(before, filesBelow(t, dir)); diff != "" {
		t.Errorf("git checkout is not the way back:\n%s", diff)
	}
	if _, messages, status := runIn(t, dir, "fix", "overlay"); status != statusOK || strings.Contains(messages, "Git does not have") {
		t.Errorf("nothing was edited: status %d: %s", status, messages)
	}
	if slices.ContainsFunc(slices.Collect(maps.Keys(filesBelow(t, dir))), isTemporary) {
		t.Error("a temporary file is left")
	}
}

// isTemporary reports whether a file has the name of a temporary one of goldenarch.
func isTemporary(name string) bool {
	return strings.Contains(name, ".goldenarch-") && strings.HasSuffix(name, ".tmp")
}
