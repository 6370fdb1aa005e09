package report

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"io"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/goldenarch/goldenarch/internal/engine/check"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/operators/admission"
	"github.com/goldenarch/goldenarch/internal/operators/expansion"
	"github.com/goldenarch/goldenarch/internal/operators/forecast"
)

const secret = "s3cret"

// nasty is a text that is something else in every format.
const nasty = "<b onclick=\"x\">&amp; ]]> | `a` [l](u) @user #1 a,b:c %0A\r\n::error::x\n\x1b[31m\x00\u2028 //u:" + secret + "@h?sig=" + secret

// cr is the CR that the tests speak of.
func cr() finding.Object {
	return finding.Object{APIVersion: "hco.kubevirt.io/v1beta1", Kind: "HyperConverged", Namespace: "n", Name: "kubevirt-hyperconverged", File: "a b/hco.yaml"}
}

// nastyCheck has a nasty text in every place that takes one from a manifest.
func nastyCheck() Check {
	at := cr()
	named := finding.Object{Kind: nasty, Name: nasty, Namespace: nasty, File: nasty}
	claim := nasty
	return Check{
		Summary: check.Summary{
			Findings: finding.List{
				{
					ID:       finding.ClaimNarrowed,
					Severity: finding.Error,
					Object:   at,
					Field:    "spec.list[0]",
					Line:     7,
					Text:     nasty,
					Do:       nasty,
					Current:  nasty,
					Proposed: []string{nasty},
				},
				{ID: finding.NoCR, Severity: finding.Warning, Object: named, Field: nasty, Line: 3, Text: nasty},
				{ID: finding.AlertFires, Severity: finding.Info, Text: nasty},
			},
			Forecast: []forecast.Prediction{{
				Object: at, Warnings: finding.List{{ID: finding.NoCR, Severity: finding.Warning, Text: nasty, Field: nasty}},
				Forecast: forecast.Forecast{
					WorkloadArchitectures: []string{nasty}, Error: nasty, SSPRandom: nasty, Caveats: []string{nasty},
					Templates:  []forecast.TemplateOutcome{{Name: nasty, Claim: &claim, Outcome: forecast.NotDeployed, Why: nasty, ManagedDataSource: nasty}},
					Crons:      []forecast.CronOutcome{{Name: nasty, Namespace: nasty, Template: nasty, Architecture: "amd64", Outcome: forecast.Refused, Why: nasty}},
					References: []forecast.Reference{{Name: nasty, Target: nasty, DefaultArchitecture: nasty, Why: nasty}},
					Alerts:     []forecast.Alert{{Name: nasty, Template: nasty, Why: nasty}},
					DataImportCrons: []expansion.Object{{"spec": map[string]any{
						"url": nasty, "http": map[string]any{"extraHeaders": []any{"Authorization: " + secret, secret}, "url": "https://e.example.com/]?token=" + secret},
					}}},
				},
				Admission: &admission.Result{Admission: admission.Admission{ValidatorWarnings: []string{nasty}}, Stored: json.RawMessage("{}")},
			}, {
				Object: named, Admission: &admission.Result{SchemaErrors: []string{nasty}, Admission: admission.Admission{Panic: nasty, ValidatorDenied: nasty}},
			}},
			CRs: []check.CR{{Object: at, TemplatesPath: "spec.list", Templates: []string{nasty}, Changes: []string{nasty}}},
		},
		Place:   nasty,
		Version: "v0",
	}
}

var formats = map[string]func(io.Writer, Check) error{
	"text": Text, "json": JSON, "markdown": Markdown, "html": HTML, "sarif": SARIF, "junit": JUnit, "github": GitHub,
}

