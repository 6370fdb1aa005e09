package main

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"time"
)

// rounds is how often each is measured; the median counts.
const rounds = 7

// library measures goldenarch beside programs that have go-containerregistry in
// one process. They take turns, so that what else the machine does is the same for
// all. Each time is that of a process, its start included; the starts are measured
// too, and the ratio is given without them as well.
func library(t tools, dir string, roundTrip time.Duration) error {
	env, err := trusting(dir)
	if err != nil {
		return err
	}
	peers := []peer{t.goldenarch(), t.library("shared"), t.library("puller")}
	starts := make([]time.Duration, len(peers))
	for i, command := range [][]string{{t["goldenarch"], "version"}, {t["library"], "shared"}, {t["library"], "puller"}} {
		c, err := median(31, func() (cost, error) { return call(env, nil, command[0], command[1:]...) })
		if err != nil {
			return err
		}
		starts[i] = c.wall
	}
	for _, bearer := range []bool{true, false} {
		for _, count := range []int{20, repositories} {
			d := distance{roundTrip: roundTrip, http2: true, bearer: bearer}
			runs, err := takingTurns(t, peers, env, count, d)
			if err != nil {
				return err
			}
			fmt.Fprintf(os.Stdout, "%d images in one process, HTTP/2, bearer tokens: %t, round trip %s, medians of %d, load %s\n", count, bearer, roundTrip, rounds, load())
			ours := runs[0]
			for i, m := range runs {
				fmt.Fprintf(os.Stdout, "  %-14s %s, start %s\n", peers[i].name, m.of(count), starts[i].Round(time.Millisecond/10))
				if i > 0 {
					fmt.Fprintf(os.Stdout, "    goldenarch / %s: %.2fx, without the starts %.2fx\n", strings.TrimPrefix(peers[i].name, "library "),
						ours.wall.Seconds()/m.wall.Seconds(), (ours.wall-starts[0]).Seconds()/(m.wall-starts[i]).Seconds())
				}
			}
		}
	}
	fmt.Fprintln(os.Stdout)
	return nil
}

// takingTurns measures peers that take turns, and returns the median run of each.
func takingTurns(t tools, peers []peer, env []string, count int, d distance) ([]measurement, error) {
	list := make([][]measurement, len(peers))
	for range rounds {
		for i, peer := range peers {
			m, err := ask(t, peer, env, count, d)
			if err != nil {
				return nil, err
			}
			list[i] = append(list[i], m)
		}
	}
	out := make([]measurement, len(peers))
	for i, runs := range list {
		slices.SortFunc(runs, func(a, b measurement) int { return int(a.wall - b.wall) })
		out[i] = runs[rounds/2]
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
