package workspace

import (
	"fmt"
	"slices"

	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/manifest"
	"github.com/goldenarch/goldenarch/internal/manifest/object"
	"github.com/goldenarch/goldenarch/internal/report"
	"github.com/goldenarch/goldenarch/internal/workspace/repo"
)

// unseenIn returns what is wrong beside the only cluster of a directory, and what a check of it does not look at.
func (c *Checker) unseenIn(root string, layout repo.Layout) (finding.List, []report.Group) {
	var found finding.List
	if len(c.CRPaths) == 0 && !isChart(root) { // which is an error by itself
		found = failCharts(c.skipped(layout), layout.Pods)
	}
	return slices.Concat(found, layout.Found, layout.Unread, c.unchecked(layout)), counted(notAskedFor(layout))
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
		Text: "an Application (directory.include, directory.exclude), a comment " + object.SkipComment + ", or the annotation " + object.LocalConfig +
			" excludes %s with a HyperConverged CR, so nobody looks there",
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
