package finding_test

import (
	"strings"
	"testing"

	"github.com/goldenarch/goldenarch/internal/finding"
)

// TestFindingIsOneLine: whatever a manifest has in its names, a finding is a line that
// says no more than the finding.
func TestFindingIsOneLine(t *testing.T) {
	t.Parallel()
	const evil = "x\n::stop-commands::t\r\x1b[31m\u202e\u2028"
	f := finding.Finding{
		ID: finding.Unreadable, Severity: finding.Error, Object: finding.Object{Kind: "K" + evil, Name: evil, File: evil + ".yaml"},
		Field: "spec[" + evil + "]", Text: "text " + evil, Do: "do " + evil, Line: 3,
	}
	for _, line := range []string{f.String(), f.Message(), f.Object.String()} {
		if strings.ContainsAny(line, "\n\r\x1b\u202e\u2028") {
			t.Errorf("it is not a line of plain text: %q", line)
		}
	}
	if got := (finding.List{f, f}).Sorted(); len(got) != 1 {
		t.Errorf("a finding made twice is reported once, got %d", len(got))
	}
}
