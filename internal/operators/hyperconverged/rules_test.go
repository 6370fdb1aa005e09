package hyperconverged_test

import (
	"flag"
	"fmt"
	"testing"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
	"github.com/goldenarch/goldenarch/test/filetest"
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
	want := "| since HCO | rule | source |\n|---|---|---|\n"
	last := 0
	for _, rule := range hyperconverged.Rules() {
		want += fmt.Sprintf("| 1.%d | %s | %s |\n", rule.Since, rule.What, rule.Source)
		if rule.Since < last {
			t.Errorf("%s comes before an older rule", rule.What)
		}
		last = rule.Since
	}
	filetest.Part(t, "../../../docs/dev/releases.md", "rules", want, *update)
}
