package cli

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/goldenarch/goldenarch/test/filetest"
	"github.com/goldenarch/goldenarch/test/registrytest"
)

// lockedTree is a directory with CRs, beside a registry that they refer to.
type lockedTree struct {
	t        *testing.T
	dir      string
	registry *registrytest.Server
}

// newLockedTree makes a directory with hco.yaml, of the templates fedora and
// rhel10-guest, and their images.
func newLockedTree(t *testing.T, wrappers ...registrytest.Wrapper) *lockedTree {
	t.Helper()
	s, err := registrytest.Start(registrytest.Options{PlainHTTP: true, Wrappers: wrappers})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	s.Push("x/fedora:1", registrytest.Index("linux/amd64", "linux/arm64")).
		Push("x/rhel10-guest:latest", registrytest.AttestedIndex("linux/amd64", "linux/s390x")).
		Push("x/single:1", registrytest.Image("linux/amd64"))
	tree := &lockedTree{t: t, dir: t.TempDir(), registry: s}
	tree.write("hco.yaml", tree.cr("x/fedora:1", "x/rhel10-guest:latest"))
	return tree
}

func (l *lockedTree) ref(image string) string { return l.registry.Host() + "/" + image }

// cr is a CR with a template for each image.
func (l *lockedTree) cr(images ...string) string {
	text := "apiVersion: hco.kubevirt.io/v1beta1\nkind: HyperConverged\nmetadata: {name: kubevirt-hyperconverged}\nspec:\n  dataImportCronTemplates:\n"
	for _, image := range images {
		name := strings.NewReplacer("/", "-", ":", "-", "@", "-").Replace(image)[:8]
		text += "  - metadata: {name: " + name + "}\n    spec:\n      managedDataSource: " + name +
			"\n      schedule: \"0 0 * * *\"\n      template: {spec: {source: {registry: {url: \"docker://" + l.ref(image) + "\"}}}}\n"
	}
	return text
}

func (l *lockedTree) path(name string) string { return filepath.Join(l.dir, name) }

func (l *lockedTree) write(name, text string) {
	l.t.Helper()
	filetest.File(l.t, l.path(name), text)
}

func (l *lockedTree) read(name string) string {
	data, err := os.ReadFile(l.path(name))
	if err != nil {
		return ""
	}
	return string(data)
}

// run runs a verb on what is in the directory.
func (l *lockedTree) run(in io.Reader, args ...string) (status int, stdout, stderr string) {
	l.t.Helper()
	for i, arg := range args {
		args[i] = strings.ReplaceAll(strings.ReplaceAll(arg, "DIR", l.dir), "HOST", l.registry.Host())
	}
	var out, errs bytes.Buffer
	args = append(args, "--set", "registryInsecure="+l.registry.Host())
	if args[0] != "resolve" {
		args = append(args, "--set", "registryRetries=0")
	}
	status = Execute(l.t.Context(), args, Streams{In: in, Out: &out, Err: &errs})
	return status, out.String(), errs.String()
}

