package expansion

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/goldenarch/goldenarch/internal/arch"
)

// filled returns, for each cron in order, what it fills.
func filled(c Crons) []string {
	out := []string{}
	for _, cron := range c.Sorted() {
		out = append(out, cron.Namespace+"/"+cron.Name+" > "+cron.Spec.ManagedDataSource)
	}
	return out
}

func in(namespace string, t Template) Template {
	t.Metadata.Namespace = namespace
	return t
}

// TestMultiArch: which crons SSP makes, and what stands for them.
func TestMultiArch(t *testing.T) {
	t.Parallel()
	bundle := Bundle{"fedora": arch.NewSet(arch.AMD64, arch.ARM64)}
	for _, tc := range []struct {
		reason    string
		templates []Template
		crons     []string
		defaults  map[string]arch.Arch
	}{
		{"nothing of nothing", nil, []string{}, nil},
		{
			"one for each architecture that claim and cluster have",
			[]Template{template("app", "disk", "s390x,arm64,amd64")},
			[]string{"images/app-amd64 > disk-amd64", "images/app-arm64 > disk-arm64"},
			map[string]arch.Arch{"disk": arch.ARM64},
		},
		{"none that the cluster has, none at all", []Template{template("app", "disk", "s390x")}, []string{}, nil},
		{"without a claim it stays one", []Template{template("app", "disk", "")}, []string{"images/app > disk"}, nil},
		{"but fills the default of a common template's DataSource", []Template{template("app", "fedora", "")}, []string{"images/app > fedora-arm64"}, nil},
		{"whose reference is the bundle's matter", []Template{template("app", "fedora", "amd64")}, []string{"images/app-amd64 > fedora-amd64"}, nil},
		{
			"of two with one DataSource the last wins each architecture, the first decides the default",
			[]Template{template("a", "disk", "amd64"), template("b", "disk", "arm64,amd64")},
			[]string{"images/b-amd64 > disk-amd64", "images/b-arm64 > disk-arm64"},
			map[string]arch.Arch{"disk": arch.AMD64},
		},
		{
			"in two namespaces they do not meet, and yet share a default",
			[]Template{in("team", template("a", "disk", "amd64")), template("b", "disk", "arm64")},
			[]string{"images/b-arm64 > disk-arm64", "team/a-amd64 > disk-amd64"},
			map[string]arch.Arch{"disk": arch.AMD64},
		},
	} {
		s := SSP{Order: []arch.Arch{arch.ARM64, arch.AMD64}, Bundle: bundle, Namespace: "images"}
		if diff := cmp.Diff(tc.crons, filled(s.MultiArch(tc.templates))); diff != "" {
			t.Errorf("%s: crons (-want +got):\n%s", tc.reason, diff)
		}
		want := tc.defaults
		if want == nil {
			want = map[string]arch.Arch{}
		}
		if diff := cmp.Diff(want, s.Defaults(tc.templates)); diff != "" {
			t.Errorf("%s: defaults (-want +got):\n%s", tc.reason, diff)
		}
	}
}

// TestSingleArch: with the gate off claims mean nothing.
func TestSingleArch(t *testing.T) {
	t.Parallel()
	s := SSP{Order: []arch.Arch{arch.AMD64}, Bundle: Shipped(), Namespace: "images"}
	got := filled(s.SingleArch([]Template{template("a", "disk", "arm64"), template("b", "disk", ""), template("c", "fedora", "amd64")}))
	if diff := cmp.Diff([]string{"images/b > disk", "images/c > fedora"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestSameName: a template may be called what another one's cron will be.
func TestSameName(t *testing.T) {
	t.Parallel()
	s := SSP{Order: []arch.Arch{arch.AMD64}, Namespace: "images"}
	for _, tc := range []struct {
		reason    string
		templates []Template
		want      string
	}{
		{"they differ", []Template{template("base", "x", "amd64"), template("other", "y", "")}, ""},
		{"two DataSources, one name", []Template{template("base", "x", "amd64"), template("base-amd64", "y", "")}, "images/base-amd64"},
		{"one DataSource, one cron", []Template{template("base", "x", "amd64"), template("base-amd64", "x-amd64", "")}, ""},
		{"in another namespace it is another", []Template{template("base", "x", "amd64"), in("team", template("base-amd64", "y", ""))}, ""},
	} {
		if got := s.MultiArch(tc.templates).SameName(); got != tc.want {
			t.Errorf("%s: want %q, got %q", tc.reason, tc.want, got)
		}
	}
}
