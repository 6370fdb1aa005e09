package wiring

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/host/setup"
	"github.com/goldenarch/goldenarch/internal/manifest"
)

// TestConfiguration: a configuration that is there is found in each form that a run reads, and no
// second one is written.
func TestConfiguration(t *testing.T) {
	t.Parallel()
	const own = "apiVersion: goldenarch.dev/v1alpha1\nkind: GoldenImages\nmetadata: {name: a}\n"
	const alias = "apiVersion: goldenarch.dev/v1alpha1\nmetadata: {name: &kind GoldenImages}\nkind: *kind\n"
	const list = "apiVersion: v1\nkind: List\nitems: [{apiVersion: goldenarch.dev/v1alpha1, kind: GoldenImages, metadata: {name: a}}]\n"
	const kptfile = "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: p}\n"
	const inList = "the GoldenImages is in a List"
	for _, tc := range []struct {
		reason, text string
		host         setup.Host
		want         string // the files that change
		err          string // part of the error
	}{
		{"none", "", setup.HostArgoCD, "golden-images.yaml", ""},
		{"an object", own, setup.HostArgoCD, "", ""},
		{"an alias", alias, setup.HostArgoCD, "", ""},
		{"a List, which the plugin opens", list, setup.HostArgoCD, "", ""},
		{"of another group", strings.Replace(own, "goldenarch.dev", "example.com", 1), setup.HostArgoCD, "golden-images.yaml", ""},
		{"an object, for kpt", own, setup.HostKpt, "Kptfile", ""},
		{"an alias, for kpt", alias, setup.HostKpt, "Kptfile", ""},
		{"a List, which kpt does not pass to a function", list, setup.HostKpt, "", inList},
	} {
		dir := t.TempDir()
		file := filepath.Join(dir, "own.yaml")
		for name, text := range map[string]string{file: tc.text, filepath.Join(dir, "Kptfile"): kptfile} {
			if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		var items []*yaml.RNode
		if tc.text != "" {
			var err error
			if items, err = manifest.Parse(filepath.ToSlash(file), []byte(tc.text)); err != nil {
				t.Fatal(err)
			}
		}
		w := Wiring{Dir: dir, Host: tc.host, Items: items}
		changes, found := w.Changes()
		var got []string
		for _, c := range changes {
			if name := filepath.Base(c.Name); !strings.HasPrefix(name, ".") {
				got = append(got, name)
			}
		}
		if strings.Join(got, " ") != tc.want || (tc.err != "") != found.Failed() || !strings.Contains(found.String(), tc.err) {
			t.Errorf("%s: want %q and %q, got %q and %v", tc.reason, tc.want, tc.err, got, found)
		}
	}
}
