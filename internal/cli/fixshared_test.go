package cli

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/goldenarch/goldenarch/test/filetest"
)

// sharedBase has two Deployments in a base, two overlays, and what is given beside them. A
// file whose text is "-" is left out.
func sharedBase(t *testing.T, more map[string]string) string {
	t.Helper()
	deployment := func(name string) string {
		return "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: " + name + " # of the shop\nspec:\n  template:\n    spec:\n" +
			"      containers:\n      - name: app\n        image: quay.io/acme/" + name + ":1\n"
	}
	lock := lockOf("quay.io/acme/web:1", "amd64", "arm64")
	_, second, _ := strings.Cut(lockOf("quay.io/acme/db:1", "amd64", "arm64"), "images:\n")
	files := map[string]string{
		"base/kustomization.yaml": "resources: [web.yaml, db.yaml, lock.yaml, pods.yaml]\n",
		"base/web.yaml":           deployment("web"),
		"base/db.yaml":            deployment("db"),
		"base/lock.yaml": strings.Replace(lock, "name: golden-images",
			"name: golden-images, annotations: {config.kubernetes.io/local-config: \"true\"}", 1) + second,
		"base/pods.yaml":                podsConfig + "  mode: Affinity\n",
		"overlays/a/kustomization.yaml": "resources: [../../base]\n",
		"overlays/b/kustomization.yaml": "resources: [../../base]\n",
	}
	maps.Copy(files, more)
	dir := t.TempDir()
	maps.DeleteFunc(files, func(_, text string) bool { return text == "-" })
	filetest.Write(t, dir, files)
	git(t, dir, "", "init", "-q")
	return dir
}

// changedIn returns the names of the files that differ.
func changedIn(before, after map[string]string) []string {
	var out []string
	for name := range maps.Keys(after) {
		if before[name] != after[name] {
			out = append(out, name)
		}
	}
	for name := range before {
		if _, ok := after[name]; !ok {
			out = append(out, name)
		}
	}
	return out
}

// advisedCommand matches the command that a finding advises, without the flags of the run.
var advisedCommand = regexp.MustCompile(`goldenarch (fix --patch [\w./]+|fix [\w./]+)`)

