package cli

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/goldenarch/goldenarch/test/filetest"
)

// managedNode is a Node as people keep it in Git: for its labels and taints.
const managedNode = `apiVersion: v1
kind: Node
metadata:
  name: worker-0
  labels: {kubernetes.io/arch: arm64, node-role.kubernetes.io/worker: ""}
spec:
  taints: [{key: gpu, effect: NoSchedule}]
`

// dumped is the Nodes of a cluster as kubectl writes them.
func dumped(architectures ...string) string {
	text := "apiVersion: v1\nkind: List\nmetadata: {resourceVersion: \"\"}\nitems:\n"
	for _, a := range architectures {
		text += "- apiVersion: v1\n  kind: Node\n" +
			"  metadata: {name: worker-" + a + ", uid: u-" + a + ", resourceVersion: \"7\", labels: {node-role.kubernetes.io/worker: \"\"}}\n" +
			"  status: {nodeInfo: {architecture: " + a + "}}\n"
	}
	return text
}

// TestNodes: a Node of Git is written, a dump tells of the cluster only.
func TestNodes(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		filetest.File(t, path, text)
		return path
	}
	both := write("both.yaml", dumped("amd64", "arm64"))
	arm, amd := write("arm.yaml", dumped("arm64")), write("amd.yaml", dumped("amd64"))
	list := write("list.yaml", strings.NewReplacer("kind: List", "kind: NodeList", "- apiVersion: v1\n  kind: Node\n", "-\n").Replace(dumped("amd64", "arm64")))
	js := write("nodes.json",
		`{"apiVersion":"v1","kind":"List","items":[{"apiVersion":"v1","kind":"Node",`+
			`"metadata":{"name":"w","labels":{"node-role.kubernetes.io/worker":""}},"status":{"nodeInfo":{"architecture":"arm64"}}}]}`)
	other, managed := write("cm.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\n"), write("managed.yaml", managedNode)
	const cr = "apiVersion: hco.kubevirt.io/v1beta1\nkind: HyperConverged\nmetadata: {name: kubevirt-hyperconverged}\nspec: {}\n"
	v1 := strings.Replace(cr, "/v1beta1", "/v1", 1)
	for name, tc := range map[string]struct {
		reason, verb, stdin string
		nodes               []string
		status              int
		stdout, stderr      string
		never               string // on stdout
	}{
		"ManagedStays": {
			reason: "Argo CD with prune deletes what is left out",
			verb:   "render",
			stdin:  manifests + "---\n" + managedNode,
			nodes:  []string{both},
			stdout: "key: gpu",
			never:  "nodeInfo",
		},
		"ManagedStaysV1": {
			reason: "whatever the version of the CR",
			verb:   "render",
			stdin:  v1 + "---\n" + managedNode,
			nodes:  []string{both},
			stdout: "key: gpu",
			never:  "nodeInfo",
		},
		"DumpLeftOut": {
			reason: "nothing disappears without a word",
			verb:   "render",
			stdin:  manifests + "---\n" + dumped("amd64", "arm64"),
			stdout: tidied,
			stderr: "info GA012",
			never:  "kind: Node",
		},
		"EachByItself": {
			reason: "a dump beside a Node of Git",
			verb:   "render",
			stdin:  manifests + "---\n" + managedNode + "---\n" + dumped("amd64", "arm64"),
			stdout: "name: worker-0",
			stderr: "2 Nodes (worker-amd64, worker-arm64)",
			never:  "worker-amd64",
		},
		"ManagedOnly": {
			reason: "a Node without a status does not say which nodes there are",
			verb:   "render",
			stdin:  manifests + "---\n" + managedNode,
			status: 1,
			stderr: "error GA114",
		},
		"ManagedOnlyCheck": {reason: "and that is as clear in a check", verb: "check", stdin: cr + "---\n" + managedNode, status: 1, stdout: "error GA114"},
		"FlagOfCheck":      {reason: "facts of a check", verb: "check", stdin: cr, nodes: []string{both}, stdout: "workload amd64,arm64"},
		"FlagOfForecast":   {reason: "facts of a forecast", verb: "forecast", stdin: cr, nodes: []string{both}, stdout: "workload amd64,arm64"},
		"Repeated":         {reason: "one file after the other", verb: "check", stdin: cr, nodes: []string{arm, amd}, stdout: "workload amd64,arm64"},
		"NodeList":         {reason: "the elements of a NodeList have no kind", verb: "check", stdin: cr, nodes: []string{list}, stdout: "workload amd64,arm64"},
		"JSON":             {reason: "kubectl get nodes -o json", verb: "check", stdin: cr, nodes: []string{js}, stdout: "workload arm64,"},
		"NeverWritten":     {reason: "they are facts only", verb: "render", stdin: manifests, nodes: []string{both}, stdout: tidied, never: "kind: Node"},
		"SameNodeOnce": {
			reason: "what is given for this run counts",
			verb:   "check",
			stdin:  cr + "---\n" + strings.ReplaceAll(dumped("arm64"), "architecture: arm64", "architecture: s390x"),
			nodes:  []string{arm},
			stdout: "workload arm64,",
			never:  "workload arm64,s390x",
		},
		"NotANode": {reason: "another kind is a mistake", verb: "render", stdin: manifests, nodes: []string{other}, status: 1, stderr: `error GA013`},
		"NoArchitecture": {
			reason: "Nodes of Git tell no architecture",
			verb:   "render",
			stdin:  manifests,
			nodes:  []string{managed},
			status: 1,
			stderr: "none of the 1 Node",
		},
		"NoArchitectureToo": {reason: "nor for a forecast", verb: "forecast", stdin: manifests, nodes: []string{managed}, status: 1, stderr: "error GA013"},
		"Missing":           {reason: "a file that is not there is named", verb: "check", stdin: cr, nodes: []string{dir + "/no.yaml"}, status: 1, stderr: "no.yaml"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			args := []string{tc.verb, "-", "--release", "1.19"}
			for _, file := range tc.nodes {
				args = append(args, "--nodes", file)
			}
			if tc.verb == "check" {
				args = append(args, "--as", "rendered")
			}
			status, out, errs := runFed(t, tc.stdin, args...)
			if status != tc.status || !strings.Contains(out, tc.stdout) || !strings.Contains(errs, tc.stderr) {
				t.Errorf("%s: want status %d, %q and %q; got %d\n%s\n%s", tc.reason, tc.status, tc.stdout, tc.stderr, status, out, errs)
			}
			if tc.status != 0 && tc.verb == "render" && len(out) > 0 || tc.never != "" && strings.Contains(out, tc.never) {
				t.Errorf("%s: want no %q on stdout:\n%s", tc.reason, tc.never, out)
			}
		})
	}
}
