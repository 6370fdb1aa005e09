package cli

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const subscription = `apiVersion: operators.coreos.com/v1alpha1
kind: Subscription
metadata:
  name: acme
  namespace: acme
spec:
  name: acme
  startingCSV: acme.v1
`

const infra = `  config:
    affinity:
      nodeAffinity:
        requiredDuringSchedulingIgnoredDuringExecution:
          nodeSelectorTerms:
          - matchExpressions:
            - key: node-role.kubernetes.io/infra
              operator: Exists
`

// TestOperatorsInTheLock locks what the images of an operator prove, and uses it for the
// Subscription, without a network.
func TestOperatorsInTheLock(t *testing.T) {
	t.Parallel()
	const entry = "operators:\n- package: acme\n  csv: acme.v1\n  architectures: [amd64, arm64]\n  constrainedBy: [None]\n"
	for _, tc := range []struct {
		reason string
		files  map[string]string
		lock   []string
		want   string // of the lock: the operators; "" for none
		status int
	}{
		{
			reason: "a bundle names its package",
			files: map[string]string{
				"b/metadata/annotations.yaml": bundleAnnotations + "  operators.operatorframework.io.bundle.package.v1: acme\n",
				"b/manifests/csv.yaml":        "CSV",
			},
			lock: []string{"lock", "DIR/b", "DIR/sub.yaml", "--file", "DIR/" + lockFile}, want: entry,
		},
		{
			reason: "a Subscription that begins with the version names its package", files: map[string]string{"csv.yaml": "CSV"},
			lock: []string{"lock", "DIR/csv.yaml", "DIR/sub.yaml", "--workloads", "Check"}, want: entry,
		},
		{
			reason: "without either nothing says which package it is", files: map[string]string{"csv.yaml": "CSV"},
			lock: []string{"lock", "DIR/csv.yaml", "--workloads", "Check"},
		},
		{
			reason: "what a person states of an image proves nothing", files: map[string]string{"csv.yaml": "CSV", "pods.yaml": "STATED"},
			lock: []string{"lock", "DIR/csv.yaml", "DIR/sub.yaml", "DIR/a.yaml", "--config", "DIR/pods.yaml"},
		},
		{
			reason: "an image of a bundle that goldenarch cannot resolve stops the lock", files: map[string]string{"csv.yaml": "GONE"},
			lock: []string{"lock", "DIR/csv.yaml", "DIR/sub.yaml", "DIR/a.yaml", "--workloads", "Check"}, status: 1,
		},
	} {
		tree := newLockedTree(t)
		tree.write("sub.yaml", subscription+infra)
		tree.write("a.yaml", tree.deployment("web", "x/fedora:1"))
		for name, text := range tc.files {
			text = strings.Replace(text, "STATED", podsConfig+"  imageArchitectures: {'"+tree.ref("x/fedora:1")+"': [amd64]}\n", 1)
			text = strings.NewReplacer("CSV", tree.blockCSV("x/fedora:1"), "GONE", tree.blockCSV("x/gone:1")).Replace(text)
			tree.write(name, text)
		}
		status, _, stderr := tree.run(nil, tc.lock...)
		locked := tree.read(lockFile)
		_, got, has := strings.Cut(locked, "operators:")
		if has {
			got = "operators:" + got
		}
		if diff := cmp.Diff(tc.want, got); status != tc.status || diff != "" {
			t.Errorf("%s: status %d (-want +got):\n%s%s", tc.reason, status, diff, stderr)
		}
		if tc.want == "" {
			continue
		}
		if status, stdout, stderr := tree.run(nil, append(strings.Fields(strings.Join(tc.lock, " ")), "--check")...); status != 0 {
			t.Errorf("%s: a second run differs: %d\n%s%s", tc.reason, status, stdout, stderr)
		}
		tree.registry.Close()
		status, stdout, stderr := tree.run(nil, "render", "DIR/sub.yaml", "DIR/"+lockFile, "--workloads", "Affinity", "--offline")
		if status != 0 || !strings.Contains(stdout, "- amd64\n              - arm64\n") {
			t.Errorf("%s: want the architectures of the lock, got %d\n%s%s", tc.reason, status, stdout, stderr)
		}
		args := []string{"check", "DIR/sub.yaml", "DIR/" + lockFile, "--workloads", "Check", "--offline", "--workload-architectures", "amd64,s390x"}
		status, stdout, stderr = tree.run(nil, args...)
		if status != 1 || !strings.Contains(stdout, "error GA711") {
			t.Errorf("%s: want an error about s390x, got %d\n%s%s", tc.reason, status, stdout, stderr)
		}
		tree.write("pods.yaml", podsConfig+"  operators: {acme: [amd64]}\n")
		_, stdout, stderr = tree.run(nil, "render", "DIR/sub.yaml", "DIR/"+lockFile, "--config", "DIR/pods.yaml", "--offline")
		if !strings.Contains(stderr, "warning GA730") || strings.Contains(stdout, "- arm64") {
			t.Errorf("%s: the configuration wins, and the difference is reported:\n%s%s", tc.reason, stdout, stderr)
		}
	}
}

// TestPruneOperators: --prune removes the operators that the input neither has nor installs.
func TestPruneOperators(t *testing.T) {
	t.Parallel()
	tree := newLockedTree(t)
	tree.write("sub.yaml", subscription)
	tree.write("csv.yaml", tree.blockCSV("x/fedora:1"))
	tree.write("other.yaml", strings.ReplaceAll(strings.ReplaceAll(subscription, "name: acme", "name: other"), "acme.v1", "other.v9"))
	if status, _, stderr := tree.run(nil, "lock", "DIR/csv.yaml", "DIR/sub.yaml", "--workloads", "Check"); status != 0 {
		t.Fatal(stderr)
	}
	more := "- package: acme\n  csv: acme.v0\n  architectures: [s390x]\n- package: gone\n  csv: gone.v1\n  architectures: [amd64]\n" +
		"- package: other\n  csv: other.v1\n  architectures: [amd64]\n"
	tree.write(lockFile, tree.read(lockFile)+more)
	args := []string{"lock", "DIR/csv.yaml", "DIR/sub.yaml", "DIR/other.yaml", "DIR/" + lockFile, "--workloads", "Check"}
	if status, _, stderr := tree.run(nil, args...); status != 0 || !strings.Contains(tree.read(lockFile), "gone.v1") {
		t.Errorf("without the flag they stay: %d\n%s", status, stderr)
	}
	const unused = "operator acme: not used (acme.v0)\noperator gone: not used (gone.v1)\n"
	if status, stdout, _ := tree.run(nil, append(args, "--prune", "--check")...); status != 3 || stdout != unused {
		t.Errorf("want two differences, got %d\n%s", status, stdout)
	}
	if status, _, stderr := tree.run(nil, append(args, "--prune")...); status != 0 {
		t.Fatal(stderr)
	}
	_, got, _ := strings.Cut(tree.read(lockFile), "operators:\n")
	const want = "- package: acme\n  csv: acme.v1\n  architectures: [amd64, arm64]\n  constrainedBy: [None]\n" +
		"- package: other\n  csv: other.v1\n  architectures: [amd64]\n"
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
