package workspace

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/console"
	"github.com/goldenarch/goldenarch/internal/engine"
	"github.com/goldenarch/goldenarch/internal/files"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/manifest"
	"github.com/goldenarch/goldenarch/internal/report"
	"github.com/goldenarch/goldenarch/internal/workspace/repo"
)

// oneDirectory returns the only path, if it is a directory.
func oneDirectory(paths []string) (string, bool) {
	root := "."
	if len(paths) > 0 {
		root = paths[0]
	}
	return root, len(paths) < 2 && files.IsDir(root)
}

// scan says what a run looks for in a repository, beside what its options and the Fleet say.
type scan struct {
	// byDirectory says that each directory with a CR is a cluster, as with a Fleet.
	byDirectory bool
	// Machines says that virtual machines in no cluster are looked at, and machinesStated that they are where there is nothing else.
	machines, machinesStated bool
}

// lookThrough reads the Fleet of a repository, and finds its clusters.
func (o *Options) lookThrough(root string, function engine.Function, s scan) (run, error) {
	out := run{root: root}
	o.root = root
	o.lookIn(root)
	out.states, out.found = o.readFleet(root)
	states := out.states
	config, err := o.readConfig()
	if err != nil {
		return out, err
	}
	look := repo.Options{
		Pods: slices.ContainsFunc([]*yaml.RNode{config}, function.AboutPods) ||
			slices.ContainsFunc(states.Configurations(), function.AboutPods),
		AboutPods:  function.AboutPods,
		IgnoreFrom: o.Base.ignoreFrom(),
		IsBundle:   func(dir string) bool { b, ok := bundleIn(dir); return ok && !b.hasOldFormat() },
		Named:      append(states.Files(), withoutLinks(o.Config, o.Live)...), Stated: states.States, CRPath: states.CRPaths(),
		ByDirectory: states != nil || s.byDirectory, Local: o.Base.Untrusted, Machines: o.Facts != "" || s.machines,
		Directories: states.Directories(),
	}
	for _, place := range o.CRPaths {
		for _, file := range withoutLinks(place.File) {
			place.File = file
			look.CRPaths = append(look.CRPaths, place)
		}
	}
	out.layout, err = repo.Scan(root, look)
	if err == nil && s.machinesStated && len(out.layout.Places) == 0 && hasObjects(out.layout.Machines) {
		look.Machines = true
		out.layout, err = repo.Scan(root, look)
	}
	if o.Base.Untrusted {
		o.Base.scanPolicy(root, look)
	}
	out.targets = out.at(out.layout.Places)
	return out, err
}

// hasObjects reports whether one of some files has an object: it is no template.
func hasObjects(files []string) bool {
	has := false
	reader := manifest.Reader{Lenient: true, Each: func(*yaml.RNode) { has = true }}
	_, _ = reader.Files(files)
	return has
}

// withoutLinks returns names by their paths, absolute and without links.
func withoutLinks(names ...string) []string {
	var out []string
	for _, file := range names {
		if path, err := files.Real(file); err == nil && file != "" {
			out = append(out, path)
		}
	}
	return out
}

// forOneCluster fails if a flag that is about one cluster is given for several.
func (o *Options) forOneCluster(layout repo.Layout) error {
	if len(layout.Places) < 2 {
		return nil
	}
	for name, given := range map[string]bool{"live": o.Live != "", "nodes": len(o.Nodes) > 0} {
		if given {
			return Misuse{
				Err: fmt.Errorf("--%s describes one cluster, and the directory has %d: name one of them, or state the nodes of each in a Fleet", name, len(layout.Places)),
			}
		}
	}
	return nil
}

func withoutID(list finding.List, id finding.ID) finding.List {
	return slices.DeleteFunc(list, func(f finding.Finding) bool { return f.ID == id })
}

// noCluster says, as a warning or an error, that a repository has no CR that goldenarch reads, and what the verb
// therefore does with nothing: checks, changes, locks.
func noCluster(layout repo.Layout, does string, severity finding.Severity) finding.Finding {
	f := finding.Finding{
		ID: finding.NoCR, Severity: severity, Text: "the repository has no HyperConverged CR that goldenarch can read, so it " + does + " nothing",
		Do: "pass the file or directory that has the CR",
	}
	if layout.Pods {
		f.Text = "the repository has no HyperConverged CR and no pods that goldenarch can read, so it " + does + " nothing"
		f.Do = "pass the file or directory that has them"
	}
	if layout.Files == 0 && len(layout.Charts) == 0 {
		f.Severity, f.Text = finding.Error, "there is nothing to check: the directory has no manifests"
	}
	return f
}

// skippedCharts reports the charts of which helm makes what the run is about.
func (o *Options) skippedCharts(layout repo.Layout) finding.List {
	var found finding.List
	for _, chart := range layout.Charts {
		if !chart.Relevant {
			continue
		}
		f := o.chart(chart.Path, "")
		if uses := chart.Uses; len(uses) == 1 {
			f.Do = "pass what helm renders: " + o.helmCommand(chart.Path, uses[0])
		} else if len(uses) > 1 {
			commands := make([]string, len(uses))
			for i, use := range uses {
				commands[i] = use.By + ": " + o.helmCommand(chart.Path, use)
			}
			f.Do = "pass what helm renders for each Application or HelmRelease. " + finding.FirstOf(commands)
		}
		found = append(found, f)
	}
	return found
}

