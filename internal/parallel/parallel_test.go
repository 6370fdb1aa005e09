package parallel_test

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
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

// TestOrdered: each value is used once and in order, and nothing after an error.
func TestOrdered(t *testing.T) {
	t.Parallel()
	wrong := errors.New("wrong")
	for _, n := range []int{0, 1, 99, 100, 101, 1000} {
		for _, last := range []int{n, n / 2} {
			next := 0
			err := parallel.Ordered(n, 100, func(i int) int { return 2 * i }, func(i, made int) error {
				if i != next || made != 2*i {
					t.Errorf("of %d: expected %d, got %d with %d", n, next, i, made)
				}
				if next++; i == last {
					return wrong
				}
				return nil
			})
			if errors.Is(err, wrong) != (last < n) || next != min(last+1, n) {
				t.Errorf("of %d: %d were used up to %d, and the error is %v", n, next, last, err)
			}
		}
	}
}

// TestMap: the values have their places, and the first error is the error.
func TestMap(t *testing.T) {
	t.Parallel()
	first, second := errors.New("first"), errors.New("second")
	for _, n := range []int{0, 1, 100} {
		got, err := parallel.Map(n, func(i int) (int, error) { return 2 * i, nil })
		if err != nil || len(got) != n || n > 0 && got[n-1] != 2*(n-1) {
			t.Errorf("of %d: got %v, %v", n, got, err)
		}
	}
	_, err := parallel.Map(100, func(i int) (int, error) { return i, map[int]error{50: first, 51: second}[i] })
	if !errors.Is(err, first) {
		t.Errorf("expected the first error, got %v", err)
	}
}

// TestPatient: no more calls work at once than may, and all may wait at once, also with several goroutines.
func TestPatient(t *testing.T) {
	t.Parallel()
	const n, atOnce = 40, 2
	var working, most, waiting, mostWaiting atomic.Int32
	all := make(chan struct{})
	count := func(now *atomic.Int32, most *atomic.Int32, by int32) int32 {
		value := now.Add(by)
		for old := most.Load(); value > old && !most.CompareAndSwap(old, value); old = most.Load() {
		}
		return value
	}
	parallel.Patient(t.Context(), n, n, atOnce, func(ctx context.Context, _ int) {
		count(&working, &most, 1)
		working.Add(-1)
		var group sync.WaitGroup
		for range 3 {
			group.Go(func() {
				parallel.Wait(ctx, func() {
					if count(&waiting, &mostWaiting, 1) == 3*n {
						close(all)
					}
					<-all
					waiting.Add(-1)
				})
			})
		}
		group.Wait()
		count(&working, &most, 1)
		working.Add(-1)
	})
	if got := most.Load(); got > atOnce {
		t.Errorf("%d work at once, expected at most %d", got, atOnce)
	}
}
