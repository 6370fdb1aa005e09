package forecast

import (
	"slices"
	"testing"

	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/cluster"
)

// TestUnknownControlPlane: where nothing states the control plane, the possible defaults of
// a DataSource are those that it has with some control plane, and one that it has with all
// of them is known.
func TestUnknownControlPlane(t *testing.T) {
	t.Parallel()
	const fedora = "fedora" // of the bundle, for all three architectures
	controlPlanes := []arch.Set{
		nil, arch.NewSet("amd64"), arch.NewSet("arm64"), arch.NewSet("s390x"), arch.NewSet("amd64", "s390x"), arch.NewSet("arm64", "s390x"),
	}
	for _, tc := range []struct {
		reason     string
		workload   arch.Set
		dataSource string
		claim      string
		want       []string // nil if the default is known
	}{
		{"a custom template takes the first of its own", arch.NewSet("amd64", "arm64"), "app", "amd64,arm64,s390x", []string{"amd64", "arm64"}},
		{"of one architecture, there is no choice", arch.NewSet("amd64", "arm64"), "app", "arm64", nil},
		{"nor of one workload architecture", arch.NewSet("arm64"), "app", "amd64,arm64", nil},
		{"a template of the bundle takes what the bundle has", arch.NewSet("amd64", "arm64"), fedora, "amd64,arm64", []string{"amd64", "arm64", "s390x"}},
		{"also in a cluster of one workload architecture", arch.NewSet("arm64"), fedora, "amd64,arm64", []string{"amd64", "arm64", "s390x"}},
		{"the bundle may leave no choice", arch.NewSet("amd64", "arm64"), "win11", "amd64", nil},
	} {
		predict := func(a cluster.Architectures) TemplateOutcome {
			a.Workload = tc.workload
			return Predict(Input{CR: on(t, dict("a", tc.dataSource, claims(tc.claim))), Cluster: a, Release: release(t, "1.19")}).Templates[0]
		}
		var possible []string
		for _, controlPlane := range controlPlanes {
			if a := predict(cluster.Architectures{ControlPlane: controlPlane}).DefaultArchitecture; !slices.Contains(possible, a) {
				possible = append(possible, a)
			}
		}
		slices.Sort(possible)
		got := predict(cluster.Architectures{ControlPlaneUnknown: true})
		if !slices.Equal(got.PossibleDefaults, tc.want) {
			t.Errorf("%s: want %v, got %v", tc.reason, tc.want, got.PossibleDefaults)
		}
		if len(tc.want) > 0 && (!slices.Equal(possible, tc.want) || got.DefaultArchitecture != "") {
			t.Errorf("%s: want no default and %v of all control planes, got %q and %v", tc.reason, tc.want, got.DefaultArchitecture, possible)
		}
		if tc.want == nil && (len(possible) != 1 || got.DefaultArchitecture != possible[0]) {
			t.Errorf("%s: want the default of all control planes, %v, got %q", tc.reason, possible, got.DefaultArchitecture)
		}
	}
}

// TestUnknownReference: nothing is predicted of a default DataSource whose target is
// unknown, in words and as an object.
func TestUnknownReference(t *testing.T) {
	t.Parallel()
	in := Input{
		CR: on(t, dict("a", "app", claims("amd64,arm64"))), Release: release(t, "1.19"),
		Cluster: cluster.Architectures{Workload: arch.NewSet("amd64", "arm64"), ControlPlaneUnknown: true},
	}
	f := Predict(in)
	if len(f.References) != 1 || f.References[0].State != UnknownTarget || f.References[0].Target != "" || f.References[0].Filled {
		t.Errorf("want one reference of an unknown target, got %+v", f.References)
	}
	if !f.ControlPlaneUnknown || len(f.DataSourcesBySSP) != 0 || len(f.DataSourcesAfterCDI) != 2 {
		t.Errorf("want the two DataSources with an architecture and no reference, got %v and %v", f.DataSourcesBySSP, f.DataSourcesAfterCDI)
	}
	in.Cluster.ControlPlaneUnknown = false // none
	if f := Predict(in); len(f.DataSourcesAfterCDI) != 3 || f.References[0].Target != "app-amd64" {
		t.Errorf("without control-plane nodes the first workload architecture counts, got %+v", f.References)
	}
}
