package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/goldenarch/goldenarch/test/filetest"
)

// TestRenderedBesideItsSource: the layout of the example for Flux is right as committed while the rendering is that of the
// source, and what applies the rendering counts. TestCheckRepository has what check says of one that differs.
func TestRenderedBesideItsSource(t *testing.T) {
	t.Parallel()
	const flux = "cluster/from-git.yaml"
	for _, tc := range []struct {
		reason string
		change map[string]string // file: what replaces what, with "=>"; "" removes the file
		want   string
		lacks  string // what the output does not have
	}{
		{reason: "as it is", want: "passed: RightAsCommitted, 1 cluster", lacks: "render changes"},
		{reason: "the source changed", change: map[string]string{"source/hyperconverged.yaml": "30Gi=>31Gi"}, want: "error GA877 (rendered/manifests.yaml:"},
		{reason: "the file is gone", change: map[string]string{"rendered/manifests.yaml": ""}, want: "and it does not exist"},
		{
			reason: "somebody edited it", change: map[string]string{"rendered/manifests.yaml": "amd64,arm64,s390x=>amd64"},
			want: "Run goldenarch render source --no-flux-substitution > rendered/manifests.yaml, and commit the file",
		},
		{reason: "Windows ends its lines otherwise", change: map[string]string{"rendered/manifests.yaml": "\n=>\r\n"}, want: "passed: RightAsCommitted"},
		{reason: "the source is gone", change: map[string]string{"source/kustomization.yaml": "", "source/hyperconverged.yaml": ""}, want: "error GA810"},
		{
			reason: "another file beside it is a cluster of its own", change: map[string]string{"rendered/more.yaml": "=>" + plainCR},
			want: "error GA114",
		},
		{
			reason: "Flux changes the rendering", change: map[string]string{flux: "prune: true=>prune: true\n  namePrefix: x-"},
			want: "error GA874 HyperConverged/kubevirt-hyperconverged (rendered/manifests.yaml",
		},
		{
			reason: "nothing applies the source", want: "passed: RightAsCommitted",
			change: map[string]string{"cluster/other.yaml": "=>" + strings.NewReplacer("./virt", "./other", "name: virt", "name: other").Replace(fluxApplies)},
		},
		{
			reason: "a configuration that is not valid leaves what the Fleet states", want: "error GA005", lacks: "GA863",
			change: map[string]string{"source/golden-images.yaml": "spec:=>spec:\n  predefined: None"},
		},
		{
			reason: "as: committed contradicts it", change: map[string]string{"goldenarch.yaml": "renders: =>as: committed\n  renders: "},
			want: "error GA810",
		},
		{
			reason: "one file cannot have several clusters", change: map[string]string{"goldenarch.yaml": "[source]=>[\"*\"]"},
			want: "paths may match several clusters",
		},
	} {
		t.Run(tc.reason, func(t *testing.T) {
			t.Parallel()
			root := renderedTree(t)
			for file, change := range tc.change {
				replacePart(t, filepath.Join(root, file), change)
			}
			out, status := inTree(t, root, nil, "check", ".", "--offline")
			passes := strings.HasPrefix(tc.want, "passed")
			if !strings.Contains(out, tc.want) || tc.lacks != "" && strings.Contains(out, tc.lacks) || (status == statusOK) != passes {
				t.Errorf("want %q, and not %q; status %d\n%s", tc.want, tc.lacks, status, out)
			}
		})
	}
}

// TestRenderedAlone: a directory with a rendering alone is no empty one, and the message names what to check.
func TestRenderedAlone(t *testing.T) {
	t.Parallel()
	root := renderedTree(t)
	for dir, want := range map[string]string{"rendered": "Run goldenarch check source\n", "source": "passed: RightAsCommitted"} {
		out, status := inTree(t, root, nil, "check", dir, "--offline")
		if !strings.Contains(out, want) || (status == statusOK) != (dir == "source") {
			t.Errorf("%s: want %q; status %d\n%s", dir, want, status, out)
		}
	}
}

// TestRenderedOfAStranger: the Fleet of --base says what is rendered, with its configuration, and the commit must have just that.
func TestRenderedOfAStranger(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		reason string
		change map[string]string
		want   string
	}{
		{"nothing of it", nil, "passed: RightAsCommitted"},
		{"a rendering that the source does not give", map[string]string{"rendered/manifests.yaml": "amd64,arm64,s390x=>amd64"}, "error GA877"},
		{"no rendering", map[string]string{"rendered/manifests.yaml": ""}, "error GA877"},
		{
			"a Fleet that names another file", map[string]string{
				"goldenarch.yaml": "rendered/manifests.yaml=>rendered/other.yaml", "rendered/manifests.yaml": "amd64,arm64,s390x=>amd64",
			}, "error GA877 (rendered/manifests.yaml",
		},
		{
			"a Kustomization that changes the rendering", map[string]string{"cluster/from-git.yaml": "prune: true=>prune: true\n  namePrefix: x-"}, "error GA874",
		},
	} {
		t.Run(tc.reason, func(t *testing.T) {
			t.Parallel()
			root := renderedTree(t)
			git(t, root, "", "tag", "base")
			for file, change := range tc.change {
				replacePart(t, filepath.Join(root, file), change)
			}
			commitTree(t, root, nil)
			out, status := inTree(t, root, nil, "check", ".", "--untrusted", "--base", "base")
			if !strings.Contains(out, tc.want) || (status == statusOK) != (len(tc.change) == 0) {
				t.Errorf("want %q; status %d\n%s", tc.want, status, out)
			}
		})
	}
}

// TestInitBesideARendering: init does not take a rendering for a cluster, and says what to write where nothing states it.
func TestInitBesideARendering(t *testing.T) {
	t.Parallel()
	root := renderedTree(t)
	if out, status := inTree(t, root, nil, "init", ".", "--offline"); status != statusOK || !strings.Contains(out, "there is nothing to write") {
		t.Errorf("status %d\n%s", status, out)
	}
	replacePart(t, filepath.Join(root, "goldenarch.yaml"), "")
	out, status := inTree(t, root, nil, "init", ".", "--offline")
	if checked, _ := inTree(t, root, nil, "check", ".", "--offline", "-o", "github"); !strings.Contains(checked, "file=source/kustomization.yaml,title=GA863") {
		t.Errorf("GitHub shows nothing at a directory:\n%s", checked)
	}
	if want := "If rendered has what goldenarch renders of source, state that in goldenarch.yaml"; status != statusFailed || !strings.Contains(out, want) {
		t.Errorf("want %q; status %d\n%s", want, status, out)
	}
}

// renderedTree returns a repository with the example for Flux.
func renderedTree(t *testing.T) string {
	t.Helper()
	root := t.TempDir()
	copyDocumented(t, "../../examples/flux", root)
	git(t, root, "", "init", "--quiet")
	git(t, root, "", "remote", "add", "origin", "https://git.example.com/platform/virtualization.git")
	commitTree(t, root, nil)
	return root
}

// replacePart replaces a part of a file, wherever it is, and removes the file if there is no change.
func replacePart(t *testing.T, file, change string) {
	t.Helper()
	before, after, ok := strings.Cut(change, "=>")
	if !ok {
		if err := os.Remove(file); err != nil {
			t.Fatal(err)
		}
		return
	}
	if before == "" {
		filetest.File(t, file, after)
		return
	}
	text, err := os.ReadFile(file)
	if err != nil || !strings.Contains(string(text), before) {
		t.Fatalf("%s has no %q (%v)", file, before, err)
	}
	filetest.File(t, file, strings.ReplaceAll(string(text), before, after))
}
