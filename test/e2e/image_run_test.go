package e2e

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// restrictions are those of an Argo CD sidecar.
var restrictions = []string{"--read-only", "--read-only-tmpfs=false", "--cap-drop=all", "--security-opt=no-new-privileges"}

// imageRunsRestricted runs the function as hosts do, down to an Argo CD sidecar:
// any user, no capability, no network, a root that cannot be written. The answer
// is that of the program on this machine.
func imageRunsRestricted(t *testing.T, e engines) {
	input := resourceList(t, "golden-images.lock.yaml")
	plain := e.runWith(t, input, "env", "goldenarch")
	if plain.status != 0 || !strings.Contains(plain.stdout, "dict.architectures: amd64,arm64,s390x") {
		t.Fatalf("without a container: status %d\n%s%s", plain.status, plain.stdout, plain.stderr)
	}
	for name, args := range map[string][]string{
		"AsItIs":              nil,
		"AsKustomizeAndKptDo": {"--user=nobody", "--security-opt=no-new-privileges"},
		"AsNobody":            restrictions,
		"AsArgoCD":            append(slices.Clone(restrictions), "--user=999"),
		"AsAnyoneOnOpenShift": append(slices.Clone(restrictions), "--user=1000650000:0"),
	} {
		t.Run(name, func(t *testing.T) {
			got := e.runWith(t, input, "podman", slices.Concat([]string{"run", "--rm", "-i", "--network=none"}, args, []string{imageName})...)
			if diff := cmp.Diff(plain, got, cmp.AllowUnexported(outcome{})); diff != "" {
				t.Errorf("in a container it does something else (-plain +container):\n%s", diff)
			}
		})
	}
}

// imageNeedsNetworkWithoutLock is why the lock is there: where nobody can be asked
// and nothing is known, there is an error and no output.
func imageNeedsNetworkWithoutLock(t *testing.T, e engines) {
	input := strings.Replace(resourceList(t), "mode: Require", "mode: Prefer", 1)
	got := e.runWith(t, input, "podman", slices.Concat([]string{"run", "--rm", "-i", "--network=none"}, restrictions, []string{imageName})...)
	if got.status != 1 || strings.Contains(got.stdout, "dict.architectures") || !strings.HasPrefix(got.stderr, "error GA") {
		t.Errorf("status %d, expected an error and no claim\n%s%s", got.status, got.stdout, got.stderr)
	}
}

// imageCopiesItself is an init container and the container it is for, as they are
// in Argo CD: the one has goldenarch and no shell, the other the volume alone.
func imageCopiesItself(t *testing.T, e engines) {
	e.must(t, "podman", "volume", "create", "tools")
	// Kubernetes lets anyone write in an emptyDir.
	e.must(t, "podman", "run", "--rm", "--network=none", "--volume=tools:/tools", shells, "/bin/busybox", "chmod", "0777", "/tools")
	run := func(args ...string) outcome {
		t.Helper()
		return e.run(t, "podman", slices.Concat([]string{"run", "--rm", "--network=none", "--user=999"}, restrictions, args)...)
	}
	if got := run(imageName, "copy-to", "/usr/local/bin"); got.status == 0 {
		t.Error("the root can be written, so the rest proves nothing")
	}
	for range 2 { // a restarted pod copies again
		if got := run("--volume=tools:/tools", imageName, "copy-to", "/tools"); got.status != 0 || got.stdout != "" {
			t.Fatalf("status %d\n%s%s", got.status, got.stdout, got.stderr)
		}
	}
	want := run(imageName, "version")
	if got := run("--volume=tools:/tools:ro", shells, "/tools/goldenarch", "version"); !strings.Contains(got.stdout, stampVersion) || got != want {
		t.Errorf("the copy in the volume is not the program: %+v, expected %+v", got, want)
	}
	if got := run("--volume=tools:/tools:ro", shells, "/bin/busybox", "ls", "-A", "/tools"); got.stdout != "goldenarch\n" {
		t.Errorf("the volume has %q, expected goldenarch alone", got.stdout)
	}
	if got := run("--entrypoint=/bin/sh", imageName); got.status == 0 || !strings.Contains(got.stderr, "/bin/sh") {
		t.Errorf("expected no shell in the image: %+v", got)
	}
}

// resourceList makes the kpt example one document, with more of its files among
// the items.
func resourceList(t *testing.T, more ...string) string {
	t.Helper()
	files := tree(t, filepath.Join(repository(t), "examples/kpt"))
	indent := func(file string) string {
		return "    " + strings.ReplaceAll(strings.TrimSuffix(files[file], "\n"), "\n", "\n    ") + "\n"
	}
	list := "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nfunctionConfig:\n" + indent("golden-images.yaml") + "items:\n"
	for _, file := range append([]string{"hyperconverged.yaml", "nodes.yaml"}, more...) {
		list += "  -\n" + indent(file)
	}
	return list
}
