// Command bench measures goldenarch beside the tools that people use for the
// same work: how long it takes, and what it asks of the registry. All of it runs
// on this machine in one run; the ratios are what counts. With -hosts it measures
// what goldenarch adds to the time of its hosts.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"time"
)

func main() {
	long := flag.Bool("long", false, "also run the loop of 200 calls, which takes minutes")
	roundTrip := flag.Duration("round-trip", 50*time.Millisecond, "how far away the registry is")
	beside := besideLibrary{}
	flag.IntVar(&beside.rounds, "rounds", 11, "how often goldenarch and the library take turns; the medians count")
	flag.IntVar(&beside.images, "images", 0, "how many images beside the library, at most 200; 0 measures 20 and 200")
	flag.IntVar(&beside.streams, "streams", 0, "how many requests the registry allows on a connection of HTTP/2; 0 is Go's default")
	flag.Func("concurrency", "also measure goldenarch with this `number` of requests at once beside the library; may be repeated", beside.addConcurrency)
	libraries := flag.Bool("library", false, "measure only goldenarch beside go-containerregistry in one process")
	ofFunctions := flag.Bool("functions", false, "measure only a function beside one that does nothing")
	pods := flag.Bool("workloads", false, "measure only a run on 1,000 Deployments with 300 images")
	ofFleet := flag.Bool("fleet", false, "measure only a check of a repository with 250 and with 1,000 overlays, beside kustomize's library")
	ofOperators := flag.Bool("operators", false, "measure only the fix of 332 bundles")
	ofPlan := flag.Bool("plan", false, "measure only a plan from a dump with 2,000 machines, and a check of 5,000 machines")
	ofGrowth := flag.Bool("growth", false, "measure only how the cost grows with the input: plan, leftovers, templates, entries of a lock")
	ofKustomizations := flag.Bool("kustomizations", false, "measure only kustomizations beside plain files")
	ofCalls := flag.Bool("calls", false, "measure only 20 calls of Argo CD at once in 512 MiB; needs to make a control group, so it is no part of the whole")
	before := flag.String("before", "", "with -kustomizations, -fleet and -calls, also measure this `program`, another build of goldenarch")
	ofLines := flag.Bool("lines", false, "only count the lines of each package")
	inHosts := flag.Bool("hosts", false, "measure what goldenarch adds to kustomize and kpt instead; needs podman and buildah")
	flag.Parse()
	part := only{
		libraries: *libraries, functions: *ofFunctions, pods: *pods, fleet: *ofFleet, operators: *ofOperators, plan: *ofPlan, growth: *ofGrowth,
		kustomizations: *ofKustomizations, calls: *ofCalls, lines: *ofLines, hosts: *inHosts, before: *before,
	}
	if err := run(*roundTrip, *long, part, beside); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// only says which part is measured instead of all.
type only struct {
	libraries, functions, pods, fleet, operators, plan, growth, kustomizations, calls, lines, hosts bool

	before string // another build of goldenarch, "" for none
}

func run(roundTrip time.Duration, long bool, part only, beside besideLibrary) error {
	if part.lines {
		return lines("../..")
	}
	dir, err := os.MkdirTemp("", "goldenarch-bench-")
	if err != nil {
		return fmt.Errorf("make a directory: %w", err)
	}
	defer os.RemoveAll(dir)
	tools, err := build(dir)
	if err != nil {
		return err
	}
	if part.before != "" {
		if t, err := filepath.Abs(part.before); err == nil {
			tools[beforeName] = t
		}
	}
	switch {
	case part.hosts:
		fmt.Fprintf(os.Stdout, "%s %s/%s, %d cores\n\n", runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU())
		return hosts(tools, dir)
	case part.libraries:
		return beside.measure(tools, dir, roundTrip)
	case part.functions:
		return functions(tools, dir)
	case part.pods:
		return workloads(tools, dir, roundTrip)
	case part.fleet:
		return fleet(tools, dir)
	case part.operators:
		return operators(tools, dir)
	case part.plan:
		return plan(tools, dir)
	case part.growth:
		return growth(tools, dir)
	case part.kustomizations:
		return kustomizations(tools, dir)
	case part.calls:
		return simultaneous(tools, dir)
	}
	fmt.Fprintf(os.Stdout, "%s %s/%s, %d cores; %d repositories, one in four of a single architecture; TLS, bearer tokens\n\n",
		runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), repositories)
	for _, http2 := range []bool{true, false} {
		if err := registries(tools, dir, network{roundTrip: roundTrip, http2: http2, long: long}); err != nil {
			return err
		}
	}
	if err := registries(tools, dir, network{http2: true}); err != nil {
		return err
	}
	if err := beside.measure(tools, dir, roundTrip); err != nil {
		return err
	}
	if err := workloads(tools, dir, roundTrip); err != nil {
		return err
	}
	if err := fleet(tools, dir); err != nil {
		return err
	}
	if err := operators(tools, dir); err != nil {
		return err
	}
	if err := plan(tools, dir); err != nil {
		return err
	}
	if err := growth(tools, dir); err != nil {
		return err
	}
	if err := kustomizations(tools, dir); err != nil {
		return err
	}
	return functions(tools, dir)
}
