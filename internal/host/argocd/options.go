package argocd

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/console"
)

// The variables that Argo CD sets for the commands of a config management plugin
// (argo-cd reposerver/repository/repository.go: newEnv, getPluginParamEnvs).
const (
	// Parameters has the parameters of the plugin. It is set where an Application has the plugin
	// in its source.
	Parameters = "ARGOCD_APP_PARAMETERS"

	appName         = "ARGOCD_APP_NAME"
	sourcePath      = "ARGOCD_APP_SOURCE_PATH"
	parameterPrefix = "PARAM_"
	envPrefix       = "ARGOCD_ENV_"
)

// Environment returns the value of a variable, as [os.LookupEnv] does.
type Environment func(name string) (string, bool)

// Of returns the environment that Argo CD gives a plugin for an Application: with the parameters and the variables of
// spec.source.plugin.
func Of(parameters string, variables map[string]string) Environment {
	return func(name string) (string, bool) {
		switch name {
		case appName:
			return "application", true
		case Parameters:
			return parameters, parameters != ""
		}
		value, ok := variables[strings.TrimPrefix(name, envPrefix)]
		return value, ok && strings.HasPrefix(name, envPrefix)
	}
}

// In reports whether Argo CD runs this process for an Application.
func In(env Environment) bool {
	name, _ := env(appName)
	return name != ""
}

// parameter is one of spec.source.plugin.parameters of an Application.
type parameter struct {
	Name   string            `json:"name"`
	String *string           `json:"string"`
	Array  []string          `json:"array"`
	Map    map[string]string `json:"map"`
}

// value returns the parameter as a text; "" means that it is not set. Argo
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

// Options returns the options that an Application sets, by key. They come
// from its plugin's parameters, and the missing ones from its plugin's variables. A
// parameter with the name of an unknown option is an error. An unknown variable belongs
// to another program.
func Options(env Environment) (map[string]string, error) {
	options := map[string]string{}
	if !In(env) {
		return options, nil
	}
	for _, scalar := range v1alpha1.Scalars() {
		name := strings.ToUpper(strings.ReplaceAll(scalar.Flag, "-", "_"))
		value := cmp.Or(variable(env, parameterPrefix+name), elements(env, parameterPrefix+name), variable(env, envPrefix+name))
		if value != "" {
			options[scalar.Key] = value
		}
	}
	text, _ := env(Parameters)
	if text == "" {
		return options, nil
	}
	var parameters []parameter
	if err := json.Unmarshal([]byte(text), &parameters); err != nil {
		return nil, fmt.Errorf("read the plugin parameters in %s: %w", Parameters, err)
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
		if seen[scalar.Key] {
			return fmt.Errorf("duplicate plugin parameter %q", p.Name)
		}
		seen[scalar.Key] = true
		value, err := p.value()
		if err != nil {
			return fmt.Errorf("plugin parameter %q: it %w", p.Name, err)
		}
		if value != "" {
			options[scalar.Key] = value
		}
	}
	return nil
}

func variable(env Environment, name string) string {
	value, _ := env(name)
	return strings.TrimSpace(value)
}

// elements joins the variables in which Argo CD passes an array.
func elements(env Environment, name string) string {
	var list []string
	for {
		value, ok := env(name + "_" + strconv.Itoa(len(list)))
		if !ok {
			return strings.Join(list, ",")
		}
		list = append(list, value)
	}
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

// Announcement returns the parameters that a user may change for one Application, as JSON, with
// their values in Git.
func Announcement(spec v1alpha1.GoldenImagesSpec) ([]byte, error) {
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
		return nil, fmt.Errorf("encode the parameters: %w", err)
	}
	return append(console.SafeJSON(data), '\n'), nil
}
