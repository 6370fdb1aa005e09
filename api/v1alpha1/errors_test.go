package v1alpha1

import "testing"

func TestDidYouMean(t *testing.T) {
	t.Parallel()
	words := []string{"existing", "expand", "gate", "workloadArchitectures"}
	for _, test := range []struct{ reason, got, want string }{
		{"letters swapped", "exsiting", `; did you mean "existing"?`},
		{"another case", "GATE", `; did you mean "gate"?`},
		{"cut short", "workload", `; did you mean "workloadArchitectures"?`},
		{"like none", "zzzzzzzzzzzz", ""},
		{"nothing", "", ""},
	} {
		if hint := didYouMean(test.got, words); hint != test.want {
			t.Errorf("%s: %q gives %q, expected %q", test.reason, test.got, hint, test.want)
		}
	}
}

// A field that cannot be read explains what is said of its parts and of what
// lacks it now, but not of a neighbour whose name begins alike.
func TestWith(t *testing.T) {
	t.Parallel()
	unread := Errors{{Path: "spec.allow[0]"}}
	for _, test := range []struct {
		reason, path string
		want         int
	}{
		{"the same field", "spec.allow[0]", 1},
		{"a part of it", "spec.allow[0].x", 1},
		{"what holds it", "spec", 1},
		{"a neighbour", "spec.allow[1]", 2},
		{"a name that begins alike", "spec.allowed", 2},
	} {
		if got := unread.with(Errors{{Path: test.path}}); len(got) != test.want {
			t.Errorf("%s: %v, expected %d", test.reason, got, test.want)
		}
	}
}
