package report

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/goldenarch/goldenarch/internal/console"
	"github.com/goldenarch/goldenarch/internal/engine/check"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/operators/forecast"
	"github.com/goldenarch/goldenarch/internal/pattern"
)

// Check has the result of a check. Its findings are in the order of the report.
type Check struct {
	check.Summary

	// Bundles is how many of the paths are bundles of the Operator Lifecycle Manager.
	Bundles int
	// Place is the location of a finding without a file, in a format that requires a
	// location: the input of the check.
	Place string
	// FailOn is the lowest severity that fails the check; "" is the same as error.
	FailOn finding.Severity
	// AllowEmpty says that a check of nothing passes.
	AllowEmpty bool
	// Width is the width in characters that the lines of a text must fit; 0 if unknown: then tables fit 100.
	Width int
	// Version is goldenarch's own.
	Version string
	// Since says what a change makes of the findings of its base; nil if none is named.
	Since *Since
	// Repository is what was found where a repository was checked; nil otherwise. Then
	// each object names its cluster.
	Repository *Repository
	// Others is what else was found, looked at and skipped.
	Others []Group
}

// page is the page that explains each id.
const page = "https://github.com/goldenarch/goldenarch/blob/main/docs/findings.md"

// help returns the link that explains an id.
func help(id finding.ID) string { return page + "#" + strings.ToLower(string(id)) }

// Verdict returns the verdict of the run. That nothing was checked is no finding against
// what was checked.
func (c Check) Verdict() check.Verdict {
	checked := c.Any()
	fails := func(f finding.Finding) bool { return c.fails(f) && (checked || !SaysNothingChecked(f)) }
	return c.Summary.Verdict(slices.ContainsFunc(c.Findings, fails), checked)
}

// SaysNothingChecked reports whether a finding says that the input has nothing to check. The verdict
// says that, too.
func SaysNothingChecked(f finding.Finding) bool {
	return f.ID == finding.NoCR || f.ID == finding.NoPods
}

// Any reports whether there was something to check.
func (c Check) Any() bool {
	return len(c.CRs)+c.ssps()+len(c.Pods)+len(c.Crons)+c.Bundles > 0 || len(c.Machines) > 0 && c.MachinesKnown
}

// with returns a check with other findings.
func (c Check) with(list finding.List) Check {
	c.Findings = list
	return c
}

// Passed reports whether the verdict is good.
func (c Check) Passed() bool { return c.Verdict().Passes(c.AllowEmpty) }

// fails reports whether a finding is severe enough to fail the check.
func (c Check) fails(f finding.Finding) bool { return f.Severity.AtLeast(c.failOn()) }

func (c Check) failOn() finding.Severity { return cmp.Or(c.FailOn, finding.Error) }

// summary returns the number of findings: "1 error, 2 warnings, 0 infos".
func (c Check) summary() string {
	var parts []string
	shown := c.Shown()
	for _, s := range []finding.Severity{finding.Error, finding.Warning, finding.Info} {
		parts = append(parts, finding.Count(shown.Count(s), string(s)))
	}
	if text := finding.IgnoredText(c.Ignored); text != "" {
		parts = append(parts, text)
	}
	return strings.Join(parts, ", ")
}

// lastLine returns the last line: whether the check passed, the verdict, what was checked,
// and the summary.
func (c Check) lastLine() string {
	word := "passed"
	switch {
	case c.Passed():
	case c.Findings.Failed() || c.Verdict() == check.NothingChecked:
		word = "failed"
	default:
		word = fmt.Sprintf("failed (--fail-on %s)", c.failOn())
	}
	return fmt.Sprintf("%s: %s, %s, %s", word, c.Verdict(), c.checkedObjects(), c.summary())
}

// notRendered explains the forecast of a CR that could not be rendered.
const notRendered = "Because of the errors, goldenarch renders nothing. This is the prediction for the CR as it is."

// asRendered explains the forecast of a CR that goldenarch renders on the way to the cluster.
const asRendered = "This is the prediction for the CR as goldenarch renders it."

// partialNote explains the forecast of a CR in which some templates have errors.
const partialNote = "Templates with an error have no prediction. The prediction for the others leaves them out."

// caption returns what a table shows; "" if it shows the CR as it is committed.
func (c Check) caption(one forecast.Prediction) string {
	rendered, as := c.Rendered, c.As
	if cluster := c.Repository.cluster(one.Object.Cluster); cluster != nil {
		rendered, as = cluster.Rendered, cluster.As
	}
	changes := slices.ContainsFunc(c.CRs, func(cr check.CR) bool { return cr.Object == one.Object && len(cr.Changes) > 0 })
	switch {
	case !rendered && as == check.Rendered:
		return notRendered
	case as == check.Rendered && changes:
		return asRendered
	default:
		return ""
	}
}

// write writes a text to the output. what names it in an error.
func write(w io.Writer, what string, text []byte) error {
	if _, err := w.Write(text); err != nil {
		return fmt.Errorf("write the %s: %w", what, err)
	}
	return nil
}

// where returns the object and the field of a finding.
func where(f finding.Finding) string {
	return console.SafeLine(strings.TrimSpace(f.Object.String() + " " + f.Field))
}

