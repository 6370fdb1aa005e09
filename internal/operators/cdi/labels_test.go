package cdi

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	cdiv1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"
)

// TestDataSourceLabels: CDI copies labels of KubeVirt's domains only, and its own
// win.
func TestDataSourceLabels(t *testing.T) {
	t.Parallel()
	none, all := cdiv1.DataImportCronRetainNone, cdiv1.DataImportCronRetainAll
	for _, tc := range []struct {
		reason string
		labels map[string]string
		retain *cdiv1.DataImportCronRetentionPolicy
		want   map[string]string
	}{
		{"its own label", nil, nil, map[string]string{CronLabel: "app"}},
		{"with retentionPolicy None it goes with the cron", nil, &none, map[string]string{CronLabel: "app", CleanupLabel: "true"}},
		{"with All it stays", nil, &all, map[string]string{CronLabel: "app"}},
		{
			"labels of KubeVirt are passed on",
			map[string]string{ArchitectureLabel: "arm64", "kubevirt.io/x": "y", "instancetype.kubevirt.io/default-preference": "fedora"},
			nil,
			map[string]string{CronLabel: "app", ArchitectureLabel: "arm64", "kubevirt.io/x": "y", "instancetype.kubevirt.io/default-preference": "fedora"},
		},
		{
			reason: "others are not",
			labels: map[string]string{"app.kubernetes.io/name": "x", "acme.io/kubevirt.io": "y", "a-b.kubevirt.io/c": "d"},
			want:   map[string]string{CronLabel: "app"},
		},
		{"a label of the cron's name of its own loses", map[string]string{CronLabel: "other"}, nil, map[string]string{CronLabel: "app"}},
	} {
		got := DataSourceLabels("app", tc.labels, cdiv1.DataImportCronSpec{RetentionPolicy: tc.retain})
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
		}
	}
}
