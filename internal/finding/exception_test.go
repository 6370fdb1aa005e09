package finding

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/goldenarch/goldenarch/test/filetest"
)

var update = flag.Bool("update", false, "write the table of docs/configuration.md")

// TestEachIDHasAClass: who adds a finding decides whether an exception may lower it. What the
// page says about severities agrees with that, and the configuration's page has the classes.
func TestEachIDHasAClass(t *testing.T) {
	t.Parallel()
	findings, err := os.ReadFile("../../docs/findings.md")
	if err != nil {
		t.Fatal(err)
	}
	by := map[class][]string{}
	for _, id := range IDs() {
		class := ID(id).lowering()
		by[class] = append(by[class], id)
		_, entry, _ := strings.Cut(string(findings), "\n### "+id+"\n\n")
		head, _, _ := strings.Cut(entry, "\n")
		_, severities, _ := strings.Cut(head, "** (")
		if isError := strings.Contains(severities, "error") || strings.Contains(severities, "as GA201"); isError && class == advisory {
			t.Errorf("%s is advisory, and docs/findings.md says %q", id, head)
		}
	}
	table := "| findings | what an exception may do |\n|---|---|\n"
	for _, one := range []struct {
		class class
		text  string
	}{{never, "lower nothing"}, {errorStays, "lower warnings and infos; an error stays"}, {lowerable, "lower everything, errors too"}} {
		table += fmt.Sprintf("| %s | %s |\n", strings.Join(by[one.class], " "), one.text)
		delete(by, one.class)
	}
	delete(by, advisory)
	filetest.Part(t, "../../docs/configuration.md", "exceptions", table, *update)
	if len(by) > 0 {
		t.Errorf("ids without a class: %v", by)
	}
}

// TestApply: the severities of a list after the exceptions.
func TestApply(t *testing.T) {
	t.Parallel()
	cr := Object{APIVersion: "hco.kubevirt.io/v1", Kind: "HyperConverged", Name: "a", File: "a.yaml"}
	other := Object{APIVersion: "hco.kubevirt.io/v1", Kind: "HyperConverged", Name: "b", File: "b.yaml"}
	spec := func(id ID, to Severity) Exception {
		return Exception{ID: id, To: to, By: BySpec, Field: "spec.findings." + string(id)}
	}
	ignored := func(id ID) Exception { return Exception{ID: id, To: Ignored, By: IgnoreAnnotation, About: cr, At: cr} }
	one := func(id ID, severity Severity) Finding {
		return Finding{ID: id, Severity: severity, Object: cr, Text: "text"}
	}
	for _, tc := range []struct {
		reason  string
		rules   Exceptions
		list    List
		want    string
		ignored int
		unused  int
	}{
		{"no exception", nil, List{one("GA104", Warning)}, "warning GA104", 0, 0},
		{"a warning is ignored", Exceptions{spec("GA104", Ignored)}, List{one("GA104", Warning), one("GA112", Warning)}, "warning GA112", 1, 0},
		{"a warning is raised", Exceptions{spec("GA104", Error)}, List{one("GA104", Warning)}, "error GA104", 0, 0},
		{"an info is raised to a warning", Exceptions{spec("GA118", Warning)}, List{one("GA118", Info)}, "warning GA118", 0, 0},
		{"a judgment is lowered", Exceptions{spec("GA516", Warning)}, List{one("GA516", Error)}, "warning GA516", 0, 0},
		{"a judgment is ignored", Exceptions{ignored("GA516")}, List{one("GA516", Error)}, "", 1, 0},
		{"an annotation is about its object", Exceptions{ignored("GA104")}, List{{ID: "GA104", Severity: Warning, Object: other}}, "warning GA104", 0, 1},
		{"an annotation wins", Exceptions{spec("GA104", Error), ignored("GA104")}, List{one("GA104", Warning)}, "", 1, 0},
		{"the most severe wins", Exceptions{spec("GA104", Ignored), spec("GA104", Info)}, List{one("GA104", Warning)}, "info GA104", 0, 0},
		{"an unknown image stays an error", Exceptions{spec("GA201", Ignored)}, List{one("GA201", Error)}, "error GA201, error GA875", 0, 0},
		{"its warning does not", Exceptions{spec("GA201", Ignored)}, List{one("GA201", Warning)}, "", 1, 0},
		{
			"an error that stopped the run stays",
			Exceptions{spec("GA516", Ignored)},
			List{{ID: "GA516", Severity: Error, Object: cr, Final: true}},
			"error GA516, error GA875",
			0,
			0,
		},
		{"nothing to lower", Exceptions{spec("GA104", Ignored), ignored("GA112"), spec("GA516", Warning)}, nil, "", 0, 3},
		{"nothing to raise", Exceptions{spec("GA104", Error), spec("GA206", Warning)}, nil, "", 0, 0},
	} {
		applied := tc.rules.Apply(tc.list)
		var got []string
		for _, f := range applied.List {
			got = append(got, string(f.Severity)+" "+string(f.ID))
		}
		sum := 0
		for _, n := range applied.Ignored {
			sum += n
		}
		if text := strings.Join(got, ", "); text != tc.want || sum != tc.ignored || len(UnusedOf(applied.Stated)) != tc.unused {
			t.Errorf("%s: want %q, %d ignored, %d unused, got %q, %d, %d", tc.reason, tc.want, tc.ignored, tc.unused, text, sum, len(UnusedOf(applied.Stated)))
		}
		again := tc.rules.Adjusted(tc.rules.Adjusted(tc.list))
		if diff := cmp.Diff(tc.rules.Adjusted(tc.list), again); diff != "" {
			t.Errorf("%s: twice is not once (-once +twice):\n%s", tc.reason, diff)
		}
	}
}

