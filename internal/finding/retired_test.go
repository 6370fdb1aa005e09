package finding

import "testing"

// TestRetired: a retired id is that of no finding, and what has its meaning now is an id.
func TestRetired(t *testing.T) {
	t.Parallel()
	for id, now := range retired {
		if id.Title() != "" {
			t.Errorf("%s is retired and in use", id)
		}
		if now != "" && now.Title() == "" {
			t.Errorf("%s is %s now, which is no id", id, now)
		}
	}
}
