package parallel_test

import (
	"testing"

	"github.com/goldenarch/goldenarch/internal/parallel"
)

func TestEach(t *testing.T) {
	t.Parallel()
	for _, n := range []int{0, 1, 15, 16, 31, 32, 33, 1000} {
		calls := make([]int, n)
		parallel.Each(n, func(i int) { calls[i]++ })
		parallel.Queue(n, 3, func(i int) { calls[i]++ })
		for i, times := range calls {
			if times != 2 {
				t.Errorf("of %d: %d was called %d times, expected once by each", n, i, times)
			}
		}
	}
}
