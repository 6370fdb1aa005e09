package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/goldenarch/goldenarch/internal/engine/customize"
	"github.com/goldenarch/goldenarch/internal/images/imageref"
	"github.com/goldenarch/goldenarch/internal/manifest"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
	"github.com/goldenarch/goldenarch/internal/workspace"
	"github.com/goldenarch/goldenarch/transformers"
)

// customizeOptions are the flags of customize.
type customizeOptions struct {
	inputOptions
	writeOptions

	image           string
	enable, disable bool
}

func newCustomize(streams Streams) *cobra.Command {
	c := &customizeOptions{inputOptions: inputOf(streams)}
	cmd := &cobra.Command{
		Use:   "customize TEMPLATE [PATH]",
		Short: "Give a predefined template an image of your own, or disable it",
		Long: `Copy a predefined template into the HyperConverged CR of a file or directory, with
another image and the architectures that this image has. A template that the CR has
already is changed in place. Only the lines that must change do, as in 'goldenarch
fix'. Without a PATH the CR is in the current directory.

goldenarch copies the template from the status of the live CR (--live), or from its
own table. The table is exact for the upstream releases. For OpenShift Virtualization
it is not, so --live is required there, unless the CR has the template already.

The architectures come from --image, spec.overrides, the lock or the registry. The
nodes need not be known: 'goldenarch fix' decides the rest.

After an error no file is changed. With --diff or --check no file is changed either,
and the status is 3 if one would be.`,
		Example: `  goldenarch customize fedora-image-cron --set-image quay.io/acme/fedora:42 hyperconverged.yaml
  goldenarch customize rhel9-image-cron --set-image quay.io/acme/rhel9:latest --live live.yaml overlays/prod
  goldenarch customize centos-stream10-image-cron --disable hyperconverged.yaml`,
		RunE: func(cmd *cobra.Command, args []string) error { return c.run(cmd.Context(), args[0], args[1:]) },
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			if len(args) > 0 {
				return nil, cobra.ShellCompDirectiveDefault // a file
			}
			return predefinedNames(), cobra.ShellCompDirectiveNoFileComp
		},
	}
	c.flags.addQueries(cmd)
	c.addInput(cmd)
	c.flags.settings.addOwn(cmd, release)
	c.addLive(cmd)
	c.writeOptions.add(cmd)
	cmd.Flags().StringVar(&c.image, "set-image", "", "image that the template imports, such as quay.io/acme/fedora:42")
	cmd.Flags().BoolVar(&c.disable, "disable", false, "disable the template")
	cmd.Flags().BoolVar(&c.enable, "enable", false, "enable the template again")
	return cmd
}

// predefinedNames returns the names of all predefined templates that goldenarch knows.
func predefinedNames() []string {
	var out []string
	for _, table := range []hyperconverged.Table{hyperconverged.Upstream(), hyperconverged.OpenShift()} {
		for _, p := range table.Templates {
			out = append(out, p.Name())
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// request reads what the user wants of a template.
func (c *customizeOptions) request(template string) (customize.Request, error) {
	out := customize.Request{Template: template}
	switch {
	case c.image == "" && !c.enable && !c.disable:
		return out, workspace.Misuse{Err: errors.New("customize changes nothing without --set-image, --disable or --enable")}
	case c.disable && (c.enable || c.image != ""):
		return out, workspace.Misuse{Err: errors.New("flag --disable: the template gets no image and is not enabled: leave out --set-image and --enable")}
	case c.disable:
		out.Switch = transformers.Disable
	case c.enable:
		out.Switch = transformers.Enable
	}
	if c.image == "" {
		return out, nil
	}
	const scheme = "docker://"
	out.Image = scheme + strings.TrimPrefix(c.image, scheme)
	ref, err := imageref.Parse(out.Image)
	if err != nil {
		return out, workspace.Misuse{Err: fmt.Errorf("flag --set-image: %w", err)}
	}
	if !strings.Contains(strings.TrimPrefix(c.image, scheme), "/") {
		out.Image = scheme + ref.String() // CDI reads fedora:42 as a host and a port
	}
	return out, nil
}

func (c *customizeOptions) run(ctx context.Context, template string, paths []string) error {
	paths = c.CRPaths.PathsOr(paths)
	if slices.Contains(paths, manifest.Stdin) {
		return workspace.Misuse{Err: errors.New("customize writes into files, and standard input (-) is not a file")}
	}
	request, err := c.request(template)
	if err != nil {
		return err
	}
	function, err := c.function()
	if err != nil {
		return err
	}
	custom, found, err := c.Customize(ctx, paths, function, request)
	if err != nil || custom == nil {
		return cmp.Or(err, c.streams.report(found))
	}
	if err := c.finish(ctx, c.streams, custom.Paths, custom.Changes, found); err != nil || c.diff || c.check {
		return err
	}
	c.flags.sayImages(c.streams)
	return nil
}
