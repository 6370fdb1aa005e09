package admission

import (
	"encoding/json"
	"testing"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
)

// FuzzAdmit: whatever a CR holds, nothing panics; what is stored is JSON, was
// admitted, and is stored as it is when it is created again.
func FuzzAdmit(f *testing.F) {
	for _, seed := range []string{
		``, `null`, `{}`, `{"apiVersion":"hco.kubevirt.io/v1","kind":"HyperConverged","metadata":null,"spec":null,"status":null}`,
		`"apiVersion": "hco.kubevirt.io/v1beta1"
"kind": "HyperConverged"
"spec":
  "dataImportCronTemplates":
  - null
  - {}
  - {"metadata": null}
  - {"metadata": {"name": "a", "annotations": {"b": null}}}
`,
		`"apiVersion": "hco.kubevirt.io/v1beta1"
"kind": "HyperConverged"
"metadata": {"name": "kubevirt-hyperconverged"}
"spec":
  "dataImportCronTemplates":
  - "metadata": {"name": "fedora-image-cron"}
    "spec": {"template": {"spec": {}}, "schedule": "", "managedDataSource": "f"}
`,
		`"apiVersion": "hco.kubevirt.io/v1beta1"
"kind": "HyperConverged"
"metadata":
  "name": "kubevirt-hyperconverged"
  "annotations": {"hco.kubevirt.io/v1-only-fields": "{}"}
"spec":
  "dataImportCronTemplates":
  - "metadata": {"name": "a"}
    "spec":
      "template":
        "spec":
          "source": {"registry": {"url": "docker://a"}}
          "storage": {"resources": {"requests": {"storage": 1.5}}}
      "schedule": ""
      "managedDataSource": "f"
  "tlsSecurityProfile": {"old": null}
  "mediatedDevicesConfiguration": {"mediatedDevicesTypes": ["a"]}
  "workloads":
    "nodePlacement":
      "affinity":
        "nodeAffinity":
          "requiredDuringSchedulingIgnoredDuringExecution":
            "nodeSelectorTerms": [{"matchExpressions": [{"key": "a", "operator": "In"}]}]
`,
		`"apiVersion": "hco.kubevirt.io/v1"
"kind": "HyperConverged"
"metadata": {"name": "kubevirt-hyperconverged"}
"spec":
  "featureGates":
  - {"name": "enableMultiArchBootImageImport"}
  - {"name": "disableMDevConfiguration"}
  - {"name": "persistentReservation", "state": "Disabled"}
  "virtualization": {"tuningPolicy": "highBurst"}
  "workloadSources": {}
"status": {"infrastructureHighlyAvailable": true}
`,
		`"apiVersion": "hco.kubevirt.io/v1"
"kind": "HyperConverged"
"metadata": {"name": "kubevirt-hyperconverged"}
"spec":
  "security": {"certConfig": {"ca": {"duration": "1h"}}}
  "deployment": {"nodePlacements": {"infra": {"nodeSelector": {"a": "b"}}}}
"status": {"n": -0, "m": 1e300}
`,
	} {
		for _, release := range []string{"", "1.17", "1.18"} {
			f.Add([]byte(seed), release)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte, hco string) {
		release, err := v1alpha1.ParseRelease(hco)
		if err != nil {
			return
		}
		in := Input{CR: data, Table: hyperconverged.Upstream(), Release: release}
		got, err := Admit(in)
		if err != nil {
			return
		}
		if stored := got.Admission.Admitted() && len(got.SchemaErrors) == 0; stored != (got.Stored != nil) {
			t.Fatalf("stored is %s of %+v %v", got.Stored, got.Admission, got.SchemaErrors)
		}
		if got.Stored == nil {
			return
		}
		if !json.Valid(got.Stored) {
			t.Fatalf("what is stored is no JSON: %s", got.Stored)
		}
		in.CR = got.Stored
		again(t, in)
	})
}
