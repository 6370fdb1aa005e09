package report

import (
	"strings"
	"testing"

	"github.com/goldenarch/goldenarch/internal/operators/forecast"
)

// TestUnknownIsNotNone: the table does not show a missing fact as a fact.
func TestUnknownIsNotNone(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		reason string
		f      forecast.Forecast
		want   string
	}{
		{
			"nothing states the control plane",
			forecast.Forecast{WorkloadArchitectures: []string{"arm64"}, ControlPlaneUnknown: true},
			"workload arm64, control plane unknown",
		},
		{"it has no nodes", forecast.Forecast{WorkloadArchitectures: []string{"arm64"}}, "workload arm64, control plane none"},
		{
			"nothing states the workload nodes",
			forecast.Forecast{WorkloadUnknown: true, ControlPlaneArchitectures: []string{"amd64"}},
			"workload unknown, control plane amd64",
		},
		{"no node runs workloads", forecast.Forecast{ControlPlaneArchitectures: []string{"amd64"}}, "workload none, control plane amd64"},
	} {
		if got := clusterLine(tc.f); !strings.HasPrefix(got, tc.want+", gate") {
			t.Errorf("%s: want %q, got %q", tc.reason, tc.want, got)
		}
	}
	const name = "app"
	for _, tc := range []struct {
		reason, want string
		t            forecast.TemplateOutcome
		r            forecast.Reference
	}{
		{
			"nothing states on which architecture it depends", "?",
			forecast.TemplateOutcome{ManagedDataSource: name, PossibleDefaults: []string{"amd64", "arm64"}},
			forecast.Reference{Name: name, State: forecast.UnknownTarget},
		},
		{
			"nothing fills it", "amd64 (empty)",
			forecast.TemplateOutcome{ManagedDataSource: name, DefaultArchitecture: "amd64"},
			forecast.Reference{Name: name, DefaultArchitecture: "amd64", State: forecast.Dangling},
		},
		{"there is none", "-", forecast.TemplateOutcome{ManagedDataSource: name}, forecast.Reference{Name: "other"}},
	} {
		if got := defaultArchitecture(emptyDefaults(forecast.Forecast{References: []forecast.Reference{tc.r}}), tc.t); got != tc.want {
			t.Errorf("%s: want %q, got %q", tc.reason, tc.want, got)
		}
	}
}
