package hyperconverged

import cdiv1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"

// SourceKind names the kind of a template's source as CDI's API does: "registry", "http",
// "pvc". It returns "" without a source, and "none" for an empty source.
func SourceKind(source *cdiv1.DataVolumeSource) string {
	if source == nil {
		return ""
	}
	for _, kind := range []struct {
		name string
		set  bool
	}{
		{"registry", source.Registry != nil},
		{"http", source.HTTP != nil},
		{"s3", source.S3 != nil},
		{"gcs", source.GCS != nil},
		{"pvc", source.PVC != nil},
		{"snapshot", source.Snapshot != nil},
		{"upload", source.Upload != nil},
		{"blank", source.Blank != nil},
		{"imageio", source.Imageio != nil},
		{"vddk", source.VDDK != nil},
	} {
		if kind.set {
			return kind.name
		}
	}
	return "none"
}
