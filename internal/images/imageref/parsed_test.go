package imageref

import "testing"

// TestParsed: a text is parsed once, also one that is not a reference.
func TestParsed(t *testing.T) {
	t.Parallel()
	var p Parsed
	for _, text := range []string{"docker://quay.io/a/b:1", "a b", "quay.io/a/b:1"} {
		want, wantErr := Parse(text)
		for range 3 {
			got, err := p.Parse(text)
			if got != want || (err == nil) != (wantErr == nil) {
				t.Errorf("%q: want %v (%v), got %v (%v)", text, want, wantErr, got, err)
			}
			if err != nil && err != p.known[text].err {
				t.Errorf("%q was parsed again", text)
			}
		}
	}
	if len(p.known) != 3 {
		t.Errorf("want three texts, got %d", len(p.known))
	}
	if got, err := (*Parsed)(nil).Parse("quay.io/a/b:1"); err != nil || got.tag != "1" {
		t.Errorf("a nil Parsed parses: got %v (%v)", got, err)
	}
}
