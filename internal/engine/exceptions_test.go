package engine

import (
	"strings"
	"testing"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// TestExceptionsOfPackages: CRs of several packages have one name. An annotation counts for its
// own, and spec.findings for all. A raised finding leaves all items as they are.
func TestExceptionsOfPackages(t *testing.T) {
	t.Parallel()
	const config = `{apiVersion: goldenarch.dev/v1alpha1, kind: GoldenImages, metadata: {name: c},
		spec: {release: "1.18", predefined: none, overrides: [{template: app, architectures: [amd64, arm64]}]MORE}}`
	for _, tc := range []struct {
		reason, more, annotation string
		has, not                 []string
		failed                   bool
	}{
		{reason: "no exception", has: []string{"package a: ", "package b: "}},
		{reason: "an annotation", annotation: "GA107: known", has: []string{"package b: "}, not: []string{"package a: "}},
		{reason: "the configuration", more: ", findings: {GA107: Ignore}", not: []string{"package a: ", "package b: "}},
		{reason: "raised", more: ", findings: {GA107: Error}", has: []string{"package a: ", "package b: "}, failed: true},
		{reason: "checked", more: ", mode: Check, findings: {GA430: Ignore}", not: []string{"GA430", "GA876"}},
	} {
		a, b := inPackage("/p/a", "hco.yaml", crText), inPackage("/p/b", "hco.yaml", crText)
		if tc.annotation != "" {
			if err := a.PipeE(yaml.SetAnnotation("goldenarch.dev/ignore", tc.annotation)); err != nil {
				t.Fatal(err)
			}
		}
		before := a.MustString() + b.MustString()
		items := []*yaml.RNode{a, b, inPackage("/p", "nodes.yaml", nodes("amd64", "arm64"))}
		_, found, err := Function{}.Process(t.Context(), items, yaml.MustParse(strings.Replace(config, "MORE", tc.more, 1)))
		if (err != nil) != tc.failed || found.Failed() != tc.failed {
			t.Errorf("%s: want failed %t, got %v and\n%s", tc.reason, tc.failed, err, found)
		}
		if changed := a.MustString()+b.MustString() != before; changed == (tc.failed || strings.Contains(tc.more, "Check")) {
			t.Errorf("%s: changed is %t", tc.reason, changed)
		}
		for _, text := range tc.has {
			if !strings.Contains(found.String(), text) {
				t.Errorf("%s: want %q in\n%s", tc.reason, text, found)
			}
		}
		for _, text := range tc.not {
			if strings.Contains(found.String(), text) {
				t.Errorf("%s: want no %q in\n%s", tc.reason, text, found)
			}
		}
	}
}

// TestRaisedBesideTheRun: what the function finds beside its run fails it too, and leaves the
// items as they are.
func TestRaisedBesideTheRun(t *testing.T) {
	t.Parallel()
	cr := yaml.MustParse(crText)
	before := cr.MustString()
	given := yaml.MustParse(`{apiVersion: goldenarch.dev/v1alpha1, kind: GoldenImages, metadata: {name: c},
			spec: {release: "1.18", predefined: none, overrides: [{template: app, architectures: [amd64, arm64]}],
			cluster: {workloadArchitectures: [amd64, arm64], controlPlaneArchitectures: [amd64]}, findings: {GA008: Error}}}`)
	items := []*yaml.RNode{cr, yaml.MustParse("apiVersion: v1\nkind: Node\nmetadata: {name: n, uid: u}\n")}
	_, found, err := Function{}.Process(t.Context(), items, given)
	if err == nil || !strings.Contains(found.String(), "error GA008") || cr.MustString() != before {
		t.Errorf("want an error and no change, got %v,\n%s%s", err, found, cr.MustString())
	}
}
