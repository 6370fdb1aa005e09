package write

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var (
	oldTexts = map[string]string{"a": "1", "d/b": "2", "gone": "3"}
	newTexts = map[string]string{"a": "one", "d/b": "two", "d/new": "four"}
)

func changes() []Change {
	return []Change{change("a", "1", "one"), change("d/b", "2", "two"), change("gone", "3", ""), change("d/new", "", "four")}
}

// steps calls a run with the number of each step, until a run has fewer steps.
func steps(t *testing.T, run func(at int) (reached bool)) {
	t.Helper()
	at := 0
	for run(at) {
		at++
	}
	if at < 30 {
		t.Errorf("want the steps of 4 files and a journal, got %d", at)
	}
}

// TestDiskFails: at whatever step the disk fails, once or from then on, a run that fails
// has changed no file, and leaves nothing behind.
func TestDiskFails(t *testing.T) {
	t.Parallel()
	full := []string{"create", "write", "sync", "close"} // what a full disk refuses
	for reason, fails := range map[string]func(step string, n, at int) bool{
		"once":                   func(_ string, n, at int) bool { return n == at },
		"the disk is full":       func(step string, n, at int) bool { return n >= at && slices.Contains(full, step) },
		"no directory is synced": func(step string, n, at int) bool { return n >= at && step == "sync directory" },
	} {
		failures := 0
		steps(t, func(at int) bool {
			tree := inRepository(t, oldTexts)
			n, failed := -1, ""
			err := prepared(t, tree, changes()...).commit(func(step, name string) error {
				if n++; fails(step, n, at) {
					failed = step + " " + name
					return syscall.ENOSPC
				}
				return nil
			})
			want := newTexts
			if err != nil {
				want = oldTexts
				failures++
			}
			if diff := cmp.Diff(want, content(t, tree)); diff != "" {
				t.Errorf("%s, step %d (%s), error %v (-want +got):\n%s", reason, at, failed, err, diff)
			}
			journal, _ := tree.Pending()
			if removing := strings.HasPrefix(failed, "remove ") && strings.HasSuffix(failed, gitJournal); journal != "" && !removing {
				t.Errorf("%s, step %d (%s): the journal is left", reason, at, failed)
			}
			return n >= at
		})
		if failures == 0 {
			t.Errorf("%s: no run failed", reason)
		}
	}
}

// TestRollBackIsFlushed: the directories of files that got their old texts back are flushed before
// the journal is removed, which would undo a half of them after a crash.
func TestRollBackIsFlushed(t *testing.T) {
	t.Parallel()
	tree := inRepository(t, oldTexts)
	var done []string
	renames := 0
	err := prepared(t, tree, changes()...).commit(func(step, name string) error {
		if step == "rename" && !strings.HasSuffix(name, gitJournal) {
			if renames++; renames == 2 {
				done = nil // what follows puts the old texts back
				return syscall.EROFS
			}
		}
		done = append(done, step+" "+filepath.Base(name))
		return nil
	})
	if err == nil || renames < 3 {
		t.Fatalf("want an error and old texts, got %v after %d renames", err, renames)
	}
	isStep := func(begins string) func(string) bool {
		return func(one string) bool { return strings.HasPrefix(one, begins) }
	}
	removed := slices.Index(done, "remove "+filepath.Base(gitJournal))
	synced, restored := slices.IndexFunc(done, isStep("sync directory ")), slices.IndexFunc(done, isStep("rename "))
	if restored < 0 || synced < restored || removed < synced {
		t.Errorf("want a text put back, then its directory flushed, then the journal removed, got %q", done)
	}
}

// TestRollBackFails: if the old texts cannot be put back either, the error names the files,
// and the run can be finished or undone.
func TestRollBackFails(t *testing.T) {
	t.Parallel()
	halves := 0
	for _, abort := range []bool{false, true} {
		steps(t, func(at int) bool {
			tree := inRepository(t, oldTexts)
			n := -1
			err := prepared(t, tree, changes()...).commit(func(string, string) error {
				if n++; n >= at {
					return syscall.EROFS
				}
				return nil
			})
			journal, readErr := tree.Pending()
			if readErr != nil {
				t.Fatalf("step %d: %v", at, readErr)
			}
			if journal == "" {
				if diff := cmp.Diff(oldTexts, content(t, tree)); err != nil && diff != "" && len(temporaries(t, tree.real)) == 0 {
					t.Errorf("step %d, error %v (-want +got):\n%s", at, err, diff)
				}
				return n >= at
			}
			if errors.Is(err, errNotRolledBack) {
				halves++
			}
			recoverTree(t, tree, abort)
			return n >= at
		})
	}
	if halves == 0 {
		t.Error("no run left half of the files")
	}
}

// recoverTree finishes or undoes a run, after which the files are all new or all old.
func recoverTree(t *testing.T, tree Tree, abort bool) {
	t.Helper()
	do, want := tree.Recover, newTexts
	if abort {
		do, want = tree.Abort, oldTexts
	}
	done, err := do()
	if err != nil || len(done.Left) > 0 {
		t.Errorf("abort %v: %+v (%v)", abort, done, err)
	}
	if diff := cmp.Diff(want, content(t, tree)); diff != "" {
		t.Errorf("abort %v (-want +got):\n%s", abort, diff)
	}
	if journal, err := tree.Pending(); journal != "" || err != nil {
		t.Errorf("the journal %s is left (%v)", journal, err)
	}
}

