package engine

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/manifest"
	"github.com/goldenarch/goldenarch/test/filetest"
)

// TestUnneeded: the text of a document says that nobody needs its item only if the item says so too.
func TestUnneeded(t *testing.T) {
	t.Parallel()
	const configMap = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n"
	for _, tc := range []struct {
		reason, text    string
		unneeded, inRun bool // without pods, and in a run about pods
	}{
		{"another kind", "apiVersion: v1\nkind: Service\nmetadata: {name: a}\n", true, true},
		{"a ConfigMap with other texts", configMap + "  a: kind of text\n", true, true},
		{"pods", "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: a}\nspec: {template: {spec: {containers: []}}}\n", true, false},
		{"a kind that is misspelt", "apiVersion: hco.kubevirt.io/v1beta1\nkind: HyperConvergd\nmetadata: {name: a}\n", false, false},
		{"nodes", "apiVersion: v1\nkind: Node\nmetadata: {name: a}\n", false, false},
		{"a machine", "apiVersion: kubevirt.io/v1\nkind: VirtualMachine\nmetadata: {name: a}\n", false, false},
		{"a wrapper", "apiVersion: hive.openshift.io/v1\nkind: SyncSet\nmetadata: {name: a}\n", false, false},
		{"a CR as text", configMap + "  a: |\n    kind: HyperConverged\n", false, false},
		{"a CR in escapes", configMap + "  a: \"kind: \\x48yper\\u0043onverged\"\n", false, false},
		{"a CR in base64, shifted by a byte", "apiVersion: v1\nkind: Secret\nmetadata: {name: a}\ndata: {a: \"IEh5cGVyQ29udmVyZ2Vk\"}\n", false, false},
		{"a machine as text", configMap + "  a: |\n    apiVersion: kubevirt.io/v1\n    kind: VirtualMachine\n", false, false},
		{"a machine as text, in escapes", configMap + "  a: \"kind: a\\napiVersion: \\u006bubevirt.io/v1\"\n", false, false},
		{"templates among values", "apiVersion: argoproj.io/v1alpha1\nkind: Application\nspec: {values: {dataImportCronTemplates: []}}\n", false, false},
		{"what goldenarch wrote", "apiVersion: v1\nkind: Service\nmetadata: {annotations: {goldenarch.dev/ignore: GA100}}\n", false, false},
		{"an alias", "apiVersion: v1\nkind: Service\nmetadata: {name: &a b, labels: {a: *a}}\n", false, false},
		{"not for a cluster", "apiVersion: v1\nkind: Service\nmetadata: {annotations: {config.kubernetes.io/local-config: 'true'}}\n", false, false},
	} {
		head := headOf(t, tc.text)
		if got := Unneeded(head, false); got != tc.unneeded {
			t.Errorf("%s: want %t, got %t", tc.reason, tc.unneeded, got)
		}
		if got := Unneeded(head, true); got != tc.inRun {
			t.Errorf("%s, in a run about pods: want %t, got %t", tc.reason, tc.inRun, got)
		}
	}
}

// headOf returns the head of the only document of a text.
func headOf(t *testing.T, text string) manifest.Head {
	t.Helper()
	var out []manifest.Head
	reader := manifest.Reader{Skip: func(head manifest.Head) bool { out = append(out, head); return false }}
	if _, err := reader.Parse("f.yaml", []byte(text)); err != nil || len(out) != 1 {
		t.Fatalf("%d heads of %q: %v", len(out), text, err)
	}
	return out[0]
}

// TestUnneededOfRealManifests holds [Unneeded] against [Needed] for each document of the examples and of the cases of
// other tests.
func TestUnneededOfRealManifests(t *testing.T) {
	t.Parallel()
	unneeded := 0
	for _, root := range []string{"../../examples", "../../fn/testdata", "../cli/testdata", "../../test"} {
		err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || filepath.Ext(path) != ".yaml" {
				return err
			}
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			// Each document by itself, as the reader takes it: Needed is asked right after Skip about the same one.
			says := false
			for document := range strings.SplitSeq("\n"+string(data), "\n---") {
				says = false
				reader := manifest.Reader{
					Lenient: true,
					Skip:    func(head manifest.Head) bool { says = Unneeded(head, true); return false },
					Needed: func(item *yaml.RNode) bool {
						if says && Needed(item) {
							t.Errorf("%s: the text of %s/%s says that nobody needs it", path, item.GetKind(), item.GetName())
						}
						return true
					},
				}
				_, _ = reader.Parse(filepath.ToSlash(path), []byte(document)) // what is no YAML proves nothing
				if says {
					unneeded++
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if unneeded < 100 {
		t.Errorf("only %d documents are not needed", unneeded)
	}
}

// TestFilesThatDoNotMatterAreNotParsed: of a tree with many files, a check parses those that matter.
func TestFilesThatDoNotMatterAreNotParsed(t *testing.T) {
	t.Parallel()
	files := map[string]string{
		"virt/hco.yaml":  "apiVersion: hco.kubevirt.io/v1beta1\nkind: HyperConverged\nmetadata: {name: kubevirt-hyperconverged}\nspec: {}\n",
		"virt/vm.yaml":   "apiVersion: kubevirt.io/v1\nkind: VirtualMachine\nmetadata: {name: a}\nspec: {}\n",
		"virt/cron.yaml": "apiVersion: cdi.kubevirt.io/v1beta1\nkind: DataImportCron\nmetadata: {name: a}\nspec: {}\n",
	}
	for i := range 100 {
		files[fmt.Sprintf("apps/%d/web.yaml", i)] = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: a}\n" +
			"spec:\n  template:\n    spec:\n      containers:\n      - {name: a, image: quay.io/a/b:1}\n"
		files[fmt.Sprintf("apps/%d/cm.yaml", i)] = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {a: b}\n"
	}
	dir := t.TempDir()
	filetest.Write(t, dir, files)
	for _, tc := range []struct {
		reason string
		pods   bool
		want   int
	}{{"a check", false, 3}, {"a check of pods", true, 103}} {
		parsed := 0
		reader := manifest.Reader{
			Skip:   func(head manifest.Head) bool { return Unneeded(head, tc.pods) },
			Needed: func(item *yaml.RNode) bool { parsed++; return Needed(item) },
		}
		read, err := reader.Paths([]string{dir})
		if err != nil || parsed != tc.want || len(read.Items) != tc.want+1 {
			t.Errorf("%s: want %d files parsed and one item for the others, got %d and %d items (%v)", tc.reason, tc.want, parsed, len(read.Items), err)
		}
	}
}
