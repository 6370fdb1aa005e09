package v1alpha1

import "testing"

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
