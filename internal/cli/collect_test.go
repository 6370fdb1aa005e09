package cli

import "testing"

// TestRarePercent: a check of many clusters collects after 192 MB of garbage. A huge heap
// grows by 30 %.
func TestRarePercent(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		reason string
		live   uint64 // MB
		want   int
	}{
		{"at the start", 0, 4800},
		{"the garbage of a large heap", 192, 100},
		{"a larger one", 384, 50},
		{"a huge one grows by 30 %", 4096, 30},
	} {
		if got := rarePercent(tc.live << 20); got != tc.want {
			t.Errorf("%s: want %d, got %d", tc.reason, tc.want, got)
		}
	}
}
