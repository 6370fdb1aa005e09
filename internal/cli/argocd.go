package cli

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/sanitize"
)

// The variables that Argo CD sets for the commands of a config management plugin
// (argo-cd reposerver/repository/repository.go: newEnv, getPluginParamEnvs).
const (
	argoAppName    = "ARGOCD_APP_NAME"
	argoSourcePath = "ARGOCD_APP_SOURCE_PATH"
	argoParameters = "ARGOCD_APP_PARAMETERS"
	argoParameter  = "PARAM_"
	argoPluginEnv  = "ARGOCD_ENV_"
)

// environment returns the value of a variable, as [os.LookupEnv] does.
type environment func(name string) (string, bool)

// inArgoCD reports whether Argo CD runs this process for an Application.
func inArgoCD(env environment) bool {
	name, _ := env(argoAppName)
	return name != ""
}

// parameter is one of spec.source.plugin.parameters of an Application.
type parameter struct {
	Name   string            `json:"name"`
	String *string           `json:"string"`
	Array  []string          `json:"array"`
	Map    map[string]string `json:"map"`
}

// value returns the parameter as the text of a flag; "" means that it is not set. Argo
// CD's user interface leaves empty parameters behind.
func (p parameter) value() (string, error) {
	var text string
	if p.String != nil {
		text = strings.TrimSpace(*p.String)
	}
	switch {
	case len(p.Map) > 0:
		return "", errors.New("is a map, expected a string or an array")
	case text != "" && len(p.Array) > 0:
		return "", errors.New("is both a string and an array")
	}
	return cmp.Or(text, strings.Join(p.Array, ",")), nil
}

// applicationOptions returns the options that an Application sets, by flag. They come
// from its plugin's parameters, and the missing ones from its plugin's environment. A
// parameter with the name of an unknown option is an error. An unknown variable belongs
// to another program.
func applicationOptions(env environment) (map[string]string, error) {
	options := map[string]string{}
	if !inArgoCD(env) {
		return options, nil
	}
	for _, scalar := range v1alpha1.Scalars() {
		name := strings.ToUpper(strings.ReplaceAll(scalar.Flag, "-", "_"))
		value := cmp.Or(variable(env, argoParameter+name), elements(env, argoParameter+name), variable(env, argoPluginEnv+name))
		if value != "" {
			options[scalar.Flag] = value
		}
	}
	text, _ := env(argoParameters)
	if text == "" {
		return options, nil
	}
	var parameters []parameter
	if err := json.Unmarshal([]byte(text), &parameters); err != nil {
		return nil, fmt.Errorf("read the plugin parameters in %s: %w", argoParameters, err)
	}
	return options, addParameters(options, parameters)
}

func addParameters(options map[string]string, parameters []parameter) error {
	seen := map[string]bool{}
	for _, p := range parameters {
		scalar, err := v1alpha1.FindScalar(p.Name)
		if err != nil {
			return fmt.Errorf("plugin parameter: %w", err)
		}
		if seen[scalar.Flag] {
			return fmt.Errorf("duplicate plugin parameter %q", p.Name)
		}
		seen[scalar.Flag] = true
		value, err := p.value()
		if err != nil {
			return fmt.Errorf("plugin parameter %q: it %w", p.Name, err)
		}
		if value != "" {
			options[scalar.Flag] = value
		}
	}
	return nil
}

func variable(env environment, name string) string {
	value, _ := env(name)
	return strings.TrimSpace(value)
}

// elements joins the variables in which Argo CD passes an array.
func elements(env environment, name string) string {
	var list []string
	for {
		value, ok := env(name + "_" + strconv.Itoa(len(list)))
		if !ok {
			return strings.Join(list, ",")
		}
		list = append(list, value)
	}
}

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
			Tooltip: "release of HCO (1.19) or of OpenShift Virtualization (5.0) on the cluster",
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
