package repo

import (
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	k8syaml "sigs.k8s.io/yaml"

	"github.com/goldenarch/goldenarch/internal/files"
)

// helm is what a source of an Application passes to helm.
type helm struct {
	ValueFiles     []string `json:"valueFiles"`
	Values         keys     `json:"values"`
	ValuesObject   keys     `json:"valuesObject"`
	Parameters     keys     `json:"parameters"`
	FileParameters keys     `json:"fileParameters"`

	// files are the paths of the value files, as far as they are in the repository, and elsewhere their names.
	files []string
}

// fields returns the fields with values.
func (h helm) fields() []string {
	var out []string
	for _, one := range []struct {
		name string
		keys keys
	}{{"fileParameters", h.FileParameters}, {"parameters", h.Parameters}, {"values", h.Values}, {"valuesObject", h.ValuesObject}} {
		if len(one.keys) > 0 {
			out = append(out, "helm."+one.name)
		}
	}
	return out
}

// keys are the outermost keys of values of helm. The values themselves may be secrets, and large.
type keys []string

// anyKey stands for the keys of values that cannot be read.
const anyKey = "*"

// UnmarshalJSON implements json.Unmarshaler. Values are an object, the same as a text, or a list of parameters
// with names such as a.b.
func (k *keys) UnmarshalJSON(data []byte) error {
	*k = nil
	var text string
	if json.Unmarshal(data, &text) == nil {
		data = []byte(text)
	}
	var value any
	if err := k8syaml.Unmarshal(data, &value); err != nil {
		*k = keys{anyKey}
		return nil //nolint:nilerr // values that cannot be read may have any key
	}
	switch value := value.(type) {
	case map[string]any:
		*k = slices.Sorted(maps.Keys(value))
	case string:
		*k = keys{anyKey}
	case []any:
		for _, one := range value {
			if parameter, ok := one.(map[string]any); ok {
				one = parameter["name"]
			}
			key, _, _ := strings.Cut(fmt.Sprint(one), ".")
			*k = append(*k, key)
		}
	}
	return nil
}

// has reports whether the values may have what is at a place.
func (k keys) has(place []string) bool {
	return len(place) > 0 && slices.ContainsFunc(k, func(key string) bool { return key == place[0] || key == anyKey || isTemplate(key) })
}

// overridden reports whether value files have a place of a file that helm reads before them. The values.yaml
// of the chart is the first.
func overridden(names []string, o Checked) bool {
	own, err := files.Real(filepath.FromSlash(o.File))
	if len(o.Place) == 0 || err != nil {
		return false
	}
	if at := slices.Index(names, own); at >= 0 {
		names = names[at+1:]
	}
	return slices.ContainsFunc(names, func(file string) bool {
		data, err := files.Read(file)
		var has keys
		return err != nil || has.UnmarshalJSON(data) == nil && has.has(o.Place)
	})
}

// helmReleaseSpec are the values of a HelmRelease of Flux (fluxcd/helm-controller api/v2/helmrelease_types.go:
// HelmReleaseSpec, HelmChartTemplateSpec).
type helmReleaseSpec struct {
	Chart struct {
		Spec struct {
			Chart       string   `json:"chart"`
			SourceRef   fluxRef  `json:"sourceRef"`
			ValuesFiles []string `json:"valuesFiles"`
		} `json:"spec"`
	} `json:"chart"`
	Values         keys           `json:"values"`
	ValuesFrom     []any          `json:"valuesFrom"`
	CommonMetadata commonMetadata `json:"commonMetadata"`
	PostRenderers  []postRenderer `json:"postRenderers"`

	files []string
}

// postRenderer changes what a chart makes.
type postRenderer struct {
	Kustomize overrides `json:"kustomize"`
}

// chartUses returns how a chart is rendered, each way once. What an Application or a HelmRelease has
// in itself is its own.
func chartUses(all []ChartUse) []ChartUse {
	var out []ChartUse
	known := map[string]bool{}
	for _, use := range all {
		id := fmt.Sprint(use.Replaces, use.Values)
		if len(use.Fields) > 0 {
			id += "\n" + use.By
		}
		if !known[id] {
			known[id] = true
			out = append(out, use)
		}
	}
	return out
}
