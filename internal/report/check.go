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
)

// Check has the result of a check.
type Check struct {
	// Findings are in the order of the report.
	Findings finding.List
	// Forecast has the predictions for the CRs, as they are rendered.
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
	// Place is the location of a finding without a file, in a format that requires a
	// location: the input of the check.
	Place string
	// FailOn is the lowest severity that fails the check; "" is the same as error.
	FailOn finding.Severity
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

// Passed reports whether no finding fails the check.
func (c Check) Passed() bool { return !slices.ContainsFunc(c.Findings, c.fails) }

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

// verdict returns the last line: the input of the check, and the summary.
func (c Check) verdict() string {
	what := c.subjects()
	word := "passed"
	switch {
	case c.Passed() && c.hasOnlySimilarKind():
		word, what = "passed, but there was nothing to check", "no HyperConverged CR, only an object that looks like one"
	case c.Passed():
	case c.Findings.Failed():
		word = "failed"
	default:
		word = fmt.Sprintf("failed (--fail-on %s)", c.failOn())
	}
	return fmt.Sprintf("%s: %s, %s", word, what, c.summary())
}

// hasOnlySimilarKind reports whether the input has no CR, only an object with a similar
// kind.
func (c Check) hasOnlySimilarKind() bool {
	return len(c.CRs) == 0 && slices.ContainsFunc(c.Findings, func(f finding.Finding) bool { return f.ID == finding.KindNear })
}

// notRendered explains the forecast of a CR that could not be rendered.
const notRendered = "Because of the errors, goldenarch renders nothing. This is the prediction for the CR as it is."

// partlyRendered explains the forecast of a CR in which some templates have errors.
const partlyRendered = "Templates with an error have no prediction. The prediction for the others leaves them out."

// caption returns what a table shows; "" if it shows the CR as it is rendered.
func (c Check) caption(one forecast.Prediction) string {
	switch {
	case one.Partial != nil:
		return partlyRendered
	case !c.Rendered && !c.Repository.renders(one.Object.Cluster):
		return notRendered
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
