package kustomize

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/kustomize/api/types"
)

// noFiles are the texts of a kustomization that name no file, "*" for all below a field.
var noFiles = []string{
	"kind", "apiVersion", "metadata.*", "namePrefix", "nameSuffix", "namespace", "commonLabels", "labels.*", "commonAnnotations", "buildMetadata",
	"patches.patch", "patches.target.*", "patchesJson6902.patch", "patchesJson6902.target.*", "images.*", "imageTags.*", "replicas.name", "vars.*",
	"replacements.source.*", "replacements.targets.*", "replacements.sourceValue", "sortOptions.*", "generatorOptions.*",
	"configMapGenerator.namespace", "configMapGenerator.name", "configMapGenerator.behavior", "configMapGenerator.literals", "configMapGenerator.options.*",
	"secretGenerator.namespace", "secretGenerator.name", "secretGenerator.behavior", "secretGenerator.literals", "secretGenerator.options.*",
	"secretGenerator.type",
	// What helm is, and how it runs: goldenarch runs no helm.
	"helmGlobals.configHome", "helmChartInflationGenerator.helmBin", "helmChartInflationGenerator.helmHome", "helmChartInflationGenerator.extraArgs",
	"helmCharts.version", "helmCharts.repo", "helmCharts.releaseName", "helmCharts.namespace", "helmCharts.valuesMerge", "helmCharts.apiVersions",
	"helmCharts.valuesInline",
	"helmCharts.kubeVersion", "helmCharts.nameTemplate", "helmChartInflationGenerator.chartVersion", "helmChartInflationGenerator.chartRepoUrl",
	"helmChartInflationGenerator.chartRepoName", "helmChartInflationGenerator.valuesMerge", "helmChartInflationGenerator.valuesLocal",
	"helmChartInflationGenerator.releaseName",
	"helmChartInflationGenerator.releaseNamespace",
}

// TestEachFieldWithAFile: each text of a kustomization either names a file, and so is one of its
// entries, or is known to name none. A new field of kustomize is neither.
func TestEachFieldWithAFile(t *testing.T) {
	t.Parallel()
	known := func(field string) bool {
		return slices.ContainsFunc(noFiles, func(one string) bool {
			begin, all := strings.CutSuffix(one, "*")
			return one == field || all && strings.HasPrefix(field, begin)
		})
	}
	var missing, twice []string
	fields := 0
	textsOf(reflect.TypeFor[types.Kustomization](), "", func(field string, set func(text string) reflect.Value) {
		fields++
		k, _ := reflect.TypeAssert[types.Kustomization](set("FILE"))
		if field == "helmGlobals.chartHome" {
			k.HelmCharts = []types.HelmChart{{Name: "chart"}}
		}
		sources, others := entriesOf(k)
		ok := slices.ContainsFunc(slices.Concat(sources, others), func(name string) bool { return strings.Contains(name, "FILE") })
		switch {
		case ok && known(field):
			twice = append(twice, field)
		case !ok && !known(field):
			missing = append(missing, field)
		}
	})
	if diff := cmp.Diff([]string(nil), missing); diff != "" || fields < len(noFiles) {
		t.Errorf("of %d texts, these name no file and are not known to name none:\n%s", fields, diff)
	}
	if diff := cmp.Diff([]string(nil), twice); diff != "" {
		t.Errorf("texts that name a file are known to name none:\n%s", diff)
	}
}

// textsOf visits each text in a type, with what makes a value that has only this one.
func textsOf(in reflect.Type, path string, visit func(path string, set func(text string) reflect.Value)) {
	inner := func(at reflect.Type, path string, wrap func(value reflect.Value) reflect.Value) {
		textsOf(at, path, func(path string, set func(string) reflect.Value) {
			visit(path, func(text string) reflect.Value { return wrap(set(text)) })
		})
	}
	switch in.Kind() {
	case reflect.String:
		visit(path, func(text string) reflect.Value { return reflect.ValueOf(text).Convert(in) })
	case reflect.Pointer:
		inner(in.Elem(), path, func(value reflect.Value) reflect.Value {
			out := reflect.New(in.Elem())
			out.Elem().Set(value)
			return out
		})
	case reflect.Slice:
		inner(in.Elem(), path, func(value reflect.Value) reflect.Value { return reflect.Append(reflect.MakeSlice(in, 0, 1), value) })
	case reflect.Map:
		if path == "openapi" { // whose keys are fields
			visit(path, func(text string) reflect.Value { return reflect.ValueOf(map[string]string{"path": text}) })
			return
		}
		visit(path, func(string) reflect.Value { return reflect.Zero(in) })
	case reflect.Struct:
		for i := range in.NumField() {
			field := in.Field(i)
			name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
			at := strings.Trim(path+"."+name, ".")
			inner(field.Type, at, func(value reflect.Value) reflect.Value {
				out := reflect.New(in).Elem()
				out.Field(i).Set(value)
				return out
			})
		}
	default:
	}
}
