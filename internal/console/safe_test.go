package console_test

import (
	"testing"

	"github.com/goldenarch/goldenarch/internal/console"
)

func TestEscape(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ reason, text, want string }{
		{"a name", "fedora-image-cron é ü", "fedora-image-cron é ü"},
		{"a line of its own", "x\n::stop-commands::t", `x\n::stop-commands::t`},
		{"other line ends", "a\r\nb\u0085c\u2028d", `a\r\nb\u0085c\u2028d`},
		{"an escape sequence", "\x1b[2J\x9b1m", `\x1b[2J\x9b1m`},
		{"text that runs the other way", "a\u202egnp.exe\u2066\u200b", `a\u202egnp.exe\u2066\u200b`},
		{"no text at all", "\xff\x00", `\xff\x00`},
		{"a command to GitHub", " ::error::x", ` \x3a:error::x`},
		{"GitHub's runner trims all blanks", "\u00a0\t::error::x", "\u00a0\t\\x3a:error::x"},
		{"colons that begin no line", "a::b ::c", "a::b ::c"},
		{"a command to Azure", "##vso[task.complete]x", `\x23#vso[task.complete]x`},
		{"Azure's agent searches the whole line", "a ##vso[task.complete]x", `a \x23#vso[task.complete]x`},
		{"GitHub's first syntax", "image quay.io/a:##[set-env name=A]b", `image quay.io/a:\x23#[set-env name=A]b`},
		{"more than two", "####[group]x", `##\x23#[group]x`},
		{"twice", "##[a]##[b]", `\x23#[a]\x23#[b]`},
		{"TeamCity", "##teamcity[a]", `\x23#teamcity[a]`},
		{"a selector that .NET ignores", "#\ufe0f#\ufe0fvso[a]", "\\x23\ufe0f#\ufe0fvso[a]"},
		{"the same before colons", "\ufe0f:\ufe0f:error::x", "\ufe0f\\x3a\ufe0f:error::x"},
		{"a heading", "## Findings [x]", "## Findings [x]"},
		{"an anchor", "docs/findings.md#ga104", "docs/findings.md#ga104"},
	} {
		got := console.Escape(tc.text)
		if got != tc.want {
			t.Errorf("%s: want %q, got %q", tc.reason, tc.want, got)
		}
		if again := console.Escape(got); again != got {
			t.Errorf("%s: what is escaped is escaped again: %q", tc.reason, again)
		}
	}
}

// TestRedact: secrets and what has their shape go. Words of a language and paths stay.
func TestRedact(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"Authorization: Basic dTpwYXNzd29yZA==":       "Authorization: Basic xxxxx",
		"authorization: bearer eyJhbGciOiJub25lIn0.x": "authorization: bearer xxxxx",
		"it wants Basic authentication":               "it wants Basic authentication",
		"BASIC YWJjZGVmZ2hp":                          "BASIC xxxxx",
		"open /srv/basic 2024/kustomization.yaml":     "open /srv/basic 2024/kustomization.yaml",
		"https://u:p@example.com/a":                   "https://xxxxx@example.com/a",
		"/builds/team/app/base/x.yaml":                "/builds/team/app/base/x.yaml",
	} {
		if got := console.Redact(in); got != want {
			t.Errorf("%q: want %q, got %q", in, want, got)
		}
	}
}

func TestLines(t *testing.T) {
	t.Parallel()
	const text = "the first\n  \x1b[1m##[group]x\n ::error::y\n\nhttps://u:p@h/x"
	const want = "the first\n  \\x1b[1m\\x23#[group]x\n \\x3a:error::y\n\nhttps://xxxxx@h/x"
	if got := console.SafeLines(text); got != want {
		t.Errorf("want %q, got %q", want, got)
	}
	if got := console.SafeLine(text); got != `the first \x1b[1m\x23#[group]x ::error::y https://xxxxx@h/x` {
		t.Errorf("got %q", got)
	}
}
