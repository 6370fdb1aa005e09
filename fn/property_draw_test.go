package fn_test

import (
	"maps"
	"slices"
	"strings"

	"pgregory.net/rapid"

	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
)

// drawn is a random input: a CR, a configuration, and what the images have.
type drawn struct {
	cr     map[string]any
	config map[string]any
	images fixed
}

// The images that random templates import: those of HCO's table, mirrored ones
// and others.
var urls = []string{
	"docker://quay.io/containerdisks/fedora:latest", "docker://quay.io/containerdisks/centos-stream:9",
	"docker://mirror.example.com/containerdisks/fedora:latest", "docker://quay.io/acme/app:1", "quay.io/acme/tools:2",
}

func draw(t *rapid.T) drawn {
	d := drawn{images: fixed{}}
	for _, url := range urls {
		d.images[strings.TrimPrefix(url, "docker://")] = drawAnswer(t)
	}
	d.config = drawConfig(t)
	d.cr = drawCR(t)
	return d
}

func drawAnswer(t *rapid.T) (answer struct {
	Platforms []string `json:"platforms"`
	Error     string   `json:"error"`
},
) {
	if rapid.IntRange(0, 11).Draw(t, "no answer") == 0 {
		answer.Error = "the registry is down"
		return answer
	}
	answer.Platforms = some(t, "platforms", 1, "linux/amd64", "linux/arm64", "linux/arm64/v8", "linux/s390x", "linux/ppc64le", "windows/amd64")
	return answer
}

func drawConfig(t *rapid.T) map[string]any {
	spec := map[string]any{"cluster": map[string]any{
		"workloadArchitectures":     some(t, "workload", 1, "amd64", "arm64", "s390x", "x86_64", "ppc64le"),
		"controlPlaneArchitectures": some(t, "control plane", 0, "amd64", "arm64"),
	}}
	for _, key := range slices.Sorted(maps.Keys(options)) {
		spec[key] = one(t, key, options[key]...)
	}
	if rapid.IntRange(0, 3).Draw(t, "allow some") == 0 {
		spec["allow"] = some(t, "allow", 1, "amd64", "arm64", "s390x")
	}
	if rapid.IntRange(0, 5).Draw(t, "single") == 0 {
		spec["singleArchitecture"] = one(t, "single architecture", "amd64", "arm64")
	}
	if rapid.IntRange(0, 3).Draw(t, "override") == 0 {
		spec["overrides"] = []any{map[string]any{
			"template": one(t, "overridden", templateNames...), "architectures": some(t, "override", 1, "amd64", "arm64", "s390x"),
		}}
	}
	if rapid.IntRange(0, 3).Draw(t, "expand") == 0 {
		spec["expand"] = map[string]any{
			"mode": one(t, "mode", "Emit", "Emit", "TakeOver"), "predefined": rapid.Bool().Draw(t, "predefined too"),
			"dataSources": one(t, "DataSources", "All", "Reference", "None"), "support": rapid.Bool().Draw(t, "support"),
		}
	}
	return map[string]any{
		"apiVersion": "goldenarch.dev/v1alpha1", "kind": "GoldenImages", "metadata": map[string]any{"name": "golden-images"}, "spec": spec,
	}
}

var options = map[string][]string{
	"release":     {"1.18", "1.19", "4.23"},
	"platform":    {"openshift", "openshift", "openshift", "kubernetes"},
	"predefined":  {"Auto", "upstream", "openshift", "none"},
	"existing":    {"Narrow", "Replace", "Keep"},
	"unsupported": {"Disable", "Disable", "Fail", "Keep"},
	"unresolved":  {"Fail", "Keep", "Keep"},
	"gate":        {"Auto", "Auto", "Enable", "Disable", "Keep"},
	"defaults":    {"Keep", "Write"},
}

// drawCR draws a CR of either version that mostly is one the API server admits.
func drawCR(t *rapid.T) map[string]any {
	var templates []any
	for _, name := range some(t, "names", 0, templateNames...) {
		templates = append(templates, drawTemplate(t, name))
	}
	if len(templates) > 0 && rapid.IntRange(0, 19).Draw(t, "name twice") == 19 {
		templates = append(templates, drawTemplate(t, templateNames[0]))
	}
	sources := map[string]any{}
	if len(templates) > 0 {
		sources["dataImportCronTemplates"] = templates
	}
	if common := rapid.IntRange(0, 5).Draw(t, "common import"); common < 2 {
		sources["enableCommonBootImageImport"] = common == 0
	}
	spec := sources
	gate := one(t, "gate of the CR", "", "", "false", "true")
	version := one(t, "version", hyperconverged.V1, hyperconverged.V1beta1)
	if version == hyperconverged.V1 {
		spec = map[string]any{"workloadSources": sources}
		if gate != "" && rapid.Bool().Draw(t, "as a field") {
			sources[hyperconverged.GateName] = gate == "true"
		} else if gate != "" {
			spec["featureGates"] = []any{
				map[string]any{"name": "other"},
				map[string]any{"name": hyperconverged.GateName, "state": map[string]string{"true": "Enabled", "false": "Disabled"}[gate]},
			}
		}
	} else if gate != "" {
		spec["featureGates"] = map[string]any{hyperconverged.GateName: gate == "true", "other": true}
	}
	drawPlacement(t, version, spec)
	return map[string]any{
		"apiVersion": hyperconverged.Group + "/" + string(version), "kind": hyperconverged.Kind,
		"metadata": map[string]any{"name": "kubevirt-hyperconverged", "namespace": one(t, "namespace", "kubevirt-hyperconverged", "openshift-cnv")},
		"spec":     spec,
	}
}

// drawPlacement draws a workload placement into a spec, sometimes.
func drawPlacement(t *rapid.T, version hyperconverged.Version, spec map[string]any) {
	placement := map[string]any{}
	if rapid.IntRange(0, 4).Draw(t, "selector") == 0 {
		placement["nodeSelector"] = map[string]any{"zone": "a"}
	}
	if rapid.IntRange(0, 4).Draw(t, "affinity") == 0 {
		term := map[string]any{"matchExpressions": []any{map[string]any{"key": "gpu", "operator": "Exists"}}}
		terms := [][]any{{term}, {map[string]any{}, term}, {term, term}}[rapid.IntRange(0, 2).Draw(t, "terms")]
		placement["affinity"] = map[string]any{"nodeAffinity": map[string]any{
			"requiredDuringSchedulingIgnoredDuringExecution": map[string]any{"nodeSelectorTerms": terms},
		}}
	}
	if len(placement) == 0 {
		return
	}
	path := version.Paths().Workloads[1:]
	for _, key := range path[:len(path)-1] {
		below := map[string]any{}
		spec[key] = below
		spec = below
	}
	spec[path[len(path)-1]] = placement
}

func one[T any](t *rapid.T, label string, values ...T) T {
	return rapid.SampledFrom(values).Draw(t, label)
}

// some draws distinct values, in any order.
func some[T comparable](t *rapid.T, label string, least int, values ...T) []T {
	return rapid.SliceOfNDistinct(rapid.SampledFrom(values), least, min(5, len(values)), rapid.ID[T]).Draw(t, label)
}
