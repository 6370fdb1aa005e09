package main

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"
)

// requestsAtOnce is how many requests goldenarch sends to a registry at once
// (api/v1alpha1: DefaultConcurrency).
const requestsAtOnce = 100

// besideLibrary says how goldenarch is measured beside programs that have
// go-containerregistry in one process.
type besideLibrary struct {
	rounds      int
	streams     int
	images      int      // only this many; 0 is 20 and 200
	concurrency []string // further values of registryConcurrency
}

func (b *besideLibrary) addConcurrency(text string) error {
	if n, err := strconv.Atoi(text); err != nil || n < 1 {
		return fmt.Errorf("%q is not a number of requests", text)
	}
	b.concurrency = append(b.concurrency, text)
	return nil
}

// measure runs all of them in turns, so that what else the machine does is the same for
// all. Each time is that of a process, its start included; the starts are measured
// too, and the ratio is given without them as well.
func (b besideLibrary) measure(t tools, dir string, roundTrip time.Duration) error {
	env, err := trusting(dir)
	if err != nil {
		return err
	}
	ours, err := startOf(env, t["goldenarch"], "version")
	if err != nil {
		return err
	}
	library, err := startOf(env, t["library"], "shared")
	if err != nil {
		return err
	}
	variants := []peer{t.goldenarch()}
	for _, n := range b.concurrency {
		variants = append(variants, t.goldenarchAtOnce(n))
	}
	list := append(slices.Clone(variants), t.library("shared"), t.libraryAtOnce(requestsAtOnce), t.library("puller"))
	counts := []int{20, repositories}
	if b.images > 0 {
		counts = []int{min(b.images, repositories)}
	}
	for _, bearer := range []bool{true, false} {
		for _, count := range counts {
			runs, err := b.takingTurns(t, list, env, count, distance{roundTrip: roundTrip, http2: true, bearer: bearer, streams: b.streams})
			if err != nil {
				return err
			}
			fmt.Fprintf(os.Stdout, "%d images in one process, HTTP/2, bearer tokens: %t, round trip %s, medians of %d, load %s\n",
				count, bearer, roundTrip, b.rounds, load())
			for i, m := range runs {
				fmt.Fprintf(os.Stdout, "  %-14s %s\n", list[i].name, m.of(count))
			}
			for i, m := range runs[len(variants):] {
				for j, v := range variants {
					fmt.Fprintf(os.Stdout, "    %s / %s: %.2fx, without the starts %.2fx, the fastest runs %.2fx\n", v.name, list[len(variants)+i].name,
						runs[j].wall.Seconds()/m.wall.Seconds(), (runs[j].wall-ours).Seconds()/(m.wall-library).Seconds(),
						runs[j].fastest.Seconds()/m.fastest.Seconds())
				}
			}
		}
	}
	fmt.Fprintf(os.Stdout, "starts: goldenarch %s, library %s\n\n", ours.Round(time.Millisecond/10), library.Round(time.Millisecond/10))
	return nil
}

// startOf returns how long a program takes that has nothing to do.
func startOf(env []string, program string, args ...string) (time.Duration, error) {
	c, err := median(31, func() (cost, error) { return call(env, nil, program, args...) })
	return c.wall, err
}

// takingTurns measures peers that take turns, and returns the median run of each. Each
// round begins with another peer, so that none always follows the most costly one.
func (b besideLibrary) takingTurns(t tools, peers []peer, env []string, count int, d distance) ([]measurement, error) {
	list := make([][]measurement, len(peers))
	for round := range b.rounds {
		for n := range peers {
			i := (round + n) % len(peers)
			m, err := ask(t, peers[i], env, count, d)
			if err != nil {
				return nil, err
			}
			list[i] = append(list[i], m)
		}
	}
	out := make([]measurement, len(peers))
	for i, runs := range list {
		slices.SortFunc(runs, func(a, b measurement) int { return int(a.wall - b.wall) })
		out[i] = runs[b.rounds/2]
		out[i].fastest = runs[0].wall
	}
	return out, nil
}

// load returns what else runs on this machine, as the system says it.
func load() string {
	data, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return "unknown"
	}
	first, _, _ := strings.Cut(string(data), " ")
	return first
}