// TestFixOfASharedBase: a base changes only if the run covers all that build it and decides
// the same for each. Otherwise the command of the message gives a tree that check passes.
func TestFixOfASharedBase(t *testing.T) {
	t.Parallel()
	const (
		argocd = "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: app}\n" +
			"spec: {source: {repoURL: https://example.com/x.git, path: base}}\n"
		flux = "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: app}\n" +
			"spec: {path: ./base, sourceRef: {kind: GitRepository, name: x}}\n"
		source = "---\napiVersion: source.toolkit.fluxcd.io/v1\nkind: GitRepository\nmetadata: {name: x, namespace: %s}\nspec: {url: %q}\n"
		remote = "[remote \"origin\"]\n\turl = git@example.com:acme/x.git\n"
		ofOne  = "resources: [../../base]\npatches:\n- patch: |-\n    {apiVersion: apps/v1, kind: Deployment, " +
			"metadata: {name: web, annotations: {goldenarch.dev/workloads: None}}}\n"
		onlyWeb  = "resources: [web.yaml, lock.yaml, pods.yaml]\n"
		ownPatch = "resources: [../../base]\npatches: [{path: patch.yaml}]\n"
		replicas = "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\nspec:\n  replicas: 2\n"
		policies = "apiVersion: policy.open-cluster-management.io/v1\nkind: PolicyGenerator\nmetadata: {name: p}\n" +
			"policies: [{name: one, manifests: [{path: ../../base}]}]\n"
	)
	base := []string{"base/web.yaml", "base/db.yaml"}
	_, second, _ := strings.Cut(lockOf("quay.io/acme/web:2", "amd64"), "images:\n")
	two := strings.Replace(lockOf("quay.io/acme/web:1", "amd64", "arm64"), "name: golden-images",
		"name: golden-images, annotations: {config.kubernetes.io/local-config: \"true\"}", 1) + second
	for name, tc := range map[string]struct {
		reason  string
		more    map[string]string
		args    []string // of fix
		flags   []string // of all runs
		changes []string // nil is an error, and the advice is followed
		want    string   // in the messages
	}{
		"Alike": {reason: "all decide alike", args: []string{"."}, changes: base, want: "2 clusters in ."},
		"TwoPaths": {
			reason: "the same with the overlays as paths", args: []string{"overlays/a", "overlays/b"}, changes: base,
			more: map[string]string{
				"base/kustomization.yaml": "resources: [web.yaml, db.yaml, lock.yaml]\n", "base/pods.yaml": "-", "pods.yaml": podsConfig + "  mode: Affinity\n",
			}, flags: []string{"--config", "pods.yaml"},
		},
		"OwnPatch": {
			reason: "one overlay has a patch of its own, which could have the edit", args: []string{"."}, changes: base[:1], want: "2 clusters in .",
			more: map[string]string{"base/kustomization.yaml": onlyWeb, "overlays/b/kustomization.yaml": ownPatch, "overlays/b/patch.yaml": replicas},
		},
		"OwnPatchTwoPaths": {
			reason: "the same with the overlays as paths", args: []string{"overlays/a", "overlays/b"}, changes: base[:1],
			more: map[string]string{
				"overlays/b/kustomization.yaml": ownPatch, "overlays/b/patch.yaml": replicas,
				"base/kustomization.yaml": "resources: [web.yaml, lock.yaml]\n", "base/pods.yaml": "-", "pods.yaml": podsConfig + "  mode: Affinity\n",
			}, flags: []string{"--config", "pods.yaml"},
		},
		"OwnPatchAlone": {
			reason: "the other overlay is not in the run", args: []string{"overlays/b"}, changes: []string{"overlays/b/patch.yaml"},
			more: map[string]string{"base/kustomization.yaml": onlyWeb, "overlays/b/kustomization.yaml": ownPatch, "overlays/b/patch.yaml": replicas},
		},
		"OwnPatches": {
			reason: "all overlays have patches of their own", args: []string{"."}, changes: []string{"overlays/a/patch.yaml", "overlays/b/patch.yaml"},
			more: map[string]string{
				"base/kustomization.yaml": onlyWeb, "overlays/a/kustomization.yaml": ownPatch, "overlays/a/patch.yaml": replicas,
				"overlays/b/kustomization.yaml": ownPatch, "overlays/b/patch.yaml": replicas,
			},
		},
		"OwnPatchDiffers": {
			reason: "the overlay with a patch wants something else", args: []string{"."}, want: "GA801",
			more: map[string]string{
				"base/kustomization.yaml": onlyWeb, "overlays/b/kustomization.yaml": ownPatch + "images: [{name: quay.io/acme/web, newTag: \"2\"}]\n",
				"overlays/b/patch.yaml": replicas, "base/lock.yaml": two,
			},
		},
		"One": {reason: "the other is not in the run", args: []string{"overlays/a"}, want: "GA801"},
		"OneWithFlags": {
			reason: "the advised command decides by the flags of the run", args: []string{"overlays/a"}, want: "GA801",
			more: map[string]string{
				"base/kustomization.yaml": "resources: [web.yaml, db.yaml]\n", "base/lock.yaml": "-", "base/pods.yaml": "-", "pods.yaml": podsConfig + "  mode: Affinity\n",
			}, flags: []string{"--config", "pods.yaml", "--image", "quay.io/acme/web:1=amd64,arm64", "--image", "quay.io/acme/db:1=amd64,arm64"},
		},
		"Differ": {
			reason: "one overlay wants no edit of web",
			more:   map[string]string{"overlays/b/kustomization.yaml": ofOne},
			args:   []string{"."},
			want:   "GA801",
		},
		"Hidden": {
			reason: "an overlay in a hidden directory",
			more:   map[string]string{".hidden/c/kustomization.yaml": "resources: [../../base]\n"},
			args:   []string{"."},
			want:   ".hidden/c",
		},
		"OnlyConsumer": {
			reason:  "the overlay is the only one",
			more:    map[string]string{"overlays/b/kustomization.yaml": "-"},
			args:    []string{"overlays/a"},
			changes: base,
		},
		"BaseIsApplied": {
			reason: "Argo CD applies the base itself",
			more:   map[string]string{"overlays/b/kustomization.yaml": "-", "apps/app.yaml": argocd},
			args:   []string{"overlays/a"},
			want:   "Application/app",
		},
		"BaseIsAppliedToAll": {
			reason:  "the base is a cluster of the run",
			more:    map[string]string{"apps/app.yaml": argocd},
			args:    []string{"."},
			changes: base,
			want:    "3 clusters",
		},
		"FluxAppliesTheBase": {
			reason: "Flux applies the base itself",
			more:   map[string]string{"overlays/b/kustomization.yaml": "-", "flux/app.yaml": flux},
			args:   []string{"overlays/a"},
			want:   "Kustomization/app",
		},
		"HiddenApplication": {
			reason: "an Application in a hidden directory applies the base itself",
			more:   map[string]string{"overlays/b/kustomization.yaml": "-", "ops/.argocd/deep/app.yaml": argocd},
			args:   []string{"overlays/a"},
			want:   "Application/app",
		},
		"HiddenApplicationOfARun": {
			reason: "the run does not know the base as a cluster",
			more:   map[string]string{"overlays/b/kustomization.yaml": "-", ".argocd/app.yaml": argocd},
			args:   []string{"."}, changes: base, want: "2 clusters",
		},
		"ListOfApplications": {
			reason: "an Application in a List",
			more: map[string]string{
				"overlays/b/kustomization.yaml": "-",
				"apps/app.yaml":                 "apiVersion: v1\nkind: List\nitems:\n- " + strings.ReplaceAll(argocd, "\n", "\n  ") + "\n",
			},
			args: []string{"overlays/a"},
			want: "Application/app",
		},
		"ApplicationByRemote": {
			reason: "an Application names the repository by its remote",
			more:   map[string]string{"overlays/b/kustomization.yaml": "-", "apps/app.yaml": argocd, ".git/config": remote},
			args:   []string{"overlays/a"},
			want:   "Application/app",
		},
		"ApplicationOfAnotherRepository": {
			reason:  "an Application names another repository",
			more:    map[string]string{"overlays/b/kustomization.yaml": "-", "apps/app.yaml": strings.Replace(argocd, "x.git", "y", 1), ".git/config": remote},
			args:    []string{"overlays/a"},
			changes: base,
		},
		"FluxByRemote": {
			reason: "a GitRepository names the repository by its remote, another one of that name does not",
			more: map[string]string{
				"overlays/b/kustomization.yaml": "-", ".git/config": remote,
				".flux/app.yaml": flux + fmt.Sprintf(source, "a", "ssh://git@example.com/x") + fmt.Sprintf(source, "b", "https://example.com/y"),
			},
			args: []string{"overlays/a"},
			want: "Kustomization/app",
		},
		"FluxOfAnotherRepository": {
			reason: "a GitRepository names another repository",
			more: map[string]string{
				"overlays/b/kustomization.yaml": "-", "flux/app.yaml": flux + fmt.Sprintf(source, "a", "https://example.com/y"), ".git/config": remote,
			},
			args:    []string{"overlays/a"},
			changes: base,
		},
		"UnknownApplication": {
			reason: "nobody knows what it applies",
			more:   map[string]string{"overlays/b/kustomization.yaml": "-", ".argocd/app.yaml": "{{ if x }}\n" + argocd + "{{ end }}\n"},
			args:   []string{"overlays/a"},
			want:   "GA801",
		},
		"Broken": {
			reason: "nobody knows what it builds",
			more:   map[string]string{"overlays/b/kustomization.yaml": "-", "broken/kustomization.yaml": "{{ x }}"},
			args:   []string{"overlays/a"},
			want:   "GA801",
		},
		"PolicyGenerator": {
			reason: "a generator wraps the base",
			more:   map[string]string{"overlays/b/kustomization.yaml": "generators: [p.yaml]\n", "overlays/b/p.yaml": policies},
			args:   []string{"overlays/a"},
			want:   "overlays/b",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := sharedBase(t, tc.more)
			before := filesBelow(t, dir)
			flags := append(tc.flags, "--offline")
			_, messages, status := runIn(t, dir, slices.Concat([]string{"fix"}, flags, tc.args)...)
			if !strings.Contains(messages, tc.want) {
				t.Errorf("%s: want %q in %s", tc.reason, tc.want, messages)
			}
			changed := changedIn(before, filesBelow(t, dir))
			if tc.changes != nil {
				if diff := cmp.Diff(set(tc.changes), set(changed)); diff != "" || status != statusOK {
					t.Fatalf("%s: status %d\n%s\n%s", tc.reason, status, messages, diff)
				}
			} else {
				command := advisedCommand.FindString(messages) + " " + strings.Join(flags, " ")
				if len(changed) > 0 || status != statusFailed || !strings.Contains(messages, command) {
					t.Fatalf("%s: want an error with %q, got status %d, %v\n%s", tc.reason, command, status, changed, messages)
				}
				succeeds(t, dir, strings.Fields(command)[1:]...)
			}
			for _, path := range tc.args {
				if out, messages, status := runIn(t, dir, append([]string{"check", path}, flags...)...); status != statusOK {
					t.Errorf("%s: check %s: status %d\n%s%s", tc.reason, path, status, out, messages)
				}
			}
			succeeds(t, dir, slices.Concat([]string{"fix", "--check"}, flags, tc.args)...)
		})
	}
}

