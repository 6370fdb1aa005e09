package finding

import "testing"

// TestUnchanged: a run that changes nothing says what is missing, and the list of the run
// that changes something stays as it is.
func TestUnchanged(t *testing.T) {
	t.Parallel()
	list := List{
		{ID: GateOn, Text: "goldenarch turns it on", Do: "keep it off", Unchanged: Advice{Text: "it is off", Do: "turn it on"}},
		{ID: NoCR, Text: "none", Do: "pass it"},
	}
	got := list.Unchanged()
	if got[0].Message() != "it is off. Turn it on" || got[1].Message() != "none. Pass it" {
		t.Errorf("got %s", got)
	}
	if list[0].Message() != "goldenarch turns it on. Keep it off" {
		t.Errorf("the list changed: %s", list)
	}
}

// TestMessageEnds: a question and a sentence keep their own end before the fix.
func TestMessageEnds(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"no field":          "no field. Correct it",
		`did you mean "a"?`: `did you mean "a"? Correct it`,
		"It is so.":         "It is so. Correct it",
	} {
		if got := (Finding{Text: text, Do: "correct it"}).Message(); got != want {
			t.Errorf("want %q, got %q", want, got)
		}
	}
}

// TestMessageNamesTemplate: the name of an image is no name of a template.
func TestMessageNamesTemplate(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"quay.io/x/app:1 has no arm64": `template "app": quay.io/x/app:1 has no arm64`,
		`template "app" is wrong`:      `template "app" is wrong`,
	} {
		if got := (Finding{Template: "app", Text: text}).Message(); got != want {
			t.Errorf("want %q, got %q", want, got)
		}
	}
}
