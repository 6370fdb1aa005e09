package cli

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/host/argocd"
	"github.com/goldenarch/goldenarch/internal/manifest/kinds"
	"github.com/goldenarch/goldenarch/internal/manifest/object"
)

func newArgoCD(streams Streams) *cobra.Command {
	group := &cobra.Command{
		Use:   "argocd",
		Short: "Commands that Argo CD calls in a config management plugin",
		Long: `What the plugin.yaml of a config management plugin of Argo CD calls, beside
'goldenarch render'. See docs/argocd.md.`,
		Args: noCommand,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	group.AddCommand(
		&cobra.Command{
			Use:   "discover",
			Short: "Print why goldenarch renders the current directory, or nothing",
			Long: `Print why goldenarch renders the current directory, or nothing if it does not. It
does if a file of the directory has a GoldenImages or a WorkloadArchitectures, or if
its kustomization lists one, directly or through what it refers to. Subdirectories do
not count, and neither does a Helm chart. If the Application chooses the plugin, a
HyperConverged CR is enough. The status is always 0, because Argo CD takes a failure for "no".`,
			RunE: func(*cobra.Command, []string) error { return discover(streams) },
		},
		&cobra.Command{
			Use:   "parameters",
			Short: "Print the parameters for Argo CD's user interface, with the values from Git",
			RunE:  func(*cobra.Command, []string) error { return announce(streams) },
		},
	)
	return group
}

// discover prints why goldenarch handles the current directory.
//
// Argo CD queries every plugin about every Application. If the Application selects no
// plugin, only a GoldenImages or a WorkloadArchitectures counts: a HyperConverged CR
// alone is not a reason to change what Argo CD does with the directory. If the
// Application has a plugin in its source, the environment shows that. Then discover also
// accepts a directory that it cannot render. The rendering reports what is wrong, while
// Argo CD only reports that it found no plugin.
func discover(streams Streams) error {
	kinds := []string{argocd.GoldenImages, argocd.Workloads}
	_, chosen := os.LookupEnv(argocd.Parameters)
	if chosen {
		kinds = append(kinds, argocd.HyperConverged)
	}
	reason, err := argocd.Mentioned(".", kinds)
	if err != nil {
		return err
	}
	if reason == "" && chosen {
		reason = built(streams, kinds)
	}
	if reason == "" {
		return nil
	}
	_, err = fmt.Fprintln(streams.printer.Text(), reason)
	return err
}

// built returns the first object of one of the kinds that the current directory
// renders. If the directory cannot be rendered, it returns that the Application selects
// the plugin.
func built(streams Streams, kinds []string) string {
	in := inputOf(streams)
	items, found := in.Here()
	for _, item := range items {
		if kind := argocd.KindOf(item, kinds); kind != "" {
			return fmt.Sprintf("%s %s", kind, object.Ref(item).Name)
		}
	}
	if found.Failed() || len(items) == 0 {
		return "the Application chooses the plugin"
	}
	return ""
}

// announce prints the parameters that a user may change for one Application. For an unreadable
// directory it prints none: the rendering reports the error.
func announce(streams Streams) error {
	text, err := argocd.Announcement(specHere(streams))
	if err != nil {
		return err
	}
	_, err = streams.printer.Product().Write(text)
	return err
}

// specHere returns the spec of the GoldenImages in the current directory.
func specHere(streams Streams) v1alpha1.GoldenImagesSpec {
	in := inputOf(streams)
	items, _ := in.Here()
	for _, o := range object.All(items) {
		if !kinds.IsGoldenarch(o.At, v1alpha1.GoldenImagesKind) {
			continue
		}
		tree, err := o.Tree()
		if err != nil {
			continue
		}
		if config, err := v1alpha1.DecodeGoldenImages(tree); err == nil {
			return config.Spec
		}
	}
	var spec v1alpha1.GoldenImagesSpec
	spec.Default()
	return spec
}
