package repo

import (
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"
	k8syaml "sigs.k8s.io/yaml"

	"github.com/goldenarch/goldenarch/internal/console"
	"github.com/goldenarch/goldenarch/internal/files"
	"github.com/goldenarch/goldenarch/internal/manifest"
	"github.com/goldenarch/goldenarch/internal/manifest/object"
	"github.com/goldenarch/goldenarch/internal/yaml/yamlnode"
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

// ChangesAround returns the fields of an Application or a HelmRelease that can change an object in its own values, and the name
// of that. It does not look into value files: the own values win over them, and the chart may be elsewhere.
func ChangesAround(o Checked) (by string, changes []Change) {
	at := slices.IndexFunc(o.Place, func(step string) bool { return step == "valuesObject" || step == "values" })
	if at < 1 {
		return "", nil
	}
	items, err := manifest.ReadFile(filepath.FromSlash(o.File))
	if err != nil {
		return "", nil // reported where the file is read
	}
	for _, of := range object.All(items) {
		if _, err := yamlnode.Find(of.Node.YNode(), o.Place); err != nil {
			continue // another document of the file
		}
		around, err := yamlnode.Find(of.Node.YNode(), o.Place[:at])
		if err != nil {
			continue
		}
		inner := o
		inner.Place = o.Place[at+1:]
		return console.Escape(o.File + ": " + of.At.Kind + "/" + of.At.Name), beside(of.At.Kind, *around, inner)
	}
	return "", nil
}

// beside returns the fields beside values that can change an object in them. around has the values: the helm of a source, or the
// spec of a HelmRelease.
func beside(kind string, around *yaml.Node, o Checked) []Change {
	data, err := yaml.NewRNode(around).MarshalJSON()
	if err != nil {
		return nil
	}
	switch kind {
	case "Application", "ApplicationSet":
		var source applicationSource
		if k8syaml.Unmarshal(data, &source.Helm) == nil {
			source.Helm.Values, source.Helm.ValuesObject = nil, nil // valuesObject wins over values
			return touching(applicationRows, source, o)
		}
	case "HelmRelease":
		var spec helmReleaseSpec
		if k8syaml.Unmarshal(data, &spec) == nil {
			spec.Values = nil
			return touching(helmReleaseRows, spec, o)
		}
	}
	return nil
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
