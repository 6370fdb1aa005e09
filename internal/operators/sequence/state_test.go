package sequence_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	cdiv1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"
	k8syaml "sigs.k8s.io/yaml"

	"github.com/goldenarch/goldenarch/internal/operators/expansion"
	"github.com/goldenarch/goldenarch/internal/operators/sequence"
)

func objectOf(t *testing.T, text string) expansion.Object {
	t.Helper()
	var out expansion.Object
	if err := k8syaml.Unmarshal([]byte(text), &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// TestRead: of each kind a state has what SSP and CDI read.
func TestRead(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		reason, text string
		want         sequence.Object
		ignored      bool
	}{
		{reason: "another kind is not part of a state", text: "{kind: Pod, metadata: {name: a, namespace: ns}}", ignored: true},
		{
			reason: "the labels, the owners, and SSP's mark",
			text: `{kind: PersistentVolumeClaim, metadata: {name: a, namespace: ns, labels: {l: v},
				annotations: {operator-sdk/primary-resource-type: SSP.ssp.kubevirt.io, cdi.kubevirt.io/storage.import.lastUseTime: "2026-01-01T00:00:00Z"},
				ownerReferences: [{kind: DataVolume, name: a}]}}`,
			want: sequence.Object{
				Key: sequence.Key{Kind: sequence.Claim, Namespace: "ns", Name: "a"}, Labels: map[string]string{"l": "v"},
				Owners: []string{"DataVolume/a"}, BySSP: true, LastUse: "2026-01-01T00:00:00Z",
			},
		},
		{
			reason: "the mark of another owner is not SSP's",
			text:   `{kind: VolumeSnapshot, metadata: {name: a, namespace: ns, annotations: {operator-sdk/primary-resource-type: Other.example.com}}}`,
			want:   sequence.Object{Key: sequence.Key{Kind: sequence.Snapshot, Namespace: "ns", Name: "a"}, Labels: map[string]string{}},
		},
		{
			reason: "a finalizer keeps an object that somebody deletes",
			text:   `{kind: VolumeSnapshot, metadata: {name: a, namespace: ns, deletionTimestamp: "2026-01-01T00:00:00Z"}}`,
			want:   sequence.Object{Key: sequence.Key{Kind: sequence.Snapshot, Namespace: "ns", Name: "a"}, Labels: map[string]string{}, Deleting: true},
		},
		{
			reason: "a DataVolume whose import has succeeded",
			text:   "{kind: DataVolume, metadata: {name: a, namespace: ns}, status: {phase: Succeeded}}",
			want:   sequence.Object{Key: sequence.Key{Kind: sequence.DataVolume, Namespace: "ns", Name: "a"}, Labels: map[string]string{}, Succeeded: true},
		},
		{
			reason: "a DataVolume whose import runs",
			text:   "{kind: DataVolume, metadata: {name: a, namespace: ns}, status: {phase: ImportInProgress}}",
			want:   sequence.Object{Key: sequence.Key{Kind: sequence.DataVolume, Namespace: "ns", Name: "a"}, Labels: map[string]string{}},
		},
		{
			reason: "the source and the condition of a DataSource",
			text: `{kind: DataSource, metadata: {name: a, namespace: ns}, spec: {source: {pvc: {name: p, namespace: ns}}},
				status: {conditions: [{type: Running, status: "False"}, {type: Ready, status: "True"}]}}`,
			want: sequence.Object{
				Key: sequence.Key{Kind: sequence.DataSource, Namespace: "ns", Name: "a"}, Labels: map[string]string{},
				Source: map[string]any{"pvc": map[string]any{"name": "p", "namespace": "ns"}}, Ready: "True",
			},
		},
		{
			reason: "the imports of a cron, and what its poller found",
			text: `{kind: DataImportCron, metadata: {name: a, namespace: ns, annotations: {cdi.kubevirt.io/storage.import.sourceDesiredDigest: "sha256:2"}},
				spec: {managedDataSource: d}, status: {currentImports: [{DataVolumeName: d-1, Digest: "sha256:1"}], lastImportedPVC: {name: d-0}}}`,
			want: sequence.Object{
				Key: sequence.Key{Kind: sequence.Cron, Namespace: "ns", Name: "a"}, Labels: map[string]string{},
				Spec: &cdiv1.DataImportCronSpec{ManagedDataSource: "d"}, Digest: "sha256:2", Import: "d-1", ImportDigest: "sha256:1", Last: "d-0",
			},
		},
		{
			reason: "a field of another type is as if it were absent",
			text:   "{kind: DataVolume, metadata: {name: a, namespace: ns}, status: [Succeeded]}",
			want:   sequence.Object{Key: sequence.Key{Kind: sequence.DataVolume, Namespace: "ns", Name: "a"}, Labels: map[string]string{}},
		},
	} {
		t.Run(tc.reason, func(t *testing.T) {
			t.Parallel()
			got, ok := sequence.Read(objectOf(t, tc.text))
			if ok == tc.ignored {
				t.Fatalf("part of a state: %t", ok)
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestPointsAt(t *testing.T) {
	t.Parallel()
	named := func(kind, namespace string) map[string]any {
		return map[string]any{kind: map[string]any{"name": "x", "namespace": namespace}}
	}
	for _, tc := range []struct {
		reason string
		source map[string]any
		want   sequence.Key
	}{
		{"nothing", nil, sequence.Key{}},
		{"a claim", named("pvc", "other"), sequence.Key{Kind: sequence.Claim, Namespace: "other", Name: "x"}},
		{"a snapshot", named("snapshot", "other"), sequence.Key{Kind: sequence.Snapshot, Namespace: "other", Name: "x"}},
		{"another DataSource", named("dataSource", "other"), sequence.Key{Kind: sequence.DataSource, Namespace: "other", Name: "x"}},
		{"the namespace of the DataSource is the default", named("pvc", ""), sequence.Key{Kind: sequence.Claim, Namespace: "ns", Name: "x"}},
		{"what is not a source", map[string]any{"pvc": "x", "http": map[string]any{"name": "x"}}, sequence.Key{}},
	} {
		o := sequence.Object{Key: sequence.Key{Kind: sequence.DataSource, Namespace: "ns", Name: "d"}, Source: tc.source}
		if got := o.PointsAt(); got != tc.want {
			t.Errorf("%s: want %v, got %v", tc.reason, tc.want, got)
		}
	}
}

// TestState: a state keeps copies, and lists its objects by kind, namespace and name.
func TestState(t *testing.T) {
	t.Parallel()
	var s sequence.State
	key := sequence.Key{Kind: sequence.Claim, Namespace: "ns", Name: "b"}
	if _, ok := s.Get(key); ok || s.Has(key) || len(s.Objects()) > 0 {
		t.Error("the zero value is a cluster without golden images")
	}
	labels := map[string]string{"l": "v"}
	for _, o := range []sequence.Object{
		{Key: key, Labels: labels},
		{Key: sequence.Key{Kind: sequence.Claim, Namespace: "m", Name: "z"}},
		{Key: sequence.Key{Kind: sequence.Claim, Namespace: "ns", Name: "a"}},
		{Key: sequence.Key{Kind: sequence.Cron, Namespace: "z", Name: "z"}, Spec: &cdiv1.DataImportCronSpec{}},
	} {
		s.Add(o)
	}
	labels["l"] = "changed"
	var got []string
	for _, o := range s.Objects() {
		got = append(got, o.String())
	}
	want := []string{"DataImportCron/z/z", "PersistentVolumeClaim/m/z", "PersistentVolumeClaim/ns/a", "PersistentVolumeClaim/ns/b"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if o, ok := s.Get(key); !ok || !s.Has(key) || o.Labels["l"] != "v" {
		t.Errorf("the state has %v, %t", o, ok)
	}
}

func TestImportName(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ reason, digest, want string }{
		{"the first twelve digits", "sha256:0123456789abcdef", "fedora-0123456789ab"},
		{"a short digest", "sha256:01", "fedora-01"},
		{"no algorithm, and so no digits", "0123", "fedora-"},
	} {
		if got := sequence.ImportName("fedora", tc.digest); got != tc.want {
			t.Errorf("%s: want %q, got %q", tc.reason, tc.want, got)
		}
	}
}

func TestImportsToKeep(t *testing.T) {
	t.Parallel()
	number := func(n int32) *int32 { return &n }
	for _, tc := range []struct {
		reason string
		stated *int32
		want   int
	}{
		{"CDI's default", nil, 3},
		{"stated", number(1), 1},
		{"none", number(0), 0},
		{"a negative number is not a number of imports", number(-1), 3},
	} {
		if got := sequence.ImportsToKeep(&cdiv1.DataImportCronSpec{ImportsToKeep: tc.stated}); got != tc.want {
			t.Errorf("%s: want %d, got %d", tc.reason, tc.want, got)
		}
	}
}
