package cli

import (
	"fmt"
	"testing"
	"time"

	"github.com/goldenarch/goldenarch/test/registrytest"
)

// TestResolveConcurrency: registryConcurrency bounds how many requests a
// registry gets at once.
func TestResolveConcurrency(t *testing.T) {
	t.Parallel()
	for _, limit := range []int{1, 3} {
		l := newLockedTree(t, registrytest.Latency(5*time.Millisecond))
		args := []string{"resolve", "--set", "registryConcurrency=" + fmt.Sprint(limit)}
		for i := range 12 {
			image := fmt.Sprintf("x/image%02d:1", i)
			l.registry.Push(image, registrytest.Index("linux/amd64"))
			args = append(args, l.ref(image))
		}
		if status, _, stderr := l.run(nil, args...); status != 0 {
			t.Fatalf("status %d:\n%s", status, stderr)
		}
		if got := l.registry.MaxInFlight(); got > limit {
			t.Errorf("want at most %d requests at once, got %d", limit, got)
		}
	}
}
