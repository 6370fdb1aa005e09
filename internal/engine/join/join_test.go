package join_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/engine/input"
	"github.com/goldenarch/goldenarch/internal/engine/join"
	"github.com/goldenarch/goldenarch/internal/engine/livecr"
	"github.com/goldenarch/goldenarch/internal/engine/settings"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/manifest/object"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
)

func crOf(t *testing.T, version, spec string) *hyperconverged.CR {
	t.Helper()
	cr, found := hyperconverged.Parse([]byte(`{"apiVersion":"hco.kubevirt.io/` + version + `","kind":"HyperConverged",` +
		`"metadata":{"name":"kubevirt-hyperconverged"},"spec":` + spec + `}`))
	if cr == nil {
		t.Fatal(found)
	}
	return cr
}

// TestCluster: a placement that rules out what is stated is reported at its field, which
// each version of the CR has at another place.
func TestCluster(t *testing.T) {
	t.Parallel()
	stated := v1alpha1.ClusterSpec{WorkloadArchitectures: []string{"amd64", "arm64"}}
	in := input.Input{Nodes: input.Nodes{NoStatus: true}}
	const selects = `{"nodePlacement":{"nodeSelector":{"kubernetes.io/arch":"s390x"}}}`
	for _, tc := range []struct{ reason, version, spec, field string }{
		{"v1beta1", "v1beta1", `{"workloads":` + selects + `}`, hyperconverged.V1beta1.Paths().Workloads.String()},
		{"no placement rules nothing out", "v1beta1", `{}`, ""},
		{
			"a placement that rules out one of them", "v1beta1", `{"workloads":{"nodePlacement":{"nodeSelector":{"kubernetes.io/arch":"arm64"}}}}`,
			hyperconverged.V1beta1.Paths().Workloads.String(),
		},
	} {
		_, found := join.Cluster(in, object.Object{}, crOf(t, tc.version, tc.spec), livecr.CR{}, stated, "")
		field := ""
		for _, f := range found {
			if join.IsUnmatchable(f) {
				field = f.Field
			}
		}
		if field != tc.field {
			t.Errorf("%s: want the field %q, got %q: %v", tc.reason, tc.field, field, found)
		}
	}
}

// TestTable: the table of predefined templates is the one that the configuration names, with
// the architectures that its overrides state.
func TestTable(t *testing.T) {
	t.Parallel()
	cr := crOf(t, "v1beta1", "{}")
	spec := func(edit func(*v1alpha1.GoldenImagesSpec)) *settings.Settings {
		out := &v1alpha1.GoldenImagesSpec{}
		out.Default()
		edit(out)
		return &settings.Settings{GoldenImagesSpec: out}
	}
	upstream := hyperconverged.Upstream().Templates[0].Name()
	for _, tc := range []struct {
		reason string
		spec   *settings.Settings
		none   bool
		stated arch.Set // of the first upstream template
	}{
		{reason: "nobody names another table", spec: spec(func(*v1alpha1.GoldenImagesSpec) {})},
		{reason: "None", spec: spec(func(s *v1alpha1.GoldenImagesSpec) { s.Predefined = v1alpha1.PredefinedNone }), none: true},
		{
			reason: "an override states the architectures of a predefined template",
			spec: spec(func(s *v1alpha1.GoldenImagesSpec) {
				s.Overrides = []v1alpha1.Override{{Template: upstream, Architectures: []string{"s390x"}}}
			}),
			stated: arch.Named("s390x"),
		},
	} {
		table := join.Table(cr, input.Input{}, tc.spec, nil)
		if none := len(table.Templates) == 0; none != tc.none {
			t.Errorf("%s: no templates: %v", tc.reason, none)
			continue
		}
		if tc.none {
			continue
		}
		first := table.Templates[0]
		if first.Name() != upstream {
			t.Errorf("%s: want %s first, got %s", tc.reason, upstream, first.Name())
		}
		if tc.stated != nil && !first.Image.Equal(tc.stated) {
			t.Errorf("%s: want %s, got %s", tc.reason, tc.stated, first.Image)
		}
	}
}

// TestWithoutLiveGaps: where the live CR cannot be read, the error about that says why facts are
// missing. All other findings stay.
func TestWithoutLiveGaps(t *testing.T) {
	t.Parallel()
	list := func() finding.List {
		return finding.List{{ID: finding.NoNodeFacts}, {ID: finding.GateOn}, {ID: finding.ReleaseNeeded}, {ID: finding.PredefinedUnknown}}
	}
	for _, tc := range []struct {
		unreadable bool
		want       []finding.ID
	}{
		{true, []finding.ID{finding.GateOn}},
		{false, []finding.ID{finding.NoNodeFacts, finding.GateOn, finding.ReleaseNeeded, finding.PredefinedUnknown}},
	} {
		var got []finding.ID
		for _, f := range (join.Decided{LiveUnreadable: tc.unreadable}).WithoutLiveGaps(list()) {
			got = append(got, f.ID)
		}
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("unreadable %v (-want +got):\n%s", tc.unreadable, diff)
		}
	}
}
