package finding_test

import (
	"strings"
	"testing"

	"github.com/goldenarch/goldenarch/internal/finding"
)

func TestShown(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ reason, text, want string }{
		{"a name", "fedora-image-cron é ü", "fedora-image-cron é ü"},
		{"a line of its own", "x\n::stop-commands::t", `x\n::stop-commands::t`},
		{"other line ends", "a\r\nb\u0085c\u2028d", `a\r\nb\u0085c\u2028d`},
		{"an escape sequence", "\x1b[2J\x9b1m", `\x1b[2J\x9b1m`},
		{"text that runs the other way", "a\u202egnp.exe\u2066\u200b", `a\u202egnp.exe\u2066\u200b`},
		{"no text at all", "\xff\x00", `\xff\x00`},
		{"a command to GitHub", " ::error::x", `" ::error::x"`},
		{"a command to Azure", "##vso[task.complete]x", `"##vso[task.complete]x"`},
	} {
		if got := finding.Shown(tc.text); got != tc.want {
			t.Errorf("%s: want %q, got %q", tc.reason, tc.want, got)
		}
	}
}

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
