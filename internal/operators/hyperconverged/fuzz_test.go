package hyperconverged

import (
	"errors"
	"slices"
	"testing"

	"github.com/goldenarch/goldenarch/internal/arch"
)

// FuzzParse: whatever a CR holds, it is read, judged and merged without a
// panic; what Merge says that HCO panics on, Refused has told as an error.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		``, `null`, `[]`, `{}`, `{"apiVersion":"hco.kubevirt.io/v1","spec":null}`,
		`{"apiVersion":"hco.kubevirt.io/v1alpha1"}`,
		`{"apiVersion":"hco.kubevirt.io/v1beta1","spec":{"dataImportCronTemplates":[null,{},{"metadata":null},{"metadata":{"name":"fedora-image-cron"}}]}}`,
		`{"apiVersion":"hco.kubevirt.io/v1beta1","spec":{"dataImportCronTemplates":[{"metadata":{"name":"fedora-image-cron"},` +
			`"spec":{"template":{"spec":{}},"schedule":"","managedDataSource":"f"}}]}}`,
		`{"apiVersion":"hco.kubevirt.io/v1beta1","spec":{"dataImportCronTemplates":[{"metadata":{"name":"a",` +
			`"annotations":{"ssp.kubevirt.io/dict.architectures":"amd64, arm64"},"labels":{"a":"b"}},` +
			`"spec":{"template":{"spec":{"source":{"registry":{"url":"docker://a"}}}},"schedule":"","managedDataSource":"f"}}]}}`,
		`{"apiVersion":"hco.kubevirt.io/v1","spec":{"featureGates":[{"name":"A"},{"name":"a","state":"x"}],` +
			`"workloadSources":{"enableMultiArchBootImageImport":true,"dataImportCronTemplates":[{"metadata":{"name":"fedora-image-cron",` +
			`"annotations":{"dataimportcrontemplate.kubevirt.io/enable":"maybe"}}}]}}}`,
		`{"apiVersion":"hco.kubevirt.io/v1beta1","metadata":{"annotations":{"hco.kubevirt.io/v1-only-fields":"{\"multiArchEnabled\":tru` +
			`e}","ssp.kubevirt.io/jsonpatch":"[]"}},"spec":{"featureGates":{"enableMultiArchBootImageImport":null,` +
			`"enableCommonBootImageImport":false},"workloadSources":{}}}`,
		`{"apiVersion":"hco.kubevirt.io/v1beta1","spec":{"enableCommonBootImageImport":false,` +
			`"workloads":{"nodePlacement":{"affinity":{"nodeAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":{"nodeSelectorTerm` +
			`s":[]}}}}}}}`,
	} {
		f.Add([]byte(seed))
	}
	on := true
	workload := arch.NewSet(arch.AMD64, arch.ARM64)
	f.Fuzz(func(t *testing.T, data []byte) {
		cr, found := Parse(data)
		if cr == nil {
			if !found.Failed() {
				t.Fatalf("nothing was made of the CR, and nothing is said: %s", data)
			}
			return
		}
		for _, table := range []Table{Upstream(), OpenShift(), None()} {
			refused := Refused(cr, table)
			Lint(cr, table)
			for _, gate := range []*bool{nil, &on} {
				cr.Gate.Field = gate
				merged, err := Merge(cr, table, workload)
				if errors.Is(err, ErrPanic) && !refused.Failed() {
					t.Fatalf("HCO panics on the CR, and Refused does not say so: %s", data)
				}
				if !slices.IsSortedFunc(merged, func(a, b Merged) int { return compareNames(a.Template, b.Template) }) {
					t.Fatalf("HCO sorts by name: %v", merged)
				}
			}
		}
	})
}
