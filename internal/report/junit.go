package report

import (
	"encoding/xml"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/goldenarch/goldenarch/internal/console"
	"github.com/goldenarch/goldenarch/internal/engine/check"
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

// JUnit writes a check as JUnit's XML. A finding that fails the check is a failure; all other information is in the case's output.
func JUnit(w io.Writer, c Check) error {
	doc := junitSuites{Name: "goldenarch check"}
	for _, s := range c.junitSuites() {
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

// junitSuites returns a suite for the input and one for each CR, with a test case for the CR and one for each template. Other suites
// have a test case for each object with pods, and for each machine.
func (c Check) junitSuites() []junitSuite {
	about := map[finding.Object]finding.List{} // what is about the objects that have a case
	var crs []junitSuite
	pods, machines := junitSuite{Name: "pods"}, junitSuite{Name: "machines"}
	for _, f := range c.Findings {
		about[f.Object] = append(about[f.Object], f)
	}
	done := map[finding.Object]bool{}
	for _, cr := range c.CRs {
		crs = append(crs, c.suite(cr, about[cr.Object]))
		done[cr.Object] = true
	}
	for _, at := range c.Pods {
		pods.Cases = append(pods.Cases, c.newCase(pods.Name, at.String(), at.File, nil, about[at]))
		done[at] = true
	}
	known := map[finding.Object]bool{}
	for i, line := range c.machineLines() {
		r := c.Machines[i]
		_, line, _ = strings.Cut(line, ": ")
		found := about[r.Object]
		if known[r.Object] { // machines of one template: the first has what is about the object
			found = r.Findings
		}
		machines.Cases = append(machines.Cases, c.newCase(machines.Name, fullName(r), r.Object.File, []string{line}, found))
		known[r.Object], done[r.Object] = true, true
	}
	others := slices.DeleteFunc(slices.Clone(c.Findings), func(f finding.Finding) bool { return done[f.Object] })
	verdicts := &junitProperties{[]junitProperty{{"verdict", string(c.Verdict())}}}
	input := junitSuite{Name: "input", Properties: verdicts, Cases: []junitCase{c.newCase("input", "configuration and input", "", nil, others)}}
	if c.Repository != nil {
		for _, one := range c.Repository.Clusters {
			verdicts.List = append(verdicts.List, junitProperty{console.SafeLine("verdict of " + one.Name), string(one.Verdict)})
		}
	}
	all := slices.Concat([]junitSuite{input}, crs, []junitSuite{pods, machines})
	return slices.DeleteFunc(all, func(s junitSuite) bool { return len(s.Cases) == 0 })
}

// suite reports on a CR, its templates, and the templates of HCO's table.
func (c Check) suite(cr check.CR, found finding.List) junitSuite {
	parts := slices.DeleteFunc([]string{cr.Object.Kind, cr.Object.Namespace, cr.Object.Name}, func(s string) bool { return s == "" })
	out := junitSuite{Name: console.SafeLine(strings.Join(parts, "/"))}
	add := func(template string, lines []string, found finding.List) {
		out.Cases = append(out.Cases, c.newCase(out.Name, "template "+template, cr.Object.File, lines, found))
	}
	var names []string
	outcomeOf := map[string][]string{}
	if i := slices.IndexFunc(c.Forecast, func(one forecast.Prediction) bool { return one.Object == cr.Object }); i >= 0 {
		if shown := c.Forecast[i].Shown(); shown != nil {
			g := outcomes(*shown)
			for k, t := range shown.Templates {
				names, outcomeOf[t.Name] = append(names, t.Name), append(outcomeOf[t.Name], g.line(g.rows[k]))
			}
		}
	}
	for i, template := range cr.Templates {
		path := fieldpath.Element(cr.TemplatesPath, i)
		var own, others finding.List
		for _, f := range found {
			if fieldpath.IsAt(f.Field, path) {
				own = append(own, f)
			} else {
				others = append(others, f)
			}
		}
		add(template, outcomeOf[template], own)
		delete(outcomeOf, template)
		found = others
	}
	for _, name := range names {
		if lines, ok := outcomeOf[name]; ok {
			add(name, lines, nil)
		}
	}
	out.Cases = slices.Insert(out.Cases, 0, c.newCase(out.Name, "the CR", cr.Object.File, nil, found))
	return out
}

func (c Check) newCase(class, name, file string, lines []string, found finding.List) junitCase {
	out := junitCase{Class: class, Name: console.SafeLine(name), File: console.SafeLine(file)}
	var failures []string
	for _, f := range found {
		if !c.fails(f) {
			lines = append(lines, console.SafeLine(f.String()))
			continue
		}
		failures = append(failures, console.SafeLine(f.String()))
		if out.Failure == nil {
			out.Failure = &junitFailure{Message: console.SafeLine(f.Message()), Type: string(f.ID)}
		}
	}
	if out.Failure != nil {
		out.Failure.Text = strings.Join(failures, "\n")
	}
	if len(lines) > 0 {
		out.Output = &junitText{strings.Join(lines, "\n")}
	}
	return out
}