// TestFixOfBasesThatOverlaysShare: where overlays share bases with one another, each base has one text
// that is right for all of them.
func TestFixOfBasesThatOverlaysShare(t *testing.T) {
	t.Parallel()
	deployment := func(name, spec string) string {
		return "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: " + name + "\nspec:\n" + spec
	}
	pod := func(image string) string {
		return "  template:\n    spec:\n      containers:\n      - name: app\n        image: quay.io/acme/" + image + ":1\n"
	}
	const (
		own      = "  replicas: 2\n"
		affinity = "  template:\n    spec:\n      affinity:\n        podAffinity: {}\n"
	)
	for _, tc := range []struct {
		reason string
		files  map[string]string
	}{
		{"an overlay with patches of its own builds both bases, each of which another one builds", map[string]string{
			"a/kustomization.yaml": "resources: [../web, ../db]\npatches: [{path: web.yaml}, {path: db.yaml}]\n",
			"a/web.yaml":           deployment("web", own), "a/db.yaml": deployment("db", own),
			"b/kustomization.yaml": "resources: [../web]\n",
			"c/kustomization.yaml": "resources: [../db]\npatches: [{path: db.yaml}]\n", "c/db.yaml": deployment("db", own),
		}},
		{"patches set other keys of the mapping that goldenarch adds", map[string]string{
			"a/kustomization.yaml": "resources: [../web]\npatches: [{path: web.yaml}]\n", "a/web.yaml": deployment("web", affinity),
			"b/kustomization.yaml": "resources: [../web]\n",
			"c/kustomization.yaml": "resources: [../web]\npatches: [{path: web.yaml}]\n", "c/web.yaml": deployment("web", affinity),
		}},
	} {
		maps.Copy(tc.files, map[string]string{
			"web/kustomization.yaml": "resources: [web.yaml]\n", "web/web.yaml": deployment("web", pod("web")),
			"db/kustomization.yaml": "resources: [db.yaml]\n", "db/db.yaml": deployment("db", pod("db")),
		})
		dir := writeTree(t, tc.files)
		git(t, dir, "", "init", "-q")
		before := filesBelow(t, dir)
		flags := []string{"fix", ".", "--offline", "--workloads", "Affinity", "--image", "quay.io/acme/web:1=amd64", "--image", "quay.io/acme/db:1=amd64"}
		succeeds(t, dir, flags...)
		if diff := cmp.Diff(set([]string{"web/web.yaml", "db/db.yaml"}), set(changedIn(before, filesBelow(t, dir)))); diff != "" {
			t.Errorf("%s: %s", tc.reason, diff)
		}
	}
}

