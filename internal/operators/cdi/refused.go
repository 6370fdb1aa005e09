package cdi

import (
	"fmt"
	"net/url"
	"strings"

	"github.com/robfig/cron/v3"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	cdiv1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"

	"github.com/goldenarch/goldenarch/internal/pattern"
)

// maxName is the maximum length of the name of a cron or a DataSource, in bytes (cdi
// dataimportcron-validate.go).
const maxName = 63

// Refused returns why CDI's webhook refuses a DataImportCron on create; "" if it admits the
// cron. The words and the order are CDI's: the webhook reports the first check that fails
// (cdi dataimportcron-validate.go, datavolume-validate.go).
func Refused(name string, spec cdiv1.DataImportCronSpec) string {
	if len(name) > maxName {
		return "Name cannot be longer than 63 characters"
	}
	if refused := checkVolume(spec); refused != "" {
		return refused
	}
	return checkCron(spec)
}

func checkCron(spec cdiv1.DataImportCronSpec) string {
	if spec.Schedule != "" {
		if _, err := cron.ParseStandard(spec.Schedule); err != nil {
			return "Illegal cron schedule"
		}
	}
	if spec.ImportsToKeep != nil && *spec.ImportsToKeep < 0 {
		return "Illegal ImportsToKeep value"
	}
	if g := spec.GarbageCollect; g != nil && *g != cdiv1.DataImportCronGarbageCollectNever && *g != cdiv1.DataImportCronGarbageCollectOutdated {
		return "Illegal GarbageCollect value"
	}
	switch name := spec.ManagedDataSource; {
	case name == "":
		return "Illegal ManagedDataSource value"
	case len(name) > maxName:
		return "Name cannot be longer than 63 characters"
	}
	return ""
}

func checkVolume(spec cdiv1.DataImportCronSpec) string {
	v := spec.Template.Spec
	switch {
	case v.Source == nil || v.Source.Registry == nil && v.Source.PVC == nil:
		return "Missing source"
	case v.SourceRef != nil || v.ContentType != "" || len(v.Checkpoints) > 0 || v.FinalCheckpoint:
		return "Unsettable fields: SourceRef, ContentType, Checkpoints, FinalCheckpoint"
	}
	if refused := checkTarget(v); refused != "" {
		return refused
	}
	switch {
	case count(*v.Source) > 1:
		return "Multiple Data volume sources"
	case v.Source.Registry != nil:
		return checkRegistry(*v.Source.Registry)
	}
	return ""
}

func count(s cdiv1.DataVolumeSource) int {
	n := 0
	for _, set := range []bool{
		s.HTTP != nil, s.S3 != nil, s.GCS != nil, s.Registry != nil, s.PVC != nil, s.Upload != nil,
		s.Blank != nil, s.Imageio != nil, s.VDDK != nil, s.Snapshot != nil,
	} {
		if set {
			n++
		}
	}
	return n
}

func checkRegistry(r cdiv1.DataVolumeSourceRegistry) string {
	if r.PullMethod != nil && *r.PullMethod != cdiv1.RegistryPullPod && *r.PullMethod != cdiv1.RegistryPullNode {
		return fmt.Sprintf(`ImportMethod %s is neither pod, node or ""`, *r.PullMethod)
	}
	if (r.URL == nil) == (r.ImageStream == nil) {
		return "Source registry should have either URL or ImageStream"
	}
	if r.ImageStream != nil {
		if *r.ImageStream == "" {
			return "Source registry ImageStream is not valid"
		}
		if r.PullMethod == nil || *r.PullMethod != cdiv1.RegistryPullNode {
			return "Source registry ImageStream is supported only with node pull import method"
		}
		return ""
	}
	parsed, err := url.Parse(*r.URL)
	if err != nil {
		return "Illegal registry source URL " + *r.URL
	}
	if parsed.Scheme != cdiv1.RegistrySchemeDocker && parsed.Scheme != cdiv1.RegistrySchemeOci {
		return "Illegal registry source URL scheme " + *r.URL
	}
	return ""
}

func checkTarget(v cdiv1.DataVolumeSpec) string {
	switch {
	case v.PVC != nil && v.Storage != nil:
		return "Duplicate storage definition, both target storage and target pvc defined"
	case v.PVC == nil && v.Storage == nil:
		return "Missing Data volume PVC"
	case v.PVC != nil:
		return checkClaim(v)
	default:
		return checkSize(v, v.Storage.Resources.Requests)
	}
}

func checkClaim(v cdiv1.DataVolumeSpec) string {
	if refused := checkSize(v, v.PVC.Resources.Requests); refused != "" {
		return strings.Replace(refused, "Storage size", "PVC size", 1)
	}
	switch n := len(v.PVC.AccessModes); {
	case n == 0:
		return "Required value: at least 1 access mode is required"
	case n > 1:
		return "PVC multiple accessModes"
	}
	return ""
}

func checkSize(v cdiv1.DataVolumeSpec, requests corev1.ResourceList) string {
	size, ok := requests[corev1.ResourceStorage]
	switch {
	case !ok && v.Source.PVC != nil:
		return ""
	case !ok:
		return "Storage size is missing"
	case size.IsZero() || size.Value() < 0:
		return "Storage size can't be equal or less than zero"
	case size.Cmp(resource.MustParse("1Mi")) < 0:
		return "Storage size should be at least 1MiB"
	}
	return ""
}

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

// PassesOn reports whether CDI copies a label of a cron, a volume or a snapshot.
func PassesOn(label string) bool { return passedOn().MatchString(label) }

// DataSourceLabels returns the labels that CDI gives to the DataSource that a cron fills.
// They are the labels that CDI copies from the cron, and CDI's own. With retentionPolicy
// None, they include the label with which CDI deletes the DataSource together with the cron
// (cdi dataimportcron-controller.go, lines 801 to 830 and 1845 to 1856).
func DataSourceLabels(name string, labels map[string]string, spec cdiv1.DataImportCronSpec) map[string]string {
	out := make(map[string]string, len(labels)+2)
	for label, value := range labels {
		if PassesOn(label) {
			out[label] = value
		}
	}
	out[CronLabel] = name
	if spec.RetentionPolicy != nil && *spec.RetentionPolicy == cdiv1.DataImportCronRetainNone {
		out[CleanupLabel] = "true"
	}
	return out
}