func written(t *testing.T, format string, c Check) string {
	t.Helper()
	var out bytes.Buffer
	if err := formats[format](&out, c); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// TestNothingLeaksOrBreaksOut: no format shows a credential, lets a terminal be
// steered, or begins a line with a command that a manifest holds.
func TestNothingLeaksOrBreaksOut(t *testing.T) {
	t.Parallel()
	for format := range formats {
		got := written(t, format, nastyCheck())
		if !strings.Contains(got, "xxxxx") {
			t.Errorf("%s: nothing was hidden: this test proves nothing", format)
		}
		if strings.Contains(got, secret) {
			t.Errorf("%s shows a credential:\n%s", format, got)
		}
		if strings.ContainsAny(got, "\x1b\x00") {
			t.Errorf("%s has a control character:\n%q", format, got)
		}
		for line := range strings.Lines(got) {
			if strings.HasPrefix(line, "::") && !strings.HasPrefix(line, "::error file=") && !strings.HasPrefix(line, "::warning file=") &&
				!strings.HasPrefix(line, "::notice title=") {
				t.Errorf("%s: a line is a command of its own: %s", format, line)
			}
		}
	}
	for _, list := range []func(io.Writer, []forecast.Prediction) error{
		func(w io.Writer, all []forecast.Prediction) error { return ForecastText(w, all, 0) }, ForecastJSON, ForecastYAML,
	} {
		var out bytes.Buffer
		if err := list(&out, nastyCheck().Forecast); err != nil || out.Len() == 0 || strings.Contains(out.String(), secret) {
			t.Errorf("a forecast shows a credential (%v):\n%s", err, out.String())
		}
	}
}

// TestGitHub is the escaping of workflow commands.
func TestGitHub(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		reason  string
		finding finding.Finding
		want    string
	}{
		{
			reason:  "file and line",
			finding: finding.Finding{ID: finding.NoCR, Severity: finding.Error, Object: finding.Object{Kind: "K", File: "a.yaml"}, Line: 3, Text: "x"},
			want:    "::error file=a.yaml,line=3,title=GA003 there is no HyperConverged CR::K: x",
		},
		{
			reason:  "no line",
			finding: finding.Finding{ID: finding.NoCR, Severity: finding.Warning, Object: finding.Object{File: "a.yaml"}, Text: "x"},
			want:    "::warning file=a.yaml,title=GA003 there is no HyperConverged CR::x",
		},
		{"no file", finding.Finding{ID: finding.NoCR, Severity: finding.Info, Line: 3, Text: "x"}, "::notice title=GA003 there is no HyperConverged CR::x"},
		{
			reason:  "a property ends at a comma",
			finding: finding.Finding{ID: finding.NoCR, Severity: finding.Info, Object: finding.Object{File: "a,b:c%.yaml"}, Text: "x"},
			want:    "::notice file=a%2Cb%3Ac%25.yaml,title=GA003 there is no HyperConverged CR::x",
		},
		{
			reason:  "a message ends with the line",
			finding: finding.Finding{ID: finding.NoCR, Severity: finding.Info, Text: "100%\r\n::set-env::x, y: z"},
			want:    "::notice title=GA003 there is no HyperConverged CR::100%25 ::set-env::x, y: z",
		},
		{
			reason:  "a file that cannot be read",
			finding: finding.Finding{ID: finding.Unreadable, Severity: finding.Error, Text: "d/a.yaml:12: it is no object"},
			want:    "::error file=d/a.yaml,line=12,title=GA001 the input cannot be read::d/a.yaml:12: it is no object",
		},
		{
			reason:  "nor one of its documents",
			finding: finding.Finding{ID: finding.Unreadable, Severity: finding.Error, Text: "d/a.yaml: the document that begins at line 12 is not YAML: x"},
			want:    "::error file=d/a.yaml,line=12,title=GA001 the input cannot be read::d/a.yaml: the document that begins at line 12 is not YAML: x",
		},
	} {
		_, got, _ := strings.Cut(written(t, "github", Check{Summary: check.Summary{Findings: finding.List{tc.finding}}}), "\n") // the sentence comes first
		got, verdict, _ := strings.Cut(got, "\n")
		if got != tc.want {
			t.Errorf("%s:\nwant %s\ngot  %s", tc.reason, tc.want, got)
		}
		if strings.HasPrefix(verdict, "::") {
			t.Errorf("%s: the verdict is a command: %s", tc.reason, verdict)
		}
	}
}