// set returns texts as a set.
func set(texts []string) map[string]bool {
	out := map[string]bool{}
	for _, text := range texts {
		out[text] = true
	}
	return out
}

// TestFixKeepsGoing: --keep-going writes the clusters without errors, each all or nothing.
func TestFixKeepsGoing(t *testing.T) {
	t.Parallel()
	own := func(image string) string {
		return "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: own\nspec:\n  template:\n    spec:\n" +
			"      containers:\n      - name: app\n        image: quay.io/acme/" + image + ":1\n"
	}
	withOwn := "resources: [../../base, own.yaml]\n"
	apart := map[string]string{
		"base/kustomization.yaml": "resources: [lock.yaml, pods.yaml]\n",
		"overlays/a/own.yaml":     own("web"), "overlays/b/own.yaml": own("unknown"),
		"overlays/a/kustomization.yaml": withOwn, "overlays/b/kustomization.yaml": withOwn,
	}
	together := map[string]string{
		"overlays/a/own.yaml": own("web"), "overlays/b/own.yaml": own("unknown"),
		"overlays/a/kustomization.yaml": withOwn, "overlays/b/kustomization.yaml": withOwn,
	}
	third := map[string]string{
		"overlays/c/kustomization.yaml": "resources: [../../common, own.yaml]\n", "overlays/c/own.yaml": own("web"),
		"common/kustomization.yaml": "resources: [lock.yaml, pods.yaml]\n", "common/lock.yaml": lockOf("quay.io/acme/web:1", "amd64", "arm64"),
		"common/pods.yaml": podsConfig + "  mode: Affinity\n",
	}
	withThird := maps.Clone(together)
	maps.Copy(withThird, third)
	for name, tc := range map[string]struct {
		reason  string
		more    map[string]string
		args    []string
		changes []string
		status  int
		want    string
	}{
		"Apart": {
			reason:  "the clusters share no file that changes",
			more:    apart,
			args:    []string{"."},
			changes: []string{"overlays/a/own.yaml"},
			status:  statusFailed,
			want:    "not changed, because they have errors: overlays/b",
		},
		"Without": {
			reason: "without the flag an error keeps all files",
			more:   apart,
			args:   []string{".", "--keep-going=false"},
			status: statusFailed,
		},
		"Together": {
			reason: "the base would change for a cluster with an error",
			more:   together,
			args:   []string{"."},
			status: statusFailed,
			want:   "not changed, because they have errors: overlays/a, overlays/b",
		},
		"Third": {
			reason:  "a cluster that shares nothing with them is written",
			more:    withThird,
			args:    []string{"."},
			changes: []string{"overlays/c/own.yaml"},
			status:  statusFailed,
			want:    "overlays/a, overlays/b",
		},
		"Check": {reason: "an error wins over a difference", more: apart, args: []string{".", "--check"}, status: statusFailed},
		"NoError": {
			reason:  "without an error it does what fix does",
			args:    []string{"."},
			changes: []string{"base/web.yaml", "base/db.yaml"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			more := map[string]string{"base/pods.yaml": podsConfig + "  mode: Affinity\n  unresolved: Error\n"}
			maps.Copy(more, tc.more)
			dir := sharedBase(t, more)
			before := filesBelow(t, dir)
			_, messages, status := runIn(t, dir, append([]string{"fix", "--offline", "--keep-going"}, tc.args...)...)
			changed := changedIn(before, filesBelow(t, dir))
			if diff := cmp.Diff(set(tc.changes), set(changed)); diff != "" || status != tc.status || !strings.Contains(messages, tc.want) {
				t.Errorf("%s: status %d, want %d and %q\n%s\n%s", tc.reason, status, tc.status, tc.want, messages, diff)
			}
		})
	}
}

