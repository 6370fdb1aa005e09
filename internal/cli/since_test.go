package cli

import (
	"strings"
	"testing"
)

// TestSinceTheBase: a check with --base says first what the change makes worse and better, and has the status of one without.
func TestSinceTheBase(t *testing.T) {
	t.Parallel()
	const fleet = "apiVersion: goldenarch.dev/v1alpha1\nkind: Fleet\nmetadata: {name: f}\nclusters:\n- paths: ['*']\n  release: \"1.19\"\n" +
		"  workloadArchitectures: [amd64, arm64]\n  controlPlaneArchitectures: [amd64]\n"
	wrong := strings.Replace(gateOn, "enableMultiArchBootImageImport: true", "enableMultiArchBootImageImport: false", 1)
	for _, tc := range []struct {
		reason       string
		base, change map[string]string
		begins       string
		has          []string
		status       int
	}{
		{
			"the change breaks a cluster",
			map[string]string{"a/hco.yaml": gateOn},
			map[string]string{"a/hco.yaml": wrong},
			"Since HEAD~1, 1 finding more.\nmore: error GA430 ", nil, 1,
		},
		{
			"the change corrects a cluster",
			map[string]string{"a/hco.yaml": wrong},
			map[string]string{"a/hco.yaml": gateOn},
			"Since HEAD~1, 1 finding less.\nless: error GA430 ",
			[]string{"RightAsCommitted"},
			0,
		},
		{
			"a cluster was wrong before",
			map[string]string{"a/hco.yaml": wrong},
			map[string]string{"README.md": "x\n"},
			"Since HEAD~1, nothing is worse or better.\n",
			[]string{"\nerror GA430 "},
			1,
		},
		{
			"lines move",
			map[string]string{"a/hco.yaml": wrong},
			map[string]string{"a/hco.yaml": "# a comment\n" + wrong},
			"Since HEAD~1, nothing is worse or better.\n", nil, 1,
		},
		{
			"a new cluster beside a wrong one",
			map[string]string{"a/hco.yaml": wrong},
			map[string]string{"b/hco.yaml": wrong},
			"Since HEAD~1, 1 finding more.\nmore: error GA430 ",
			[]string{"b/hco.yaml", "\nerror GA430 ", "a/hco.yaml"},
			1,
		},
		{
			"an Application of another repository",
			map[string]string{
				"a/hco.yaml": gateOn, "far/kustomization.yaml": "resources: [https://example.com/x.yaml]\n",
				"app.yaml": "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: x}\n" +
					"spec: {source: {repoURL: https://example.com/acme/other.git, path: far}}\n",
			},
			map[string]string{"README.md": "x\n"},
			"Since HEAD~1, nothing is worse or better.\n", nil, 0,
		},
		{
			"the base has nothing to check",
			map[string]string{"README.md": "x\n"},
			map[string]string{"a/hco.yaml": gateOn},
			"Since HEAD~1, ",
			[]string{"RightAsCommitted"},
			0,
		},
	} {
		root := t.TempDir()
		git(t, root, "", "init", "--quiet")
		git(t, root, "", "remote", "add", "origin", "https://example.com/acme/fleet.git")
		tc.base["goldenarch.yaml"] = fleet
		commitTree(t, root, tc.base)
		commitTree(t, root, tc.change)
		out, status := inTree(t, root, nil, "check", ".", "--offline", "--base", "HEAD~1")
		_, changes, _ := strings.Cut(out, "\n\n") // the sentence comes first
		if status != tc.status || !strings.HasPrefix(changes, tc.begins) {
			t.Errorf("%s: want status %d and %q, got %d and\n%s", tc.reason, tc.status, tc.begins, status, out)
		}
		prints(t, tc.reason, out, tc.has, []string{"goldenarch-policy-"})
		if _, without := inTree(t, root, nil, "check", ".", "--offline"); without != status {
			t.Errorf("%s: without the flag the status is %d", tc.reason, without)
		}
		for format, has := range map[string]string{"json": `"base": "HEAD~1"`, "markdown": "### Since HEAD", "html": "<h2 id=\"changes\">Since HEAD~1"} {
			if out, _ := inTree(t, root, nil, "check", ".", "--offline", "--base", "HEAD~1", "-o", format); !strings.Contains(out, has) {
				t.Errorf("%s: %s: want %q in\n%s", tc.reason, format, has, out)
			}
		}
	}
}
