package report

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/operators/forecast"
	"github.com/goldenarch/goldenarch/internal/sanitize"
	"github.com/goldenarch/goldenarch/internal/verdict"
)

// Check has the result of a check.
type Check struct {
	// Findings are in the order of the report.
	Findings finding.List
	// Forecast has the predictions for the CRs, in the form that was judged.
	Forecast []forecast.Prediction
	// Rendered reports that there was no error. Otherwise the forecast is for the CRs
	// as they are.
	Rendered bool
	// CRs are those of the input.
	CRs []CR
	// Pods are the objects with pods that were checked, Bundles how many of the paths
	// are bundles of the Operator Lifecycle Manager.
	Pods    []finding.Object
	Bundles int
	// Catalogs is how many of the paths are catalogs of it.
	Catalogs int
	// Place is the location of a finding without a file, in a format that requires a
	// location: the input of the check.
	Place string
	// FailOn is the lowest severity that fails the check; "" is the same as error.
	FailOn finding.Severity
	// As says which form was judged, and NeedsRendering that the operators do something
	// else with the committed one.
	As             verdict.As
	NeedsRendering bool
	// AllowEmpty says that a check of nothing passes.
	AllowEmpty bool
	// Version is goldenarch's own.
	Version string
	// Repository is what was found where a repository was checked; nil otherwise. Then
	// each object names its cluster.
	Repository *Repository
}

// CR is a CR of the input.
type CR struct {
	Object finding.Object
	// TemplatesPath is the path of its list of templates, Templates their names.
	TemplatesPath string
	Templates     []string
	// Changes are the paths of the fields that rendering changes.
	Changes []string
}

// page is the page that explains each id.
const page = "https://github.com/goldenarch/goldenarch/blob/main/docs/findings.md"

// help returns the link that explains an id.
func help(id finding.ID) string { return page + "#" + strings.ToLower(string(id)) }

// Verdict returns the verdict of the run. That nothing was checked is no finding against
// what was checked.
func (c Check) Verdict() verdict.Verdict {
	checked := c.Any()
	return verdict.Of(verdict.Checked{
		Fails: slices.ContainsFunc(c.Findings, func(f finding.Finding) bool { return c.fails(f) && (checked || f.ID != finding.NoCR) }),
		Any:   checked, NeedsRendering: c.NeedsRendering,
	})
}

// Any reports whether there was something to check.
func (c Check) Any() bool { return len(c.CRs)+c.ssps()+len(c.Pods)+c.Bundles+c.Catalogs > 0 }

// Passed reports whether the verdict is good.
func (c Check) Passed() bool { return c.Verdict().Passes(c.AllowEmpty) }

// fails reports whether a finding is severe enough to fail the check.
func (c Check) fails(f finding.Finding) bool { return f.Severity.AtLeast(c.failOn()) }

func (c Check) failOn() finding.Severity { return cmp.Or(c.FailOn, finding.Error) }

// summary returns the number of findings: "1 error, 2 warnings, 0 infos".
func (c Check) summary() string {
	var parts []string
	for _, s := range []finding.Severity{finding.Error, finding.Warning, finding.Info} {
		n := c.count(s)
		part := fmt.Sprintf("%d %s", n, s)
		if n != 1 {
			part += "s"
		}
		parts = append(parts, part)
	}
	return strings.Join(parts, ", ")
}

// lastLine returns the last line: whether the check passed, the verdict, what was checked,
// and the summary.
func (c Check) lastLine() string {
	word := "passed"
	switch {
	case c.Passed():
	case c.Findings.Failed() || c.Verdict() == verdict.NothingChecked:
		word = "failed"
	default:
		word = fmt.Sprintf("failed (--fail-on %s)", c.failOn())
	}
	return fmt.Sprintf("%s: %s, %s, %s", word, c.Verdict(), c.subjects(), c.summary())
}

// notRendered explains the forecast of a CR that could not be rendered.
const notRendered = "Because of the errors, goldenarch renders nothing. This is the prediction for the CR as it is."

// asRendered explains the forecast of a CR that goldenarch renders on the way to the cluster.
const asRendered = "This is the prediction for the CR as goldenarch renders it."

// partlyRendered explains the forecast of a CR in which some templates have errors.
const partlyRendered = "Templates with an error have no prediction. The prediction for the others leaves them out."

// caption returns what a table shows; "" if it shows the CR as it is committed.
func (c Check) caption(one forecast.Prediction) string {
	rendered, as, needs := c.Rendered, c.As, c.NeedsRendering
	if cluster := c.Repository.cluster(one.Object.Cluster); cluster != nil {
		rendered, as, needs = cluster.Rendered, cluster.As, cluster.Verdict != verdict.RightAsCommitted
	}
	switch {
	case one.Partial != nil:
		return partlyRendered
	case !rendered && as == verdict.Rendered:
		return notRendered
	case as == verdict.Rendered && needs:
		return asRendered
	default:
		return ""
	}
}

// write writes the buffer to the output.
func write(w io.Writer, out *bytes.Buffer) error {
	if _, err := w.Write(out.Bytes()); err != nil {
		return fmt.Errorf("write the report: %w", err)
	}
	return nil
}

// where returns the object and the field of a finding.
func where(f finding.Finding) string {
	return sanitize.Line(strings.TrimSpace(f.Object.String() + " " + f.Field))
}

// objectIn returns the object and the field of a finding, with the clusters.
func objectIn(f finding.Finding) string {
	if f.Object.Cluster == "" {
		return where(f)
	}
	return strings.TrimSpace(where(f) + " in " + sanitize.Line(f.Object.Cluster))
}

// location returns "file:line", or the known part of it.
func location(f finding.Finding) string {
	file, line := place(f)
	if file == "" || line == 0 {
		return sanitize.Line(file)
	}
	return sanitize.Line(fmt.Sprintf("%s:%d", file, line))
}

// notAManifest matches the beginning of a message about a file that does not contain a
// manifest.
var notAManifest = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^([^:]+)(?::|: the document that begins at line )(\d+)\b`)
})

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
