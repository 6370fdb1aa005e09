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

// TestMessage: a question and a sentence keep their own end before the fix, and the name of an image is no name of a template.
func TestMessage(t *testing.T) {
	t.Parallel()
	for want, f := range map[string]Finding{
		"no field. Correct it":          {Text: "no field", Do: "correct it"},
		`did you mean "a"? Correct it`:  {Text: `did you mean "a"?`, Do: "correct it"},
		"It is so. Correct it":          {Text: "It is so.", Do: "correct it"},
		`template "app": x/app:1 lacks`: {Text: "x/app:1 lacks", Template: "app"},
		`template "app" is wrong`:       {Text: `template "app" is wrong`, Template: "app"},
	} {
		if got := f.Message(); got != want {
			t.Errorf("want %q, got %q", want, got)
		}
	}
}
