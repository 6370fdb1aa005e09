package finding

import "testing"

// TestUnchanged: a run that changes nothing says what is missing, and the list of the run
// that changes something stays as it is.
func TestUnchanged(t *testing.T) {
	t.Parallel()
	list := List{{ID: GateOn, Text: "goldenarch turns it on", Do: "keep it off", Unchanged: Advice{Text: "it is off", Do: "turn it on"}}, {ID: NoCR, Text: "none", Do: "pass it"}}
	got := list.Unchanged()
	if got[0].Message() != "it is off. Turn it on" || got[1].Message() != "none. Pass it" {
		t.Errorf("got %s", got)
	}
	if list[0].Message() != "goldenarch turns it on. Keep it off" {
		t.Errorf("the list changed: %s", list)
	}
}
