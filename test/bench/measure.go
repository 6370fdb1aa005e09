package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"sync"
	"time"
)

// cost is what a run took.
type cost struct {
	wall, cpu time.Duration
	memory    int64 // bytes at most, 0 if it was not measured
}

func (c cost) String() string {
	text := fmt.Sprintf("%8s wall %8s CPU", c.wall.Round(time.Millisecond), c.cpu.Round(time.Millisecond))
	if c.memory > 0 {
		text += fmt.Sprintf(" %6.1f MB at most", float64(c.memory)/1e6)
	}
	return text
}

// call runs a program once; what it writes is dropped.
func call(env []string, stdin []byte, program string, args ...string) (cost, error) {
	command := exec.CommandContext(context.Background(), program, args...)
	command.Env = append(os.Environ(), env...)
	var errs bytes.Buffer
	command.Stdin, command.Stderr = bytes.NewReader(stdin), &errs
	began := time.Now()
	err := command.Run()
	c := cost{wall: time.Since(began)}
	if err != nil {
		return c, fmt.Errorf("%s: %w\n%s", program, err, errs.Bytes())
	}
	c.cpu = command.ProcessState.UserTime() + command.ProcessState.SystemTime()
	return c, nil
}

// calls runs many calls, so many side by side, as xargs -P does.
func calls(width int, list []func() (cost, error)) (cost, error) {
	var total cost
	var failed error
	var mu sync.Mutex
	var wait sync.WaitGroup
	slots := make(chan struct{}, width)
	began := time.Now()
	for _, one := range list {
		slots <- struct{}{}
		wait.Go(func() {
			c, err := one()
			<-slots
			mu.Lock()
			defer mu.Unlock()
			total.cpu += c.cpu
			if err != nil {
				failed = err
			}
		})
	}
	wait.Wait()
	total.wall = time.Since(began)
	return total, failed
}

// median runs something so often and returns the run in the middle.
func median(times int, run func() (cost, error)) (cost, error) {
	list, err := medians(times, 1, func(int) (cost, error) { return run() })
	if err != nil {
		return cost{}, err
	}
	return list[0], nil
}

// medians runs several in turns, so that what else the machine does is the same for all, and returns
// the run in the middle of each.
func medians(times, several int, run func(int) (cost, error)) ([]cost, error) {
	lists := make([][]cost, several)
	for range times {
		for i := range lists {
			c, err := run(i)
			if err != nil {
				return nil, err
			}
			lists[i] = append(lists[i], c)
		}
	}
	out := make([]cost, several)
	for i, list := range lists {
		slices.SortFunc(list, func(a, b cost) int { return int(a.wall - b.wall) })
		out[i] = list[times/2]
	}
	return out, nil
}