func TestLock(t *testing.T) {
	t.Parallel()
	const name = "golden-images.lock.yaml"
	for _, tc := range []struct {
		reason string
		prep   func(l *lockedTree) // before the verb runs
		args   []string
		in     string
		status int
		stdout string
		stderr string
		file   string   // that holds the lock; name if ""
		has    []string // in the lock after; "-x" is not in it
		asked  int      // manifests, from prep on; 0 is not checked
	}{
		{
			reason: "the lock is written beside the CR; no node need be known",
			args:   []string{"lock", "DIR/hco.yaml"},
			stderr: "x/rhel10-guest:latest",
			has:    []string{"HOST/x/fedora:1", "HOST/x/rhel10-guest:latest", "s390x", `"true" # kustomize and kpt leave it out; kubectl would apply it`, "size: "},
			asked:  2,
		},
		{reason: "of a directory too", args: []string{"lock", "DIR"}, has: []string{"x/fedora:1"}},
		{
			reason: "a second run asks, and writes nothing", prep: func(l *lockedTree) { l.run(nil, "lock", "DIR"); l.write(name, "# mine\n"+l.read(name)) },
			args: []string{"lock", "DIR"}, has: []string{"# mine"}, asked: 2,
		},
		{
			reason: "an answer that has changed is the only change", prep: func(l *lockedTree) {
				l.run(nil, "lock", "DIR")
				l.write(name, strings.Replace(l.read(name), "- reference: "+l.ref("x/fedora:1"), "- reference: "+l.ref("x/fedora:1")+" # why", 1))
				l.registry.Push("x/rhel10-guest:latest", registrytest.Index("linux/amd64"))
			}, args: []string{"lock", "DIR"}, has: []string{"x/fedora:1 # why", "-s390x"}, stderr: "rhel10-guest: -s390x (HOST/x/rhel10-guest:latest, sha256:",
		},
		{
			reason: "--check tells the difference, exits 3, and writes nothing",
			prep: func(l *lockedTree) {
				l.run(nil, "lock", "DIR")
				l.registry.Push("x/rhel10-guest:latest", registrytest.Index("linux/amd64"))
			},
			args:   []string{"lock", "--check", "DIR"},
			status: 3,
			stdout: "rhel10-guest: -s390x (HOST/x/rhel10-guest:latest, sha256:",
			stderr: "refresh it with",
			has:    []string{"s390x"},
		},
		{
			reason: "--check of a lock that is right is silent",
			prep:   func(l *lockedTree) { l.run(nil, "lock", "DIR") },
			args:   []string{"lock", "--check", "DIR"},
			has:    []string{"s390x"},
		},
		{
			reason: "--check without a lock: nothing is locked",
			args:   []string{"lock", "--check", "DIR"},
			status: 3,
			stdout: "fedora: not in the lock, has amd64,arm64",
		},
		{
			reason: "what nothing refers to stays, it may be another overlay's",
			prep:   func(l *lockedTree) { l.run(nil, "lock", "DIR"); l.write("hco.yaml", l.cr("x/single:1")) },
			args:   []string{"lock", "DIR"},
			has:    []string{"x/fedora:1", "x/single:1"},
			asked:  1,
		},
		{
			reason: "--prune drops it", prep: func(l *lockedTree) { l.run(nil, "lock", "DIR"); l.write("hco.yaml", l.cr("x/single:1")) },
			args: []string{"lock", "DIR", "--prune"}, has: []string{"-x/fedora:1", "x/single:1"}, stderr: "fedora: not used",
		},
		{
			reason: "--check --prune tells it", prep: func(l *lockedTree) { l.run(nil, "lock", "DIR"); l.write("hco.yaml", l.cr("x/fedora:1")) },
			args: []string{"lock", "DIR", "--prune", "--check"}, status: 3, stdout: "rhel10-guest: not used", has: []string{"rhel10-guest"},
		},
		{
			reason: "an override is asked for by nobody, and referred to all the same", prep: func(l *lockedTree) {
				l.run(nil, "lock", "DIR")
				l.write("config.yaml",
					"apiVersion: goldenarch.dev/v1alpha1\nkind: GoldenImages\nmetadata: {name: g}\nspec: {lock: {mode: Require}, overrides: [{image: \""+
						l.ref("x/fedora:1")+"\", architectures: [amd64]}]}\n")
			}, args: []string{"lock", "DIR", "--prune"}, has: []string{"x/fedora:1"}, asked: 1,
		},
		{reason: "--only locks one image", args: []string{"lock", "DIR", "--only", "docker://HOST/x/fedora:1"}, has: []string{"x/fedora:1", "-rhel10"}, asked: 1},
		{
			reason: "--only twice locks two, and what no CR here names",
			args:   []string{"lock", "DIR", "--only", "HOST/x/fedora:1", "--only", "HOST/x/single:1,HOST/x/single:1"},
			has:    []string{"x/fedora:1", "x/single:1"},
			asked:  2,
		},
		{
			reason: "the command that a missing entry names: the lock alone is enough",
			prep:   func(l *lockedTree) { l.run(nil, "lock", "DIR", "--only", "HOST/x/fedora:1") },
			args:   []string{"lock", "DIR/" + name, "--only", "HOST/x/single:1"},
			has:    []string{"x/fedora:1", "x/single:1"},
			asked:  1,
		},
		{
			reason: "a lock alone is refreshed", prep: func(l *lockedTree) {
				l.run(nil, "lock", "DIR")
				l.registry.Push("x/fedora:1", registrytest.Index("linux/amd64"))
			}, args: []string{"lock", "DIR/" + name}, stderr: "fedora: -arm64", has: []string{"rhel10"}, asked: 2,
		},
		{
			reason: "the lock among PATH is the one, wherever it is", prep: func(l *lockedTree) {
				l.write("locks/mine.yaml",
					"kind: Namespace\napiVersion: v1\nmetadata: {name: a}\n---\napiVersion: goldenarch.dev/v1alpha1\nkind: ArchitectureLock\nmetadata: {name: mine}\n")
			}, args: []string{"lock", "DIR"}, file: "locks/mine.yaml", has: []string{"kind: Namespace", "name: mine", "x/fedora:1"},
		},
		{reason: "standard input has no directory", args: []string{"lock", "-"}, in: "cr", status: 2, stderr: "--file"},
		{reason: "so --file says it", args: []string{"lock", "-", "--file", "DIR/out.yaml"}, in: "cr", file: "out.yaml", has: []string{"x/fedora:1"}},
		{
			reason: "of two locks none is taken", prep: func(l *lockedTree) {
				for _, file := range []string{"a.yaml", "b.yaml"} {
					l.write(file, "apiVersion: goldenarch.dev/v1alpha1\nkind: ArchitectureLock\nmetadata: {name: a}\n")
				}
			}, args: []string{"lock", "DIR"}, status: 1, stderr: "several locks (DIR/a.yaml, DIR/b.yaml)",
		},
		{
			reason: "CRs of two directories have no place beside them",
			prep:   func(l *lockedTree) { l.write("b/hco.yaml", l.cr("x/fedora:1")) },
			args:   []string{"lock", "DIR/hco.yaml", "DIR/b/hco.yaml"},
			status: 1,
			stderr: "CRs in several directories",
		},
		{
			reason: "nothing says what to lock",
			args:   []string{"lock", "DIR/empty.yaml"},
			prep:   func(l *lockedTree) { l.write("empty.yaml", onlyOwn) },
			status: 1,
			stderr: "nothing says what to lock",
		},
		{
			reason: "if one image cannot be resolved, nothing is written, and all that failed is told", prep: func(l *lockedTree) {
				l.write("hco.yaml", l.cr("x/fedora:1", "y/gone:1", "z/gone:2"))
			}, args: []string{"lock", "DIR"}, status: 1, stderr: "y/gone:1", has: []string{"-fedora"},
		},
		{
			reason: "an old lock stays as it was then", prep: func(l *lockedTree) {
				l.run(nil, "lock", "DIR")
				l.registry.Push("x/fedora:1", registrytest.Index("linux/amd64"))
				l.write("hco.yaml", l.cr("x/fedora:1", "y/gone:1", "z/gone:2"))
			}, args: []string{"lock", "DIR"}, status: 1, stderr: "z/gone:2", has: []string{"arm64", "s390x"},
		},
		{
			reason: "a digest never changes: it is asked for once", prep: func(l *lockedTree) {
				l.write("hco.yaml", l.cr("x/fedora:1@"+registrytest.Index("linux/amd64", "linux/arm64").Digest()))
				l.run(nil, "lock", "DIR")
			}, args: []string{"lock", "DIR"}, has: []string{"x/fedora:1@sha256:"}, asked: -1,
		},
		{
			reason: "but what is verified is looked at", prep: func(l *lockedTree) {
				l.write("hco.yaml", l.cr("x/fedora:1@"+registrytest.Index("linux/amd64", "linux/arm64").Digest()))
				l.run(nil, "lock", "DIR")
			}, args: []string{"lock", "DIR", "--set", "verify=children"}, has: []string{"x/fedora:1@sha256:"}, asked: 3,
		},
		{
			reason: "a lie of an index is the error that CDI would meet",
			prep: func(l *lockedTree) {
				l.registry.Push("x/fedora:1", registrytest.IndexOf(registrytest.Entry{Artifact: registrytest.Image("linux/amd64"), Platform: "linux/arm64"}))
			},
			args:   []string{"lock", "DIR", "--set=verify=config"},
			status: 1,
			stderr: `manifest image architecture: "amd64" doesn't match requested architecture: "arm64"`,
			has:    []string{"-fedora"},
		},
		{
			reason: "an index without its images is found out", prep: func(l *lockedTree) {
				l.registry.Push("y/sparse:1", registrytest.Index("linux/amd64", "linux/ppc64le").Sparse())
				l.write("hco.yaml", l.cr("y/sparse:1"))
			}, args: []string{"lock", "DIR", "--set=verify=children"}, status: 1, stderr: "linux/ppc64le: answered 404",
		},
		{
			reason: "a lock that is wrong is not written over",
			prep: func(l *lockedTree) {
				l.write(name, "apiVersion: goldenarch.dev/v1alpha1\nkind: ArchitectureLock\nmetadata: {name: a}\nimages: [{reference: a}]\n")
			},
			args:   []string{"lock", "DIR"},
			status: 1,
			stderr: "error GA602 ArchitectureLock images[0].digest (DIR/" + name + ")",
			has:    []string{"images: [{reference: a}]"},
		},
		{
			reason: "nor is a file that is none",
			prep:   func(l *lockedTree) { l.write("other.yaml", "apiVersion: v1\nkind: Secret\nmetadata: {name: a}\n") },
			args:   []string{"lock", "DIR/hco.yaml", "--file", "DIR/other.yaml"},
			status: 1,
			stderr: "no ArchitectureLock",
			file:   "other.yaml",
			has:    []string{"Secret"},
		},
		{reason: "an unknown level", args: []string{"lock", "DIR", "--set", "verify=all"}, status: 2, stderr: `flag --set verify: `},
		{reason: "a reference that is none", args: []string{"lock", "DIR", "--only", "HOST//x"}, status: 2, stderr: "--only: "},
		{reason: "all and some at once", args: []string{"lock", "DIR", "--only", "a", "--prune"}, status: 2, stderr: "use one of them"},
		{
			reason: "without CRs all would be dropped",
			prep:   func(l *lockedTree) { l.run(nil, "lock", "DIR") },
			args:   []string{"lock", "DIR/" + name, "--prune"},
			status: 1,
			stderr: "needs the HyperConverged CRs",
			has:    []string{"fedora"},
		},
		{reason: "a missing ImageStream would drop what it names", prep: func(l *lockedTree) {
			l.run(nil, "lock", "DIR")
			l.write("hco.yaml", strings.Replace(l.cr("x/fedora:1"), "url: ", "pullMethod: node, imageStream: ", 1))
		}, args: []string{"lock", "DIR", "--prune"}, status: 1, stderr: "needs the ImageStreams", has: []string{"fedora"}},
		{
			reason: "a directory that takes no file",
			args:   []string{"lock", "DIR/hco.yaml", "--file", "/proc/self/lock.yaml"},
			status: 1,
			stderr: "write the lock /proc/self/lock.yaml",
		},
	} {
		t.Run(tc.reason, func(t *testing.T) {
			t.Parallel()
			l := newLockedTree(t)
			if tc.prep != nil {
				tc.prep(l)
			}
			before := l.registry.Counts().Manifest
			in := strings.NewReader("")
			if tc.in != "" {
				in = strings.NewReader(l.read("hco.yaml"))
				if err := os.Remove(l.path("hco.yaml")); err != nil {
					t.Fatal(err)
				}
			}
			fill := func(s string) string {
				return strings.ReplaceAll(strings.ReplaceAll(s, "DIR", l.dir), "HOST", l.registry.Host())
			}
			status, stdout, stderr := l.run(in, tc.args...)
			if status != tc.status {
				t.Errorf("%s: want status %d, got %d\n%s", tc.reason, tc.status, status, stderr)
			}
			if !strings.Contains(stdout, fill(tc.stdout)) || tc.stdout == "" && stdout != "" {
				t.Errorf("%s: want %q on standard output, got %q", tc.reason, fill(tc.stdout), stdout)
			}
			if !strings.Contains(stderr, fill(tc.stderr)) {
				t.Errorf("%s: want %q on standard error, got %q", tc.reason, fill(tc.stderr), stderr)
			}
			file := name
			if tc.file != "" {
				file = tc.file
			}
			for _, text := range tc.has {
				absent, not := strings.CutPrefix(fill(text), "-")
				if strings.Contains(l.read(file), absent) == not {
					t.Errorf("%s: want %q in the lock:\n%s", tc.reason, fill(text), l.read(file))
				}
			}
			if asked := l.registry.Counts().Manifest - before; tc.asked != 0 && asked != max(tc.asked, 0) {
				t.Errorf("%s: want %d manifests asked for, got %d", tc.reason, max(tc.asked, 0), asked)
			}
			if left, _ := filepath.Glob(l.path(".*")); len(left) > 0 {
				t.Errorf("%s: something is left behind: %v", tc.reason, left)
			}
		})
	}
}