// TestSARIF: each result has its rule and its level. [TestSARIFFitsItsSchema] has the form.
func TestSARIF(t *testing.T) {
	t.Parallel()
	c := nastyCheck()
	var log sarifLog
	if err := json.Unmarshal([]byte(written(t, "sarif", c)), &log); err != nil {
		t.Fatal(err)
	}
	run := log.Runs[0]
	if len(log.Runs) != 1 || len(run.Results) != len(c.Findings) {
		t.Errorf("%d runs with %d results", len(log.Runs), len(run.Results))
	}
	for i, result := range run.Results {
		level := map[finding.Severity]string{finding.Error: "error", finding.Warning: "warning", finding.Info: "note"}[c.Findings[i].Severity]
		rule := run.Tool.Driver.Rules[result.RuleIndex]
		if rule.ID != result.RuleID || rule.HelpURI != help(c.Findings[i].ID) || result.Level != level || result.Message.Text == "" {
			t.Errorf("result %d: %v of rule %v", i, result, rule)
		}
	}
	for path, want := range map[string]string{
		"a b/ü.yaml":  "a%20b/%C3%BC.yaml",
		"a:b/c.yaml":  "./a:b/c.yaml",
		"/abs/x.yaml": "file:///abs/x.yaml",
		"c#1?.yaml":   "c%231%3F.yaml",
	} {
		if got := uri(path); got != want {
			t.Errorf("%q as a URI: want %q, got %q", path, want, got)
		}
	}
}

// TestJUnit is read back: a case for the input, for the CR, and for each template,
// and a failure for each case with an error.
func TestJUnit(t *testing.T) {
	t.Parallel()
	var doc struct {
		Tests    int `xml:"tests,attr"`
		Failures int `xml:"failures,attr"`
		Suites   []struct {
			Name     string `xml:"name,attr"`
			Failures int    `xml:"failures,attr"`
			Cases    []struct {
				Name    string `xml:"name,attr"`
				Failure *struct {
					Text string `xml:",chardata"`
				} `xml:"failure"`
				Output string `xml:"system-out"`
			} `xml:"testcase"`
		} `xml:"testsuite"`
	}
	if err := xml.Unmarshal([]byte(written(t, "junit", nastyCheck())), &doc); err != nil {
		t.Fatal(err)
	}
	var shape []string
	for _, s := range doc.Suites {
		for _, c := range s.Cases {
			row := s.Name + ": " + strings.SplitN(c.Name, " <", 2)[0]
			if c.Failure != nil {
				row += " failed"
				if !strings.Contains(c.Failure.Text, "]]>") || !strings.HasPrefix(c.Failure.Text, "error GA104 ") {
					t.Errorf("the text of the failure: %q", c.Failure.Text)
				}
			}
			shape = append(shape, row)
		}
	}
	want := []string{
		"input: configuration and input", "HyperConverged/n/kubevirt-hyperconverged: the CR",
		"HyperConverged/n/kubevirt-hyperconverged: template failed",
	}
	if diff := cmp.Diff(want, shape); diff != "" || doc.Tests != len(want) || doc.Failures != 1 {
		t.Errorf("%d tests, %d failures (-want +got):\n%s", doc.Tests, doc.Failures, diff)
	}
	if out := doc.Suites[0].Cases[0].Output; strings.Count(out, "\n") != 1 {
		t.Errorf("what is about no CR is told of the input, a line each: %q", out)
	}
}

