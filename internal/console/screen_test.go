package console_test

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/goldenarch/goldenarch/internal/console"
)

func TestWrap(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		reason, text string
		width        int
		want         string
	}{
		{"no width", "a b c", 0, "a b c"},
		{"it fits", "a b c\n", 5, "a b c\n"},
		{"the rest is indented", "aaaa bbbb cccc\n", 10, "aaaa bbbb\n    cccc\n"},
		{"a long word stays whole", "a bbbbbbbbbbbb c\n", 8, "a\n    bbbbbbbbbbbb\n    c\n"},
		{"a margin stays", "  aaaa bbbb cccc\n", 12, "  aaaa bbbb\n      cccc\n"},
		{"characters count, not bytes", "ää öö üü\n", 8, "ää öö üü\n"},
		{"each line by itself", "aaaa bbbb\ncccc dddd", 8, "aaaa\n    bbbb\ncccc\n    dddd"},
	} {
		if diff := cmp.Diff(tc.want, console.Wrap(tc.text, tc.width)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
		}
	}
}

func TestTable(t *testing.T) {
	t.Parallel()
	rows := [][]string{{"NAME", "ONE", "TWO", "THREE"}, {"a", "1111", "2222", "3333"}, {"b", "1", "2", "3"}}
	for _, tc := range []struct {
		reason string
		rows   [][]string
		width  int
		want   string
	}{
		{"it fits", rows, 23, "NAME  ONE   TWO   THREE\na     1111  2222  3333\nb     1     2     3\n"},
		{
			reason: "it does not fit", rows: rows, width: 22,
			want: "NAME  ONE   TWO\na     1111  2222\nb     1     2\n\nNAME  THREE\na     3333\nb     3\n",
		},
		{"a column is wider than the screen", [][]string{{"A", "B"}, {"aaaa", "bbbb"}}, 3, "A     B\naaaa  bbbb\n"},
		{"one column", [][]string{{"A"}, {"aaaa"}}, 3, "A\naaaa\n"},
		{"nothing", nil, 80, ""},
	} {
		var out bytes.Buffer
		console.Table(&out, tc.rows, tc.width)
		if diff := cmp.Diff(tc.want, out.String()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
		}
	}
	var without bytes.Buffer
	console.Table(&without, rows, 22, "TWO", "THREE")
	if diff := cmp.Diff("NAME  ONE   THREE\na     1111  3333\nb     1     3\n", without.String()); diff != "" {
		t.Errorf("an optional column goes first, and only one of them (-want +got):\n%s", diff)
	}
	var out bytes.Buffer
	console.Table(&out, [][]string{{strings.Repeat("a", 40), strings.Repeat("b", 40), strings.Repeat("c", 40)}}, 0)
	for line := range strings.Lines(out.String()) {
		if utf8.RuneCountInString(line) > console.DefaultWidth {
			t.Errorf("want at most %d characters, got %q", console.DefaultWidth, line)
		}
	}
}
