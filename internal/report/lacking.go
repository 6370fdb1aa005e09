package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/operators/forecast"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
	"github.com/goldenarch/goldenarch/internal/sanitize"
)

// lack is a workload architecture for which some templates import no image.
type lack struct {
	architecture string
	templates    []string // by name
	of           int      // total number of templates
}

// lacking returns the workload architectures that some templates lack, while the
// multi-arch gate is on. A disabled template does not count, unless goldenarch disabled
// it because no workload node fits.
func lacking(f forecast.Forecast) []lack {
	if !f.MultiArchEnabled || len(f.WorkloadArchitectures) < 2 || f.SSPRejected != "" {
		return nil
	}
	var active []forecast.TemplateOutcome
	for _, t := range f.Templates {
		if t.Outcome == forecast.Deployed || t.Outcome == forecast.NotDeployed || t.DisabledBecause == hyperconverged.NoSupportedArchitecture {
			active = append(active, t)
		}
	}
	var out []lack
	for _, a := range f.WorkloadArchitectures {
		one := lack{architecture: a, of: len(active)}
		for _, t := range active {
			if !imports(f, t, arch.Arch(a)) {
				one.templates = append(one.templates, t.Name)
			}
		}
		if len(one.templates) > 0 {
			out = append(out, one)
		}
	}
	return out
}

// imports reports whether a cron of the template imports for the architecture. It is
// not known for which architecture a cron without one imports. The table shows it in a
// column of its own, and it does not count as lacking.
func imports(f forecast.Forecast, t forecast.TemplateOutcome, a arch.Arch) bool {
	return slices.ContainsFunc(f.Crons, func(c forecast.CronOutcome) bool {
		return c.Template == t.Name && (c.Architecture == a || c.Architecture == "") && c.Outcome == forecast.Created
	})
}

// lackingLine returns the missing architectures in one line, "" if no template lacks
// one: "2 of 7 templates lack arm64: windows, zlinux".
func lackingLine(f forecast.Forecast) string {
	var parts []string
	for _, l := range lacking(f) {
		parts = append(parts, l.count()+": "+strings.Join(l.templates, ", "))
	}
	return sanitize.Line(strings.Join(parts, "; "))
}

// count returns how many templates lack the architecture: "2 of 7 templates lack arm64".
func (l lack) count() string {
	verb, noun := "lack", "templates"
	if len(l.templates) == 1 {
		verb = "lacks"
	}
	if l.of == 1 {
		noun = "template"
	}
	return fmt.Sprintf("%d of %d %s %s %s", len(l.templates), l.of, noun, verb, l.architecture)
}
