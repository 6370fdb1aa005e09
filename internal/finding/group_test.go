package finding_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/goldenarch/goldenarch/internal/finding"
)

// TestEqualFindingsShareALine: what is the same is said once, with its number, and nothing
// that differs is lost but in a list that says how much more there is.
func TestEqualFindingsShareALine(t *testing.T) {
	t.Parallel()
	in := func(file, template, text string) finding.Finding {
		return finding.Finding{
			ID: finding.Templated, Severity: finding.Warning, Object: finding.Object{File: file}, Template: template, Text: text, Do: "mend it",
		}
	}
	pod := func(name, field string) finding.Finding {
		return finding.Finding{ID: finding.NoPods, Severity: finding.Info, Object: finding.Object{Kind: "Pod", Name: name}, Field: field, Text: "it is wrong"}
	}
	for _, tc := range []struct {
		reason string
		list   finding.List
		want   string
	}{
		{"one", finding.List{in("a", "", "x")}, "warning GA002 (a): x. Mend it\n"},
		{
			"two files",
			finding.List{in("a", "", "x"), in("b", "", "y"), in("c", "", "x")},
			"warning GA002 2 times (a, c): x. Mend it\nwarning GA002 (b): y. Mend it\n",
		},
		{
			"many files",
			finding.List{in("a", "", "x"), in("b", "", "x"), in("c", "", "x"), in("d", "", "x"), in("e", "", "x")},
			"warning GA002 5 times (a, b, c and 2 more): x. Mend it\n",
		},
		{
			"templates that the text does not name",
			finding.List{in("a", "one", "x"), in("a", "two", "x")},
			"warning GA002 2 times (a): templates \"one\", \"two\": x. Mend it\n",
		},
		{
			"templates that the text names",
			finding.List{in("a", "one", `template "one" is odd`), in("a", "two", `template "two" is odd`)},
			"warning GA002 (a): template \"one\" is odd. Mend it\nwarning GA002 (a): template \"two\" is odd. Mend it\n",
		},
		{"objects", finding.List{pod("a", "spec"), pod("b", "spec")}, "info " + string(finding.NoPods) + " 2 times Pod/a, Pod/b spec: it is wrong\n"},
		{"fields that differ", finding.List{pod("a", "spec"), pod("a", "")}, "info " + string(finding.NoPods) + " 2 times Pod/a: it is wrong\n"},
	} {
		if diff := cmp.Diff(tc.want, tc.list.String()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
		}
	}
}

// TestGroupOfCommands: findings that differ in their command alone are one, with all commands, and with what changes where that
// is the same.
func TestGroupOfCommands(t *testing.T) {
	t.Parallel()
	of := func(command string, changes ...finding.Change) finding.Finding {
		return finding.Finding{
			ID: finding.GateAlert, Severity: finding.Error, Text: "the gate is off", Do: "run " + command + ", and commit what it writes", Run: command, Changes: changes,
		}
	}
	gate := finding.Change{Path: "spec.gate", After: "true"}
	groups := finding.List{of("goldenarch fix a", gate), of("goldenarch fix b", gate)}.Grouped()
	if len(groups) != 1 {
		t.Fatalf("want one group, got %d", len(groups))
	}
	g := groups[0]
	if got, want := strings.Join(g.Commands(), "; "), "goldenarch fix a; goldenarch fix b"; got != want {
		t.Errorf("want %q, got %q", want, got)
	}
	if got, want := g.Advised(), "Run these commands, and commit what it writes"; got != want {
		t.Errorf("want %q, got %q", want, got)
	}
	want := "error GA430 2 times: the gate is off. Run goldenarch fix a, goldenarch fix b, and commit what it writes"
	if got := g.String(); got != want {
		t.Errorf("want %q, got %q", want, got)
	}
	if len(g.Changes()) != 1 {
		t.Errorf("want what changes, got %v", g.Changes())
	}
	if others := (finding.List{of("a", gate), of("b")}).Grouped()[0]; others.Changes() != nil {
		t.Errorf("what changes is not the same: %v", others.Changes())
	}
}
