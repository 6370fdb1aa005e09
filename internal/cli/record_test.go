package cli

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/goldenarch/goldenarch/internal/images/layout"
	"github.com/goldenarch/goldenarch/internal/images/registrytest"
)

// execute runs goldenarch on what is in the directory; DIR and HOST stand for it and
// the registry.
func (l *lockedTree) execute(in string, args ...string) (status int, stdout, stderr string) {
	l.t.Helper()
	var out, errs bytes.Buffer
	for i, arg := range args {
		args[i] = strings.NewReplacer("DIR", l.dir, "HOST", l.registry.Host()).Replace(arg)
	}
	status = Execute(l.t.Context(), args, Streams{In: strings.NewReader(in), Out: &out, Err: &errs})
	return status, out.String(), errs.String()
}

// list is a ResourceList with the CR.
func (l *lockedTree) list() string {
	return "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n-" + indented("  ", l.read("hco.yaml"))[1:]
}

// TestReplayedVerbs: each verb that asks registries says the same three times: when
// it asks, when it asks and records, and when it replays, with the registry gone.
func TestReplayedVerbs(t *testing.T) {
	t.Parallel()
	const nodes = "--workload-architectures=amd64,arm64"
	for name, tc := range map[string]struct {
		reason string
		prep   func(l *lockedTree)
		args   []string
		in     func(l *lockedTree) string
		status int
		says   string // on standard output
		file   string // that is written
		// differs says that the replay tells in other words what went wrong.
		differs string
	}{
		"Resolve": {reason: "resolve", args: []string{"resolve", "-o", "json", "HOST/x/fedora:1", "HOST/x/single:1"}, says: `"digest"`},
		"ResolveText": {
			reason: "resolve of what is no image",
			prep:   func(l *lockedTree) { l.registry.Push("x/chart:1", registrytest.HelmChart()) },
			args:   []string{"resolve", "HOST/x/fedora:1", "HOST/x/chart:1"},
			status: 1,
			says:   "unknown",
		},
		"ResolveGone": {
			reason: "resolve of what is not there",
			args:   []string{"resolve", "HOST/x/gone:1", "HOST/x/fedora:1"},
			status: 1,
			says:   "amd64,arm64",
			differs: `image "HOST/x/gone:1": the layout "DIR/run" does not have it; add it on a machine that reaches its registry, ` +
				`with --record "DIR/run" instead of --replay`,
		},
		"Render": {reason: "render", args: []string{"render", "DIR/hco.yaml", nodes}, says: "dict.architectures"},
		"RenderGone": {
			reason:  "render with an image that is not there",
			prep:    func(l *lockedTree) { l.write("hco.yaml", l.cr("x/fedora:1", "y/gone:1")) },
			args:    []string{"render", "DIR/hco.yaml", nodes},
			status:  1,
			differs: `image "HOST/y/gone:1": the layout "DIR/run" does not have it`,
		},
		"RenderKeep": {
			reason:  "render that goes on without it",
			prep:    func(l *lockedTree) { l.write("hco.yaml", l.cr("x/fedora:1", "y/gone:1")) },
			args:    []string{"render", "DIR/hco.yaml", nodes, "--unresolved=Keep"},
			says:    "dict.architectures: 'amd64,arm64'",
			differs: `the layout "DIR/run" does not have it`,
		},
		"RenderLock": {
			reason: "with a lock that has one of two", args: []string{"render", "DIR/hco.yaml", "DIR/lock.yaml", nodes}, says: "dict.architectures",
			prep: func(l *lockedTree) {
				l.run(nil, "lock", "DIR/hco.yaml", "--file", "DIR/lock.yaml", "--only", "HOST/x/fedora:1")
			},
		},
		"Lock": {reason: "lock", args: []string{"lock", "DIR/hco.yaml", "--file", "DIR/out.yaml", "--verify=config"}, file: "out.yaml"},
		"LockIgnore": {
			reason: "lock asks whatever the mode is",
			args:   []string{"lock", "DIR/hco.yaml", "--file", "DIR/out.yaml", "--lock=Require"},
			file:   "out.yaml",
		},
		"LockCheck": {reason: "lock --check", args: []string{"lock", "DIR/hco.yaml", "--check"}, status: 3, says: "not in the lock"},
		"Function":  {reason: "the function", args: []string{nodes}, in: (*lockedTree).list, says: "dict.architectures"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := newLockedTree(t)
			if tc.prep != nil {
				tc.prep(l)
			}
			in := ""
			if tc.in != nil {
				in = tc.in(l)
			}
			type said struct{ Out, Err, File string }
			run := func(more ...string) said {
				t.Helper()
				insecure := []string{"--registry-insecure=" + l.registry.Host()}
				status, stdout, stderr := l.execute(in, slices.Concat(tc.args, insecure, more)...)
				if status != tc.status {
					t.Fatalf("%s: %v: want status %d, got %d\n%s", tc.reason, more, tc.status, status, stderr)
				}
				file := l.read(tc.file)
				if tc.file != "" && os.Remove(l.path(tc.file)) != nil {
					t.Errorf("%s: %v: nothing was written", tc.reason, more)
				}
				return said{stdout, stderr, file}
			}
			live := run()
			if !strings.Contains(live.Out, tc.says) {
				t.Errorf("%s: want %q, got %s", tc.reason, tc.says, live.Out)
			}
			if diff := cmp.Diff(live, run("--record", "DIR/run")); diff != "" {
				t.Errorf("%s: a recorded run is another:\n%s", tc.reason, diff)
			}
			l.registry.Close()
			connections := l.registry.Connections()
			again := run("--replay", "DIR/run")
			if l.registry.Connections() != connections {
				t.Errorf("%s: the registry was asked", tc.reason)
			}
			if want := strings.NewReplacer("DIR", l.dir, "HOST", l.registry.Host()).Replace(tc.differs); want != "" {
				if !strings.Contains(again.Err, want) {
					t.Errorf("%s: want %q, got %s", tc.reason, want, again.Err)
				}
				again.Err = live.Err
			}
			if diff := cmp.Diff(live, again); diff != "" {
				t.Errorf("%s: the replay (+) is not the recorded run (-):\n%s", tc.reason, diff)
			}
		})
	}
}

