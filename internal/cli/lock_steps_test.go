package cli

import (
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
		if status, _, stderr := l.run(nil, "lock", "DIR"); status != 0 {
			t.Fatalf("%s: status %d\n%s", name, status, stderr)
		}
		if !strings.Contains(l.read(tc.forCR), "x/fedora:1") || !strings.Contains(l.read(tc.forPods), "x/single:1") {
			t.Errorf("%s: the lock of the CR:\n%s\nthe lock of the pods:\n%s", name, l.read(tc.forCR), l.read(tc.forPods))
		}
		if status, stdout, stderr := l.run(nil, "lock", "DIR", "--check"); status != 0 {
			t.Errorf("%s: a second run finds a difference: status %d\n%s%s", name, status, stdout, stderr)
		}
	}
}
