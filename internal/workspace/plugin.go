package workspace

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/engine"
	"github.com/goldenarch/goldenarch/internal/engine/check"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/host/argocd"
	"github.com/goldenarch/goldenarch/internal/workspace/repo"
)

// pluginSettings reports what an Application tells the plugin that renders an input, and what neither the Fleet nor a
// configuration states: Argo CD then renders something else than the check judges.
func (i input) pluginSettings(path string) finding.List {
	if i.function.As != check.Rendered {
		return nil
	}
	var found finding.List
	for _, route := range i.As.plugins(path, i.items) {
		options, err := pluginOptions(*route.Plugin)
		at := finding.Finding{ID: finding.ChangedByDelivery, Severity: finding.Error, Object: finding.Object{File: filepath.ToSlash(path)}}
		if err != nil {
			at.Text, at.Do = fmt.Sprintf("%s: %s", route.By, err), "correct the Application"
			found = append(found, at)
			continue
		}
		if len(options) == 0 {
			continue
		}
		known, wrong := i.function.Known(i.items, i.steps)
		if wrong.Failed() {
			continue // the check reports it
		}
		spec := withNodes(known)
		for _, scalar := range v1alpha1.Scalars() {
			value, isSet := options[scalar.Key]
			stated, other := scalar.Get(&spec), spec
			if !isSet || scalar.Set(&other, value) == nil && slices.Equal(sortedList(stated), sortedList(scalar.Get(&other))) {
				continue
			}
			at.Text = fmt.Sprintf("%s sets the plugin parameter %q to %q, and the check judges what goldenarch renders with %q", route.By, scalar.Key, value,
				cmp.Or(stated, "nothing"))
			at.Do = "state the same in the configuration or the entry of goldenarch.yaml, or remove the parameter"
			found = append(found, at)
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

// withNodes returns the configuration of a run with the nodes that count, which may be stated outside of it.
func withNodes(known engine.Known) v1alpha1.GoldenImagesSpec {
	spec := known.Spec
	if len(spec.Cluster.WorkloadArchitectures) == 0 {
		spec.Cluster.WorkloadArchitectures = known.Workload.Strings()
	}
	if len(spec.Cluster.ControlPlaneArchitectures) == 0 && !known.ControlPlaneUnknown {
		spec.Cluster.ControlPlaneArchitectures = known.ControlPlane.Strings()
	}
	return spec
}

// sortedList returns the elements of a list in a string, sorted.
func sortedList(text string) []string { return slices.Sorted(strings.SplitSeq(text, ",")) }