// TestHTMLStyle: each table scrolls by itself where the page is narrow, and each colour follows the light and the dark mode.
func TestHTMLStyle(t *testing.T) {
	t.Parallel()
	page := written(t, "html", nastyCheck())
	_, style, _ := strings.Cut(page, "<style>")
	style, body, _ := strings.Cut(style, "</style>")
	if tables, scrolled := strings.Count(body, "<table"), strings.Count(body, "<div class=\"table\" tabindex=\"0\">\n<table"); tables == 0 || tables != scrolled {
		t.Errorf("%d of %d tables scroll", scrolled, tables)
	}
	light, dark, ok := strings.Cut(style, "@media screen and (prefers-color-scheme: dark)")
	if !ok || !strings.Contains(light, "color-scheme: light dark") {
		t.Fatal("there is no dark mode")
	}
	dark, rules, _ := strings.Cut(dark, "\n}\n")
	names := regexp.MustCompile(`--[a-z]+:`).FindAllString(light, -1)
	for _, name := range names {
		if !strings.Contains(dark, name) {
			t.Errorf("%s is the same in the dark", name)
		}
	}
	if len(names) < 8 || regexp.MustCompile(`#[0-9a-f]{3}`).MatchString(rules) {
		t.Errorf("a colour is not one of the %d that have two modes: %s", len(names), rules)
	}
}

// TestHTML: of what stands in a manifest nothing becomes an element, and the page
// needs nothing else.
func TestHTML(t *testing.T) {
	t.Parallel()
	got := written(t, "html", nastyCheck())
	decoder := xml.NewDecoder(strings.NewReader(strings.SplitN(got, "<body>", 2)[1]))
	decoder.Strict, decoder.AutoClose, decoder.Entity = false, xml.HTMLAutoClose, xml.HTMLEntity
	known := " header main section footer h1 h2 h3 p div table thead tbody tr th td a ul li details summary article span b pre code" +
		" form label input select option output script "
	elements := 0
	for {
		token, err := decoder.Token()
		if token == nil || err != nil {
			break
		}
		start, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		elements++
		if !strings.Contains(known, " "+start.Name.Local+" ") {
			t.Errorf("an element <%s> came out of a manifest", start.Name.Local)
		}
		for _, attr := range start.Attr {
			foreign := attr.Name.Local == "href" && !strings.HasPrefix(attr.Value, page+"#ga") && !strings.HasPrefix(attr.Value, "#GA")
			if strings.HasPrefix(attr.Name.Local, "on") || foreign {
				t.Errorf("<%s %s=%q>", start.Name.Local, attr.Name.Local, attr.Value)
			}
		}
	}
	if elements < 20 {
		t.Errorf("%d elements: this test proves nothing", elements)
	}
	for _, foreign := range []string{"<link", "<img", "src=", "@import", "url("} {
		if strings.Contains(got, foreign) {
			t.Errorf("the page has %q", foreign)
		}
	}
}

