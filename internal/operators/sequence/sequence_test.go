package sequence_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	k8syaml "sigs.k8s.io/yaml"

	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/cluster"
	"github.com/goldenarch/goldenarch/internal/operators/forecast"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
	"github.com/goldenarch/goldenarch/internal/operators/sequence"
)

const namespace = "images"

// template is a template of a CR for amd64 and arm64; more is what its spec has besides.
func template(name, more string) string {
	return `{metadata: {name: ` + name + `, namespace: ` + namespace + `, annotations: {ssp.kubevirt.io/dict.architectures: "amd64,arm64"}},
		spec: {managedDataSource: ` + name + `, schedule: "0 0 * * *"` + more + `,
		template: {spec: {storage: {resources: {requests: {storage: 1Gi}}}, source: {registry: {url: "docker://quay.io/acme/` + name + `:1"}}}}}}`
}

// inputOf is what the operators get: a CR with the gate on, and templates.
func inputOf(t *testing.T, gate string, workload arch.Set, templates ...string) forecast.Input {
	t.Helper()
	text := `{apiVersion: hco.kubevirt.io/v1beta1, kind: HyperConverged, metadata: {name: kubevirt-hyperconverged, namespace: hco},
		spec: {featureGates: {enableMultiArchBootImageImport: ` + gate + `}, dataImportCronTemplates: [` + strings.Join(templates, ", ") + `]}}`
	cr, found := hyperconverged.Parse(jsonOf(t, text))
	if cr == nil {
		t.Fatal(found)
	}
	return forecast.Input{
		CR: cr, Table: hyperconverged.None(), Namespace: namespace,
		Cluster: cluster.Architectures{Workload: workload, ControlPlane: arch.NewSet("amd64"), Default: "amd64"},
	}
}

// digests returns what pollers find: the digest of the given number.
func digests(number int) func(url, found string) string {
	return func(string, string) string { return fmt.Sprintf("sha256:%012d", number) }
}

// lines shows the objects of a state that are not of SSP's bundle: each with what it points at.
func lines(s sequence.State, about string) []string {
	var out []string
	for _, o := range s.Objects() {
		if !strings.HasPrefix(o.Name, about) {
			continue
		}
		line := o.Kind + " " + o.Name
		if at := o.PointsAt(); at.Kind != "" {
			line += " -> " + at.Kind + " " + at.Name
		}
		out = append(out, line)
	}
	return out
}

