package cli

import (
	"strings"
	"testing"
)

// TestStepsOfKpt: the verbs run the configurations that a Kptfile lists, as its pipeline does.
func TestStepsOfKpt(t *testing.T) {
	t.Parallel()
	const pipeline = "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: p}\npipeline:\n  mutators:\n  - {exec: goldenarch, configPath: g.yaml}\n" +
		"  - {exec: goldenarch, configPath: conf/w.yaml}\n  validators:\n  - {exec: goldenarch, configPath: c.yaml}\n"
	dir := t.TempDir()
	initialised(t, dir)
	golden := configured("release: '1.19', predefined: none, gate: Enable, " + twoNodes)
	commitTree(t, dir, map[string]string{
		"Kptfile": pipeline, "hco.yaml": strangersCR, "pod.yaml": strings.Replace(armPod, "nodeSelector: {kubernetes.io/arch: arm64}", "hostIPC: false", 1),
		"g.yaml": golden, "c.yaml": strings.NewReplacer("name: c", "name: verify", "spec: {", "spec: {mode: Check, ").Replace(golden),
		// A registry of its own: it is not the one of the GoldenImages.
		"conf/w.yaml":             strings.Replace(aboutPods(", registry: {insecure: [quay.example]}"), "mode: Check, ", "", 1),
		"golden-images.lock.yaml": lockOf("quay.example/own:1", "amd64"),
	})
	run := func(want int, says string, args ...string) {
		t.Helper()
		if out, status := inTree(t, dir, nil, args...); status != want || !strings.Contains(out, says) {
			t.Errorf("%q: status %d, want %d and %q\n%s", args, status, want, says, out)
		}
	}
	run(statusFailed, "GA104", "check", ".", "--offline")
	run(statusOK, "wrote", "fix", ".", "--offline")
	run(statusOK, "", "fix", "--check", ".", "--offline")
	run(statusOK, "RightAsCommitted, 1 HyperConverged CR, 1 object with pods", "check", ".", "--offline")
	run(statusOK, "goldenarch.dev/node-affinity: amd64", "render", ".", "--offline")
	commitTree(t, dir, nil)
	run(statusOK, "RightAsCommitted, 1 HyperConverged CR, 1 object with pods", "check", ".", "--untrusted", "--base", "HEAD", "--strict")
	commitTree(t, dir, map[string]string{"Kptfile": "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: p}\n"})
	run(statusFailed, "GA004", "check", ".", "--offline")
}