// objectIn returns the object and the field of a finding, with the clusters.
func objectIn(f finding.Finding) string {
	if f.Object.Cluster == "" {
		return where(f)
	}
	return strings.TrimSpace(where(f) + " in " + console.SafeLine(f.Object.Cluster))
}

// notAManifest matches the beginning of a message about a file that does not contain a
// manifest.
var notAManifest = pattern.Of(`^([^:]+)(?::|: the document that begins at line )(\d+)\b`)

// place returns the file and the line of a finding, "" and 0 if they are unknown. For
// an unreadable file it takes them from the message.
func place(f finding.Finding) (string, int) {
	if f.Object.File == "" && f.ID == finding.Unreadable {
		if parts := notAManifest().FindStringSubmatch(f.Text); parts != nil {
			line, _ := strconv.Atoi(parts[2]) // digits; a number that is too large becomes the largest int
			return parts[1], line
		}
	}
	return f.PlaceFile(), f.Line
}

// stops returns where the operators give up, or which part of their result is random.
func stops(f forecast.Forecast) []string {
	return slices.DeleteFunc(slices.Concat([]string{f.NoImagesBecause}, f.Failures(), []string{f.SSPRandom}), func(s string) bool { return s == "" })
}

// reasons returns why the operators do not create or fill an object.
func reasons(f forecast.Forecast) []string {
	var rows []string
	unknown := map[string][]string{} // by the reason
	for _, t := range f.Templates {
		switch t.Outcome {
		case forecast.Deployed, forecast.Refused: // the failures of the forecast say who refuses it
		case forecast.Unknown:
			unknown[t.Why] = append(unknown[t.Why], t.Name)
		case forecast.InError:
			rows = append(rows, fmt.Sprintf("template %s has an error, so there is no prediction: %s", t.Name, t.Why))
		default:
			rows = append(rows, fmt.Sprintf("template %s is %s: %s", t.Name, outcome(t), t.Why))
		}
	}
	for _, c := range f.Crons {
		if c.Outcome == forecast.ImportFails {
			rows = append(rows, fmt.Sprintf("SSP creates DataImportCron %s/%s, and its import fails: %s", c.Namespace, c.Name, c.Why))
		} else if c.Outcome != forecast.Created {
			rows = append(rows, fmt.Sprintf("DataImportCron %s/%s is %s: %s", c.Namespace, c.Name, outcomeWords[c.Outcome], c.Why))
		}
	}
	for _, r := range f.References {
		if !r.Filled && r.State != forecast.UnknownTarget { // GA311 reports these together
			rows = append(rows, fmt.Sprintf("DataSource %s/%s points at %s: %s", r.Namespace, r.Name, r.Target, r.Why))
		}
	}
	for _, why := range slices.Sorted(maps.Keys(unknown)) {
		rows = append(rows, why+", so there is no prediction for the templates "+finding.FirstOf(unknown[why]))
	}
	return rows
}

// compared returns what changes on the cluster, and how much stays unchanged.
func compared(live []forecast.LiveTemplate) []string {
	var rows []string
	for _, t := range live {
		if t.Changed {
			rows = append(rows, fmt.Sprintf("%s: now %s, then %s", t.Template, t.Now, t.Then))
		}
	}
	if same := len(live) - len(rows); live != nil {
		rows = append(rows, fmt.Sprintf("%d of %d templates do not change", same, len(live)))
	}
	return rows
}

func alerts(f forecast.Forecast) []string {
	return mapped(f.Alerts, func(a forecast.Alert) string { return aboutAlert(a.Name, a.Template) + ": " + a.Why })
}

// checkedObjects says what was checked: "1 HyperConverged CR, 2 objects with pods". A check
// without CRs and without anything else was about CRs all the same.
func (c Check) checkedObjects() string {
	var out []string
	add := func(n int, what, more string) {
		if n > 0 {
			out = append(out, finding.Count(n, what)+more)
		}
	}
	if c.Repository != nil {
		out = append(out, finding.Count(len(c.Repository.Clusters), "cluster"))
	}
	if len(c.CRs)+len(c.Pods)+len(c.Machines)+len(c.Crons)+c.Bundles == 0 {
		out = append(out, "0 HyperConverged CRs")
	}
	add(len(c.CRs), "HyperConverged CR", "")
	add(c.ssps(), "SSP CR", "")
	add(c.Bundles, "operator bundle", "")
	add(len(c.Pods), "object", " with pods")
	add(c.disks(), "DataVolume", "")
	add(len(c.Crons), "DataImportCron", "")
	if text := c.machinesText(); text != "" {
		out = append(out, text)
	}
	return strings.Join(out, ", ")
}

func (c Check) ssps() int {
	return count(c.Forecast, func(one forecast.Prediction) bool { return one.Object.Kind == forecast.KindSSP })
}

// count returns how many elements of a list are something.
func count[T any](list []T, is func(T) bool) int {
	n := 0
	for _, one := range list {
		if is(one) {
			n++
		}
	}
	return n
}

// heading is what a report for people is about.
func (c Check) heading() string {
	switch {
	case len(c.CRs)+c.ssps() > 0 || len(c.Pods)+len(c.Machines)+c.Bundles == 0:
		return "Golden images"
	case c.Bundles > 0:
		return "Operator bundle"
	case len(c.Pods) == 0:
		return "Virtual machines"
	default:
		return "Architectures of pods"
	}
}
