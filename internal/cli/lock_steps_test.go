package cli

import (
	"cmp"
	"strconv"
	"strings"
	"testing"
)

// TestLockOfSteps: lock writes the images of a step into the lock that its spec.inputs name,
// and those of all other steps into one.
func TestLockOfSteps(t *testing.T) {
	t.Parallel()
	l := newLockedTree(t)
	config := func(kind, name, spec string) string {
		return "apiVersion: goldenarch.dev/v1alpha1\nkind: " + kind + "\nmetadata: {name: " + name + "}\nspec: " + spec + "\n"
	}
	l.write("hco.yaml", l.cr("x/fedora:1"))
	l.write("pod.yaml", "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec: {containers: [{name: c, image: "+l.ref("x/single:1")+"}]}\n")
	l.write("kustomization.yaml", "resources: [hco.yaml, pod.yaml]\ntransformers: [g.yaml, w.yaml]\n")
	for name, tc := range map[string]struct{ inputs, forCR, forPods string }{
		"One":  {"", "golden-images.lock.yaml", "golden-images.lock.yaml"},
		"Each": {"inputs: [pods/golden-images.lock.yaml]", "golden-images.lock.yaml", "pods/golden-images.lock.yaml"},
	} {
		l.write("pods/README", "")
		l.write("g.yaml", config("GoldenImages", "g", "{predefined: none, release: '1.19'}"))
		l.write("w.yaml", config("WorkloadArchitectures", "w", "{"+tc.inputs+"}"))
		l.write(tc.forCR, emptyLock)
		l.write(tc.forPods, emptyLock)
		if status, _, stderr := l.run(nil, "lock", "DIR"); status != 0 {
			t.Fatalf("%s: status %d\n%s", name, status, stderr)
		}
		locked := map[string]string{tc.forCR: l.read(tc.forCR), tc.forPods: l.read(tc.forPods)}
		for name := range locked {
			l.write(name, emptyLock)
		}
		// The directory is a cluster of a repository, too.
		l.write("goldenarch-fleet.yaml", "apiVersion: goldenarch.dev/v1alpha1\nkind: Fleet\nmetadata: {name: f}\nclusters: [{paths: [.], release: '1.19'}]\n")
		if status, _, stderr := l.run(nil, "lock", "DIR", "--fleet", "DIR/goldenarch-fleet.yaml"); status != 0 {
			t.Fatalf("%s: in a repository: status %d\n%s", name, status, stderr)
		}
		for name, want := range locked {
			if got := l.read(name); entriesOf(got) != entriesOf(want) {
				t.Errorf("%s: in a repository: want the same entries, got\n%s\nand want\n%s", name, got, want)
			}
		}
		if !strings.Contains(l.read(tc.forCR), "x/fedora:1") || !strings.Contains(l.read(tc.forPods), "x/single:1") {
			t.Errorf("%s: the lock of the CR:\n%s\nthe lock of the pods:\n%s", name, l.read(tc.forCR), l.read(tc.forPods))
		}
		if status, stdout, stderr := l.run(nil, "lock", "DIR", "--check"); status != 0 {
			t.Errorf("%s: a second run finds a difference: status %d\n%s%s", name, status, stdout, stderr)
		}
	}
}

// entriesOf returns the references of a lock.
func entriesOf(text string) string {
	var out []string
	for line := range strings.Lines(text) {
		if strings.Contains(line, "reference: ") {
			out = append(out, strings.TrimSpace(line))
		}
	}
	return strings.Join(out, "\n")
}

