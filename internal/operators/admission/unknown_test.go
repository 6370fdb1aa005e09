package admission

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	k8syaml "sigs.k8s.io/yaml"

	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
)

// unknownIn returns the unknown fields of a CR, one on a line: path, origin, what
// is meant, releases.
func unknownIn(t *testing.T, hco string, version hyperconverged.Version, fields string) string {
	t.Helper()
	var object map[string]any
	if err := k8syaml.Unmarshal(written(t, version, fields), &object); err != nil {
		t.Fatal(err)
	}
	list, err := UnknownFields(object, version, release(t, hco))
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, u := range list {
		lines = append(lines, strings.TrimSpace(fmt.Sprintf("%s: %s %s%s", u.Path, u.Origin, u.Meant, u.Releases)))
	}
	return strings.Join(lines, "\n")
}

func TestUnknownFields(t *testing.T) {
	t.Parallel()
	template := func(entry string) string { return "spec: {dataImportCronTemplates: [" + entry + "]}" }
	templateV1 := func(entry string) string {
		return "spec: {workloadSources: {dataImportCronTemplates: [" + entry + "]}}"
	}
	for _, tc := range []struct {
		reason  string
		release string
		version hyperconverged.Version
		fields  string
		want    string
	}{
		{"nothing", "", v1beta1, "spec: {}", ""},
		{
			reason:  "metadata and status are not looked at",
			release: "1.16",
			version: v1beta1,
			fields:  "metadata: {name: kubevirt-hyperconverged, uid: a, featuregates: 1}\nstatus: {anything: {at: all}}",
		},
		{"the keys of a map are free", "1.16", v1beta1, "spec: {workloads: {nodePlacement: {nodeSelector: {kubernetes.io/arch: amd64, featuregates: a}}}}", ""},
		{"a value of the wrong type is not entered", "1.16", v1beta1, "spec: {featureGates: [{name: a}]}", ""},
		{"null is a field", "1.19", v1beta1, "spec: {unheardOf: null}", "spec.unheardOf: nowhere"},
		{"what is below an unknown field is not listed", "1.19", v1beta1, "spec: {unheardOf: {of: {b: 1}}}", "spec.unheardOf: nowhere"},

		{"another case", "1.19", v1beta1, "spec: {featuregates: {}}", "spec.featuregates: misspelled spec.featureGates"},
		{"another case of the spec itself", "", v1, "Spec: {}", "Spec: misspelled spec"},
		{"a singular", "", v1beta1, "spec: {dataImportCronTemplate: []}", "spec.dataImportCronTemplate: misspelled spec.dataImportCronTemplates"},
		{
			reason:  "a singular in v1",
			release: "1.18",
			version: v1,
			fields:  "spec: {workloadSources: {dataImportCronTemplate: []}}",
			want:    "spec.workloadSources.dataImportCronTemplate: misspelled spec.workloadSources.dataImportCronTemplates",
		},
		{
			reason:  "a plural of the gate",
			release: "1.16",
			version: v1beta1,
			fields:  "spec: {featureGates: {enableMultiArchBootImageImports: true}}",
			want:    "spec.featureGates.enableMultiArchBootImageImports: misspelled spec.featureGates.enableMultiArchBootImageImport",
		},
		{
			reason:  "a plural of the gate in v1",
			release: "1.19",
			version: v1,
			fields:  "spec: {workloadSources: {enableMultiArchBootImageImports: true}}",
			want:    "spec.workloadSources.enableMultiArchBootImageImports: misspelled spec.workloadSources.enableMultiArchBootImageImport",
		},
		{
			reason:  "a slip in a template",
			release: "1.20",
			version: v1,
			fields:  templateV1("{metadata: {name: a}, spec: {managedDatasource: d}}"),
			want: "spec.workloadSources.dataImportCronTemplates[0].spec.managedDatasource: " +
				"misspelled spec.workloadSources.dataImportCronTemplates[0].spec.managedDataSource",
		},

		{
			reason:  "annotations too far left",
			version: v1beta1,
			fields:  template("{annotations: {}}"),
			want:    "spec.dataImportCronTemplates[0].annotations: misplaced spec.dataImportCronTemplates[0].metadata.annotations",
		},
		{
			reason:  "the source too far left",
			release: "1.17",
			version: v1beta1,
			fields:  template("{spec: {source: {}}}"),
			want:    "spec.dataImportCronTemplates[0].spec.source: misplaced spec.dataImportCronTemplates[0].spec.template.spec.source",
		},
		{
			reason:  "a setting too far right",
			release: "1.17",
			version: v1beta1,
			fields:  "spec: {featureGates: {evictionStrategy: None}}",
			want:    "spec.featureGates.evictionStrategy: misplaced spec.evictionStrategy",
		},
		{
			reason:  "a name that may be meant for several places",
			release: "1.17",
			version: v1beta1,
			fields:  template("{spec: {template: {spec: {source: {url: a}}}}}"),
			want:    "spec.dataImportCronTemplates[0].spec.template.spec.source.url: nowhere",
		},

		{
			reason:  "v1's parts in v1beta1",
			release: "1.19",
			version: v1beta1,
			fields:  "spec: {workloadSources: {}, virtualization: {}}",
			want:    "spec.virtualization: other version\nspec.workloadSources: other version",
		},
		{
			reason:  "v1beta1's in v1, with their place",
			release: "1.19",
			version: v1,
			fields:  "spec: {dataImportCronTemplates: [], liveMigrationConfig: {}}",
			want: "spec.dataImportCronTemplates: other version spec.workloadSources.dataImportCronTemplates\nspec.liveMigrationConfig: " +
				"other version spec.virtualization.liveMigrationConfig",
		},
		{"v1's part in a release that does not serve v1", "1.16", v1beta1, "spec: {workloadSources: {}}", "spec.workloadSources: other version"},

		{
			reason:  "a feature gate that HCO removed long ago",
			release: "1.20",
			version: v1beta1,
			fields:  "spec: {featureGates: {sriovLiveMigration: true, hotplugVolumes: true}}",
			want:    "spec.featureGates.hotplugVolumes: other release up to 1.3\nspec.featureGates.sriovLiveMigration: other release up to 1.7",
		},
		{"the same, undeclared", "", v1beta1, "spec: {version: a}", "spec.version: other release up to 1.4"},
		{"it was never in v1", "", v1, "spec: {version: a}", "spec.version: nowhere"},
		{"a gate that no release had", "", v1beta1, "spec: {featureGates: {unheardOf: true}}", "spec.featureGates.unheardOf: nowhere"},
		{
			reason:  "metadata that no template keeps",
			release: "1.19",
			version: v1beta1,
			fields:  template("{metadata: {name: a, creationTimestamp: null}}"),
			want:    "spec.dataImportCronTemplates[0].metadata.creationTimestamp: nowhere",
		},

		{
			reason:  "before the oldest known release there is no gate",
			release: "1.15",
			version: v1beta1,
			fields:  "spec: {featureGates: {enableMultiArchBootImageImport: true}}",
			want:    "spec.featureGates.enableMultiArchBootImageImport: other release from 1.16 on",
		},
		{
			reason:  "the gate's field of v1 before it was there",
			release: "1.18",
			version: v1,
			fields:  "spec: {workloadSources: {enableMultiArchBootImageImport: true}}",
			want:    "spec.workloadSources.enableMultiArchBootImageImport: other release from 1.19 on",
		},
	} {
		t.Run(tc.reason, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tc.want, unknownIn(t, tc.release, tc.version, tc.fields)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

// TestFieldsOfEachRelease: a field is unknown to exactly the releases before the
// one that it came with.
func TestFieldsOfEachRelease(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		version hyperconverged.Version
		fields  string
		path    string
		first   int
	}{
		{v1beta1, "spec: {featureGates: {enableMultiArchBootImageImport: true}}", "spec.featureGates.enableMultiArchBootImageImport", 16},
		{v1beta1, "spec: {featureGates: {objectGraph: true}}", "spec.featureGates.objectGraph", 17},
		{v1beta1, "spec: {dataImportCronTemplates: [{spec: {serviceAccountName: a}}]}", "spec.dataImportCronTemplates[0].spec.serviceAccountName", 17},
		{v1beta1, "spec: {hypervisors: []}", "spec.hypervisors", 18},
		{v1beta1, "spec: {liveMigrationConfig: {allowWorkloadDisruption: true}}", "spec.liveMigrationConfig.allowWorkloadDisruption", 19},
		{v1, "spec: {featureGates: []}", "spec.featureGates", 18},
		{v1, "spec: {observability: {}}", "spec.observability", 19},
	} {
		for minor := oldestKnown; minor <= newestKnown; minor++ {
			declared := fmt.Sprintf("1.%d", minor)
			if !tc.version.Serves(release(t, declared)) {
				continue
			}
			want := ""
			if minor < tc.first {
				want = fmt.Sprintf("%s: other release from 1.%d on", tc.path, tc.first)
			}
			if got := unknownIn(t, declared, tc.version, tc.fields); got != want {
				t.Errorf("HCO %s, %s: want %q, got %q", declared, tc.version, want, got)
			}
		}
		if got := unknownIn(t, "", tc.version, tc.fields); got != "" {
			t.Errorf("undeclared, %s: the newest release has it, got %q", tc.version, got)
		}
	}
}

// TestUnknownIsPruned: no release stores a field that is unknown to it.
func TestUnknownIsPruned(t *testing.T) {
	t.Parallel()
	for _, hco := range []string{"1.16", "1.17", "1.18", "1.19", "1.20"} {
		for _, fields := range []string{
			"spec: {featureGates: {videoConfig: true, sriovLiveMigration: true}}", "spec: {roleAggregationStrategy: Manual}",
			"spec: {liveMigrationConfig: {allowWorkloadDisruption: true}}", "spec: {evictionStrategy: None}", "spec: {workloadSources: {}}",
		} {
			result := admit(t, hco, v1beta1, fields)
			var object map[string]any
			if err := k8syaml.Unmarshal(result.Stored, &object); err != nil || object == nil {
				t.Fatalf("%s %s: it is not stored: %v", hco, fields, err)
			}
			stored, err := UnknownFields(object, v1beta1, release(t, hco))
			if err != nil || len(stored) != 0 {
				t.Errorf("%s %s: unknown fields are stored: %v %v", hco, fields, stored, err)
			}
		}
	}
}
