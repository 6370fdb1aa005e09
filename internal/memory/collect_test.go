package memory

import "testing"

// TestThreshold: collections that are rare begin after so much garbage. A huge heap grows by no
// less than a percentage.
func TestThreshold(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		reason    string
		threshold Threshold
		live      uint64 // bytes
		want      int
	}{
		{"at the start", Threshold{Garbage: 64 << 20, MinPercent: 30}, 0, 1600},
		{"the garbage of a large heap", Threshold{Garbage: 64 << 20, MinPercent: 30}, 64 << 20, 100},
		{"a larger one", Threshold{Garbage: 64 << 20, MinPercent: 30}, 128 << 20, 50},
		{"a huge one grows by the lowest percentage", Threshold{Garbage: 64 << 20, MinPercent: 30}, 4096 << 20, 30},
		{"less garbage", Threshold{Garbage: 32 << 20, MinPercent: 100}, 8 << 20, 400},
		{"a heap that is large for it", Threshold{Garbage: 32 << 20, MinPercent: 100}, 64 << 20, 100},
	} {
		if got := tc.threshold.percent(tc.live); got != tc.want {
			t.Errorf("%s: want %d, got %d", tc.reason, tc.want, got)
		}
	}
}
