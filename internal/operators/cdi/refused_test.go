package cdi

import (
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	cdiv1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"
)

const good = `managedDataSource: app
schedule: "0 */12 * * *"
template: {spec: {source: {registry: {url: "docker://quay.io/acme/app:1"}}, storage: {resources: {requests: {storage: 10Gi}}}}}
`

// TestRefused has a row for each check of CDI's webhook that the operators'
// cases do not reach; the cases are in package forecast.
func TestRefused(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		reason   string
		name     string
		from, to string // a change of the good spec
		want     string
	}{
		{reason: "a good one"},
		{reason: "63 characters are enough", name: strings.Repeat("a", 63)},
		{reason: "64 are too many", name: strings.Repeat("a", 64), want: "Name cannot be longer than 63 characters"},
		{reason: "a DataSource name as well", from: "app\n", to: strings.Repeat("d", 64) + "\n", want: "Name cannot be longer than 63 characters"},
		{reason: "no DataSource", from: "app\n", to: "\"\"\n", want: "Illegal ManagedDataSource value"},
		{reason: "an empty schedule never polls, and is let in", from: `"0 */12 * * *"`, to: `""`},
		{reason: "a descriptor", from: `"0 */12 * * *"`, to: `"@every 1h"`},
		{reason: "a time zone", from: `"0 */12 * * *"`, to: `"CRON_TZ=UTC 0 0 * * *"`},
		{reason: "six fields", from: `"0 */12 * * *"`, to: `"0 0 */12 * * *"`, want: "Illegal cron schedule"},
		{reason: "a negative number of imports", from: "template", to: "importsToKeep: -1\ntemplate", want: "Illegal ImportsToKeep value"},
		{reason: "an empty garbageCollect is not none", from: "template", to: "garbageCollect: \"\"\ntemplate", want: "Illegal GarbageCollect value"},
		{reason: "any retentionPolicy", from: "template", to: "retentionPolicy: x\ntemplate"},
		{reason: "another source", from: `registry: {url: "docker://quay.io/acme/app:1"}`, to: `http: {url: "https://example.com"}`, want: "Missing source"},
		{reason: "a PVC", from: `registry: {url: "docker://quay.io/acme/app:1"}`, to: "pvc: {name: a, namespace: b}"},
		{reason: "two sources", from: "source: {", to: "source: {pvc: {name: a, namespace: b}, ", want: "Multiple Data volume sources"},
		{
			reason: "a sourceRef",
			from:   "source: {",
			to:     "sourceRef: {kind: DataSource, name: a}, source: {",
			want:   "Unsettable fields: SourceRef, ContentType, Checkpoints, FinalCheckpoint",
		},
		{reason: "url and imageStream", from: "url:", to: "imageStream: app, url:", want: "Source registry should have either URL or ImageStream"},
		{
			reason: "an imageStream in a pod",
			from:   `url: "docker://quay.io/acme/app:1"`,
			to:     "imageStream: app",
			want:   "Source registry ImageStream is supported only with node pull import method",
		},
		{reason: "an imageStream on a node", from: `url: "docker://quay.io/acme/app:1"`, to: "imageStream: app, pullMethod: node"},
		{
			reason: "an empty imageStream",
			from:   `url: "docker://quay.io/acme/app:1"`,
			to:     `imageStream: "", pullMethod: node`,
			want:   "Source registry ImageStream is not valid",
		},
		{reason: "an empty pullMethod is not none", from: "url:", to: `pullMethod: "", url:`, want: `ImportMethod  is neither pod, node or ""`},
		{reason: "no url at all", from: "docker://quay.io", to: "http://[::", want: "Illegal registry source URL http://[::/acme/app:1"},
		{reason: "another scheme", from: "docker://", to: "https://", want: "Illegal registry source URL scheme https://quay.io/acme/app:1"},
		{reason: "a scheme is compared without case", from: "docker://", to: "DOCKER://"},
		{reason: "an archive is let in", from: "docker://quay.io", to: "oci-archive://"},
		{reason: "no size", from: "storage: 10Gi", to: "", want: "Storage size is missing"},
		{reason: "no bytes", from: "10Gi", to: `"0"`, want: "Storage size can't be equal or less than zero"},
		{reason: "less than 1 MiB", from: "10Gi", to: "1Ki", want: "Storage size should be at least 1MiB"},
		{reason: "nothing to import into", from: ", storage: {resources: {requests: {storage: 10Gi}}}", to: "", want: "Missing Data volume PVC"},
		{reason: "a PVC needs an access mode", from: "storage: {resources", to: "pvc: {resources", want: "Required value: at least 1 access mode is required"},
		{reason: "and one only", from: "storage: {resources", to: "pvc: {accessModes: [a, b], resources", want: "PVC multiple accessModes"},
		{reason: "one it is", from: "storage: {resources", to: "pvc: {accessModes: [ReadWriteOnce], resources"},
		{
			reason: "both",
			from:   "storage: {resources",
			to:     "pvc: {}, storage: {resources",
			want:   "Duplicate storage definition, both target storage and target pvc defined",
		},
	} {
		text := good
		if tc.from != "" {
			if text = strings.Replace(good, tc.from, tc.to, 1); text == good {
				t.Fatalf("%s: %q is not in the good spec", tc.reason, tc.from)
			}
		}
		var spec cdiv1.DataImportCronSpec
		if err := yaml.UnmarshalStrict([]byte(text), &spec); err != nil {
			t.Fatalf("%s: %v", tc.reason, err)
		}
		name := tc.name
		if name == "" {
			name = "app"
		}
		if got := Refused(name, spec); got != tc.want {
			t.Errorf("%s: want %q, got %q", tc.reason, tc.want, got)
		}
	}
}
