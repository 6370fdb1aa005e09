package workspace

import (
	"cmp"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/argocd"
	"github.com/goldenarch/goldenarch/internal/check"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/pipeline"
	"github.com/goldenarch/goldenarch/internal/repo"
)

// pluginSettings reports what an Application tells the plugin that renders an input, and what neither the Fleet nor a
// configuration states: Argo CD then renders something else than the check judges.
func (r *reader) pluginSettings(function pipeline.Function, input preparedInput, path string) finding.List {
	if function.As != check.Rendered {
		return nil
	}
	var found finding.List
	for _, route := range r.As.plugins(path, input.items) {
		options, err := pluginOptions(*route.Plugin)
		at := finding.Finding{ID: finding.ChangedOnTheWay, Severity: finding.Error, Object: finding.Object{File: filepath.ToSlash(path)}}
		if err != nil {
			at.Text, at.Do = fmt.Sprintf("%s: %s", route.By, err), "correct the Application"
			found = append(found, at)
			continue
		}
		if len(options) == 0 {
			continue
		}
		known, wrong := function.Known(input.items, input.steps)
		if wrong.Failed() {
			continue // the check reports it
		}
		for _, key := range slices.Sorted(maps.Keys(options)) {
			if stated := statedFor(known, key); !equalSetting(key, options[key], stated) {
				at.Text = fmt.Sprintf("%s sets the plugin parameter %q to %q, and the check judges what goldenarch renders with %q", route.By, key, options[key],
					cmp.Or(stated, "nothing"))
				at.Do = "state the same in the configuration or the entry of goldenarch.yaml, or remove the parameter"
				found = append(found, at)
			}
		}
	}
	return found
}

// pluginOptions returns the options that an Application sets in its plugin, by key.
func pluginOptions(p repo.Plugin) (map[string]string, error) {
	variables := map[string]string{}
	for _, one := range p.Env {
		variables[one.Name] = one.Value
	}
	return argocd.Options(argocd.Of(string(p.Parameters), variables))
}

// statedFor returns the value that counts for a key without an Application. Nodes may be stated outside of the configuration.
func statedFor(known pipeline.Known, key string) string {
	scalar, err := v1alpha1.FindScalar(key)
	if err != nil {
		return ""
	}
	stated := scalar.Get(&known.Spec)
	switch {
	case stated != "":
	case scalar.Path == "spec.cluster.workloadArchitectures":
		stated = strings.Join(known.Workload.Strings(), ",")
	case scalar.Path == "spec.cluster.controlPlaneArchitectures" && !known.ControlPlaneUnknown:
		stated = strings.Join(known.ControlPlane.Strings(), ",")
	}
	return stated
}

// equalSetting reports whether two texts set an option to the same value. The order of a list counts for none.
func equalSetting(key, a, b string) bool {
	scalar, err := v1alpha1.FindScalar(key)
	if err != nil {
		return false
	}
	var one, other v1alpha1.GoldenImagesSpec
	if scalar.Set(&one, a) != nil || scalar.Set(&other, b) != nil {
		return false
	}
	one.Default()
	other.Default()
	return slices.Equal(sortedList(scalar.Get(&one)), sortedList(scalar.Get(&other)))
}

// sortedList returns the elements of a list in a string, sorted.
func sortedList(text string) []string { return slices.Sorted(strings.SplitSeq(text, ",")) }
