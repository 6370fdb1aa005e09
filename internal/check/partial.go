package check

import (
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/input/kinds"
	"github.com/goldenarch/goldenarch/internal/object"
	"github.com/goldenarch/goldenarch/internal/operators/forecast"
	"github.com/goldenarch/goldenarch/internal/output"
	"github.com/goldenarch/goldenarch/internal/prediction"
	"github.com/goldenarch/goldenarch/internal/verdict"
)

// faultsOf returns the templates of a CR that have an error. A failing import does not
// count: it is a prediction, not the lack of one.
func (c *Result) faultsOf(cr CR) prediction.Faults {
	out := prediction.Faults{}
	for _, i := range c.about(cr.Object) {
		if f := c.Findings[i]; f.Severity == finding.Error && f.ID != finding.ImportFails && f.ID != finding.ClaimWrong {
			out.Add(cr.TemplatesPath, f.Field, f.Message())
		}
	}
	return out
}

// partial predicts, for each CR with an error in a template, what happens to the other
// templates. Where the rendered form gets to the cluster, it uses the CR as far as the run
// could render it.
func (c *Result) partial(run Run) {
	d := run.Decided
	written := map[string]object.Object{}
	if !c.Rendered && c.As == verdict.Rendered {
		edited, _ := output.Write(d.Subjects, d.Plans) // a CR that cannot be written is predicted unchanged
		for _, s := range d.Subjects {
			o := s.Object
			if item := edited[s.Item]; item != nil {
				o.Item, o.Node = item, s.InCopy(item)
			}
			written[kinds.Identity(o.At)] = o
		}
	}
	places := firsts(c.Forecast, func(one forecast.Prediction) finding.Object { return one.Object })
	partly := run.Predictor.Partly(c.judged(run), run.Settings, prediction.ThroughAdmission, prediction.ImagesOf(d))
	for _, cr := range c.CRs {
		at, predicted := places[cr.Object]
		if wrong := c.faultsOf(cr); predicted && len(wrong) > 0 {
			c.Forecast[at].Partial = partly.Without(written, cr.Object, wrong)
		}
	}
}
