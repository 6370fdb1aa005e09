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
)

// Check is what a check has found out.
type Check struct {
	// Findings are in the order in which they are to be reported.
	Findings finding.List
	// Forecast is what the operators will make of the CRs, as they are rendered.
	Forecast []forecast.Prediction
	// Rendered says that there was no error. Without, the forecast is that of the
	// CRs as they are.
	Rendered bool
	// CRs are those of the input.
	CRs []CR
	// Place is what a finding that names no file is shown at, where a format
	// cannot do without: what was checked.
	Place string
	// FailOn is the least severity that fails the check; "" is that of an error.
	FailOn finding.Severity
	// Version is goldenarch's own.
	Version string
}

// CR is a CR of the input.
type CR struct {
	Object finding.Object
	// TemplatesPath is the path of its list of templates, Templates their names.
	TemplatesPath string
	Templates     []string
	// Changes are the paths of the fields that are rendered otherwise.
	Changes []string
}

// page is where each id is explained.
const page = "https://github.com/goldenarch/goldenarch/blob/main/docs/findings.md"

// help returns where an id is explained.
func help(id finding.ID) string { return page + "#" + strings.ToLower(string(id)) }

// Passed reports whether no finding fails the check.
func (c Check) Passed() bool { return !slices.ContainsFunc(c.Findings, c.fails) }

// fails reports whether a finding is bad enough to fail the check.
func (c Check) fails(f finding.Finding) bool { return f.Severity.AtLeast(c.failOn()) }

func (c Check) failOn() finding.Severity { return cmp.Or(c.FailOn, finding.Error) }

// summary says how many findings there are: "1 error, 2 warnings, 0 infos".
func (c Check) summary() string {
	var parts []string
	for _, s := range []finding.Severity{finding.Error, finding.Warning, finding.Info} {
		n := c.Findings.Count(s)
		part := fmt.Sprintf("%d %s", n, s)
		if n != 1 {
			part += "s"
		}
		parts = append(parts, part)
	}
	return strings.Join(parts, ", ")
}

// verdict is the last word: how many CRs there are, and the summary.
func (c Check) verdict() string {
	what := fmt.Sprintf("%d HyperConverged CRs", len(c.CRs))
	if len(c.CRs) == 1 {
		what = "1 HyperConverged CR"
	}
	ssps := 0
	for _, one := range c.Forecast {
		if one.Object.Kind == forecast.KindSSP {
			ssps++
		}
	}
	if ssps == 1 {
		what += ", 1 SSP CR"
	} else if ssps > 1 {
		what += fmt.Sprintf(", %d SSP CRs", ssps)
	}
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

// hasOnlySimilarKind reports whether the input has no CR, only an object that is
// nearly one.
func (c Check) hasOnlySimilarKind() bool {
	return len(c.CRs) == 0 && slices.ContainsFunc(c.Findings, func(f finding.Finding) bool { return f.ID == finding.KindNear })
}

// notRendered goes with the forecast of a CR that could not be rendered.
const notRendered = "Because of the errors, goldenarch renders nothing. This is the prediction for the CR as it is."

// partlyRendered goes with the forecast of a CR in which some templates have errors.
const partlyRendered = "Templates with an error have no prediction. The prediction for the others leaves them out."

// caption says what a table shows; "" where that is the CR as it is rendered.
func (c Check) caption(one forecast.Prediction) string {
	switch {
	case one.Partial != nil:
		return partlyRendered
	case !c.Rendered:
		return notRendered
	default:
		return ""
	}
}

// write writes what was made.
func write(w io.Writer, out *bytes.Buffer) error {
	if _, err := w.Write(out.Bytes()); err != nil {
		return fmt.Errorf("write the report: %w", err)
	}
	return nil
}

// where says what a finding speaks of: the object and the field.
func where(f finding.Finding) string {
	return clean(strings.TrimSpace(f.Object.String() + " " + f.Field))
}

// location returns "file:line", as far as it is known.
func location(f finding.Finding) string {
	file, line := place(f)
	if file == "" || line == 0 {
		return clean(file)
	}
	return clean(fmt.Sprintf("%s:%d", file, line))
}

// notAManifest matches how a message begins that tells of a file which is no manifest.
var notAManifest = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^([^:]+)(?::|: the document that begins at line )(\d+)\b`)
})

// place returns the file and the line of a finding, "" and 0 if they are not
// known. Of a file that cannot be read, its message knows them.
func place(f finding.Finding) (string, int) {
	if f.Object.File == "" && f.ID == finding.Unreadable {
		if parts := notAManifest().FindStringSubmatch(f.Text); parts != nil {
			line, _ := strconv.Atoi(parts[2]) // digits; a line beyond all measure is the last one
			return parts[1], line
		}
	}
	return f.Object.File, f.Line
}
