package admission

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestAssume: a variable of Flux gets a value only where the CRD wants no text.
func TestAssume(t *testing.T) {
	t.Parallel()
	const head = `"apiVersion":"hco.kubevirt.io/v1beta1","kind":"HyperConverged"`
	const before = `,"spec":{"dataImportCronTemplates":[{"spec":{"template":{"spec":{"storage":{"resources":{"requests":{"storage":`
	for _, tc := range []struct {
		reason, cr, want string
		paths            []string // of variables for which a value stands
		decide           []string // of those that have none
	}{
		{reason: "no variable", cr: `{` + head + `,"spec":{"defaultCPUModel":"x"}}`},
		{reason: "a text stays", cr: `{` + head + `,"spec":{"defaultCPUModel":"${CPU}"}}`},
		{
			reason: "a number", cr: `{` + head + `,"spec":{"liveMigrationConfig":{"parallelMigrationsPerCluster":"${N}"}}}`,
			want:  `{` + head + `,"spec":{"liveMigrationConfig":{"parallelMigrationsPerCluster":1}}}`,
			paths: []string{"spec.liveMigrationConfig.parallelMigrationsPerCluster"},
		},
		{
			reason: "a switch", cr: `{` + head + `,"spec":{"featureGates":{"enableMultiArchBootImageImport":"${GATE}"}}}`,
			want:   `{` + head + `,"spec":{"featureGates":{"enableMultiArchBootImageImport":true}}}`,
			decide: []string{"spec.featureGates.enableMultiArchBootImageImport"},
		},
		{
			reason: "a part of a quantity",
			cr:     `{` + head + before + `"${SIZE}Gi"}}}}}}}]}}`,
			want:   `{` + head + before + `"1Gi"}}}}}}}]}}`,
			paths:  []string{"spec.dataImportCronTemplates[0].spec.template.spec.storage.resources.requests.storage"},
		},
		{
			reason: "a whole part", cr: `{` + head + `,"spec":{"infra":"${INFRA}"}}`,
			want: `{` + head + `,"spec":{}}`, paths: []string{"spec.infra"},
		},
		{reason: "a field of no release is not Flux's", cr: `{` + head + `,"spec":{"unheardOf":"${X}"}}`},
		{
			reason: "texts of a template on which goldenarch decides, and one on which it does not",
			cr: `{` + head + `,"spec":{"dataImportCronTemplates":[{"metadata":{"name":"a-${N}","labels":{"l":"${L}"},"annotations":{` +
				`"ssp.kubevirt.io/dict.architectures":"${A}","dataimportcrontemplate.kubevirt.io/enable":"${E}","other":"${O}"}},` +
				`"spec":{"managedDataSource":"${D}","schedule":"${S:=0 1 * * *}","template":{"spec":{"source":{"registry":{"url":"docker://${R}/a:1"}}}}}}]}}`,
			want: `{` + head + `,"spec":{"dataImportCronTemplates":[{"metadata":{"name":"a-${N}","labels":{"l":"${L}"},"annotations":{` +
				`"ssp.kubevirt.io/dict.architectures":"${A}","dataimportcrontemplate.kubevirt.io/enable":"${E}","other":"${O}"}},` +
				`"spec":{"managedDataSource":"${D}","schedule":"0 0 * * *","template":{"spec":{"source":{"registry":{"url":"docker://${R}/a:1"}}}}}}]}}`,
			paths: []string{"spec.dataImportCronTemplates[0].spec.schedule"},
			decide: []string{
				"spec.dataImportCronTemplates[0].metadata.name",
				"spec.dataImportCronTemplates[0].spec.managedDataSource",
				"spec.dataImportCronTemplates[0].spec.template.spec.source.registry.url",
				"spec.dataImportCronTemplates[0].metadata.annotations[ssp.kubevirt.io/dict.architectures]",
				"spec.dataImportCronTemplates[0].metadata.annotations[dataimportcrontemplate.kubevirt.io/enable]",
			},
		},
		{
			reason: "the name of the CR, a gate of a list and a placement",
			cr: `{"apiVersion":"hco.kubevirt.io/v1","kind":"HyperConverged","metadata":{"name":"${N}"},` +
				`"spec":{"featureGates":[{"name":"${G}"}],"deployment":{"nodePlacements":{"workload":{"nodeSelector":{"a":"${V}"}}}}}}`,
			decide: []string{"metadata.name", "spec.featureGates[0].name", "spec.deployment.nodePlacements.workload.nodeSelector.a"},
		},
		{reason: "an escaped variable is a text", cr: `{` + head + `,"metadata":{"name":"$${N}"}}`},
		{
			reason: "an escaped dollar before a variable", cr: `{` + head + `,"metadata":{"name":"$$${N}"}}`,
			decide: []string{"metadata.name"},
		},
		{
			reason: "the CR keeps its variables",
			cr: `{` + head + `,"metadata":{"annotations":{"kustomize.toolkit.fluxcd.io/substitute":"disabled"}},` +
				`"spec":{"liveMigrationConfig":{"parallelMigrationsPerCluster":"${N}"}}}`,
		},
		{
			reason: "a label says so, too",
			cr: `{` + head + `,"metadata":{"labels":{"kustomize.toolkit.fluxcd.io/substitute":"disabled"}},` +
				`"spec":{"liveMigrationConfig":{"parallelMigrationsPerCluster":"${N}"}}}`,
		},
		{reason: "another kind", cr: `{"apiVersion":"v1","kind":"ConfigMap","data":{"a":"${N}"}}`},
	} {
		got, variables := Assume([]byte(tc.cr))
		var paths, decide []string
		for _, v := range variables {
			if v.Decides {
				decide = append(decide, v.Path)
			} else {
				paths = append(paths, v.Path)
			}
		}
		if tc.want == "" {
			tc.want = tc.cr
		}
		var want, have any
		if err := json.Unmarshal([]byte(tc.want), &want); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(got, &have); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, have); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
		}
		if diff := cmp.Diff(tc.paths, paths); diff != "" {
			t.Errorf("%s: paths (-want +got):\n%s", tc.reason, diff)
		}
		if diff := cmp.Diff(tc.decide, decide); diff != "" {
			t.Errorf("%s: what decides (-want +got):\n%s", tc.reason, diff)
		}
	}
}