// What is locked is what render takes, and the other way round: render names the
// command, and the command makes render go on.
func TestLockThenRenderOffline(t *testing.T) {
	t.Parallel()
	l := newLockedTree(t)
	args := []string{"render", "DIR", "--offline", "--workload-architectures=amd64,arm64"}
	status, _, stderr := l.run(nil, append([]string{}, args...)...)
	want := "or run: goldenarch lock " + l.dir + " --only " + l.ref("x/fedora:1")
	if status != 1 || !strings.Contains(stderr, want) {
		t.Fatalf("without a lock render must name the command %q: %d\n%s", want, status, stderr)
	}
	for _, image := range []string{"x/fedora:1", "x/rhel10-guest:latest"} {
		if status, _, stderr := l.run(nil, "lock", "DIR/hco.yaml", "--only", l.ref(image)); status != 0 {
			t.Fatalf("lock: %d\n%s", status, stderr)
		}
	}
	l.registry.Close()
	connections := l.registry.Connections()
	status, stdout, stderr := l.run(nil, append([]string{}, args...)...)
	if status != 0 || !strings.Contains(stdout, "dict.architectures: 'amd64,arm64'") || strings.Contains(stdout, "ArchitectureLock") {
		t.Errorf("render with the lock, without the registry: %d\n%s\n%s", status, stdout, stderr)
	}
	if l.registry.Connections() != connections {
		t.Error("a connection was opened")
	}
	if status, _, stderr := l.run(nil, append(args, "--set=lock=Ignore")...); status != 2 || !strings.Contains(stderr, "contradict") {
		t.Errorf("--offline and --set lock=Ignore cannot both be: %d %s", status, stderr)
	}
}
