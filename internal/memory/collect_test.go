package memory

import "testing"

// TestRarePercent: collections that are rare begin after so much garbage. A huge heap grows
// by 30 %.
func TestRarePercent(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		reason        string
		live, garbage uint64 // MB
		want          int
	}{
		{"at the start", 0, 64, 1600},
		{"the garbage of a large heap", 64, 64, 100},
		{"a larger one", 128, 64, 50},
		{"a huge one grows by 30 %", 4096, 64, 30},
		{"less garbage", 8, 32, 400},
	} {
		if got := rarePercent(tc.live<<20, tc.garbage<<20); got != tc.want {
			t.Errorf("%s: want %d, got %d", tc.reason, tc.want, got)
		}
	}
}
