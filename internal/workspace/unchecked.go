package workspace

import (
	"fmt"
	"path/filepath"
	"slices"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/engine"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/kustomize"
	"github.com/goldenarch/goldenarch/internal/machine"
	"github.com/goldenarch/goldenarch/internal/manifest"
	"github.com/goldenarch/goldenarch/internal/manifest/kinds"
	"github.com/goldenarch/goldenarch/internal/manifest/object"
	"github.com/goldenarch/goldenarch/internal/operators/forecast"
	"github.com/goldenarch/goldenarch/internal/report"
	"github.com/goldenarch/goldenarch/internal/workspace/repo"
)

// isAboutPods reports whether the input, or the function, says that the check is about pods.
func (in readInput) isAboutPods(function engine.Function) (bool, error) {
	steps, err := in.steps()
	return slices.ContainsFunc(append(configsOf(steps), nil), function.AboutPods) || slices.ContainsFunc(object.All(in.items), func(o object.Object) bool {
		return kinds.IsGoldenarch(o.At, v1alpha1.WorkloadArchitecturesKind)
	}), err
}

// hidesClusters reports whether a directory that was read as one input has clusters below it: a
// kustomization or a chart at the root of a repository hides none. One CR among files that
// cannot be read is looked for in the same way.
func (c *Checker) hidesClusters(in readInput, pods bool, root string, layout repo.Layout) bool {
	if kustomize.In(root) {
		return slices.ContainsFunc(layout.Places, func(p repo.Place) bool { return !p.OfRoot })
	}
	all := object.All(in.items)
	if slices.ContainsFunc(all, func(o object.Object) bool { return kinds.IsCR(o) || forecast.IsSSP(o.At.APIVersion, o.At.Kind) }) {
		return in.found.Has(finding.Templated)
	}
	if pods {
		return false
	}
	found := layout.Found
	if c.Machines && slices.ContainsFunc(all, func(o object.Object) bool { return machine.IsOne(o.At) }) {
		// A configuration beside machines alone is theirs.
		found = withoutID(slices.Clone(found), finding.OutsideClusters)
	}
	return len(layout.Places)+len(found)+len(layout.Excluded)+len(layout.Hidden) > 0
}

// unseenIn returns what is wrong beside the input of one directory, and what a check of it does not look at.
func (c *Checker) unseenIn(in readInput, pods bool, root string, layout repo.Layout) (finding.List, []report.Group) {
	var found finding.List
	if kustomize.In(root) {
		layout.PodFiles = nil // what a kustomization does not list is on no cluster
		if !pods {
			layout.PodFiles = objectsWithPods(in)
		}
	}
	if len(c.CRPaths) == 0 {
		charts := failCharts(c.skippedCharts(layout), layout.Pods)
		found = append(found, slices.DeleteFunc(charts, func(f finding.Finding) bool { return isRoot(root, f.Object.File) })...)
	}
	return slices.Concat(found, layout.Unread, c.unchecked(layout)), counted(notAskedFor(layout))
}

// isRoot reports whether a file, as a finding names it, is the directory of the check: a chart there is all that
// there is to check.
func isRoot(root, file string) bool {
	return filepath.Clean(filepath.FromSlash(file)) == filepath.Clean(root)
}

// objectsWithPods names the objects of a build that have pods. Their files may be anywhere.
func objectsWithPods(in readInput) []string {
	var names []string
	for _, o := range object.All(in.items) {
		if len(imagesOf(o)) > 0 {
			names = append(names, o.At.Kind+"/"+o.At.Name)
		}
	}
	return names
}

// failCharts makes errors of the findings about charts: in a check of something, each CR must have been read.
func failCharts(found finding.List, pods bool) finding.List {
	for i, f := range found {
		if f.ID == finding.Templated {
			found[i].Severity = finding.Error
			found[i].Text = "helm makes a HyperConverged CR of this chart, and nobody checks it"
			if pods {
				found[i].Text = "helm makes a HyperConverged CR of this chart, or objects with pods, and nobody checks them"
			}
			found[i].Do += ", or name the chart in " + manifest.IgnoreFile
		}
	}
	return found
}

// unchecked reports what a check did not look at, because somebody excluded it, nobody asked for it, or
// goldenarch does not read its form.
func (c *Checker) unchecked(layout repo.Layout) finding.List {
	var found finding.List
	add := func(f finding.Finding, names []string, what string) {
		if len(names) > 0 {
			slices.Sort(names)
			f.Text = fmt.Sprintf(f.Text, finding.Count(len(names), what)) + ": " + finding.FirstOf(names)
			found = append(found, f)
		}
	}
	add(finding.Finding{
		ID: finding.Excluded, Severity: finding.Warning,
		Text: "a .krmignore excludes %s with a HyperConverged CR, so nobody looks there", Do: "if a cluster gets them, remove the exclusion",
	}, layout.Excluded, "path")
	hides := finding.Finding{
		ID: finding.Excluded, Severity: finding.Warning,
		Text: "an Application (directory.include, directory.exclude), or a comment " + object.SkipComment + ", excludes %s with a HyperConverged CR, " +
			"so nobody looks there",
		Do: "if a cluster gets them, remove the exclusion",
	}
	if c.Base.Untrusted { // which may be what the commit adds
		hides.Severity = finding.Error
		hides.Do = "remove the exclusion, or name the file in the .krmignore of --base"
	}
	add(hides, layout.Hidden, "file")
	if c.Machines {
		add(finding.Finding{
			ID: finding.MachinesUnchecked, Severity: finding.Error,
			Text: "%s with VirtualMachines or DataVolumes in a form that goldenarch does not read, so nobody checks whether they start",
			Do:   "pass what helm or the template renders, name the paths in " + manifest.IgnoreFile + ", or check no machines (--machines None)",
		}, layout.UnreadMachines, "path")
	}
	add(finding.Finding{
		ID: finding.PodsUnchecked, Severity: finding.Error,
		Text: "%s with pods that goldenarch does not read, so nobody checks them",
		Do:   "list the file in its kustomization, pass what a template renders, or name the path in " + manifest.IgnoreFile,
	}, layout.UnreadPods, "path")
	return found
}
