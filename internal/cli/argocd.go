package cli

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
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
