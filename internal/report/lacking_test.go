package report

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/operators/forecast"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
)

// covered is a forecast of templates, each with the architectures that it imports
// for; a name with "!" is one that goldenarch disabled, with "-" one that a person
// disabled.
func covered(list ...string) forecast.Forecast {
	f := forecast.Forecast{MultiArchEnabled: true, WorkloadArchitectures: []string{"amd64", "arm64"}}
	for _, one := range list {
		name, architectures, _ := strings.Cut(one, ":")
		t := forecast.TemplateOutcome{Name: strings.Trim(name, "!-"), Outcome: forecast.Deployed}
		if strings.HasSuffix(name, "!") {
			t.Outcome, t.DisabledBecause = forecast.Disabled, hyperconverged.NoSupportedArchitecture
		} else if strings.HasSuffix(name, "-") {
			t.Outcome = forecast.Disabled
		}
		f.Templates = append(f.Templates, t)
		if architectures == "" {
			continue
		}
		for a := range strings.SplitSeq(architectures, ",") {
			outcome := forecast.Created
			if strings.HasSuffix(a, "?") {
				outcome = forecast.ImportFails
			}
			if a = strings.Trim(a, "?"); a == "any" {
				a = ""
			}
			f.Crons = append(f.Crons, forecast.CronOutcome{Template: t.Name, Architecture: arch.Arch(a), Outcome: outcome})
		}
	}
	return f
}

func TestLackingLine(t *testing.T) {
	t.Parallel()
	off := covered("a:amd64")
	off.MultiArchEnabled = false
	for _, tc := range []struct {
		reason string
		f      forecast.Forecast
		want   string
	}{
		{"all covered", covered("a:amd64,arm64", "b:arm64,amd64"), ""},
		{
			reason: "two of three",
			f:      covered("fedora:amd64,arm64", "windows:amd64", "zlinux!:"),
			want:   "2 of 3 templates lack arm64: windows, zlinux; 1 of 3 templates lacks amd64: zlinux",
		},
		{"the only one", covered("a:amd64"), "1 of 1 template lacks arm64: a"},
		{"one that a person disabled does not count", covered("a:amd64,arm64", "b-:amd64"), ""},
		{"an import that fails gives no image", covered("a:amd64,arm64?"), "1 of 1 template lacks arm64: a"},
		{"nobody knows for which one an import without an architecture is", covered("a:any", "b:amd64,arm64"), ""},
		{"with the gate off there is one import for any", off, ""},
	} {
		got := strings.Split(lackingLine(tc.f), "; ")
		want := strings.Split(tc.want, "; ")
		if len(got) != len(want) || !sameParts(got, want) {
			t.Errorf("%s: want %q, got %q", tc.reason, tc.want, got)
		}
	}
}

func sameParts(got, want []string) bool {
	all := "; " + strings.Join(got, "; ") + "; "
	for _, part := range want {
		if !strings.Contains(all, "; "+part+"; ") {
			return false
		}
	}
	return true
}

// TestLackingIsInEveryFormat: for eyes as a line, for programs as a field.
func TestLackingIsInEveryFormat(t *testing.T) {
	t.Parallel()
	c := Check{Rendered: true, Forecast: []forecast.Prediction{{Forecast: covered("fedora:amd64,arm64", "windows:amd64")}}}
	for format, want := range map[string]struct {
		write func(io.Writer, Check) error
		words string
	}{
		"text": {Text, "1 of 2 templates lacks arm64: windows\n"}, "markdown": {Markdown, "1 of 2 templates lacks arm64: windows\n"},
		"html": {HTML, "<p>1 of 2 templates lacks arm64: windows</p>"}, "json": {JSON, `"architecture": "arm64",
      "templates": [
        "windows"
      ],
      "of": 2`},
	} {
		var out bytes.Buffer
		if err := want.write(&out, c); err != nil || !strings.Contains(out.String(), want.words) {
			t.Errorf("%s: %v, want %q in\n%s", format, err, want.words, &out)
		}
	}
}

// TestHTMLFoldsNames: a line for each architecture; many names are folded.
func TestHTMLFoldsNames(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	many := strings.Fields("a b c d e f g h i j")
	writeHTMLLacking(&out, []lack{{architecture: "arm64", templates: []string{"<x>"}, of: 10}, {architecture: "s390x", templates: many, of: 10}})
	want := `<p>1 of 10 templates lacks arm64: &lt;x&gt;</p>
<details><summary>10 of 10 templates lack s390x</summary>
<p>a, b, c, d, e, f, g, h, i, j</p>
</details>
`
	if out.String() != want {
		t.Errorf("want %s, got %s", want, out.String())
	}
}
