// Command demo shows the main job on a real-looking CR, offline: a small
// registry inside this process holds the images the CR names, goldenarch asks
// it over HTTP, and the difference is printed.
package main

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/pmezard/go-difflib/difflib"

	"github.com/goldenarch/goldenarch/fn"
	"github.com/goldenarch/goldenarch/manifest"
	"github.com/goldenarch/goldenarch/registry"
)

//go:embed hyperconverged.yaml golden-images.yaml
var files embed.FS

func main() {
	if err := run(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, "demo:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	host, stop, err := startRegistry()
	if err != nil {
		return err
	}
	defer stop()

	before, err := files.ReadFile("hyperconverged.yaml")
	if err != nil {
		return fmt.Errorf("read the CR: %w", err)
	}
	config, err := files.ReadFile("golden-images.yaml")
	if err != nil {
		return fmt.Errorf("read the configuration: %w", err)
	}
	fmt.Printf("A cluster with amd64 and arm64 workers, in golden-images.yaml:\n\n%s\n", indent(string(config)))

	after, findings, err := render(ctx, host, before, config)
	fmt.Printf("What goldenarch says:\n\n%s\n", indent(findings))
	if err != nil {
		return err
	}
	diff, err := difflib.GetUnifiedDiffString(difflib.UnifiedDiff{
		A: difflib.SplitLines(string(before)), FromFile: "hyperconverged.yaml",
		B: difflib.SplitLines(after), ToFile: "hyperconverged.yaml (rendered)", Context: 2,
	})
	if err != nil {
		return fmt.Errorf("compare: %w", err)
	}
	fmt.Printf("What it writes:\n\n%s", indent(diff))
	return nil
}

var errFindings = errors.New("goldenarch found errors")

// render does what "goldenarch render" does, with the images on a registry of
// this process.
func render(ctx context.Context, host string, cr, config []byte) (after, findings string, err error) {
	items, err := manifest.Parse("hyperconverged.yaml", cr)
	if err != nil {
		return "", "", fmt.Errorf("read the CR: %w", err)
	}
	given, err := manifest.Parse("golden-images.yaml", config)
	if err != nil {
		return "", "", fmt.Errorf("read the configuration: %w", err)
	}
	function := fn.Function{Resolver: func(fn.Access) (registry.Resolver, error) {
		return local{host: host, next: registry.New(registry.Options{Insecure: []string{host}})}, nil
	}}
	items, found := function.Render(ctx, items, given[0])
	if found.Failed() {
		return "", found.String(), errFindings
	}
	var out strings.Builder
	err = manifest.Write(&out, items)
	return out.String(), found.String(), err //nolint:wrapcheck // it says what failed
}

func indent(text string) string {
	var out strings.Builder
	for line := range strings.Lines(text) {
		out.WriteString("    " + line)
	}
	return out.String()
}
