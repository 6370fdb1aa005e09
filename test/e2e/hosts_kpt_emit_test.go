package e2e

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// kptfile is indented so that the selectors of the documentation fit.
const kptfile = `apiVersion: kpt.dev/v1
kind: Kptfile
metadata:
  name: package
pipeline:
  mutators:
      - exec: goldenarch
        configPath: config.yaml
`

// emitting makes a package whose templates are expanded, with selectors or
// without.
func emitting(t *testing.T, selectors string) string {
	t.Helper()
	return laid(t, map[string]string{
		"Kptfile": kptfile + selectors,
		"config.yaml": `apiVersion: goldenarch.dev/v1alpha1
kind: GoldenImages
metadata:
  name: golden-images
spec:
  cluster: {workloadArchitectures: [amd64, arm64], controlPlaneArchitectures: [amd64]}
  platform: kubernetes
  overrides:
  - {image: quay.io/acme/app:1, architectures: [amd64, arm64]}
  expand: {mode: Emit, support: true}
`,
		"hco.yaml": strings.Replace(emptyCR, "  # nothing yet\n", `  dataImportCronTemplates:
  - metadata: {name: app}
    spec:
      managedDataSource: app
      schedule: "0 */12 * * *"
      template:
        spec:
          source: {registry: {url: docker://quay.io/acme/app:1}}
          storage: {resources: {requests: {storage: 10Gi}}}
`, 1),
	})
}

// selectsFacts and selectsEmitted are the selectors that docs/kpt.md shows.
const (
	selectsFacts = `        selectors:
        - name: kubevirt-hyperconverged
        - apiVersion: goldenarch.dev/v1alpha1
`
	selectsEmitted = `        - kind: DataImportCron
        - kind: DataSource
        - kind: Namespace
        - kind: Role
        - kind: RoleBinding
`
)

// emittedBehindSelectors: with the selectors of the documentation what is emitted
// is there once; without a part of them it is there once more after each run,
// until a run sees all of it.
func emittedBehindSelectors(t *testing.T, r runner, kpt string) {
	t.Parallel()
	doc, err := os.ReadFile(filepath.Join(repository(t), "docs/kpt.md"))
	if err != nil || !strings.Contains(string(doc), selectsFacts+selectsEmitted) {
		t.Errorf("docs/kpt.md does not show these selectors (%v)", err)
	}
	rendered := func(dir string) outcome {
		t.Helper()
		got := r.run(t, kpt, "fn", "render", dir, "--allow-exec", "--truncate-output=false")
		if got.status != 0 {
			t.Fatalf("status %d\n%s%s", got.status, got.stdout, got.stderr)
		}
		return got
	}
	plain := emitting(t, "")
	rendered(plain)
	want := emittedFiles(t, plain)
	if len(want) != 8 || !slices.ContainsFunc(slices.Collect(maps.Keys(want)), func(file string) bool { return strings.HasPrefix(file, "golden-images/role") }) {
		t.Fatalf("want crons, DataSources, a Namespace and roles, got %v", want)
	}

	selected := emitting(t, selectsFacts+selectsEmitted)
	for range 3 {
		rendered(selected)
	}
	if diff := cmp.Diff(want, emittedFiles(t, selected)); diff != "" {
		t.Errorf("with the selectors of the documentation (-without any +with them):\n%s", diff)
	}

	hidden := emitting(t, selectsFacts)
	for range 3 {
		rendered(hidden)
	}
	const cron = "golden-images/dataimportcron-app-amd64.yaml"
	if n := strings.Count(emittedFiles(t, hidden)[cron], "kind: DataImportCron"); n != 3 {
		t.Errorf("kpt has another way with hidden items now: want 3 documents, got %d", n)
	}
	write(t, filepath.Join(hidden, "Kptfile"), kptfile)
	if got := rendered(hidden); !strings.Contains(got.stdout+got.stderr, "GA511") {
		t.Errorf("nothing is said of the copies\n%s%s", got.stdout, got.stderr)
	}
	if diff := cmp.Diff(want, emittedFiles(t, hidden)); diff != "" {
		t.Errorf("after a run that sees the copies (-never hidden +was hidden):\n%s", diff)
	}
}

// emittedFiles returns the files of a package that goldenarch emitted.
func emittedFiles(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := tree(t, dir)
	maps.DeleteFunc(files, func(file, _ string) bool { return !strings.HasPrefix(file, "golden-images/") })
	return files
}

// fileOfAnEmittedObject: what a user has where goldenarch would emit is named, and
// no file is touched. In a package below it is not in the way.
func fileOfAnEmittedObject(t *testing.T, r runner, kpt string) {
	t.Parallel()
	const mine, file = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: mine\n", "golden-images/datasource-app.yaml"
	dir := emitting(t, "")
	if err := os.Mkdir(filepath.Join(dir, "golden-images"), 0o755); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, file), mine)
	before := tree(t, dir)
	got := r.run(t, kpt, "fn", "render", dir, "--allow-exec", "--truncate-output=false")
	if said := got.stdout + got.stderr; got.status != 1 || !strings.Contains(said, "GA511") || !strings.Contains(said, file+", but that file has ConfigMap/mine") {
		t.Errorf("status %d, want 1 and the file\n%s", got.status, said)
	}
	if diff := cmp.Diff(before, tree(t, dir)); diff != "" {
		t.Errorf("files were touched:\n%s", diff)
	}

	above := emitting(t, "")
	below := filepath.Join(above, "below")
	if err := os.MkdirAll(filepath.Join(below, "golden-images"), 0o755); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(below, "Kptfile"), "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: below\n")
	write(t, filepath.Join(below, file), mine)
	if got := r.run(t, kpt, "fn", "render", above, "--allow-exec"); got.status != 0 {
		t.Fatalf("status %d\n%s%s", got.status, got.stdout, got.stderr)
	}
	if files := tree(t, above); files["below/"+file] != mine || files[file] == "" {
		t.Errorf("want both files, got %q and %q", files["below/"+file], files[file])
	}
}
