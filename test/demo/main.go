// Command demo shows the main job on a realistic CR, offline. A small registry inside this
// process serves the images that the CR names. goldenarch queries it over HTTP and locks
// the answers. Then the demo stops the registry, renders the CR from the lock alone, and
// prints the difference first, then the findings and what goldenarch knew.
package main

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"unicode/utf8"

	"github.com/pmezard/go-difflib/difflib"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/console"
	"github.com/goldenarch/goldenarch/internal/engine"
	"github.com/goldenarch/goldenarch/internal/images/lock"
	"github.com/goldenarch/goldenarch/internal/images/registry"
	"github.com/goldenarch/goldenarch/internal/manifest"
)

//go:embed hyperconverged.yaml
var cr []byte

//go:embed golden-images.yaml
var config []byte

func main() {
	if err := run(context.Background(), os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "demo:", err)
		os.Exit(1)
	}
}

// columns is how wide a terminal is at least.
const columns = 80

// run writes what the demo shows.
func run(ctx context.Context, w io.Writer) error {
	host, stop, err := startRegistry()
	if err != nil {
		return err
	}
	locked, err := lockFor(ctx, host)
	stop()
	if err != nil {
		return err
	}
	after, findings, err := render(ctx, []byte(locked))
	if err != nil {
		return fmt.Errorf("%w:\n%s", err, findings)
	}
	diff, err := difflib.GetUnifiedDiffString(difflib.UnifiedDiff{
		A: difflib.SplitLines(string(cr)), FromFile: "hyperconverged.yaml",
		B: difflib.SplitLines(after), ToFile: "hyperconverged.yaml (rendered)", Context: 1,
	})
	if err != nil {
		return fmt.Errorf("compare: %w", err)
	}
	for _, part := range []struct{ title, text string }{
		{"A cluster has amd64 and arm64 workers. What goldenarch changes in its CR:", diff},
		{"Why:", console.Wrap(findings, columns-len(margin))},
		{"What golden-images.yaml states:", string(config)},
		{"What the registries answered, in golden-images.lock.yaml.\nWith this file, goldenarch queries no registry:", head(locked, 17)},
	} {
		if _, err := fmt.Fprintf(w, "%s\n\n%s\n", part.title, indent(part.text)); err != nil {
			return fmt.Errorf("write: %w", err)
		}
	}
	return nil
}

var errFindings = errors.New("goldenarch found errors")

// lockFor does what "goldenarch lock" does, with the images in a registry of this process.
func lockFor(ctx context.Context, host string) (string, error) {
	var reader manifest.Reader
	items, given, err := read(&reader)
	if err != nil {
		return "", err
	}
	function := engine.Function{
		Open: func(registry.Options) (registry.Resolver, error) {
			return local{host: host, next: registry.New(registry.Options{Insecure: []string{host}})}, nil
		},
	}
	images, found := function.Images(items, engine.Given(given))
	if found.Failed() {
		return "", fmt.Errorf("%w: %s", errFindings, found)
	}
	answers, found := images.Answers(ctx, images.ToQuery)
	if found.Failed() {
		return "", fmt.Errorf("%w: %s", errFindings, found)
	}
	text, err := lock.NewFile("golden-images.lock.yaml").With(lock.Compare(lock.Lock{}, answers, nil))
	return string(text), err
}

// render does what "goldenarch render" does. The configuration requires the lock, so
// goldenarch queries no registry.
func render(ctx context.Context, locked []byte) (after, findings string, err error) {
	var reader manifest.Reader
	items, given, err := read(&reader)
	if err != nil {
		return "", "", err
	}
	entries, err := reader.Parse("golden-images.lock.yaml", locked)
	if err != nil {
		return "", "", fmt.Errorf("read the lock: %w", err)
	}
	rendered, found := engine.Function{}.Render(ctx, append(items, entries...), engine.Given(given))
	if found.Failed() {
		return "", found.String(), errFindings
	}
	var out strings.Builder
	err = reader.Texts.Write(&out, rendered.Items)
	return out.String(), found.String(), err
}

func read(reader *manifest.Reader) (items []*yaml.RNode, given *yaml.RNode, err error) {
	items, err = reader.Parse("hyperconverged.yaml", cr)
	if err != nil {
		return nil, nil, fmt.Errorf("read the CR: %w", err)
	}
	configs, err := manifest.Parse("golden-images.yaml", config)
	if err != nil {
		return nil, nil, fmt.Errorf("read the configuration: %w", err)
	}
	return items, configs[0], nil
}

// head returns the first lines of a text.
func head(text string, n int) string {
	lines := strings.SplitAfter(text, "\n")
	if len(lines) <= n {
		return text
	}
	return strings.Join(lines[:n], "") + "  ...\n"
}

const margin = "    "

// indent returns a text with a margin, and cuts lines that do not fit.
func indent(text string) string {
	return console.EachLine(text, func(line string) string {
		if most := columns - len(margin); utf8.RuneCountInString(line) > most {
			line = string([]rune(line)[:most-1]) + "…"
		}
		return margin + line
	})
}