// TestMarkdown is the escaping of what is special to Markdown on GitHub.
func TestMarkdown(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"a|b":                    `a\|b`,
		"<img src=x>":            "&lt;img src=x&gt;",
		"&lt;":                   "&amp;lt;",
		"`a` *b* _c_ ~d~":        "\\`a\\` \\*b\\* \\_c\\_ \\~d\\~",
		"[a](b) ![c](d)":         `\[a\](b) \!\[c\](d)`,
		"@user (@team) fixes #1": "@&#8203;user (@&#8203;team) fixes #&#8203;1",
		"quay.io/a@sha256:1":     "quay.io/a@sha256:1",
		"https://x www.y":        "https&#8203;://x www&#8203;.y",
		"two\nlines":             "two lines",
		`\`:                      `\\`,
	} {
		if got := markdown(in); got != want {
			t.Errorf("%q: want %q, got %q", in, want, got)
		}
	}
	for line := range strings.Lines(written(t, "markdown", nastyCheck())) {
		if strings.HasPrefix(line, "| ") && strings.HasSuffix(line, "|\n") && strings.Contains(line, "GA104") {
			if cells := strings.Count(strings.ReplaceAll(line, `\|`, ""), "|"); cells != 5 {
				t.Errorf("%d bars in a row of four cells: %s", cells, line)
			}
		}
	}
}

// TestRedactJSON: strings change, nothing else does.
func TestRedactJSON(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		`{"a": "docker://u:p@h/x", "b":[1, null]}`:                               `{"a": "docker://xxxxx@h/x", "b":[1, null]}`,
		`{"a":"quote \" //u:p@h <&>"}`:                                           `{"a":"quote \" //xxxxx@h <&>"}`,
		`{"a":"\u003cb\u003e"}`:                                                  `{"a":"\u003cb\u003e"}`,
		`{"extraHeaders":["X: a]b","c"],"d":"e"}`:                                `{"extraHeaders":["X: xxxxx","xxxxx"],"d":"e"}`,
		`{"extraHeaders" : null,"d":["e"]}`:                                      `{"extraHeaders" : null,"d":["e"]}`,
		`["extraHeaders","x: y"]`:                                                `["extraHeaders","x: y"]`,
		`"quay.io/a/b@sha256:` + strings.Repeat("a", 64) + `"`:                   `"quay.io/a/b@sha256:` + strings.Repeat("a", 64) + `"`,
		`{"http":{"extraHeaders":[],"url":"https://h/?password=p&x=1"},"z":"y"}`: `{"http":{"extraHeaders":[],"url":"https://h/?password=xxxxx&x=1"},"z":"y"}`,
		``: ``,
	} {
		if got := string(redactJSON([]byte(in))); got != want {
			t.Errorf("%s\nwant %s\ngot  %s", in, want, got)
		}
	}
}

// TestVerdict counts.
func TestVerdict(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		check Check
		want  string
	}{
		{Check{}, "failed: NothingChecked, 0 HyperConverged CRs, 0 errors, 0 warnings, 0 infos"},
		{Check{AllowEmpty: true}, "passed: NothingChecked, 0 HyperConverged CRs, 0 errors, 0 warnings, 0 infos"},
		{
			Check{Summary: check.Summary{CRs: make([]check.CR, 1), Findings: finding.List{{ID: finding.Undecodable, Severity: finding.Error}}}, AllowEmpty: true},
			"failed: NotRight, 1 HyperConverged CR, 1 error, 0 warnings, 0 infos",
		},
		{
			Check{Summary: check.Summary{CRs: make([]check.CR, 1), Findings: finding.List{{ID: finding.ClaimWrong, Severity: finding.Warning}}}, FailOn: finding.Warning},
			"failed (--fail-on warning): NotRight, 1 HyperConverged CR, 0 errors, 1 warning, 0 infos",
		},
		{Check{Summary: check.Summary{CRs: make([]check.CR, 1), NeedsRendering: true}}, "passed: RightOnceRendered, 1 HyperConverged CR, 0 errors, 0 warnings, 0 infos"},
		{nastyCheck(), "failed: NotRight, 1 HyperConverged CR, 1 error, 1 warning, 1 info"},
		{Check{Summary: check.Summary{Pods: make([]finding.Object, 2)}}, "passed: RightAsCommitted, 2 objects with pods, 0 errors, 0 warnings, 0 infos"},
		{Check{Summary: check.Summary{Pods: make([]finding.Object, 1)}, Bundles: 1}, "passed: RightAsCommitted, 1 operator bundle, 1 object with pods, 0 errors, 0 warnings, 0 infos"},
		{
			Check{Summary: check.Summary{CRs: make([]check.CR, 1), Pods: make([]finding.Object, 1)}},
			"passed: RightAsCommitted, 1 HyperConverged CR, 1 object with pods, 0 errors, 0 warnings, 0 infos",
		},
		{Check{Bundles: 2}, "passed: RightAsCommitted, 2 operator bundles, 0 errors, 0 warnings, 0 infos"},
	} {
		if got := tc.check.lastLine(); got != tc.want {
			t.Errorf("want %q, got %q", tc.want, got)
		}
	}
}