// TestAfter: what is on the cluster after each of several changes.
func TestAfter(t *testing.T) {
	t.Parallel()
	both := arch.NewSet("amd64", "arm64")
	type change struct {
		gate      string
		workload  arch.Set
		templates []string
		digest    int // 0: the registry does not answer
		snapshots bool
	}
	for _, tc := range []struct {
		reason  string
		changes []change
		want    []string
	}{
		{
			reason:  "nothing is imported before the poller finds a digest",
			changes: []change{{gate: "true", workload: both, templates: []string{template("app", "")}}},
			want: []string{
				"DataImportCron app-amd64", "DataImportCron app-arm64",
				"DataSource app -> DataSource app-amd64", "DataSource app-amd64", "DataSource app-arm64",
			},
		},
		{
			reason:  "each architecture gets its import, and the default DataSource points at one of them",
			changes: []change{{gate: "true", workload: both, templates: []string{template("app", "")}, digest: 1}},
			want: []string{
				"DataImportCron app-amd64", "DataImportCron app-arm64",
				"DataSource app -> DataSource app-amd64",
				"DataSource app-amd64 -> PersistentVolumeClaim app-amd64-000000000001", "DataSource app-arm64 -> PersistentVolumeClaim app-arm64-000000000001",
				"DataVolume app-amd64-000000000001", "DataVolume app-arm64-000000000001",
				"PersistentVolumeClaim app-amd64-000000000001", "PersistentVolumeClaim app-arm64-000000000001",
			},
		},
		{
			reason: "CDI polls an ImageStream and a claim too, and nothing without a schedule",
			changes: []change{{gate: "false", workload: both, digest: 1, templates: []string{
				strings.Replace(template("app-stream", ""), `url: "docker://quay.io/acme/app-stream:1"`, "imageStream: app, pullMethod: node", 1),
				strings.Replace(template("app-claim", ""), `registry: {url: "docker://quay.io/acme/app-claim:1"}`, "pvc: {name: p, namespace: other}", 1),
				strings.Replace(template("app-never", ""), `schedule: "0 0 * * *"`, `schedule: ""`, 1),
			}}},
			want: []string{
				"DataImportCron app-claim", "DataImportCron app-never", "DataImportCron app-stream",
				"DataSource app-claim -> PersistentVolumeClaim app-claim-000000000001", "DataSource app-never",
				"DataSource app-stream -> PersistentVolumeClaim app-stream-000000000001",
				"DataVolume app-claim-000000000001", "DataVolume app-stream-000000000001",
				"PersistentVolumeClaim app-claim-000000000001", "PersistentVolumeClaim app-stream-000000000001",
			},
		},
		{
			reason:  "a storage class that keeps snapshots has no volume left",
			changes: []change{{gate: "false", workload: both, templates: []string{template("app", "")}, digest: 1, snapshots: true}},
			want:    []string{"DataImportCron app", "DataSource app -> VolumeSnapshot app-000000000001", "VolumeSnapshot app-000000000001"},
		},
		{
			reason: "CDI deletes the imports beyond those that it is to keep",
			changes: []change{
				{gate: "false", workload: both, templates: []string{template("app", ", importsToKeep: 1")}, digest: 1},
				{gate: "false", workload: both, templates: []string{template("app", ", importsToKeep: 1")}, digest: 2},
			},
			want: []string{
				"DataImportCron app", "DataSource app -> PersistentVolumeClaim app-000000000002", "DataVolume app-000000000002",
				"PersistentVolumeClaim app-000000000002",
			},
		},
		{
			reason: "it keeps them all if the cron says so",
			changes: []change{
				{gate: "false", workload: both, templates: []string{template("app", ", importsToKeep: 1, garbageCollect: Never")}, digest: 1},
				{gate: "false", workload: both, templates: []string{template("app", ", importsToKeep: 1, garbageCollect: Never")}, digest: 2},
			},
			want: []string{
				"DataImportCron app", "DataSource app -> PersistentVolumeClaim app-000000000002", "DataVolume app-000000000001", "DataVolume app-000000000002",
				"PersistentVolumeClaim app-000000000001", "PersistentVolumeClaim app-000000000002",
			},
		},
		{
			reason: "a template that goes leaves its import and its DataSource, which CDI owns",
			changes: []change{
				{gate: "false", workload: both, templates: []string{template("app", ""), template("other", "")}, digest: 1},
				{gate: "false", workload: both, templates: []string{template("other", "")}, digest: 1},
			},
			want: []string{
				"DataSource app -> PersistentVolumeClaim app-000000000001", "DataVolume app-000000000001", "PersistentVolumeClaim app-000000000001",
			},
		},
		{
			reason: "with retentionPolicy None nothing is left",
			changes: []change{
				{gate: "false", workload: both, templates: []string{template("app", ", retentionPolicy: None"), template("other", "")}, digest: 1},
				{gate: "false", workload: both, templates: []string{template("other", "")}, digest: 1},
			},
		},
		{
			reason: "the gate makes a cron for each architecture, and leaves the import of the only one",
			changes: []change{
				{gate: "false", workload: both, templates: []string{template("app", "")}, digest: 1},
				{gate: "true", workload: arch.NewSet("arm64"), templates: []string{template("app", "")}, digest: 1},
			},
			want: []string{
				"DataImportCron app-arm64", "DataSource app -> DataSource app-arm64",
				"DataSource app-arm64 -> PersistentVolumeClaim app-arm64-000000000001",
				"DataVolume app-000000000001", "DataVolume app-arm64-000000000001",
				"PersistentVolumeClaim app-000000000001", "PersistentVolumeClaim app-arm64-000000000001",
			},
		},
	} {
		t.Run(tc.reason, func(t *testing.T) {
			t.Parallel()
			var state sequence.State
			for _, one := range tc.changes {
				step := sequence.Step{Input: inputOf(t, one.gate, one.workload, one.templates...), Snapshots: one.snapshots}
				if one.digest > 0 {
					step.Digest = digests(one.digest)
				}
				var err error
				if state, err = state.After(step); err != nil {
					t.Fatal(err)
				}
				again, err := state.After(step)
				if diff := cmp.Diff(lines(state, ""), lines(again, "")); diff != "" || err != nil {
					t.Errorf("the operators come to no end (%v):\n%s", err, diff)
				}
			}
			if diff := cmp.Diff(tc.want, lines(state, "app")); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestAfterAnError: where the operators stop, the state stays as it is.
func TestAfterAnError(t *testing.T) {
	t.Parallel()
	both := arch.NewSet("amd64", "arm64")
	before, err := sequence.State{}.After(sequence.Step{Input: inputOf(t, "false", both, template("app", "")), Digest: digests(1)})
	if err != nil {
		t.Fatal(err)
	}
	after, err := before.After(sequence.Step{
		Input: inputOf(t, "false", both, template("app", ""), strings.Replace(template("other", ""), "managedDataSource: other", `managedDataSource: ""`, 1)),
	})
	if !errors.Is(err, sequence.ErrStopped) || !strings.Contains(err.Error(), "ManagedDataSource") {
		t.Errorf("want the error that the operators stop, got %v", err)
	}
	if diff := cmp.Diff(lines(before, ""), lines(after, "")); diff != "" {
		t.Errorf("the state changed (-before +after):\n%s", diff)
	}
}

// TestDeletedCron: SSP makes a cron anew that somebody deletes, and CDI adopts its import.
func TestDeletedCron(t *testing.T) {
	t.Parallel()
	step := sequence.Step{Input: inputOf(t, "false", arch.NewSet("amd64"), template("app", "")), Digest: digests(1)}
	before, err := sequence.State{}.After(step)
	if err != nil {
		t.Fatal(err)
	}
	cron := sequence.Key{Kind: sequence.Cron, Namespace: namespace, Name: "app"}
	volume := sequence.Key{Kind: sequence.DataVolume, Namespace: namespace, Name: "app-000000000001"}
	for _, tc := range []struct {
		reason  string
		label   string
		adopted bool
	}{
		{"without the clean-up label, the import stays", "", true},
		{"with it, CDI deletes the import first", "true", false},
	} {
		var state sequence.State
		for _, o := range before.Objects() {
			if o.Key == cron {
				continue
			}
			if o.Kind != sequence.DataSource && tc.label != "" {
				o.Labels = map[string]string{"cdi.kubevirt.io/dataImportCron": "app", "cdi.kubevirt.io/dataImportCron.cleanup": tc.label}
			}
			state.Add(o)
		}
		deleted := step
		deleted.Deleted = []sequence.Key{cron}
		after, err := state.After(deleted)
		if err != nil {
			t.Fatal(err)
		}
		old, _ := before.Get(volume)
		now, ok := after.Get(volume)
		if !ok || !after.Has(cron) || (old.Made == now.Made) != tc.adopted {
			t.Errorf("%s: before %d, after %d\n%s", tc.reason, old.Made, now.Made, strings.Join(lines(after, ""), "\n"))
		}
	}
}

func jsonOf(t *testing.T, text string) []byte {
	t.Helper()
	out, err := k8syaml.YAMLToJSON([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return out
}