// TestUnusedInSeveralClusters: an exception is unused if no cluster needs it, and is then
// reported once.
func TestUnusedInSeveralClusters(t *testing.T) {
	t.Parallel()
	stated := func(id ID, used bool) Stated {
		return Stated{Finding: Exception{ID: id, To: Ignored, By: BySpec}.unused(), Used: used}
	}
	list := UnusedOf([]Stated{stated("GA104", false), stated("GA112", false), stated("GA104", true), stated("GA112", false)})
	if len(list) != 1 || list[0].Current != "GA112" {
		t.Errorf("want one finding about GA112, got %s", list)
	}
}

// TestExceptionsAreChecked: an unknown id, and an error that leaves no answer.
func TestExceptionsAreChecked(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		reason string
		id     ID
		to     Severity
		says   string
	}{
		{"a known id", "GA104", Ignored, ""},
		{"an error of which the warnings can be lowered", "GA201", Warning, ""},
		{"the configuration is invalid", "GA005", Warning, "nothing lowers it"},
		{"it is raised", "GA005", Error, ""},
		{"lower case", "ga104", Ignored, `did you mean "GA104"?`},
		{"no id", "GA099X", Ignored, "is not the id of a finding"},
		{"a retired id", "GA736", Ignored, "no finding has this id any more"},
	} {
		list := Exception{ID: tc.id, To: tc.to, By: BySpec}.Check()
		if got := list.String(); (tc.says == "") != (got == "") || !strings.Contains(got, tc.says) {
			t.Errorf("%s: want %q, got %q", tc.reason, tc.says, got)
		}
	}
}

// TestParseIgnore: the forms of the annotation.
func TestParseIgnore(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		reason, text, ids, what string
	}{
		{"one", "GA104: the vendor is informed", "GA104", ""},
		{"the reason has colons and commas", "GA104: see https://example.com, too", "GA104", ""},
		{"several ids with one reason", "GA104, GA112: known", "GA104 GA112", ""},
		{"several lines", "GA104: a\n\n  GA112: b\n", "GA104 GA112", ""},
		{"no reason", "GA104", "", "no reason"},
		{"an empty reason", "GA104: a\nGA112: ", "", "no reason"},
		{"empty", " ", "", "names no finding"},
	} {
		ids, what := ParseIgnore(tc.text)
		var got []string
		for _, id := range ids {
			got = append(got, string(id))
		}
		if strings.Join(got, " ") != tc.ids || (tc.what == "") != (what == "") || !strings.Contains(what, tc.what) {
			t.Errorf("%s: want %q and %q, got %q and %q", tc.reason, tc.ids, tc.what, got, what)
		}
	}
}
