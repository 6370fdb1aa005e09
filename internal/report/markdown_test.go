package report

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/goldenarch/goldenarch/internal/engine/check"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/machine"
	"github.com/goldenarch/goldenarch/internal/operators/forecast"
)

// TestMarkdownFitsAComment: whatever a check has, the report is a comment that GitHub accepts.
// The summary comes first, and a report that is cut says what it omits.
func TestMarkdownFitsAComment(t *testing.T) {
	t.Parallel()
	long := func(n int) string { return strings.Repeat("wörd & ", n/8) }
	for _, tc := range []struct {
		reason                                 string
		findings, clusters, machines, predicts int
		text                                   string // of each finding
		cut                                    bool
		has                                    []string
	}{
		{reason: "small", findings: 10, clusters: 3, machines: 3, predicts: 3, text: "short"},
		{
			reason:   "thousands of findings in thousands of clusters",
			findings: 5000,
			clusters: 3000,
			machines: 2000,
			predicts: 3000,
			text:     long(200),
			cut:      true,
			has:      []string{"| c0 |", "clusters more"},
		},
		{reason: "thousands of findings", findings: 5000, text: long(200), cut: true, has: []string{"findings more"}},
		{reason: "one finding is too long by itself", findings: 2, text: long(100_000), cut: true, has: []string{"1 finding more"}},
		{reason: "thousands of machines", machines: 5000, cut: true, has: []string{"machines more"}},
		{reason: "thousands of predictions", predicts: 5000, cut: true},
	} {
		c := Check{Place: ".", Version: "v0"}
		for i := range tc.findings {
			severity := finding.Warning
			if i == 0 {
				severity = finding.Error
			}
			c.Findings = append(c.Findings, finding.Finding{
				ID: finding.ClaimNarrowed, Severity: severity, Object: finding.Object{Kind: "HyperConverged", Name: "a", File: fmt.Sprintf("c%d/hco.yaml", i)},
				Line: i + 1, Text: fmt.Sprintf("number %d: %s", i, tc.text),
			})
		}
		for i := range tc.clusters {
			if c.Repository == nil {
				c.Repository, c.Others = &Repository{}, []Group{{What: "files read", Count: 7}}
			}
			c.Repository.Clusters = append(c.Repository.Clusters, Cluster{Name: fmt.Sprintf("c%d", i), Path: fmt.Sprintf("c%d", i), Verdict: check.NotRight})
		}
		for i := range tc.machines {
			c.Machines = append(c.Machines, machine.Result{Object: finding.Object{Kind: "VirtualMachine", Name: fmt.Sprintf("m%d", i)}})
		}
		for i := range tc.predicts {
			c.Forecast = append(c.Forecast, forecast.Prediction{Object: finding.Object{Kind: "HyperConverged", Name: fmt.Sprintf("p%d", i)}})
		}
		got := written(t, "markdown", c)
		if n := utf8.RuneCountInString(got); n >= 65536 {
			t.Errorf("%s: %d characters", tc.reason, n)
		}
		if n := len(got); n > maxMarkdown {
			t.Errorf("%s: %d bytes", tc.reason, n)
		}
		if !strings.HasPrefix(strings.SplitN(got, "\n", 3)[2], markdown(c.tell().sentence())) {
			t.Errorf("%s: the sentence is not first:\n%.500s", tc.reason, got)
		}
		if !strings.Contains(got, markdown(c.lastLine())) {
			t.Errorf("%s: want the last line %q in\n%.500s", tc.reason, c.lastLine(), got)
		}
		if cut := strings.Contains(got, "so it is cut"); cut != tc.cut {
			t.Errorf("%s: want cut %t, got %t and %d bytes", tc.reason, tc.cut, cut, len(got))
		}
		for _, text := range tc.has {
			if !strings.Contains(got, text) {
				t.Errorf("%s: want %q in\n%.1000s", tc.reason, text, got)
			}
		}
		if !tc.cut && (strings.Count(got, "\n❌ error") != 1 || strings.Contains(got, " more\n")) {
			t.Errorf("%s: something is omitted:\n%s", tc.reason, got)
		}
	}
}
