package memory

import "testing"

// TestRare: collections that are rare begin after so much garbage. A huge heap grows by no
// less than a percentage.
func TestRare(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		reason string
		rare   Rare
		live   uint64 // bytes
		want   int
	}{
		{"at the start", Rare{Garbage: 64 << 20, Lowest: 30}, 0, 1600},
		{"the garbage of a large heap", Rare{Garbage: 64 << 20, Lowest: 30}, 64 << 20, 100},
		{"a larger one", Rare{Garbage: 64 << 20, Lowest: 30}, 128 << 20, 50},
		{"a huge one grows by the lowest percentage", Rare{Garbage: 64 << 20, Lowest: 30}, 4096 << 20, 30},
		{"less garbage", Rare{Garbage: 32 << 20, Lowest: 100}, 8 << 20, 400},
		{"a heap that is large for it", Rare{Garbage: 32 << 20, Lowest: 100}, 64 << 20, 100},
	} {
		if got := tc.rare.percent(tc.live); got != tc.want {
			t.Errorf("%s: want %d, got %d", tc.reason, tc.want, got)
		}
	}
}
