package cli

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/goldenarch/goldenarch/internal/manifest/object"
)

// TestWhatGoldenarchWritesIsNotApplied: after init and lock nothing that applies the repository stumbles over a file of
// goldenarch, and goldenarch reads what Argo CD and kustomize leave out.
func TestWhatGoldenarchWritesIsNotApplied(t *testing.T) {
	t.Parallel()
	const repoURL = "https://git.example/acme/r"
	application := func(source string) string {
		return "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: virt}\nspec: {source: {repoURL: " + repoURL + ", " + source + "}}\n"
	}
	flux := func(path string) string {
		return "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: virt, namespace: flux-system}\n" +
			"spec: {path: " + path + ", sourceRef: {kind: GitRepository, name: r}}\n---\n" +
			"apiVersion: source.toolkit.fluxcd.io/v1\nkind: GitRepository\nmetadata: {name: r, namespace: flux-system}\nspec: {url: " + repoURL + "}\n"
	}
	const kubectl = "If you apply the directory so, keep the lock outside of it: goldenarch lock DIR/virt --file FILE"
	for _, tc := range []struct{ reason, applier, says string }{
		{"an Application", application("path: virt"), ""},
		{"Flux", flux("./virt"), ""},
		{"Flux, of the whole repository", flux("./"), ""},
		{"nobody knows what applies it", "", kubectl},
	} {
		t.Run(tc.reason, func(t *testing.T) {
			t.Parallel()
			l := newLockedTree(t)
			l.remove("hco.yaml")
			l.write("virt/hco.yaml", strings.Replace(l.cr("x/fedora:1"), "spec: {source", "spec: {storage: {resources: {requests: {storage: 30Gi}}}, source", 1))
			l.write(".git/HEAD", "ref: refs/heads/main\n")
			l.write(".git/config", "[remote \"origin\"]\n\turl = "+repoURL+"\n")
			if tc.applier != "" {
				l.write("apps/virt.yaml", tc.applier)
			}
			if status, out, errs := l.run(nil, "init", "DIR/virt", "--release", "1.19", "--workload-architectures", "amd64,arm64",
				"--control-plane-architectures", "amd64"); status != statusOK {
				t.Fatalf("init ends with %d\n%s%s", status, out, errs)
			}
			for again, says := range []string{tc.says, ""} {
				status, out, errs := l.run(nil, "lock", "DIR/virt")
				if errs = strings.ReplaceAll(errs, l.dir, "DIR"); status != statusOK || strings.Contains(errs, "kubectl") != (says != "") ||
					!strings.Contains(errs, says) || strings.Contains(errs, "GA873") {
					t.Errorf("run %d of lock ends with %d, want %q\n%s%s", again, status, says, out, errs)
				}
			}
			for _, name := range []string{"goldenarch.yaml", "virt/golden-images.lock.yaml"} {
				if text := l.read(name); !strings.Contains(text, "\n# "+object.SkipComment+"\n") || !strings.Contains(text, object.LocalConfig+`: "true"`) {
					t.Errorf("%s lacks a mark:\n%s", name, text)
				}
			}
			for _, path := range []string{"DIR", "DIR/virt"} { // without a network the lock must be read
				if status, out, errs := l.run(nil, "check", path, "--offline"); status != statusOK || strings.Contains(out, "GA873") {
					t.Errorf("check %s ends with %d\n%s%s", path, status, out, errs)
				}
			}
			l.write("kustomization.yaml", "resources: [goldenarch.yaml, virt/hco.yaml, virt/golden-images.lock.yaml]\n")
			if out := kustomizeOutput(t, filepath.ToSlash(l.dir)); strings.Contains(out, "goldenarch.dev/") && !strings.Contains(out, "kind: HyperConverged") ||
				strings.Contains(out, "kind: Fleet") || strings.Contains(out, "kind: ArchitectureLock") {
				t.Errorf("kustomize builds\n%s", out)
			}
		})
	}
}

// TestLockWithoutMarks: a lock that lacks the marks, and that something applies, is not refreshed without a word.
func TestLockWithoutMarks(t *testing.T) {
	t.Parallel()
	l := newLockedTree(t)
	l.remove("hco.yaml")
	l.write("virt/hco.yaml", l.cr("x/fedora:1"))
	l.write(".git/HEAD", "ref: refs/heads/main\n")
	for _, tc := range []struct{ applier, want string }{
		{fluxApplies, "annotation " + object.LocalConfig},
		{
			"apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: virt}\nspec: {source: {repoURL: https://git.example/acme/r, path: virt}}\n",
			"comment # " + object.SkipComment,
		},
	} {
		l.write("virt/golden-images.lock.yaml", strings.ReplaceAll(emptyLock, "local-config", "other"))
		l.write("apps/virt.yaml", tc.applier)
		l.write(".git/config", "[remote \"origin\"]\n\turl = https://git.example/acme/r\n")
		status, out, errs := l.run(nil, "lock", "DIR/virt")
		if status != statusOK || !strings.Contains(errs, "warning GA873") || !strings.Contains(errs, tc.want) {
			t.Errorf("want a warning with %q, got %d\n%s%s", tc.want, status, out, errs)
		}
	}
}

// TestFactsAreNotApplied: facts that a repository keeps have both marks, and a check reads them.
func TestFactsAreNotApplied(t *testing.T) {
	t.Parallel()
	dir := writeTree(t, map[string]string{"hco.yaml": gateOn})
	out, errs, status := runIn(t, dir, append([]string{"forecast", "hco.yaml", "-o", "facts"}, offlineFedora[3:]...)...)
	if status != statusOK || !strings.HasPrefix(out, "# "+object.SkipComment+"\n") || !strings.Contains(out, object.LocalConfig+`: "true"`) {
		t.Errorf("forecast ends with %d\n%s%s", status, out, errs)
	}
	dir = writeTree(t, map[string]string{"facts.yaml": out, "vms/vm.yaml": oneMachine})
	if out, errs, status := runIn(t, dir, "check", "vms", "--facts", "facts.yaml"); status != statusOK || !strings.Contains(out, "starts") {
		t.Errorf("check ends with %d\n%s%s", status, out, errs)
	}
}

// TestMarksOfTheExamples: what the examples have for goldenarch alone is marked as what goldenarch writes.
func TestMarksOfTheExamples(t *testing.T) {
	t.Parallel()
	marked := 0
	err := filepath.WalkDir("../../examples", func(file string, _ fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(file) != ".yaml" {
			return err
		}
		text, err := os.ReadFile(file)
		if err != nil || !strings.Contains("\n"+string(text), "\napiVersion: goldenarch.dev/") {
			return err
		}
		if marked++; !strings.Contains(string(text), "# "+object.SkipComment+"\n") {
			t.Errorf("%s lacks the comment with which Argo CD skips it", file)
		}
		return nil
	})
	if err != nil || marked < 20 {
		t.Errorf("want at least 20 files, got %d (%v)", marked, err)
	}
}
