package cli

import (
	"slices"
	"strings"
	"testing"
)

// gateOnCR is a CR that is committed as goldenarch renders it.
var gateOnCR = strings.Replace(strangersCR, "spec:\n", "spec:\n  featureGates: {enableMultiArchBootImageImport: true}\n", 1)

// annotatedCR is the same with an annotation.
func annotatedCR(text string) string {
	return strings.Replace(gateOnCR, "{name: kubevirt-hyperconverged,", "{annotations: {goldenarch.dev/ignore: "+text+"}, name: kubevirt-hyperconverged,", 1)
}

// TestSeverities: the CR declares arm64, which the image lacks. What exceptions do with the
// findings about that counts for the output, the verdict and the exit status of each verb.
func TestSeverities(t *testing.T) {
	t.Parallel()
	lock := lockOf("quay.example/own:1", "amd64")
	with := func(findings string) string {
		return configured(twoNodes + `, release: "1.19"` + ", existing: Keep, findings: {" + findings + "}")
	}
	fleet := func(config string) map[string]string {
		return map[string]string{
			"goldenarch.yaml": "apiVersion: goldenarch.dev/v1alpha1\nkind: Fleet\nmetadata: {name: f}\nclusters:\n- {paths: [a, b], config: policy/c.yaml}\n",
			"policy/c.yaml":   config, "a/hco.yaml": gateOnCR, "a/lock.yaml": lock,
			"b/hco.yaml": strings.Replace(gateOnCR, "amd64,arm64", "amd64", 1), "b/lock.yaml": lock,
		}
	}
	one := func(config, cr string) map[string]string {
		return map[string]string{"c.yaml": config, "hco.yaml": cr, "lock.yaml": lock}
	}
	for _, tc := range []struct {
		reason   string
		files    map[string]string
		verb     string
		args     []string
		status   int
		has, not []string
	}{
		{reason: "no exception", files: one(with(""), gateOnCR), status: statusFailed, has: []string{"error GA104", "NotRight"}},
		{
			reason: "the error is lowered", files: one(with("GA104: Warning"), gateOnCR),
			has: []string{"warning GA104", "passed: RightAsCommitted"}, not: []string{"GA876"},
		},
		{
			reason: "the error is ignored", files: one(with("GA104: Ignore"), gateOnCR),
			has: []string{"passed: RightAsCommitted", "2 findings ignored by spec.findings"}, not: []string{"GA104"},
		},
		{
			reason: "in JSON", files: one(with("GA104: Ignore"), gateOnCR), args: []string{"-o", "json"},
			has: []string{`"verdict": "RightAsCommitted"`, `"ignored": 2`}, not: []string{`"id": "GA104"`},
		},
		{
			reason: "an annotation", files: one(with(""), annotatedCR(`"GA104: it is known"`)),
			has: []string{"passed: RightAsCommitted", "2 findings ignored by goldenarch.dev/ignore"}, not: []string{"GA104"},
		},
		{
			reason: "an annotation without a reason", files: one(with(""), annotatedCR("GA104")), status: statusFailed,
			has: []string{"error GA875", "has no reason"},
		},
		{
			reason: "an unknown id", files: one(with("GA104X: Ignore"), gateOnCR), status: statusFailed,
			has: []string{"error GA875", `did you mean "GA104"`},
		},
		{reason: "an unknown severity", files: one(with("GA104: Low"), gateOnCR), status: statusFailed, has: []string{"error GA005", `Low`}},
		{
			reason: "an error that leaves no answer", files: one(with("GA005: Warning"), gateOnCR), status: statusFailed,
			has: []string{"error GA875", "nothing lowers it"},
		},
		{
			reason: "the image is unknown", files: map[string]string{"c.yaml": with("GA601: Ignore"), "hco.yaml": gateOnCR}, status: statusFailed,
			args: []string{"--set", "lock=Require"}, has: []string{"error GA601", "error GA875", "stays an error"},
		},
		{
			reason: "an exception that nothing needs", files: one(with("GA104: Warning, GA112: Ignore, GA206: Error"), gateOnCR),
			has: []string{"warning GA876 GoldenImages/c spec.findings.GA112"}, not: []string{"GA206"},
		},
		{
			reason: "an annotation that nothing needs", files: one(with("GA104: Warning"), annotatedCR(`"GA112: it is known"`)),
			has: []string{"warning GA876 HyperConverged/kubevirt-hyperconverged metadata.annotations[goldenarch.dev/ignore]"},
		},
		{
			reason: "unused exceptions are ignored", files: one(with("GA104: Warning, GA112: Ignore, GA876: Ignore"), gateOnCR),
			not: []string{"GA876"},
		},
		{
			reason: "render with a raised warning writes nothing", files: one(with("GA104: Error"), gateOnCR), verb: "render", status: statusFailed,
			has: []string{"error GA104"}, not: []string{"kind: HyperConverged"},
		},
		{
			reason: "render with an ignored warning", files: one(with("GA104: Ignore"), gateOnCR), verb: "render",
			has: []string{"kind: HyperConverged", "2 findings ignored by spec.findings"}, not: []string{"GA104"},
		},
		{
			reason: "fix with a raised warning writes nothing", files: one(with("GA104: Error"), gateOnCR), verb: "fix", status: statusFailed,
			has: []string{"error GA104"}, not: []string{"wrote"},
		},
		{reason: "a Fleet without exceptions", files: fleet(with("")), status: statusFailed, has: []string{"error GA104", "NotRight"}},
		{
			reason: "a Fleet", files: fleet(with("GA104: Ignore")), has: []string{"passed: RightAsCommitted", "3 findings ignored by spec.findings"},
			not: []string{"GA104", "GA876"},
		},
		{
			reason: "a Fleet with an exception that no cluster needs", files: fleet(with("GA104: Ignore, GA112: Ignore")),
			has: []string{"warning GA876 GoldenImages/c spec.findings.GA112 (policy/c.yaml"},
		},
	} {
		root := writeTree(t, tc.files)
		verb := tc.verb
		if verb == "" {
			verb = "check"
		}
		out, errs, status := runIn(t, root, slices.Concat([]string{verb, ".", "--offline"}, tc.args)...)
		out += errs
		if status != tc.status {
			t.Errorf("%s: want status %d, got %d and\n%s", tc.reason, tc.status, status, out)
		}
		prints(t, tc.reason, out, tc.has, tc.not)
	}
}

