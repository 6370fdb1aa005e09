package files

import (
	"errors"
	"fmt"
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
	if at < 20 {
		t.Errorf("want the steps of 4 files, got %d", at)
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
			_, err := prepared(t, tree, changes()...).commit(t.Context(), func(step, name string) error {
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
			return n >= at
		})
		if failures == 0 {
			t.Errorf("%s: no run failed", reason)
		}
	}
}

// TestRestoreFails: if the old texts cannot be put back either, the error names the files that may
// have their new one, each file is whole, and the next run ends right.
func TestRestoreFails(t *testing.T) {
	t.Parallel()
	halves := 0
	steps(t, func(at int) bool {
		tree := inRepository(t, oldTexts)
		n := -1
		_, err := prepared(t, tree, changes()...).commit(t.Context(), func(string, string) error {
			if n++; n >= at {
				return syscall.EROFS
			}
			return nil
		})
		now := content(t, tree)
		if errors.Is(err, errNotRestored) {
			halves++
			for _, name := range differ(oldTexts, now) {
				if !strings.Contains(err.Error(), name) {
					t.Errorf("step %d: the error does not name %s, which has changed: %v", at, name, err)
				}
			}
		} else if diff := cmp.Diff(oldTexts, now); err != nil && diff != "" {
			t.Errorf("step %d, error %v (-want +got):\n%s", at, err, diff)
		}
		finished(t, tree, fmt.Sprintf("step %d", at))
		return n >= at
	})
	if halves == 0 {
		t.Error("no run left half of the files")
	}
}

// finished fails unless each file is the old one or the new one, whole, and a run for those that
// are old makes all of them new and leaves nothing.
func finished(t *testing.T, tree Tree, reason string) {
	t.Helper()
	now := content(t, tree)
	var rest []Change
	for _, c := range changes() {
		switch text, ok := now[c.Name]; {
		case ok == (c.After != nil) && text == string(c.After):
		case ok == (c.Before != nil) && text == string(c.Before):
			rest = append(rest, c)
		default:
			t.Errorf("%s: %s is neither the old file nor the new one: %q", reason, c.Name, text)
		}
	}
	if _, err := prepared(t, tree, rest...).Commit(t.Context()); err != nil {
		t.Errorf("%s: the next run: %v", reason, err)
	}
	if diff := cmp.Diff(newTexts, content(t, tree)); diff != "" {
		t.Errorf("%s: the next run (-want +got):\n%s", reason, diff)
	}
}

// TestCommitIsKilled: at whatever step the process ends, each file is whole, and the next run makes
// all of them new and leaves nothing.
func TestCommitIsKilled(t *testing.T) {
	t.Parallel()
	halves := 0
	steps(t, func(at int) bool {
		tree := inRepository(t, oldTexts)
		n := -1
		killed := func() (killed bool) {
			defer func() { killed = recover() != nil }()
			if _, err := prepared(t, tree, changes()...).commit(t.Context(), func(string, string) error {
				if n++; n == at {
					panic("killed")
				}
				return nil
			}); err != nil {
				t.Error(err)
			}
			return false
		}()
		if now := content(t, tree); now["a"] == "one" && now["gone"] == "3" {
			halves++
		}
		finished(t, tree, fmt.Sprintf("step %d", at))
		return killed
	})
	if halves == 0 {
		t.Error("no run was killed while it renamed")
	}
}

func differ(a, b map[string]string) []string {
	var out []string
	for name := range a {
		if b[name] != a[name] {
			out = append(out, name)
		}
	}
	for name := range b {
		if _, had := a[name]; !had && !strings.HasSuffix(name, suffix) {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}