// TestFileOfTwoNames: a file that two clusters name in two ways is one file. It stays a link.
func TestFileOfTwoNames(t *testing.T) {
	t.Parallel()
	const cr = "apiVersion: hco.kubevirt.io/v1beta1\nkind: HyperConverged\nmetadata: {name: kubevirt-hyperconverged, namespace: kubevirt-hyperconverged}\n" +
		"spec:\n  dataImportCronTemplates:\n  - metadata: {name: a}\n    spec:\n      schedule: 0 1 * * *\n      managedDataSource: a\n" +
		"      template: {spec: {source: {registry: {url: 'docker://quay.io/acme/fedora:42'}}, storage: {resources: {requests: {storage: 30Gi}}}}}\n"
	for _, tc := range []struct {
		reason, overlay string
		status          int
	}{
		{"both decide alike", "", statusOK},
		{
			"one has another image", "patches:\n- target: {kind: HyperConverged}\n  patch: |-\n    - op: replace\n" +
				"      path: /spec/dataImportCronTemplates/0/spec/template/spec/source/registry/url\n      value: docker://quay.io/acme/other:1\n", statusFailed,
		},
	} {
		dir := writeTree(t, map[string]string{
			"base/kustomization.yaml": "resources: [hco.yaml]\n", "base/hco.yaml": cr, "overlay/kustomization.yaml": "resources: [../base]\n" + tc.overlay,
			"direct/nodes.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n",
		})
		git(t, dir, "", "init", "-q")
		link := filepath.Join(dir, "direct", "hco.yaml")
		if err := os.Symlink("../base/hco.yaml", link); err != nil {
			t.Fatal(err)
		}
		_, messages, status := runIn(t, dir, append([]string{"fix", ".", "--image", "quay.io/acme/other:1=amd64"}, offlineFedora...)...)
		if status != tc.status || strings.Contains(messages, "GA801") != (status != statusOK) {
			t.Errorf("%s: status %d\n%s", tc.reason, status, messages)
		}
		if text := filesBelow(t, dir)["base/hco.yaml"]; strings.Contains(text, "dict.architectures") != (tc.status == statusOK) {
			t.Errorf("%s: got\n%s", tc.reason, text)
		}
		if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
			t.Errorf("%s: want a link, got %v, %v", tc.reason, info, err)
		}
	}
}
