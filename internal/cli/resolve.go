package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"text/tabwriter"

	"github.com/spf13/cobra"
	k8syaml "sigs.k8s.io/yaml"

	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/console"
	"github.com/goldenarch/goldenarch/internal/engine/configuration"
	"github.com/goldenarch/goldenarch/internal/images/access"
	"github.com/goldenarch/goldenarch/internal/images/imageref"
	"github.com/goldenarch/goldenarch/internal/images/registry"
	"github.com/goldenarch/goldenarch/internal/workspace"
)

// Resolved is what the verb prints for one image.
type Resolved struct {
	Reference       string         `json:"reference"`
	Digest          string         `json:"digest,omitempty"`
	MediaType       string         `json:"mediaType,omitempty"`
	Mirror          string         `json:"mirror,omitempty"`
	Architectures   []string       `json:"architectures,omitempty"`
	Platforms       arch.Platforms `json:"platforms,omitempty"`
	Absent          arch.Platforms `json:"absent,omitempty"`
	RejectedEntries []string       `json:"unbelieved,omitempty"`
	Error           string         `json:"error,omitempty"`

	absent error
}

func newResolve(streams Streams) *cobra.Command {
	var flags registryFlags
	var stated settings
	var output string
	cmd := &cobra.Command{
		Use:   "resolve IMAGE...",
		Short: "Print the architectures of images",
		Long: `Query the registries for the architectures of images. The column ARCHITECTURES is
what a template with this image can declare.`,
		Example: "  goldenarch resolve quay.io/containerdisks/fedora:latest -o json",
		RunE: func(cmd *cobra.Command, args []string) error {
			spec, err := configuration.Options{Flags: stated.given()}.Alone()
			if err != nil {
				return workspace.Misuse{Err: stated.naming(err)}
			}
			if err := flags.check(); err != nil {
				return workspace.Misuse{Err: err}
			}
			asked := access.RegistryOptions(flags.options(), spec.Registry)
			asked.Note = noteTo(streams.printer)
			resolver, err := streams.queries.open(asked)
			if err != nil {
				return err
			}
			ctx, cancel := context.WithTimeout(cmd.Context(), spec.Registry.RunTimeout())
			defer cancel()
			hide := streams.queries.show(streams.printer)
			list := resolveImages(ctx, resolver, args)
			hide()
			return showImages(streams, list, output)
		},
	}
	flags.add(cmd)
	cmd.Flags().StringVarP(&output, "output", "o", "text", "output format: text, json, yaml")
	stated.addSet(cmd)
	return cmd
}

// noteTo prints the notes of registries, each of them once.
func noteTo(printer *console.Printer) func(registry.Note) {
	var mu sync.Mutex
	reported := map[string]bool{}
	return func(n registry.Note) {
		mu.Lock()
		defer mu.Unlock()
		if !reported[n.Registry] {
			reported[n.Registry] = true
			printer.Message("%s", n)
		}
	}
}

// resolveImages finds the architectures of each image, or why they are unknown.
func resolveImages(ctx context.Context, r registry.Resolver, images []string) []Resolved {
	list := make([]Resolved, len(images))
	refs := make([]imageref.Reference, 0, len(images))
	places := make([]int, 0, len(images))
	for i, image := range images {
		list[i].Reference = image
		ref, err := imageref.Parse(image)
		if err != nil {
			list[i].Error = err.Error()
			if wrong, ok := errors.AsType[*imageref.ParseError](err); ok {
				list[i].Reference = wrong.Text // without a password
			}
			continue
		}
		refs, places = append(refs, ref), append(places, i)
	}
	for i, result := range registry.ResolveAll(ctx, r, refs) {
		list[places[i]] = toResolved(result)
	}
	return list
}

// showImages prints the architectures of each image. It reports an image that cannot be
// resolved on standard error, and the status is 1.
func showImages(streams Streams, list []Resolved, output string) error {
	if err := streams.show(output, func(w io.Writer) error { return formats[output](w, list) }); err != nil {
		return err
	}
	failed := false
	for _, one := range list {
		for _, why := range one.RejectedEntries {
			streams.printer.Message("image %q: not counted: %s", one.Reference, why)
		}
		if one.absent != nil {
			streams.printer.Message("not counted: %v", one.absent)
		}
		if one.Error != "" {
			failed = true
			streams.printer.Message("%s", one.Error)
		}
	}
	if failed {
		return errSilent
	}
	return nil
}

func toResolved(result registry.Result) Resolved {
	one := Resolved{Reference: result.Reference.String()}
	if result.Err != nil {
		one.Error = result.Err.Error()
		return one
	}
	one.Digest, one.MediaType, one.Platforms = result.Image.Digest, result.Image.MediaType, result.Image.Platforms
	one.Mirror, one.RejectedEntries = result.Image.Mirror, result.Image.RejectedEntries
	one.Absent, one.absent = result.Image.Absent, result.Image.AbsentError
	one.Architectures = result.Image.Platforms.Linux().Strings()
	return one
}

// formats are the output formats of resolve.
var formats = map[string]func(w io.Writer, list []Resolved) error{"text": printText, "json": printJSON, "yaml": printYAML}

func printText(w io.Writer, list []Resolved) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "IMAGE\tARCHITECTURES\tPLATFORMS\tDIGEST")
	for _, one := range list {
		if one.Error != "" {
			fmt.Fprintf(table, "%s\t%s\t\t\n", console.Escape(one.Reference), "unknown")
			continue
		}
		names := make([]string, len(one.Platforms))
		for i, p := range one.Platforms {
			names[i] = p.String()
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\n", console.Escape(one.Reference), strings.Join(one.Architectures, ","), strings.Join(names, ","), one.Digest)
	}
	return table.Flush()
}

func printJSON(w io.Writer, list []Resolved) error {
	data, err := json.MarshalIndent(list, "", "  ")
	if err != nil {
		return fmt.Errorf("encode: %w", err)
	}
	_, err = w.Write(append(console.SafeJSON(data), '\n'))
	return err
}

func printYAML(w io.Writer, list []Resolved) error {
	data, err := k8syaml.Marshal(list)
	if err != nil {
		return fmt.Errorf("encode: %w", err)
	}
	_, err = w.Write(data)
	return err
}
