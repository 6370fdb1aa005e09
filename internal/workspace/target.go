package workspace

import (
	"cmp"
	"errors"
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/engine"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/manifest"
	"github.com/goldenarch/goldenarch/internal/report"
	"github.com/goldenarch/goldenarch/internal/workspace/fleet"
	"github.com/goldenarch/goldenarch/internal/workspace/repo"
)

// run is what a verb decides on: the clusters of a repository, or what the user names.
type run struct {
	targets []target
	// root is the directory that was looked through, states the Fleet for it, and layout what it holds. They are empty where the
	// user names anything else.
	root   string
	states *fleet.Fleet
	layout repo.Layout
	// found is what is wrong with the Fleet. After an error among it nothing is decided.
	found finding.List
	// beside is what else is wrong with the paths of the user, beside their clusters.
	beside finding.List
	// others is what a check of them does not look at.
	others []report.Group
}

// target is one cluster of a run: a place of a repository, or the paths that the user names.
type target struct {
	fleet.Cluster

	// states is the Fleet that has the entry; nil for none.
	states *fleet.Fleet
	// named says that the paths are those of the user, and no place of a repository of several clusters. The kind of
	// the place is empty where nobody looked through them.
	named bool
	paths []string
	// others are the workload architectures of other clusters that read the same files, for which this one keeps declared architectures.
	others arch.Set
}

// isOne reports whether the run is about what the user names as one cluster.
func (r *run) isOne() bool { return len(r.targets) == 1 && r.targets[0].named }

// at returns the targets at places of the repository.
func (r *run) at(places []repo.Place) []target { return r.targetsOf(r.states.At(places)) }

func (r *run) targetsOf(clusters []fleet.Cluster) []target {
	out := make([]target, len(clusters))
	for i, one := range clusters {
		out[i] = target{Cluster: one, states: r.states}
	}
	return out
}

// paths returns the paths of the clusters.
func (r *run) paths() []string {
	out := make([]string, len(r.targets))
	for i, t := range r.targets {
		out[i] = t.Path
	}
	return out
}

// find finds the clusters of paths. A directory is looked through: without a Fleet it may be one cluster.
func (o *Options) find(paths []string, function engine.Function, s scan) (run, error) {
	root, isDir := oneDirectory(paths)
	stated := o.Fleet != ""
	switch {
	case stated && len(o.CRPaths) > 0:
		return run{}, Misuse{Err: errors.New("--fleet is for the clusters of a directory, and --cr-path for the CR of one: leave out one of them")}
	case stated && !isDir:
		return run{}, Misuse{Err: errors.New("--fleet is for one directory: name the directory of the repository, or of one cluster")}
	case len(o.CRPaths) == 0 && !stated:
		file, _ := o.fleetOf(root)
		stated = file != ""
	}
	if !isDir || !stated && isBundle(root) || len(o.CRPaths) > 0 {
		one, found := o.target(paths)
		return run{targets: []target{one}, found: found}, nil
	}
	of, err := o.lookThrough(root, function, s)
	switch {
	case err != nil || stated:
		return of, err
	case of.layout.One:
		of.targets[0].named, of.targets[0].paths = true, paths
	case len(of.targets) == 0 && isChart(root):
		of.targets = []target{namedTarget(root, paths)}
	case of.layout.BareRoot: // nobody else builds it
		_, of.beside = o.newReader().read([]string{root})
		return of, nil
	default:
		return of, nil
	}
	o.root = ""
	return of, nil
}

// target returns the cluster of paths that the user names, with what the Fleet states about the only one of them.
func (o *Options) target(paths []string) (target, finding.List) {
	out := namedTarget(o.firstPath(paths), paths)
	if files := o.CRPaths.files(paths); len(files) > 1 || slices.Contains(files, manifest.Stdin) {
		return out, nil
	}
	dir := dirOf(out.Path)
	states, found := o.readFleet(dir)
	if out.states = states; states != nil {
		out.Entry = cmp.Or(states.EntryOf(out.Path), states.EntryOf(dir))
	}
	return out, found
}

// namedTarget returns the cluster of paths that somebody names, of which the first stands for all.
func namedTarget(first string, paths []string) target {
	return target{named: true, paths: paths, Cluster: fleet.Cluster{Place: repo.Place{Path: first}}}
}

// readerOf returns a reader for a target. The CRs and the Fleet that the user names are not for one place of a repository.
func (o *Options) readerOf(t target) *reader {
	if t.named {
		return o.newReader()
	}
	own := *o
	own.CRPaths, own.Fleet = nil, ""
	return own.newReader()
}

// itemsOf reads the items of a target.
func (r *reader) itemsOf(t target) ([]*yaml.RNode, finding.List) {
	if t.Kind == "" {
		return r.read(t.paths)
	}
	return r.readPlace(t.Place)
}

// input is what a run has read of a target, with all that counts for it: what its kustomization lists, and what the Fleet states.
type input struct {
	*reader

	function engine.Function
	items    []*yaml.RNode
	steps    []engine.Step
}

// readTarget reads a target, and what counts for it.
func (r *reader) readTarget(function engine.Function, t target) (input, finding.List, error) {
	items, found := r.itemsOf(t)
	if found.Failed() {
		return input{reader: r}, found, nil
	}
	out, more, err := r.prepareTarget(function, t, items)
	return out, append(found, more...), err
}

// prepareTarget passes to a function what counts for the items of a target, and returns the input.
func (r *reader) prepareTarget(function engine.Function, t target, items []*yaml.RNode) (input, finding.List, error) {
	out := input{reader: r, function: function, items: items}
	var err error
	if out.steps, err = r.steps(items); err != nil {
		return out, nil, err
	}
	r.prepare(&out.function, t.Path, items)
	found := r.givePolicy(&out.function, t)
	if !found.Failed() {
		found = append(found, out.addFleet(t)...)
	}
	return out, found, nil
}

// in names the cluster in the objects of findings, unless it is all that the run is about.
func (t target) in(found finding.List) finding.List {
	for i := range found {
		if t.Path != "." && !t.named {
			found[i].Object.Cluster = t.Path
		}
	}
	return found
}
