package cdi

import (
	cdiv1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"

	"github.com/goldenarch/goldenarch/internal/pattern"
)

// The labels of golden images. CDI reads the first two and only copies the others (cdi
// pkg/common/common.go; ssp data-sources/constants.go, common-templates/constants.go).
const (
	// CronLabel on a DataSource names the cron that fills it.
	CronLabel = "cdi.kubevirt.io/dataImportCron"
	// CleanupLabel is on objects that CDI deletes together with their cron.
	CleanupLabel = "cdi.kubevirt.io/dataImportCron.cleanup"
	// ArchitectureLabel names the architecture of an image.
	ArchitectureLabel = "template.kubevirt.io/architecture"
	// DataSourceLabel has the name of the DataSource without its architecture.
	DataSourceLabel = "cdi.kubevirt.io/storage.import.datasource-name"
)

// passedOn matches the labels of a cron that CDI copies (cdi
// pkg/controller/common/util.go).
var passedOn = pattern.Of(`^([\w.]+\.kubevirt.io|kubevirt.io)/[\w.-]+$`)

// DataSourceLabels returns the labels that CDI gives to the DataSource that a cron fills.
// They are the labels that CDI copies from the cron, and CDI's own. With retentionPolicy
// None, they include the label with which CDI deletes the DataSource together with the cron
// (cdi dataimportcron-controller.go, lines 801 to 830 and 1845 to 1856).
func DataSourceLabels(name string, labels map[string]string, spec cdiv1.DataImportCronSpec) map[string]string {
	out := make(map[string]string, len(labels)+2)
	for label, value := range labels {
		if passedOn().MatchString(label) {
			out[label] = value
		}
	}
	out[CronLabel] = name
	if spec.RetentionPolicy != nil && *spec.RetentionPolicy == cdiv1.DataImportCronRetainNone {
		out[CleanupLabel] = "true"
	}
	return out
}
