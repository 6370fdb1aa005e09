package console

import (
	"encoding/json"
	"testing"
)

// TestJSON: JSON keeps its values and its form, and has no character that
// steers a terminal.
func TestJSON(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ reason, text, want string }{
		{"what is printed stays as it is", "{\n  \"a\": \"b ü é\",\t\"c\": 1\n}\n", "{\n  \"a\": \"b ü é\",\t\"c\": 1\n}\n"},
		{"a character that turns the text around", "[\"a\u202eb\u2066\"]", `["a\u202eb\u2066"]`},
		{"a control character that encoders leave", "[\"\u009b2J\u007f\"]", `["\u009b2J\u007f"]`},
		{"one outside the first plane", "[\"\U000e0001\"]", `["\udb40\udc01"]`},
		{"a command of a CI system", `["a##[group]b", "##vso[task.complete]"]`, `["a\u0023#[group]b", "\u0023#vso[task.complete]"]`},
		{"a heading", `["## Findings", "x#ga104"]`, `["## Findings", "x#ga104"]`},
		{"in a key", "{\"\u200f\": 1}", `{"\u200f": 1}`},
	} {
		got := string(SafeJSON([]byte(tc.text)))
		if got != tc.want {
			t.Errorf("%s: want %s, got %s", tc.reason, tc.want, got)
		}
		var before, after any
		if err := json.Unmarshal([]byte(tc.text), &before); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal([]byte(got), &after); err != nil {
			t.Errorf("%s: not valid JSON: %v", tc.reason, err)
		}
		one, _ := json.Marshal(before)
		two, _ := json.Marshal(after)
		if string(one) != string(two) {
			t.Errorf("%s: the values differ: %s and %s", tc.reason, one, two)
		}
	}
}
