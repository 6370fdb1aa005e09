package manifest

import (
	"path/filepath"

	k8syaml "sigs.k8s.io/yaml"

	"github.com/goldenarch/goldenarch/internal/regular"
)

// chartFile is the file that makes a directory a Helm chart.
const chartFile = "Chart.yaml"

// isChart reports whether a file describes a Helm chart: it has an apiVersion and a name
// and, unlike a manifest, no kind (helm pkg/chart/metadata.go).
func isChart(file string) bool {
	if filepath.Base(file) != chartFile {
		return false
	}
	data, err := regular.Read(file)
	if err != nil {
		return false
	}
	var chart struct{ APIVersion, Name, Kind string }
	if err := k8syaml.Unmarshal(data, &chart); err != nil {
		return false
	}
	return (chart.APIVersion == "v1" || chart.APIVersion == "v2") && chart.Name != "" && chart.Kind == ""
}
