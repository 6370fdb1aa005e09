package repo

import (
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	k8syaml "sigs.k8s.io/yaml"

	"github.com/goldenarch/goldenarch/internal/pathname"
	"github.com/goldenarch/goldenarch/internal/regular"
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
	if k8syaml.Unmarshal(data, &value) != nil {
		*k = keys{anyKey}
		return nil
	}
	switch value := value.(type) {
	case map[string]any:
		*k = slices.Sorted(maps.Keys(value))
	case string:
		*k = keys{anyKey}
	case []any:
		for _, one := range value {
			if parameter, is := one.(map[string]any); is {
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
func overridden(files []string, o Checked) bool {
	own, err := pathname.Real(filepath.FromSlash(o.File))
	if len(o.Place) == 0 || err != nil {
		return false
	}
	if at := slices.Index(files, own); at >= 0 {
		files = files[at+1:]
	}
	return slices.ContainsFunc(files, func(file string) bool {
		data, err := regular.Read(file)
		var has keys
		return err != nil || has.UnmarshalJSON(data) == nil && has.has(o.Place)
	})
}

// ofRelease are the values of a HelmRelease of Flux (fluxcd/helm-controller api/v2/helmrelease_types.go:
// HelmReleaseSpec, HelmChartTemplateSpec).
type ofRelease struct {
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

// releaseChart notes how a HelmRelease renders a chart of the tree. The chart and its value files are
// relative to the root of the repository (fluxcd/source-controller api/v1/helmchart_types.go:
// HelmChartSpec).
func (s *scan) releaseChart(one fluxRelease, sources map[string][]string) {
	of := one.Spec.Chart.Spec
	if of.SourceRef.Kind != fluxGit || s.isElsewhere(of.SourceRef, sources) || !filepath.IsLocal(filepath.FromSlash(of.Chart)) {
		return
	}
	chart := s.directoryAt(filepath.Join(s.repository.top, filepath.FromSlash(of.Chart)))
	for _, file := range of.ValuesFiles {
		if at := filepath.Join(s.repository.top, filepath.FromSlash(file)); pathname.Within(at, s.repository.top) {
			one.Spec.files = append(one.Spec.files, at)
		}
	}
	use := ChartUse{By: one.name("HelmRelease"), Replaces: len(of.ValuesFiles) > 0, Values: s.shownFiles(one.Spec.files)}
	if len(one.Spec.Values) > 0 {
		use.Fields = append(use.Fields, "spec.values")
	}
	if len(one.Spec.ValuesFrom) > 0 {
		use.Fields = append(use.Fields, "spec.valuesFrom")
	}
	s.uses[chart] = append(s.uses[chart], use)
	s.out.Routes = append(s.out.Routes, Route{By: use.By, dir: chart, release: &one.Spec})
}

// valueFiles returns the value files of a source: a path is relative to the chart, to the
// root of the repository if it begins with a slash, or to that of another source ($ref/file). It leaves out those that are
// not in the repository, and whose names only Argo CD knows (argo-cd util/io/path/resolved.go: ResolveValueFilePathOrUrl, and
// reposerver/repository/repository.go: getResolvedValueFiles). A URL, and a file of a source of
// another repository, keep their names.
func (s *scan) valueFiles(of source, chart string) []string {
	var out []string
	for _, file := range of.Helm.ValueFiles {
		at := filepath.Join(chart, filepath.FromSlash(file))
		ref, below, _ := strings.Cut(strings.TrimPrefix(file, "$"), "/")
		url, known := of.refs[ref]
		switch {
		case isTemplate(file):
			continue
		case strings.Contains(file, "://"), strings.HasPrefix(file, "$") && (!known || !s.repository.is(url)):
			out = append(out, file)
			continue
		case strings.HasPrefix(file, "/"):
			at = filepath.Join(s.repository.top, filepath.FromSlash(file))
		case strings.HasPrefix(file, "$"):
			at = filepath.Join(s.repository.top, filepath.FromSlash(below))
		}
		if pathname.Within(at, s.repository.top) {
			out = append(out, at)
		}
	}
	return out
}

// shownFiles returns value files as the user names them.
func (s *scan) shownFiles(files []string) []string {
	var out []string
	for _, file := range files {
		if filepath.IsAbs(file) {
			file = s.shown(file)
		}
		out = append(out, file)
	}
	return out
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
