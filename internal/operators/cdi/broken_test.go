package cdi

import (
	"cmp"
	"strings"
	"testing"

	cdiv1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"
)

func TestBroken(t *testing.T) {
	t.Parallel()
	const url, stream = registryField + "url", registryField + "imageStream"
	for _, tc := range []struct {
		reason      string
		name        string // "app" if it is empty
		url, stream string
		onNode      bool
		never       bool   // an empty schedule
		field, text string // of the problem
	}{
		{reason: "a tag is what CDI expects", url: "docker://quay.io/acme/app:1"},
		{reason: "no tag is latest", url: "docker://quay.io/acme/app"},
		{reason: "the CronJob may have 52 characters", name: strings.Repeat("n", 43), url: "docker://quay.io/acme/app:1"},
		{
			reason: "and CDI adds 9", name: strings.Repeat("n", 44), url: "docker://quay.io/acme/app:1", field: "metadata.name", text: "cannot create the CronJob",
		},
		{reason: "CDI looks itself with pullMethod node", name: strings.Repeat("n", 44), url: "docker://quay.io/acme/app:1", onNode: true},
		{reason: "and for an ImageStream", name: strings.Repeat("n", 44), stream: "app", onNode: true},
		{reason: "a port is no digest", url: "docker://quay.io:5000/acme/app:1"},
		{reason: "CDI appends a second digest", url: "docker://quay.io/acme/app@sha256:0", field: url, text: "has a digest"},
		{reason: "a tag before the digest does not help", url: "docker://quay.io/acme/app:1@sha256:0", field: url, text: "has a digest"},
		{reason: "nor does the node", url: "docker://quay.io/acme/app@sha256:0", onNode: true, field: url, text: "has a digest"},
		{reason: "without a path the name looks like a user", url: "docker://fedora@sha256:0", field: url, text: "has a digest"},
		{reason: "the archive is not in CDI's pods", url: "oci-archive:///images/app.tar", field: url, text: "archive"},
		{reason: "the scheme is compared without case", url: "OCI-ARCHIVE:/app.tar", field: url, text: "archive"},
		{reason: "a scheme alone is admitted and is no image", url: "docker://", field: url, text: "no image"},
		{reason: "a third slash leaves no registry", url: "docker:///acme/app:1", field: url, text: "no registry"},
		{
			reason: "the webhook compares the scheme without case, the importer does not",
			url:    "DOCKER://quay.io/acme/app:1",
			field:  url,
			text:   "does not begin with docker://",
		},
		{reason: "on the node it would stay in the pod's image", url: "Docker://quay.io/acme/app:1", onNode: true, field: url, text: "does not begin with docker://"},
		{reason: "the importer wants the slashes", url: "docker:quay.io/acme/app:1", field: url, text: "does not begin with docker://"},
		{reason: "a number as tag looks like a port, and stays", url: "docker://fedora:40", field: url, text: "has a tag and no path"},
		{reason: "a node takes an image with tag and digest", url: "docker://fedora:40", onNode: true},
		{reason: "without a tag there is none to stay", url: "docker://fedora"},
		{reason: "another tag is refused, which is told elsewhere", url: "docker://fedora:latest"},
		{reason: "containers/image reads no IPv6 address", url: "docker://[fd00::1]:5000/acme/app:1", field: url, text: "IPv6"},
		{reason: "nor one without a port", url: "docker://[::1]/acme/app", field: url, text: "IPv6"},
		{reason: "the runtime of a node may", url: "docker://[fd00::1]:5000/acme/app:1", onNode: true},
		{reason: "a user is no part of a name", url: "docker://me:pw@quay.io/acme/app:1", field: url, text: "has a user name"},
		{reason: "an ImageStream", stream: "app", onNode: true},
		{reason: "one with a tag", stream: "app:1", onNode: true},
		{reason: "without a schedule CDI looks for no image", url: "docker://quay.io/acme/app:1", never: true, field: "spec.schedule", text: "never looks"},
		{reason: "nor for an ImageStream", stream: "app", onNode: true, never: true, field: "spec.schedule", text: "never looks"},
		{reason: "a colon without a tag", stream: "app:", onNode: true, field: stream, text: "only a name"},
		{reason: "a tag without a name", stream: ":1", onNode: true, field: stream, text: "only a name"},
		{reason: "two colons are no tag", stream: "app:1:2", onNode: true, field: stream, text: "only a name"},
		{reason: "but what is refused first is not told twice", stream: "app:1:2"},
	} {
		var registry cdiv1.DataVolumeSourceRegistry
		if tc.url != "" {
			registry.URL = &tc.url
		}
		if tc.stream != "" {
			registry.ImageStream = &tc.stream
		}
		if tc.onNode {
			node := cdiv1.RegistryPullNode
			registry.PullMethod = &node
		}
		spec := cdiv1.DataImportCronSpec{Schedule: "0 0 * * *"}
		if tc.never {
			spec.Schedule = ""
		}
		spec.Template.Spec.Source = &cdiv1.DataVolumeSource{Registry: &registry}
		got, text := "", ""
		for _, p := range Broken(cmp.Or(tc.name, "app"), spec) {
			got, text = got+p.Field, text+p.Text
			if p.Do == "" {
				t.Errorf("%s: says not what to do", tc.reason)
			}
		}
		if got != tc.field || !strings.Contains(text, tc.text) {
			t.Errorf("%s: want a problem with %q that says %q, got one with %q: %s", tc.reason, tc.field, tc.text, got, text)
		}
	}
	if got := Broken("app", cdiv1.DataImportCronSpec{}); got != nil {
		t.Errorf("a spec without a source has no such problem: %v", got)
	}
}
