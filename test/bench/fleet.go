package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/goldenarch/goldenarch/test/repotest"
)

const (
	// fewOverlays and manyOverlays are the sizes of the fleets.
	fewOverlays, manyOverlays = 250, 1000
	// fleetRounds is how often each is measured; the median of the CPU times counts.
	fleetRounds = 3
)

// fleet measures "goldenarch check ." on two fleets, beside kustomize's library, which
// builds the same overlays and does nothing else.
func fleet(t tools, dir string) error {
	if err := t.build(dir, "kustomizeall", ".", "./kustomizeall"); err != nil {
		return err
	}
	fmt.Fprintf(os.Stdout, "fleets of overlays, %d for each base, 6 templates each, no network, medians of %d, load %s\n",
		repotest.OverlaysPerBase, fleetRounds, load())
	each := map[int]time.Duration{}
	for _, overlays := range []int{fewOverlays, manyOverlays} {
		at, plain := filepath.Join(dir, fmt.Sprintf("fleet-%d", overlays)), filepath.Join(dir, fmt.Sprintf("plain-%d", overlays))
		files := repotest.Fleet(overlays)
		if err := writeTree(at, files); err != nil {
			return err
		}
		if err := writeTree(plain, withoutTransformers(files)); err != nil {
			return err
		}
		var nothing []cost
		check := map[string][]cost{}
		for range fleetRounds {
			c, err := t.measured(nil, nil, t["kustomizeall"], filepath.Join(plain, "overlays"))
			if err != nil {
				return err
			}
			nothing = append(nothing, c)
			for _, build := range t.builds() {
				if c, err = t.withChildren(nil, t[build], "check", at, "--as", "rendered"); err != nil {
					return err
				}
				check[build] = append(check[build], c)
			}
		}
		alone := ofMedianCPU(nothing)
		fmt.Fprintf(os.Stdout, "  %4d overlays, kustomize's library  %s, %s CPU an overlay\n", overlays, alone, perOverlay(alone.cpu, overlays))
		for _, build := range t.builds() {
			whole := ofMedianCPU(check[build])
			fmt.Fprintf(os.Stdout, "  %4d overlays, %-10s check .   %s, %s CPU and %s wall an overlay, %.2fx the CPU of kustomize's library (limit 1.40)\n",
				overlays, build, whole, perOverlay(whole.cpu, overlays), perOverlay(whole.wall, overlays), whole.cpu.Seconds()/alone.cpu.Seconds())
			each[overlays] = whole.cpu / time.Duration(overlays)
		}
	}
	fmt.Fprintf(os.Stdout, "  an overlay of %d takes %.2fx the CPU of one of %d; 1.0 is linear\n\n",
		manyOverlays, each[manyOverlays].Seconds()/each[fewOverlays].Seconds(), fewOverlays)
	return nil
}

func perOverlay(d time.Duration, overlays int) time.Duration {
	return (d / time.Duration(overlays)).Round(10 * time.Microsecond)
}

func ofMedianCPU(list []cost) cost {
	slices.SortFunc(list, func(a, b cost) int { return int(a.cpu - b.cpu) })
	return list[len(list)/2]
}

// withoutTransformers returns a fleet that does not list goldenarch: kustomize's library
// would start a program for each overlay that does.
func withoutTransformers(files map[string]string) map[string]string {
	out := map[string]string{}
	for name, text := range files {
		if filepath.Base(name) == "kustomization.yaml" {
			text, _, _ = strings.Cut(text, "transformers:")
		}
		out[name] = text
	}
	return out
}

// writeTree writes files, by their paths below a directory.
func writeTree(root string, files map[string]string) error {
	for name, text := range files {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return fmt.Errorf("make a directory: %w", err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			return fmt.Errorf("write a file: %w", err)
		}
	}
	return nil
}
