package check

import (
	"fmt"

	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/operators/forecast"
	"github.com/goldenarch/goldenarch/internal/prediction"
)

// judgeSSP reports the problems of an SSP CR. It is an error if SSP refuses it or stops
// at it, since the CR itself says which architectures the cluster has.
func (c *Result) judgeSSP(f forecast.Prediction) {
	for _, why := range f.Forecast.Failures() {
		c.Findings = append(c.Findings, finding.Finding{
			ID: finding.SSPStops, Severity: finding.Error, Object: f.Object, Text: why, Do: "correct the CR",
		})
	}
	paths := prediction.TemplatePaths{List: forecast.SSPTemplatesPath, Templates: map[string]string{}}
	for _, t := range f.Forecast.Templates {
		paths.Templates[t.Name] = fmt.Sprintf("%s[%d]", forecast.SSPTemplatesPath, t.Index)
	}
	for _, one := range prediction.Findings(paths, f.Forecast) {
		one.Object = f.Object
		c.Findings = append(c.Findings, one)
	}
}
