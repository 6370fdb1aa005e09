package cdi

import (
	"testing"

	cdiv1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"
)

func TestBroken(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		reason      string
		url, stream string
		field       string
	}{
		{reason: "a tag is what CDI expects", url: "docker://quay.io/acme/app:1"},
		{reason: "no tag is latest", url: "docker://quay.io/acme/app"},
		{reason: "a port is no digest", url: "docker://quay.io:5000/acme/app:1"},
		{reason: "CDI appends a second digest", url: "docker://quay.io/acme/app@sha256:0", field: registryField + "url"},
		{reason: "a tag before the digest does not help", url: "docker://quay.io/acme/app:1@sha256:0", field: registryField + "url"},
		{reason: "the archive is not in CDI's pods", url: "oci-archive:///images/app.tar", field: registryField + "url"},
		{reason: "the scheme is compared without case", url: "OCI-ARCHIVE:/app.tar", field: registryField + "url"},
		{reason: "a scheme alone is admitted and is no image", url: "docker://", field: registryField + "url"},
		{reason: "an ImageStream", stream: "app"},
		{reason: "one with a tag", stream: "app:1"},
		{reason: "two colons are no tag", stream: "app:1:2", field: registryField + "imageStream"},
	} {
		var registry cdiv1.DataVolumeSourceRegistry
		if tc.url != "" {
			registry.URL = &tc.url
		}
		if tc.stream != "" {
			registry.ImageStream = &tc.stream
		}
		spec := cdiv1.DataImportCronSpec{}
		spec.Template.Spec.Source = &cdiv1.DataVolumeSource{Registry: &registry}
		got := ""
		for _, p := range Broken(spec) {
			got += p.Field
			if p.Text == "" || p.Do == "" {
				t.Errorf("%s: says nothing", tc.reason)
			}
		}
		if got != tc.field {
			t.Errorf("%s: want a problem with %q, got %q", tc.reason, tc.field, got)
		}
	}
	if got := Broken(cdiv1.DataImportCronSpec{}); got != nil {
		t.Errorf("a spec without a source has no such problem: %v", got)
	}
}