// TestGenerator: no verb runs goldenarch as a generator, and each says how to list it instead.
func TestGenerator(t *testing.T) {
	t.Parallel()
	l := newLockedTree(t)
	l.write("hco.yaml", l.cr("x/fedora:1"))
	l.write("golden-images.lock.yaml", emptyLock)
	l.write("g.yaml", "apiVersion: goldenarch.dev/v1alpha1\nkind: GoldenImages\nmetadata: {name: g}\nspec: {predefined: none, release: '1.19', "+
		"inputs: [hco.yaml, golden-images.lock.yaml], cluster: {workloadArchitectures: [amd64, arm64], controlPlaneArchitectures: [amd64]}}\n")
	l.write("kustomization.yaml", "generators: [g.yaml]\n")
	before := l.read("golden-images.lock.yaml")
	for _, args := range []string{
		"render DIR", "check DIR", "check DIR --as rendered", "lock DIR", "fix DIR", "forecast DIR", "customize x-fedora DIR --disable",
		"render DIR --config DIR/g.yaml",
	} {
		status, stdout, stderr := l.run(nil, strings.Fields(args)...)
		const says = "goldenarch runs no generators itself; list the files of its spec.inputs under resources of "
		if status != 1 || !strings.Contains(stdout+stderr, says) {
			t.Errorf("%s: want status 1 and %q, got %d\n%s%s", args, says, status, stdout, stderr)
		}
	}
	if after := l.read("golden-images.lock.yaml"); after != before {
		t.Errorf("the lock changes:\n%s", after)
	}
}

// TestConfigReplacesSteps: the file of --config replaces the listed configurations of its
// kind. It runs once, in place of the first one.
func TestConfigReplacesSteps(t *testing.T) {
	t.Parallel()
	const cr = "resources: [hco.yaml, pod.yaml, golden-images.lock.yaml]\n"
	for _, tc := range []struct {
		reason, kustomization, spec string
		status                      int
		want                        string // the declared architectures of each CR, with how many pods have a constraint
		stderr                      string
	}{
		{"two transformers", cr + "transformers: [g.yaml, h.yaml]\n", "", 0, "amd64 0", ""},
		{"between those of another kind", cr + "transformers: [w.yaml, g.yaml, h.yaml]\n", "", 0, "amd64 1", ""},
		{"none of its kind is listed", cr + "transformers: [w.yaml]\n", "", 0, "amd64 1", ""},
	} {
		t.Run(tc.reason, func(t *testing.T) {
			t.Parallel()
			l := newLockedTree(t)
			config := func(name, spec string) string {
				return "apiVersion: goldenarch.dev/v1alpha1\nkind: GoldenImages\nmetadata: {name: " + name + "}\nspec: {predefined: none, release: '1.19', " +
					"lock: {mode: Prefer}, cluster: {workloadArchitectures: [amd64, arm64], controlPlaneArchitectures: [amd64]}, " + spec + "}\n"
			}
			l.write("hco.yaml", l.cr("x/fedora:1"))
			l.write("other.yaml", strings.ReplaceAll(l.cr("x/fedora:1"), "kubevirt-hyperconverged", "other"))
			l.write("golden-images.lock.yaml", emptyLock)
			l.write("pod.yaml", "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec: {containers: [{name: c, image: "+l.ref("x/single:1")+"}]}\n")
			l.write("g.yaml", config("g", "inputs: [hco.yaml, golden-images.lock.yaml]"))
			l.write("h.yaml", config("h", "inputs: [other.yaml, golden-images.lock.yaml]"))
			l.write("w.yaml", "apiVersion: goldenarch.dev/v1alpha1\nkind: WorkloadArchitectures\nmetadata: {name: w}\nspec: {mode: Affinity}\n")
			l.write("kustomization.yaml", tc.kustomization)
			l.write("c.yaml", config("c", cmp.Or(tc.spec, "gate: Keep")+", allow: [amd64]"))
			status, stdout, stderr := l.run(nil, "render", "DIR", "--config", "DIR/c.yaml")
			got := ""
			if status == 0 {
				for line := range strings.Lines(stdout) {
					if _, value, ok := strings.Cut(line, "dict.architectures: "); ok {
						got += strings.TrimSpace(value) + " "
					}
				}
				got += strconv.Itoa(strings.Count(stdout, "nodeAffinity:"))
			}
			if status != tc.status || got != tc.want || !strings.Contains(stderr, strings.ReplaceAll(tc.stderr, "DIR", l.dir)) {
				t.Errorf("%s: status %d, want %q, got %q\n%s%s", tc.reason, status, tc.want, got, stdout, stderr)
			}
		})
	}
}