// skipped reports what may have a CR and was not looked into.
func (o *Options) skipped(layout repo.Layout) finding.List {
	found := o.skippedCharts(layout)
	if len(layout.Unseen) > 0 {
		const maxListed = 5
		var names []string
		for _, one := range layout.Unseen[:min(len(layout.Unseen), maxListed)] {
			names = append(names, one.Path+" ("+one.Because+")")
		}
		if more := len(layout.Unseen) - len(names); more > 0 {
			names = append(names, fmt.Sprintf("and %d more", more))
		}
		found = append(found, finding.Finding{
			ID: finding.ClusterUnseen, Severity: finding.Warning,
			Text: fmt.Sprintf("goldenarch cannot look for %s in %s: %s",
				checkedThings(layout), finding.Count(len(layout.Unseen), "kustomization"), strings.Join(names, ", ")),
			Do: "if one of them has " + checkedThings(layout) + ", pass what kustomize builds: kustomize build DIR | " + o.Commands.fromStdin() + " -",
		})
	}
	return found
}

// asWarnings returns the errors about what goldenarch did not read, as warnings: for a verb that does not judge the repository.
func asWarnings(unread finding.List) finding.List {
	var found finding.List
	for _, f := range unread {
		if f.Severity == finding.Error {
			f.Severity = finding.Warning
			found = append(found, f)
		}
	}
	return found
}

// helmCommand returns the command that passes to the verb what an Application or a HelmRelease renders
// of a chart, and what a person must do besides.
func (o *Options) helmCommand(chart string, use repo.ChartUse) string {
	command := []string{"helm", "template", console.CommandPath(chart)}
	for _, file := range use.Values {
		command = append(command, "-f", file)
	}
	out := fmt.Sprintf("%s | %s -", console.Command(command...), o.Commands.fromStdin())
	var besides []string
	if own := "values.yaml"; use.Replaces && !slices.ContainsFunc(use.Values, func(file string) bool { return same(file, filepath.Join(chart, own)) }) {
		besides = append(besides, fmt.Sprintf("%s renders the chart without its %s, so use a copy without it", use.By, own))
	}
	if len(use.Fields) > 0 {
		besides = append(besides, fmt.Sprintf("add to helm what %s has in %s", use.By, strings.Join(use.Fields, ", ")))
	}
	if len(besides) > 0 {
		out += " (" + strings.Join(besides, "; ") + ")"
	}
	return out
}

// checkedThings names what goldenarch looks for in a repository.
func checkedThings(layout repo.Layout) string {
	if layout.Pods {
		return "a CR or pods"
	}
	return "a CR"
}

// foundBeside counts what was found beside the clusters.
func foundBeside(layout repo.Layout) []report.Group {
	var charts, unseen []string
	for _, chart := range layout.Charts {
		charts = append(charts, chart.Path)
	}
	for _, one := range layout.Unseen {
		unseen = append(unseen, one.Path)
	}
	without := "kustomizations and directories without a HyperConverged CR"
	if layout.Pods {
		without += " or pods"
	}
	return counted(append([]report.Group{
		{What: "files read", Count: layout.Files},
		{What: without, Names: layout.Without},
		{What: "kustomizations that others include", Names: layout.Shared},
		{What: "kustomizations that goldenarch cannot look into", Names: unseen},
		{What: "Helm charts, which only helm renders", Names: charts},
		{What: "bundles of the Operator Lifecycle Manager, which --workloads Check checks", Names: layout.Bundles},
		{What: "Applications of Argo CD", Count: layout.Applications},
		{What: "ApplicationSets of Argo CD", Count: layout.ApplicationSets},
		{What: "what applies directories that goldenarch does not know", Names: layout.Unfollowed},
	}, notAskedFor(layout)...))
}

// notAskedFor is what a check could look at, and nobody asks for or states.
func notAskedFor(layout repo.Layout) []report.Group {
	return []report.Group{
		{What: "files with machines of no cluster, which nobody checks (a Fleet or --facts states one)", Names: layout.Machines},
		{What: "files with machines that the only HyperConverged CR judges (a Fleet states another cluster)", Names: layout.Guessed},
		{What: "what may have pods, which --workloads Check checks", Names: layout.PodFiles},
	}
}

// counted returns the groups that have something, with their numbers.
func counted(groups []report.Group) []report.Group {
	var out []report.Group
	for _, one := range groups {
		one.Count += len(one.Names)
		one.Names = slices.Sorted(slices.Values(one.Names))
		for i, name := range one.Names {
			one.Names[i] = filepath.ToSlash(name)
		}
		if one.Count > 0 {
			out = append(out, one)
		}
	}
	return out
}
