package prediction

import (
	"strings"
	"testing"

	"github.com/goldenarch/goldenarch/internal/finding"
)

// TestFold: what has one cure is one finding.
func TestFold(t *testing.T) {
	t.Parallel()
	a, b := finding.Object{Kind: "HyperConverged", Name: "a"}, finding.Object{Kind: "HyperConverged", Name: "b"}
	ignored := func(at finding.Object, field, text string) finding.Finding {
		return finding.Finding{
			ID:       finding.WebhookWarns,
			Severity: finding.Warning,
			Object:   at,
			Field:    field,
			Text:     "HCO's webhook warns: " + field + text,
			Do:       "remove it",
		}
	}
	const gone = " is deprecated and ignored. It will be removed in a future version"
	gate := finding.Finding{ID: finding.GateOn, Severity: finding.Warning, Object: a, Text: "gate", Do: "declare the release, for example x"}
	info := finding.Finding{ID: finding.GateOn, Severity: finding.Info, Object: a, Text: "gate", Do: "to keep it off, set spec.gate: Keep"}
	release := finding.Finding{ID: finding.ReleaseNeeded, Severity: finding.Warning, Object: a, Text: "no release", Do: "declare it"}
	for _, tc := range []struct {
		reason string
		found  finding.List
		want   []string // parts of the lines, one each
	}{
		{"one ignored field stays as HCO says it", finding.List{ignored(a, "spec.x", gone)}, []string{"spec.x is deprecated and ignored"}},
		{
			"several are one finding with their replacements",
			finding.List{ignored(a, "spec.x", gone), release, ignored(a, "spec.y", gone+"; use spec.z instead")},
			[]string{
				"these 2 fields are deprecated, and HCO ignores them: spec.x, spec.y (use spec.z). " +
					"Move the values to the fields in brackets, and remove these",
				"no release",
			},
		},
		{"of each CR by itself", finding.List{ignored(a, "spec.x", gone), ignored(b, "spec.x", gone)}, []string{"HyperConverged/a", "HyperConverged/b"}},
		{"the release is declared once", finding.List{release, gate}, []string{"gate. Declare the release"}},
		{"also where the gate comes first", finding.List{gate, release}, []string{"gate. Declare the release"}},
		{"a gate that needs no release folds nothing", finding.List{info, release}, []string{"To keep it off", "no release"}},
	} {
		var got []string
		for _, one := range Fold(tc.found) {
			got = append(got, finding.List{one}.String())
		}
		if len(got) != len(tc.want) {
			t.Errorf("%s: want %d findings, got %q", tc.reason, len(tc.want), got)
			continue
		}
		for i, part := range tc.want {
			if !strings.Contains(got[i], part) {
				t.Errorf("%s: want %q in %q", tc.reason, part, got[i])
			}
		}
	}
}
