package hyperconverged

import (
	"encoding/json"

	kjson "sigs.k8s.io/json"
)

// object is the part of the CR that both versions share.
type object struct {
	APIVersion string `json:"apiVersion"`
	Metadata   struct {
		Name            string            `json:"name"`
		Namespace       string            `json:"namespace"`
		UID             string            `json:"uid"`
		ResourceVersion string            `json:"resourceVersion"`
		Annotations     map[string]string `json:"annotations"`
	} `json:"metadata"`
	Spec   json.RawMessage `json:"spec"`
	Status json.RawMessage `json:"status"`
}

// isDump reports whether the object was read from a cluster. An empty status does not
// count, because tools that generate manifests write one.
func (o object) isDump() bool {
	status := string(o.Status)
	return o.Metadata.UID != "" || o.Metadata.ResourceVersion != "" || status != "" && status != "null" && status != "{}"
}

// sources is v1's spec.workloadSources, and a part of v1beta1's spec.
type sources struct {
	Templates     []json.RawMessage `json:"dataImportCronTemplates"`
	CommonImport  *bool             `json:"enableCommonBootImageImport"`
	BootNamespace string            `json:"commonBootImageNamespace"`
}

type specV1 struct {
	FeatureGates    []FeatureGate `json:"featureGates"`
	WorkloadSources *struct {
		sources `json:",inline"`
		Gate    *bool `json:"enableMultiArchBootImageImport"`
	} `json:"workloadSources"`
	Deployment struct {
		NodePlacements struct {
			Workload NodePlacement `json:"workload"`
			Infra    NodePlacement `json:"infra"`
		} `json:"nodePlacements"`
	} `json:"deployment"`
}

type specV1beta1 struct {
	sources      `json:",inline"`
	FeatureGates struct {
		Gate         *bool `json:"enableMultiArchBootImageImport"`
		CommonImport *bool `json:"enableCommonBootImageImport"`
	} `json:"featureGates"`
	Workloads struct {
		NodePlacement NodePlacement `json:"nodePlacement"`
	} `json:"workloads"`
	Infra struct {
		NodePlacement NodePlacement `json:"nodePlacement"`
	} `json:"infra"`
}

// decode reads JSON as the API server does: it compares keys exactly. Empty data and null
// become the zero value.
func decode(data json.RawMessage, into any) error {
	if len(data) == 0 || string(data) == "null" {
		return nil
	}
	return kjson.UnmarshalCaseSensitivePreserveInts(data, into)
}
