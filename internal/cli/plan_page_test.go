package cli

import (
	"strings"
	"testing"

	"github.com/goldenarch/goldenarch/test/filetest"
)

// TestPlanPage runs every command of docs/plan.md that names the example.
func TestPlanPage(t *testing.T) {
	t.Parallel()
	data := filetest.Read(t, "../../docs/plan.md")
	ran := 0
	for line := range strings.Lines(string(data)) {
		command, ok := strings.CutPrefix(line, "    goldenarch plan ")
		if !ok {
			continue
		}
		ran++
		args := strings.Fields(strings.ReplaceAll(command, "examples/plan/", "../../examples/plan/"))
		status, stdout, stderr := runFed(t, "", append([]string{"plan"}, args...)...)
		if status != 0 || len(stdout) < 100 {
			t.Errorf("goldenarch plan %s: status %d\n%s%s", command, status, stdout, stderr)
		}
	}
	if ran < 9 {
		t.Errorf("the page has %d commands", ran)
	}
	_, nothing, _ := runFed(t, "", "plan", "--live=../../examples/plan/before.yaml", "--add-architecture=arm64")
	if !strings.Contains(nothing, "No golden image changes on the cluster.") || !strings.Contains(nothing, "HCOMultiArchGoldenImagesDisabled") {
		t.Errorf("the page says what begins:\n%s", nothing)
	}
}
