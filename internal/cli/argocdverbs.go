package cli

import (
	"encoding/json"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/sanitize"
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
			Args: asMisuse(cobra.NoArgs),
			RunE: func(*cobra.Command, []string) error { return discover(streams) },
		},
		&cobra.Command{
			Use:   "parameters",
			Short: "Print the parameters for Argo CD's user interface, with the values from Git",
			Args:  asMisuse(cobra.NoArgs),
			RunE:  func(*cobra.Command, []string) error { return announce(streams) },
		},
	)
	return group
}

// announcement is a parameter as Argo CD's user interface shows it (argo-cd
// reposerver/repository/repository.proto: ParameterAnnouncement).
type announcement struct {
	Name           string   `json:"name"`
	Title          string   `json:"title"`
	Tooltip        string   `json:"tooltip"`
	CollectionType string   `json:"collectionType,omitempty"`
	String         string   `json:"string,omitempty"`
	Array          []string `json:"array,omitempty"`
}

// announce prints the parameters that a user may change for one Application, with their
// values in Git. For an unreadable directory it prints none: the rendering reports the
// error.
func announce(streams Streams) error {
	spec := specOf(streams)
	list := []announcement{
		{
			Name: "workload-architectures", Title: "Workload architectures", CollectionType: "array",
			Tooltip: "Architectures of the nodes that run VMs, such as amd64 and arm64. Empty: from the nodes in Git",
			Array:   spec.Cluster.WorkloadArchitectures,
		},
		{
			Name: "control-plane-architectures", Title: "Control-plane architectures", CollectionType: "array",
			Tooltip: "Architectures of the control-plane nodes. Empty: from the nodes in Git",
			Array:   spec.Cluster.ControlPlaneArchitectures,
		},
		{
			Name: "release", Title: "Release", String: spec.Release,
			Tooltip: "release of HCO (1.19) or of OpenShift Virtualization (4.23) on the cluster",
		},
		{
			Name: "expand", Title: "Expand", String: string(spec.Expand.Mode),
			Tooltip: "Emit DataImportCrons and DataSources beside the CR: None, Emit or TakeOver",
		},
	}
	data, err := json.Marshal(list)
	if err != nil {
		return fmt.Errorf("encode the parameters: %w", err)
	}
	if _, err := streams.printer.Product().Write(append(sanitize.JSON(data), '\n')); err != nil {
		return fmt.Errorf("write the parameters: %w", err)
	}
	return nil
}

// specOf returns the spec of the GoldenImages in the current directory.
func specOf(streams Streams) v1alpha1.GoldenImagesSpec {
	r := render{streams: streams}
	items, _ := r.read(nil)
	for _, item := range append(r.listed(), items...) {
		if item.GetKind() != goldenImages {
			continue
		}
		var tree map[string]any
		data, err := item.MarshalJSON()
		if err != nil || json.Unmarshal(data, &tree) != nil {
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
