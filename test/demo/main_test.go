package main

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// TestDemo keeps the demo right: what it claims to show is what comes out.
func TestDemo(t *testing.T) {
	t.Parallel()
	host, stop, err := startRegistry()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(stop)
	locked, err := lockFor(t.Context(), host)
	if err != nil {
		t.Fatal(err)
	}
	stop() // from here on there is no registry
	after, findings, err := render(t.Context(), []byte(locked))
	if err != nil {
		t.Fatalf("%v:\n%s", err, findings)
	}
	for _, want := range []string{
		"enableMultiArchBootImageImport: true",
		`ssp.kubevirt.io/dict.architectures: "amd64,arm64" # no blanks`,
		"ssp.kubevirt.io/dict.architectures: amd64 # the image: amd64",
		"goldenarch.dev/disabled-because: no-supported-architecture",
		"name: zlinux # left over from the mainframe",
	} {
		if !strings.Contains(after, want) {
			t.Errorf("the rendered CR lacks %q:\n%s", want, after)
		}
	}
	for _, want := range []string{"GA101", "GA104", "GA107"} {
		if !strings.Contains(findings, want) {
			t.Errorf("the findings lack %s:\n%s", want, findings)
		}
	}
	for _, scolds := range []string{"error GA114", "warning GA107"} {
		if strings.Contains(findings, scolds) {
			t.Errorf("%s is about the configuration of the demo itself:\n%s", scolds, findings)
		}
	}
}

// TestDemoFits: what the demo prints fits a terminal of 80 columns.
func TestDemoFits(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	if err := run(t.Context(), &out); err != nil {
		t.Fatal(err)
	}
	for line := range strings.SplitSeq(out.String(), "\n") {
		if n := utf8.RuneCountInString(line); n > columns {
			t.Errorf("%d columns: %s", n, line)
		}
	}
}
