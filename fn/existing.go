package fn

import (
	"encoding/json"
	"strings"

	"github.com/goldenarch/goldenarch/forecast"
)

// existing reads a PVC or a DataSource as something that stands in the cluster
// already; false if the object is neither.
func existing(o object) (forecast.Existing, bool) {
	group, _, _ := strings.Cut(o.at.APIVersion, "/")
	isPVC := o.at.APIVersion == "v1" && o.at.Kind == forecast.KindPVC
	isSource := group == "cdi.kubevirt.io" && o.at.Kind == forecast.KindDataSource
	if !isPVC && !isSource {
		return forecast.Existing{}, false
	}
	var live struct {
		Metadata struct {
			Labels      map[string]string `json:"labels"`
			Annotations map[string]string `json:"annotations"`
		} `json:"metadata"`
		Spec struct {
			Source map[string]any `json:"source"`
		} `json:"spec"`
		Status struct {
			Conditions []struct {
				Type   string `json:"type"`
				Status string `json:"status"`
			} `json:"conditions"`
		} `json:"status"`
	}
	data, err := o.json()
	if err != nil || json.Unmarshal(data, &live) != nil {
		return forecast.Existing{}, false
	}
	out := forecast.Existing{
		Kind: o.at.Kind, Namespace: o.at.Namespace, Name: o.at.Name, Labels: live.Metadata.Labels, Source: live.Spec.Source,
		Owned: live.Metadata.Annotations["operator-sdk/primary-resource-type"] == "SSP.ssp.kubevirt.io",
	}
	for _, c := range live.Status.Conditions {
		if c.Type == "Ready" {
			out.Ready = c.Status
		}
	}
	return out, true
}
