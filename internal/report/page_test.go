package report

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/engine/check"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/operators/forecast"
	"github.com/goldenarch/goldenarch/internal/transition"
)

// fleetOf is a check of so many clusters with eight templates each. The last cluster lacks one of them on arm64.
func fleetOf(n int) Check {
	c := Check{Place: ".", Version: "v0", Repository: &Repository{}}
	for i := range n {
		name := fmt.Sprintf("clusters/edge-%04d", i)
		at := finding.Object{Kind: "HyperConverged", Name: "kubevirt-hyperconverged", File: "base/hyperconverged.yaml", Cluster: name}
		f := forecast.Forecast{WorkloadArchitectures: []string{"amd64", "arm64"}}
		for k := range 8 {
			template := fmt.Sprintf("template-%d", k)
			f.Templates = append(f.Templates, forecast.TemplateOutcome{Name: template, Outcome: forecast.Deployed})
			for _, a := range []arch.Arch{"amd64", "arm64"} {
				outcome := forecast.Created
				if i == n-1 && k == 0 && a == "arm64" {
					outcome = forecast.ImportFails
				}
				f.Crons = append(f.Crons, forecast.CronOutcome{
					Template: template, Architecture: a, Outcome: outcome, Image: forecast.Image{Architectures: arch.Named("amd64", "arm64")},
				})
			}
		}
		one := predictionOf(forecast.TemplateOutcome{})
		one.Object, one.Forecast = at, f
		verdict := check.RightAsCommitted
		if i == n-1 {
			verdict = check.NotRight
			c.Findings = append(c.Findings, finding.Finding{
				ID: finding.ClaimNarrowed, Severity: finding.Error, Object: at, Template: "template-0", Text: "the image lacks arm64", Do: "run goldenarch fix .",
				Run: "goldenarch fix .",
			})
		}
		c.Forecast, c.CRs = append(c.Forecast, one), append(c.CRs, check.CR{Object: at})
		c.Repository.Clusters = append(c.Repository.Clusters, Cluster{Name: name, Path: name, Verdict: verdict})
	}
	return c
}

// TestReportsOfAFleet: the reports of 40 and of 1,000 clusters stay small, the one that is wrong comes first, and the reason and
// the command are near the beginning.
func TestReportsOfAFleet(t *testing.T) {
	t.Parallel()
	for n, most := range map[int]map[string]int{
		40:   {"text": 2_000, "markdown": 4_000, "html": 60_000, "json": 150_000},
		1000: {"text": 2_000, "markdown": 4_000, "html": 3_000_000, "json": 3_000_000},
	} {
		c := fleetOf(n)
		last := fmt.Sprintf("clusters/edge-%04d", n-1)
		for format, bytes := range most {
			got := written(t, format, c)
			if len(got) > bytes {
				t.Errorf("%s of %d clusters has %d bytes, want at most %d", format, n, len(got), bytes)
			}
		}
		for _, format := range []string{"text", "markdown"} {
			head := strings.Join(strings.SplitN(written(t, format, c), "\n", 21)[:min(20, strings.Count(written(t, format, c), "\n"))], "\n")
			for _, part := range []string{fmt.Sprintf("%d of %d clusters boot everything. 1 does not", n-1, n), last, "arm64", "goldenarch fix ."} {
				if !strings.Contains(head, part) {
					t.Errorf("the first 20 lines of %s lack %q:\n%s", format, part, head)
				}
			}
		}
		page := written(t, "html", c)
		rows := regexp.MustCompile(`<tr id="cluster-1" data-in="1" data-lacks="arm64">\s*<th scope="row">` + last)
		if !rows.MatchString(page) || strings.Count(page, `<tr id="cluster-`) != n {
			t.Errorf("the page has not all of %d clusters, the wrong one first", n)
		}
		if !strings.Contains(page, `id="GA104-1"`) || !strings.Contains(page, `<pre class="command"><code>goldenarch fix .</code></pre>`) {
			t.Error("the page has no anchor and no command of the reason")
		}
	}
}

// TestPlanPageEscapes: no name of a plan becomes an element of its page.
func TestPlanPageEscapes(t *testing.T) {
	t.Parallel()
	const evil = `x"'><script>ran()</script><img src=q>`
	object := transition.Object{Kind: evil, Namespace: evil, Name: evil, Reason: evil}
	objects, texts := []transition.Object{object}, []string{evil}
	alerts := []transition.Alert{{Name: evil, Template: evil, Reason: evil}}
	var out bytes.Buffer
	err := PlanHTML(&out, transition.Plan{
		CR: object, Release: evil, Unknown: texts, NotReady: objects, Leftovers: []transition.Leftover{{Object: object, Since: evil, UsedBy: objects, Commands: texts}},
		Steps: []transition.Step{{
			Title: evil, Commands: texts, Wait: texts, Appear: objects, Change: objects, Remain: objects, Disappear: objects, Gaps: objects,
			Undo: transition.Undo{Commands: texts, Reason: evil, Lost: objects}, Storage: map[string]transition.Amount{evil: {Now: 1}},
			Machines: []transition.Machine{{Object: object, Effect: evil}}, AlertsStart: alerts, AlertsEnd: alerts,
		}, {Title: evil, Stopped: evil}},
	}, evil)
	if got := out.String(); err != nil || strings.Contains(got, "<script>ran") || strings.Contains(got, "<img") || strings.Count(got, "&lt;script&gt;ran") < 30 {
		t.Errorf("markup of a name is markup of the page: %v\n%s", err, got)
	}
}
