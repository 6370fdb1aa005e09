package check

import (
	"fmt"
	"strings"

	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/operators/forecast"
)

// compareLive reports, once for each CR, how the cluster differs now from what it will
// have. It reports nothing without the live CR, or for a CR that never reaches HCO.
func (c *Result) compareLive(f forecast.Prediction) {
	live := f.Forecast.Live
	if live == nil {
		return
	}
	var changes []string
	for _, t := range live {
		if t.Changed {
			changes = append(changes, fmt.Sprintf("%s (now %s, then %s)", t.Template, t.Now, t.Then))
		}
	}
	text := fmt.Sprintf("this commit does not change any of the %d templates of the cluster", len(live))
	if len(changes) > 0 {
		text = fmt.Sprintf("this commit changes %d of %d templates of the cluster: %s", len(changes), len(live), strings.Join(changes, ", "))
	}
	c.Findings = append(c.Findings, finding.Finding{
		ID: finding.LiveDiffers, Severity: finding.Info, Object: f.Object, Line: c.line(f.Object, ""), Text: text,
	})
}
