package cli

import (
	"fmt"
	"path/filepath"
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/input/kinds"
	"github.com/goldenarch/goldenarch/internal/input/kustomization"
	"github.com/goldenarch/goldenarch/internal/input/manifest"
	"github.com/goldenarch/goldenarch/internal/machine"
	"github.com/goldenarch/goldenarch/internal/object"
	"github.com/goldenarch/goldenarch/internal/operators/forecast"
	"github.com/goldenarch/goldenarch/internal/pathname"
	"github.com/goldenarch/goldenarch/internal/pipeline"
	"github.com/goldenarch/goldenarch/internal/repo"
	"github.com/goldenarch/goldenarch/internal/workload/podspec"
)

// hidesClusters reports whether a directory has nothing to check as one input, while there
// are clusters below it: a kustomization or a chart at the root of a repository hides none.
// One CR among files that cannot be read is looked for in the same way.
func (c *checkOptions) hidesClusters(
	in *inputReader, paths []string, items []*yaml.RNode, found finding.List, function pipeline.Function,
) (string, bool, error) {
	root, is := oneDirectory(paths)
	if !is || len(in.bundles)+len(c.crPaths) > 0 {
		return "", false, nil
	}
	crs := 0
	for _, o := range object.All(items) {
		switch {
		case kinds.IsCR(o), forecast.IsSSP(o.At.APIVersion, o.At.Kind):
			crs++
		case kinds.IsGoldenarch(o.At, v1alpha1.WorkloadArchitecturesKind):
			return "", false, nil
		}
	}
	templated := found.Has(finding.Templated)
	switch {
	case crs > 0:
		return root, templated && !kustomization.In(root), nil
	case found.Failed() && !pathname.Exists(filepath.Join(root, manifest.ChartFile)), len(in.built.Steps) > 0:
		return "", false, nil
	}
	steps, err := in.steps()
	if err != nil {
		return "", false, err
	}
	if slices.ContainsFunc(configsOf(steps), function.AboutPods) {
		return "", false, nil
	}
	_, layout, _, err := c.layout(root, function)
	if c.machines == string(pipeline.MachinesCheck) && slices.ContainsFunc(object.All(items), func(o object.Object) bool { return machine.IsOne(o.At) }) {
		// A configuration beside machines alone is theirs.
		layout.Found = slices.DeleteFunc(slices.Clone(layout.Found), func(f finding.Finding) bool { return f.ID == finding.OutsideClusters })
	}
	return root, len(layout.Places)+len(layout.Found)+len(layout.Excluded)+len(layout.Templates) > 0, err
}

// unseenIn returns what a check of one directory did not look at, beside what is found already.
func (c *checkOptions) unseenIn(in *inputReader, root string, items []*yaml.RNode, already finding.List, function pipeline.Function) (finding.List, error) {
	if len(in.bundles)+len(c.crPaths) > 0 {
		return nil, nil
	}
	if kustomization.In(root) {
		return c.unseenPods(in, items, function)
	}
	_, layout, _, err := c.layout(root, function)
	if err != nil {
		return nil, err
	}
	found := slices.DeleteFunc(slices.Clone(layout.Found), func(f finding.Finding) bool { return f.ID != finding.Undecodable })
	if c.machines == string(pipeline.MachinesCheck) {
		layout.Machines = nil // the check reads all files of the directory
	}
	for _, file := range layout.Templates {
		if !slices.ContainsFunc(already, func(f finding.Finding) bool { return f.Object.File == file }) {
			found = append(found, c.templated(file))
		}
	}
	found = append(failTemplates(failUnseen(found, layout), layout), unchecked(layout)...)
	var crs []finding.Object
	for _, o := range object.All(items) {
		if kinds.IsCR(o) {
			crs = append(crs, o.At)
		}
	}
	to := func(path string) repo.Routes { return layout.Routes.To(dirOf(path)) }
	if c.untrusted.on {
		to = func(path string) repo.Routes { return c.as.to(directoryOf(path, &c.untrusted)) }
	}
	return append(found, changedOnTheWay(to, crs, root)...), nil
}

// unseenPods reports the pods of a build that nobody asked for. Their files may be anywhere,
// so it looks at the items.
func (c *checkOptions) unseenPods(in *inputReader, items []*yaml.RNode, function pipeline.Function) (finding.List, error) {
	steps, err := in.steps()
	if err != nil || function.AboutPods(nil) || slices.ContainsFunc(configsOf(steps), function.AboutPods) {
		return nil, err
	}
	var names []string
	for _, o := range object.All(items) {
		if kinds.IsGoldenarch(o.At, v1alpha1.WorkloadArchitecturesKind) {
			return nil, nil
		}
		places := podspec.Places(podspec.Object{Node: o.Node.YNode(), APIVersion: o.At.APIVersion, Kind: o.At.Kind}, podspec.Options{})
		if slices.ContainsFunc(places, func(p podspec.Place) bool { return p.Shape == podspec.PodSpec && len(p.Images()) > 0 }) {
			names = append(names, o.At.Kind+"/"+o.At.Name)
		}
	}
	if len(names) == 0 {
		return nil, nil
	}
	return finding.List{{
		ID: finding.PodsUnchecked, Severity: finding.Warning,
		Text: fmt.Sprintf("%s with pods, which the check does not look at: %s", finding.Count(len(names), "object"), finding.FirstOf(names)),
		Do:   "add --workloads Check to check them",
	}}, nil
}

// failUnseen makes errors of the findings about files that hold a CR, or may hold one, and
// that are in no cluster.
func failUnseen(found finding.List, layout repo.Layout) finding.List {
	for i, f := range found {
		if f.ID == finding.Undecodable || f.ID == finding.OutsideClusters && slices.Contains(layout.Outside, f.Object.File) {
			found[i].Severity = finding.Error
		}
	}
	return found
}

// failTemplates makes errors of the findings about templates that mention a CR, and that are
// in no chart.
func failTemplates(found finding.List, layout repo.Layout) finding.List {
	for i, f := range found {
		if f.ID == finding.Templated && slices.Contains(layout.Templates, f.Object.File) {
			found[i].ID, found[i].Severity = finding.Undecodable, finding.Error
			found[i].Text = "the file mentions a HyperConverged CR, and it is a template that goldenarch cannot decode. It is in no cluster, so nobody checks it"
			found[i].Do = "pass what the template renders, or name the file in .krmignore"
		}
	}
	return found
}

// unchecked reports what a check of a repository did not look at, because somebody excluded
// it or nobody asked for it.
func unchecked(layout repo.Layout) finding.List {
	var found finding.List
	add := func(id finding.ID, names []string, what, text, do string) {
		if len(names) > 0 {
			slices.Sort(names)
			found = append(found, finding.Finding{
				ID: id, Severity: finding.Warning, Text: fmt.Sprintf(text, finding.Count(len(names), what)) + ": " + finding.FirstOf(names), Do: do,
			})
		}
	}
	add(finding.Excluded, layout.Excluded, "path", "a .krmignore or an Application excludes %s with a mention of a HyperConverged CR, so nobody looks there",
		"if a cluster gets them, remove the exclusion")
	add(finding.MachinesUnchecked, layout.Machines, "file", "%s with VirtualMachines or DataVolumes: the check does not say whether they start",
		"state their cluster as facts of an entry of the Fleet, or check their directory with --facts; pass what a template renders")
	add(finding.PodsUnchecked, append(slices.Clone(layout.PodFiles), layout.Bundles...), "path", "the check does not look for pods in %s that may have some",
		"add --workloads Check to check them")
	return found
}