// prints fails unless an output has some texts and lacks others.
func prints(t *testing.T, reason, out string, has, not []string) {
	t.Helper()
	for _, text := range has {
		if !strings.Contains(out, text) {
			t.Errorf("%s: want %q in\n%s", reason, text, out)
		}
	}
	for _, text := range not {
		if strings.Contains(out, text) {
			t.Errorf("%s: want no %q in\n%s", reason, text, out)
		}
	}
}

// TestUntrustedSeverities: the checked commit raises severities and lowers none.
func TestUntrustedSeverities(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	initialised(t, root)
	commitTree(t, root, map[string]string{
		"hco.yaml": annotatedCR(`"GA104, GA107: it is known"`), "lock.yaml": lockOf("quay.example/own:1", "amd64"),
		"c.yaml": configured(twoNodes + ", findings: {GA104: Ignore, GA107: Error}"),
	})
	out, status := inTree(t, root, nil, "check", ".", "--untrusted", "--base", "empty", "--fail-on", "error")
	for _, text := range []string{"info GA852 GoldenImages/c spec.findings", "info GA852 HyperConverged/kubevirt-hyperconverged metadata.annotations"} {
		if !strings.Contains(out, text) {
			t.Errorf("want %q, got status %d and\n%s", text, status, out)
		}
	}
	if strings.Contains(out, "ignored by") || strings.Contains(out, "GA876") {
		t.Errorf("the commit lowers something:\n%s", out)
	}
	out, _ = inTree(t, root, nil, "check", ".", "--untrusted", "--base", "HEAD")
	if strings.Contains(out, "GA852") {
		t.Errorf("the policy has the same, so that it counts:\n%s", out)
	}
}
