package hyperconverged_test

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
)

var update = flag.Bool("update", false, "write the table of rules in docs/dev/releases.md")

// TestRules: an undeclared release has the rules of the newest one, and is no release that surely has a rule.
func TestRules(t *testing.T) {
	t.Parallel()
	for _, rule := range hyperconverged.Rules() {
		for minor, want := range map[int]bool{rule.Since - 1: false, rule.Since: true, rule.Since + 1: true} {
			release, err := v1alpha1.ParseRelease(fmt.Sprintf("1.%d", minor))
			if err != nil {
				t.Fatal(err)
			}
			if rule.In(release) != want || rule.Surely(release) != want {
				t.Errorf("%s: want %t in 1.%d, got %t, %t", rule.What, want, minor, rule.In(release), rule.Surely(release))
			}
		}
		if undeclared := (v1alpha1.Release{}); !rule.In(undeclared) || rule.Surely(undeclared) {
			t.Errorf("%s: want true and false without a release, got %t, %t", rule.What, rule.In(undeclared), rule.Surely(undeclared))
		}
	}
}

// TestRulesOfThePage: docs/dev/releases.md has each rule as the code has it.
func TestRulesOfThePage(t *testing.T) {
	t.Parallel()
	const file, begin, end = "../../../docs/dev/releases.md", "<!-- begin: made by go test ./internal/operators/hyperconverged -update -->\n", "<!-- end -->\n"
	want := "\n| since HCO | rule | source |\n|---|---|---|\n"
	last := 0
	for _, rule := range hyperconverged.Rules() {
		want += fmt.Sprintf("| 1.%d | %s | %s |\n", rule.Since, rule.What, rule.Source)
		if rule.Since < last {
			t.Errorf("%s comes before an older rule", rule.What)
		}
		last = rule.Since
	}
	want += "\n"
	page, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(page), begin)
	got, after, closed := strings.Cut(rest, end)
	if !ok || !closed {
		t.Fatalf("%s lacks the lines around the table", file)
	}
	if *update {
		err = os.WriteFile(file, []byte(before+begin+want+end+after), 0o644)
	} else if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("refresh with: go test ./internal/operators/hyperconverged -update (-code +page)\n%s", diff)
	}
	if err != nil {
		t.Fatal(err)
	}
}
