package engine

import (
	"strings"
	"testing"

	"sigs.k8s.io/kustomize/kyaml/yaml"
	sigsyaml "sigs.k8s.io/yaml"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/finding"
)

func TestDrift(t *testing.T) {
	t.Parallel()
	const (
		bound    = "metadata: {name: NAME, annotations: {cdi.kubevirt.io/storage.bind.immediate.requested: 'false'}}\n"
		unbound  = "metadata: {name: NAME}\n"
		short    = "    spec: {managedDataSource: NAME, schedule: '', template: {spec: {source: {http: {url: 'https://example.com/x'}}}}}\n"
		complete = "    spec: {retentionPolicy: All, importsToKeep: 3, managedDataSource: NAME, schedule: '', " +
			"template: {spec: {source: {http: {url: 'https://example.com/x'}}}}}\n"
		disabled = "metadata: {name: NAME, annotations: {dataimportcrontemplate.kubevirt.io/enable: 'false', " +
			"cdi.kubevirt.io/storage.bind.immediate.requested: 'true'}}\n"
	)
	for name, tc := range map[string]struct {
		reason    string
		templates []string
		spec      v1alpha1.GoldenImagesSpec
		elsewhere bool
		want      string // part of the text; "" for no finding
	}{
		"Annotation": {
			reason:    "it is added by all releases",
			templates: []string{unbound + complete},
			spec:      v1alpha1.GoldenImagesSpec{Release: "1.17"},
			want:      `template "t0":`,
		},
		"Fields":     {reason: "1.18 adds two fields", templates: []string{bound + short}, spec: v1alpha1.GoldenImagesSpec{Release: "1.18"}, want: `template "t0":`},
		"Older":      {reason: "1.17 does not", templates: []string{bound + short}, spec: v1alpha1.GoldenImagesSpec{Release: "1.17"}},
		"Undeclared": {reason: "the newest is assumed", templates: []string{bound + short}, want: `template "t0":`},
		"Complete":   {reason: "nothing is added, whatever the values are", templates: []string{bound + complete}},
		"Disabled":   {reason: "without a spec there is none to add to", templates: []string{disabled}},
		"Several":    {reason: "all are named", templates: []string{unbound + short, bound + complete, unbound + short}, want: "the templates t0, t2:"},
		"Many": {
			reason:    "many are counted",
			templates: []string{unbound + short, unbound + short, unbound + short, unbound + short},
			want:      "4 templates (t0, t1, t2, …):",
		},
		"None": {reason: "a CR without templates"},
		"Write": {
			reason:    "what is written does not differ",
			templates: []string{unbound + short},
			spec:      v1alpha1.GoldenImagesSpec{Release: "1.18", Defaults: v1alpha1.DefaultsWrite},
		},
		"Elsewhere": {reason: "nobody compares", templates: []string{unbound + short}, elsewhere: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			text := `apiVersion: hco.kubevirt.io/v1beta1
kind: HyperConverged
metadata: {name: kubevirt-hyperconverged, namespace: kubevirt-hyperconverged}
spec:
  dataImportCronTemplates:
`
			for i, template := range tc.templates {
				text += "  - " + strings.ReplaceAll(template, "NAME", "t"+string(rune('0'+i)))
			}
			tc.spec.Cluster.WorkloadArchitectures = []string{"amd64"}
			tc.spec.Cluster.ControlPlaneArchitectures = []string{"amd64"}
			tc.spec.Unresolved = v1alpha1.UnresolvedKeep
			tc.spec.Default()
			config, err := sigsyaml.Marshal(v1alpha1.GoldenImages{
				TypeMeta: v1alpha1.TypeMeta{APIVersion: v1alpha1.Group + "/v1alpha1", Kind: v1alpha1.GoldenImagesKind}, ObjectMeta: v1alpha1.ObjectMeta{Name: "c"},
				Spec: tc.spec,
			})
			if err != nil {
				t.Fatal(err)
			}
			_, found := Function{ArgoCD: !tc.elsewhere}.Render(t.Context(), []*yaml.RNode{yaml.MustParse(text)}, Given(yaml.MustParse(string(config))))
			if found.Failed() {
				t.Fatalf("the run failed, and proves nothing:\n%s", found)
			}
			var reported finding.List
			for _, f := range found {
				if f.ID == finding.Drift {
					reported = append(reported, f)
				}
			}
			switch {
			case tc.want == "" && len(reported) > 0:
				t.Errorf("%s: got %s", tc.reason, reported)
			case tc.want != "" &&
				(len(reported) != 1 || !strings.Contains(reported[0].Text, tc.want) || reported[0].Field != "spec.dataImportCronTemplates" ||
					reported[0].Object.Kind != "HyperConverged"):
				t.Errorf("%s: want one of %q, got %s", tc.reason, tc.want, reported)
			}
		})
	}
}