// TestCommitIsKilled: at whatever step the process ends, the files are all old, or the next
// run makes them all new or all old.
func TestCommitIsKilled(t *testing.T) {
	t.Parallel()
	pending := 0
	for _, abort := range []bool{false, true} {
		steps(t, func(at int) bool {
			tree := inRepository(t, oldTexts)
			n := -1
			killed := func() (killed bool) {
				defer func() { killed = recover() != nil }()
				if err := prepared(t, tree, changes()...).commit(func(string, string) error {
					if n++; n == at {
						panic("killed")
					}
					return nil
				}); err != nil {
					t.Error(err)
				}
				return false
			}()
			if journal, err := tree.Pending(); err != nil {
				t.Errorf("step %d: %v", at, err)
			} else if journal != "" {
				pending++
				if err := (Set{tree: tree, targets: []target{{}}}).Commit(); !errors.Is(err, ErrPending) {
					t.Errorf("step %d: another run writes meanwhile: %v", at, err)
				}
				recoverTree(t, tree, abort)
				return true
			}
			if !killed {
				return false
			}
			if strings.HasPrefix(content(t, tree)["a"], "o") { // killed after the end
				return true
			}
			if err := prepared(t, tree, changes()...).Commit(); err != nil {
				t.Errorf("step %d: %v", at, err)
			}
			if diff := cmp.Diff(newTexts, content(t, tree)); diff != "" {
				t.Errorf("step %d, the next run (-want +got):\n%s", at, diff)
			}
			return true
		})
	}
	if pending == 0 {
		t.Error("no run was killed while it renamed")
	}
}

// TestRecover: whatever of a step is done when the process ends, the next run does the
// rest or undoes it, and leaves alone what somebody has changed or put back.
func TestRecover(t *testing.T) {
	t.Parallel()
	all := map[string]string{"a": "one", "d/b": "two", "d/new": "four"}
	for _, tc := range []struct {
		reason   string
		edit     map[string]string // "" removes a file
		finished map[string]string
		left     []string // after Recover
		undone   map[string]string
		stays    []string // after Abort
	}{
		{"nothing is done", nil, all, nil, oldTexts, nil},
		{"one file is done", map[string]string{"a": "one"}, all, nil, oldTexts, nil},
		{"all is done", map[string]string{"a": "one", "d/b": "two", "d/new": "four", "gone": ""}, all, nil, oldTexts, nil},
		{
			"somebody has changed one",
			map[string]string{"a": "one", "d/b": "mine"},
			map[string]string{"a": "one", "d/b": "mine", "d/new": "four"},
			[]string{"d/b"},
			map[string]string{"a": "1", "d/b": "mine", "gone": "3"},
			[]string{"d/b"},
		},
		{
			"somebody has put one back, as git checkout does",
			map[string]string{"a": "1", "d/b": "two"},
			map[string]string{"a": "1", "d/b": "two", "d/new": "four"},
			[]string{"a"},
			oldTexts, nil,
		},
		{
			"somebody has removed one",
			map[string]string{"d/b": ""},
			map[string]string{"a": "one", "d/new": "four"},
			[]string{"d/b"},
			map[string]string{"a": "1", "gone": "3"},
			[]string{"d/b"},
		},
	} {
		for _, abort := range []bool{false, true} {
			tree := inRepository(t, oldTexts)
			set := prepared(t, tree, changes()...)
			killed(t, set, "a")
			for name, text := range tc.edit {
				if text != "" {
					put(t, tree.real, name, text)
				} else if err := os.Remove(filepath.Join(tree.real, name)); err != nil {
					t.Fatal(err)
				}
			}
			do, want, left := tree.Recover, tc.finished, tc.left
			if abort {
				do, want, left = tree.Abort, tc.undone, tc.stays
			}
			before := content(t, tree)
			done, err := do()
			if err != nil {
				t.Errorf("%s, abort %v: %v", tc.reason, abort, err)
			}
			now := content(t, tree)
			if diff := cmp.Diff(want, now); diff != "" {
				t.Errorf("%s, abort %v (-want +got):\n%s", tc.reason, abort, diff)
			}
			if diff := cmp.Diff(inTree(tree, left), done.Left); diff != "" {
				t.Errorf("%s, abort %v, left (-want +got):\n%s", tc.reason, abort, diff)
			}
			if diff := cmp.Diff(inTree(tree, differ(before, now)), slices.Sorted(slices.Values(done.Written))); diff != "" {
				t.Errorf("%s, abort %v: it must name each file that it writes (-want +got):\n%s", tc.reason, abort, diff)
			}
		}
	}
}

// killed ends a commit before it renames a file.
func killed(t *testing.T, set Set, file string) {
	t.Helper()
	defer func() {
		if recover() == nil {
			t.Fatalf("the commit never renames %q", file)
		}
	}()
	_ = set.commit(func(step, name string) error {
		if step == "rename" && filepath.Base(name) == file {
			panic("killed")
		}
		return nil
	})
}

func inTree(tree Tree, names []string) []string {
	var out []string
	for _, name := range names {
		out = append(out, filepath.Join(tree.real, name))
	}
	return out
}

func differ(a, b map[string]string) []string {
	var out []string
	for name := range a {
		if b[name] != a[name] && !strings.HasSuffix(name, ".tmp") {
			out = append(out, name)
		}
	}
	for name := range b {
		if _, had := a[name]; !had {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}