func TestRecordMisuse(t *testing.T) {
	t.Parallel()
	config := `apiVersion: goldenarch.dev/v1alpha1
kind: GoldenImages
metadata: {name: g}
spec: {cluster: {workloadArchitectures: [amd64]}, lock: {mode: Require}}
`
	for _, tc := range []struct {
		reason string
		args   []string
		status int
		says   string
	}{
		{"both", []string{"render", "DIR", "--record=DIR/a", "--replay=DIR/b"}, 2, "--record and --replay contradict each other"},
		{"both, of resolve", []string{"resolve", "a", "--record=DIR/a", "--replay=DIR/b"}, 2, "--record and --replay contradict each other"},
		{"a variable that was not set", []string{"resolve", "a", "--replay="}, 2, "flag --replay: the value is empty"},
		{"the same, of the function", []string{"--record="}, 2, "flag --record: the value is empty"},
		{"nothing to replay", []string{"render", "DIR", "--offline", "--replay=DIR/b"}, 2, "--replay and the lock mode Require (--offline) contradict each other"},
		{"nothing to record", []string{"render", "DIR", "--lock=Require", "--record=DIR/b"}, 2, "Use --lock Prefer or Ignore"},
		{
			reason: "nothing to record, by the configuration",
			args:   []string{"render", "DIR/hco.yaml", "--config=DIR/config", "--record=DIR/b"},
			status: 1,
			says:   "--record and the lock mode Require",
		},
		{
			reason: "unless the flag says otherwise",
			args:   []string{"render", "DIR/hco.yaml", "--config=DIR/config", "--lock=Prefer", "--registry-insecure=HOST", "--record=DIR/b"},
		},
		{"no such layout", []string{"lock", "DIR", "--replay=DIR/none"}, 1, `flag --replay: read the layout "DIR/none": `},
		{"no layout", []string{"resolve", "a", "--replay=DIR"}, 1, `flag --replay: read the layout "DIR": it is not an OCI image layout`},
		{"a directory of the user's", []string{"resolve", "a", "--record=DIR"}, 1, `flag --record: record to "DIR": it is neither empty nor an OCI image layout`},
		{"a directory that takes no file", []string{"render", "DIR", "--record=/proc/self/run"}, 1, `flag --record: record to "/proc/self/run": `},
		{"forecast asks nobody", []string{"forecast", "DIR", "--record=DIR/a"}, 2, "unknown flag: --record"},
	} {
		l := newLockedTree(t)
		l.write("config", config)
		status, stdout, stderr := l.execute("", tc.args...)
		if want := strings.ReplaceAll(tc.says, "DIR", l.dir); status != tc.status || !strings.Contains(stderr, want) || status != 0 && stdout != "" {
			t.Errorf("%s: want status %d and %q, got %d, %s", tc.reason, tc.status, want, status, stderr)
		}
		if asked := l.registry.Counts().Total(); status != 0 && asked > 0 {
			t.Errorf("%s: the registry was asked %d times", tc.reason, asked)
		}
	}
}

// TestRecordFailsWithTheRun: who asks for a recording and cannot have it gets no
// product either, whatever may stay unresolved.
func TestRecordFailsWithTheRun(t *testing.T) {
	t.Parallel()
	for name, args := range map[string][]string{
		"Render":   {"render", "DIR/hco.yaml", "--workload-architectures=amd64", "--unresolved=Keep"},
		"Lock":     {"lock", "DIR/hco.yaml"},
		"Resolve":  {"resolve", "HOST/x/fedora:1"},
		"Function": {"--workload-architectures=amd64", "--unresolved=Keep"},
	} {
		l := newLockedTree(t)
		if _, err := layout.Record(l.path("run")); err != nil {
			t.Fatal(err)
		}
		// A directory that is in a blob's place.
		blob := strings.TrimPrefix(registrytest.Index("linux/amd64", "linux/arm64").Digest(), "sha256:")
		l.write("run/blobs/sha256/"+blob+"/x", "")
		status, stdout, stderr := l.execute(l.list(), append(args, "--record=DIR/run", "--registry-insecure=HOST")...)
		if status != 1 || stdout != "" || !strings.Contains(stderr, `flag --record: record to "`+l.path("run")) || l.read(lockFile) != "" {
			t.Errorf("%s: got %d, %s\n%s", name, status, stdout, stderr)
		}
	}
}

// textOf returns all that is in a directory, names and contents.
func textOf(t *testing.T, dir string) string {
	t.Helper()
	var all strings.Builder
	err := filepath.WalkDir(dir, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := os.ReadFile(name)
		all.WriteString(name + "\n" + string(content) + "\n")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all.String()
}
