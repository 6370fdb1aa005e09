package cli

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/goldenarch/goldenarch/test/filetest"
)

// patchOfEarlier is a patch as earlier versions of goldenarch wrote it.
const patchOfEarlier = `# goldenarch fix --patch writes this file. It does not keep edits made by hand.
- op: test
  path: /spec/dataImportCronTemplates/0/metadata/name
  value: app
- op: add
  path: /spec/dataImportCronTemplates/0/metadata/annotations
  value:
    goldenarch.dev/claim: amd64,arm64
    ssp.kubevirt.io/dict.architectures: amd64,arm64
- op: add
  path: /spec/featureGates
  value:
    enableMultiArchBootImageImport: true
`

// TestCheckPatches: check reports a patch that fix would write in another way, and fix
// makes it right.
func TestCheckPatches(t *testing.T) {
	t.Parallel()
	const listed = "patches:\n- path: goldenarch-patch.yaml\n  target: {kind: HyperConverged}\n"
	replaced := func(file, old, now string) func(t *testing.T, dir string) {
		return func(t *testing.T, dir string) {
			t.Helper()
			filetest.Replace(t, filepath.Join(dir, file), old, now)
		}
	}
	const base, prod = "base/hyperconverged.yaml", "overlays/prod/"
	for name, tc := range map[string]struct {
		reason string
		old    bool // the patch is that of an earlier goldenarch
		edit   func(t *testing.T, dir string)
		want   string // the finding; "" for none
		status int
	}{
		"UpToDate": {reason: "fix has just written it", edit: func(*testing.T, string) {}},
		"Edited":   {reason: "a comment changes no build", edit: replaced(prod+"goldenarch-patch.yaml", "- op: test", "# mine\n- op: test")},
		"Old":      {reason: "the build is right", old: true, edit: func(*testing.T, string) {}},
		"OldAndHides": {
			reason: "another gate of the base is gone", old: true,
			edit: replaced(base, "spec:\n", "spec:\n  featureGates: {downwardMetrics: true}\n"),
			want: "warning GA806",
		},
		"AnotherGate": {reason: "the build has it", edit: replaced(base, "spec:\n", "spec:\n  featureGates: {downwardMetrics: true}\n")},
		"AnnotationsInBase": {
			reason: "the build fails", edit: replaced(base, "name: app\n", "name: app\n        annotations: {owner: me}\n"),
			want: "error GA806", status: statusFailed,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := repository(t, filepath.Join("testdata", "fix", "overlay_gets_a_patch"))
			if tc.old {
				replaced(prod+"kustomization.yaml", "\n", "\n"+listed)(t, dir)
				filetest.File(t, filepath.Join(dir, prod, "goldenarch-patch.yaml"), patchOfEarlier)
			} else if _, messages, status := runIn(t, dir, "fix", prod, "--patch"); status != statusOK {
				t.Fatal(messages)
			}
			tc.edit(t, dir)
			for _, place := range []string{prod, "."} {
				out, _, status := runIn(t, dir, "check", place, "--as", "rendered")
				if got := strings.Contains(out, " GA806 "); got != (tc.want != "") ||
					!strings.Contains(out, tc.want) || status != tc.status {
					t.Errorf("%s: check %s: want %q and status %d, got %d:\n%s", tc.reason, place, tc.want, tc.status, status, out)
				}
			}
			succeeds(t, dir, "fix", prod)
			if out, _, status := runIn(t, dir, "check", prod); status != statusOK || strings.Contains(out, " GA80") {
				t.Errorf("%s: after fix (%d):\n%s", tc.reason, status, out)
			}
		})
	}
}

// TestCheckPatchesBesideFacts: facts beside the directory count for its patches, too, and the
// command that check advises has them.
func TestCheckPatchesBesideFacts(t *testing.T) {
	t.Parallel()
	const facts = "apiVersion: goldenarch.dev/v1alpha1\nkind: ClusterArchitectures\nmetadata: {name: nodes}\n" +
		"spec: {workload: [amd64, arm64], controlPlane: [amd64]}\n"
	image := func(architectures string) []string {
		return []string{"--offline", "--set", "predefined=none", "--release", "1.19", "--image", "registry.example.com/app:1=" + architectures}
	}
	for name, tc := range map[string]struct {
		reason string
		facts  string
		want   string // what check advises
	}{
		"File":  {reason: "fix needs the file", facts: "nodes.yaml", want: "Run goldenarch fix nodes.yaml app "},
		"Stdin": {reason: "check reads it twice", facts: "-", want: "Run goldenarch fix app "},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			git(t, dir, "", "init", "-q")
			filetest.Write(t, dir, map[string]string{
				"nodes.yaml":             facts,
				"app/kustomization.yaml": "resources: [cr.yaml]\n",
				"app/cr.yaml": "apiVersion: hco.kubevirt.io/v1beta1\nkind: HyperConverged\n" +
					"metadata: {name: kubevirt-hyperconverged, namespace: kubevirt-hyperconverged}\nspec:\n  dataImportCronTemplates:\n" +
					"  - metadata: {name: app}\n    spec: {schedule: '', managedDataSource: app, " +
					"template: {spec: {source: {registry: {url: 'docker://registry.example.com/app:1'}}}}}\n",
			})
			succeeds(t, dir, append([]string{"fix", "--patch", "nodes.yaml", "app"}, image("amd64,arm64")...)...)
			cmd := goldenarch(t, append([]string{"check", tc.facts, "app"}, image("amd64")...)...)
			cmd.Dir, cmd.Stdin = dir, strings.NewReader(facts)
			out, _ := cmd.Output()
			if !strings.Contains(string(out), "warning GA806") || !strings.Contains(string(out), tc.want) {
				t.Errorf("%s: want GA806 with %q, got:\n%s", tc.reason, tc.want, out)
			}
		})
	}
}
