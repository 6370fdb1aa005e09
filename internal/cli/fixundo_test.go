package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestFixUndo: --undo takes out exactly what fix wrote.
func TestFixUndo(t *testing.T) {
	t.Parallel()
	cr := "apiVersion: hco.kubevirt.io/v1beta1\nkind: HyperConverged # ours\nmetadata:\n  name: kubevirt-hyperconverged\n  namespace: kubevirt-hyperconverged\n" +
		"spec:\n  featureGates:\n    enableMultiArchBootImageImport: true\n  dataImportCronTemplates:\n  - metadata:\n      name: app # of acme\n" +
		"    spec:\n      managedDataSource: app\n      schedule: \"0 0 * * *\"\n" +
		"      template: {spec: {source: {registry: {url: \"docker://quay.io/acme/web:1\"}}, storage: {resources: {requests: {storage: 10Gi}}}}}\n"
	const claim = "ssp.kubevirt.io/dict.architectures: "
	withCR := map[string]string{"base/kustomization.yaml": "resources: [web.yaml, db.yaml, lock.yaml, pods.yaml, hco.yaml]\n", "base/hco.yaml": cr}
	declared := map[string]string{
		"base/kustomization.yaml": withCR["base/kustomization.yaml"],
		"base/hco.yaml":           strings.Replace(cr, "name: app # of acme\n", "name: app # of acme\n      annotations: {"+claim+"amd64}\n", 1),
	}
	for name, tc := range map[string]struct {
		reason string
		more   map[string]string
		args   []string
		want   string // in the messages
	}{
		"Pods":            {reason: "affinity and its record", args: []string{"."}},
		"CR":              {reason: "the declared architectures; nothing records the gate", more: withCR, args: []string{"."}, want: "GA824"},
		"Patches":         {reason: "the patches of the overlays and their entries", args: []string{".", "--patch"}},
		"PersonsDeclared": {reason: "a person declared the architectures", more: declared, args: []string{"."}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := sharedBase(t, tc.more)
			before := filesBelow(t, dir)
			flags := []string{"--offline", "--workload-architectures", "amd64,arm64", "--predefined", "none"}
			if _, messages, status := runIn(t, dir, append(append([]string{"fix"}, tc.args...), flags...)...); status != statusOK {
				t.Fatalf("%s: fix: %s", tc.reason, messages)
			}
			if len(changedIn(before, filesBelow(t, dir))) == 0 {
				t.Fatalf("%s: fix changes nothing", tc.reason)
			}
			_, messages, status := runIn(t, dir, "fix", ".", "--undo", "--offline")
			if status != statusOK || !strings.Contains(messages, tc.want) {
				t.Errorf("%s: status %d, want %q\n%s", tc.reason, status, tc.want, messages)
			}
			if diff := cmp.Diff(before, filesBelow(t, dir)); diff != "" {
				t.Errorf("%s:\n%s", tc.reason, diff)
			}
			if _, messages, status := runIn(t, dir, "fix", ".", "--undo", "--check", "--offline"); status != statusOK {
				t.Errorf("%s: the second --undo: status %d\n%s", tc.reason, status, messages)
			}
		})
	}
}

// TestFixUndoOfCRs: what a person changed since stays.
func TestFixUndoOfCRs(t *testing.T) {
	t.Parallel()
	const head = "apiVersion: hco.kubevirt.io/v1beta1\nkind: HyperConverged\nmetadata:\n  name: kubevirt-hyperconverged\n"
	template := func(annotations, spec string) string {
		return head + "spec:\n  dataImportCronTemplates:\n  - metadata:\n      name: app\n" + annotations + spec
	}
	const spec, notes = "    spec: {managedDataSource: app}\n", "      annotations:\n"
	const claim, written = "        ssp.kubevirt.io/dict.architectures: amd64\n", "        goldenarch.dev/claim: amd64\n"
	const off, because = "        dataimportcrontemplate.kubevirt.io/enable: \"false\"\n", "        goldenarch.dev/disabled-because: no-supported-architecture\n"
	for name, tc := range map[string]struct{ reason, before, after string }{
		"Written": {"goldenarch wrote both", template(notes+claim+written, spec), template("", spec)},
		"ClaimChanged": {
			"a person changed the architectures",
			template(notes+claim+strings.Replace(written, "amd64", "arm64", 1), spec), template(notes+claim, spec),
		},
		"Disabled":    {"goldenarch disabled it", template(notes+off+because, spec), template("", spec)},
		"OffByPerson": {"a person disabled it", template(notes+off, spec), template(notes+off, spec)},
		"Stub":        {"goldenarch added the entry", template(notes+off+because, ""), head + "spec: {}\n"},
		"GateOff": {
			"goldenarch turned the gate off", head + "  annotations:\n    goldenarch.dev/gate-before-disable: enabled\n" +
				"spec:\n  featureGates:\n    enableMultiArchBootImageImport: false\n", head + "spec:\n  featureGates:\n    enableMultiArchBootImageImport: true\n",
		},
		"Nothing": {"goldenarch wrote nothing", template("", spec), template("", spec)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			path := filepath.Join(dir, "hco.yaml")
			if err := os.WriteFile(path, []byte(tc.before), 0o600); err != nil {
				t.Fatal(err)
			}
			if _, messages, status := runIn(t, dir, "fix", "hco.yaml", "--undo"); status != statusOK {
				t.Fatalf("%s: status %d\n%s", tc.reason, status, messages)
			}
			got, err := os.ReadFile(path)
			if diff := cmp.Diff(tc.after, string(got)); err != nil || diff != "" {
				t.Errorf("%s: %v\n%s", tc.reason, err, diff)
			}
		})
	}
}
