package report

import (
	"encoding/xml"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/goldenarch/goldenarch/internal/console"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/operators/forecast"
	"github.com/goldenarch/goldenarch/internal/yaml/fieldpath"
)

// The part of JUnit's XML that its readers have in common (Jenkins, GitLab, GitHub
// actions).
type junitSuites struct {
	XMLName  xml.Name     `xml:"testsuites"`
	Name     string       `xml:"name,attr"`
	Tests    int          `xml:"tests,attr"`
	Failures int          `xml:"failures,attr"`
	Suites   []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name     string `xml:"name,attr"`
	Tests    int    `xml:"tests,attr"`
	Failures int    `xml:"failures,attr"`
	Errors   int    `xml:"errors,attr"`
	Skipped  int    `xml:"skipped,attr"`
	// Properties are nil for a suite without any.
	Properties *junitProperties `xml:"properties"`
	Cases      []junitCase      `xml:"testcase"`
}

type junitProperties struct {
	List []junitProperty `xml:"property"`
}

type junitProperty struct {
	Name  string `xml:"name,attr"`
	Value string `xml:"value,attr"`
}

type junitCase struct {
	Class   string        `xml:"classname,attr"`
	Name    string        `xml:"name,attr"`
	File    string        `xml:"file,attr,omitempty"`
	Failure *junitFailure `xml:"failure,omitempty"`
	Output  *junitText    `xml:"system-out,omitempty"`
}

// junitText is text that people read line by line, unchanged.
type junitText struct {
	Text string `xml:",cdata"`
}

type junitFailure struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr"`
	Text    string `xml:",cdata"`
}

// JUnit writes a check as JUnit's XML: a suite for the input and one for each CR, with
// a test case for the CR and one for each template. Another suite has a test case for each
// object with pods. A finding that fails the check is a failure; all other information is
// in the case's output.
func JUnit(w io.Writer, c Check) error {
	doc := junitSuites{Name: "goldenarch check"}
	suites := []junitSuite{{Name: "input", Properties: c.verdicts(), Cases: []junitCase{c.inputCase()}}}
	for _, cr := range c.CRs {
		suites = append(suites, c.suite(cr))
	}
	if len(c.Pods) > 0 {
		suites = append(suites, c.podSuite())
	}
	if len(c.Machines) > 0 {
		suites = append(suites, c.machineSuite())
	}
	for _, s := range suites {
		s.Tests = len(s.Cases)
		for _, one := range s.Cases {
			if one.Failure != nil {
				s.Failures++
			}
		}
		doc.Tests, doc.Failures = doc.Tests+s.Tests, doc.Failures+s.Failures
		doc.Suites = append(doc.Suites, s)
	}
	text, err := xml.MarshalIndent(doc, "", "  ")
	if err != nil {
		return fmt.Errorf("encode the suites: %w", err)
	}
	return write(w, "report", slices.Concat([]byte(xml.Header), text, []byte("\n")))
}

// verdicts are the verdict of the run, and those of the clusters of a repository.
func (c Check) verdicts() *junitProperties {
	out := &junitProperties{List: []junitProperty{{"verdict", string(c.Verdict())}}}
	if c.Repository != nil {
		for _, one := range c.Repository.Clusters {
			out.List = append(out.List, junitProperty{console.SafeLine("verdict of " + one.Name), string(one.Verdict)})
		}
	}
	return out
}

// inputCase reports what is not about a CR.
func (c Check) inputCase() junitCase {
	return c.newCase("input", "configuration and input", "", nil, filtered(c.Findings, func(f finding.Finding) bool {
		return !c.isOfMachine(f) && !slices.Contains(c.Pods, f.Object) && !slices.ContainsFunc(c.CRs, func(cr CR) bool { return cr.Object == f.Object })
	}))
}

// podSuite reports the objects with pods.
func (c Check) podSuite() junitSuite {
	const name = "pods"
	out := junitSuite{Name: name}
	for _, at := range c.Pods {
		own := filtered(c.Findings, func(f finding.Finding) bool { return f.Object == at })
		out.Cases = append(out.Cases, c.newCase(name, at.String(), at.File, nil, own))
	}
	return out
}

// suite reports on a CR, its templates, and the templates of HCO's table.
func (c Check) suite(cr CR) junitSuite {
	parts := slices.DeleteFunc([]string{cr.Object.Kind, cr.Object.Namespace, cr.Object.Name}, func(s string) bool { return s == "" })
	name := console.SafeLine(strings.Join(parts, "/"))
	own := filtered(c.Findings, func(f finding.Finding) bool { return f.Object == cr.Object })
	outcomes := c.outcomes(cr)
	var cases []junitCase
	for i, template := range cr.Templates {
		path := fieldpath.Element(cr.TemplatesPath, i)
		about := func(f finding.Finding) bool { return fieldpath.IsAt(f.Field, path) }
		cases = append(cases, c.newCase(name, "template "+template, cr.Object.File, outcomes[template], filtered(own, about)))
		own = filtered(own, func(f finding.Finding) bool { return !about(f) })
		delete(outcomes, template)
	}
	if one := c.forecastOf(cr); one != nil {
		for _, t := range one.Templates {
			if lines, ok := outcomes[t.Name]; ok {
				cases = append(cases, c.newCase(name, "template "+t.Name, cr.Object.File, lines, nil))
			}
		}
	}
	whole := c.newCase(name, "the CR", cr.Object.File, nil, own)
	return junitSuite{Name: name, Cases: append([]junitCase{whole}, cases...)}
}

// outcomes returns the outcome of each template, by name.
func (c Check) outcomes(cr CR) map[string][]string {
	out := map[string][]string{}
	one := c.forecastOf(cr)
	if one == nil {
		return out
	}
	g := outcomes(*one)
	for i, t := range one.Templates {
		out[t.Name] = append(out[t.Name], g.line(i))
	}
	return out
}

func (c Check) forecastOf(cr CR) *forecast.Forecast {
	for _, one := range c.Forecast {
		if one.Object == cr.Object {
			return one.Shown()
		}
	}
	return nil
}

func (c Check) newCase(class, name, file string, lines []string, found finding.List) junitCase {
	out := junitCase{Class: class, Name: console.SafeLine(name), File: console.SafeLine(file)}
	var failures []string
	for _, f := range found {
		if c.fails(f) {
			failures = append(failures, console.SafeLine(f.String()))
			if out.Failure == nil {
				out.Failure = &junitFailure{Message: console.SafeLine(f.Message()), Type: string(f.ID)}
			}
			continue
		}
		lines = append(lines, console.SafeLine(f.String()))
	}
	if out.Failure != nil {
		out.Failure.Text = strings.Join(failures, "\n")
	}
	if len(lines) > 0 {
		out.Output = &junitText{strings.Join(lines, "\n")}
	}
	return out
}

func filtered(list finding.List, keep func(finding.Finding) bool) finding.List {
	return slices.DeleteFunc(slices.Clone(list), func(f finding.Finding) bool { return !keep(f) })
}
