package workspace

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/console"
	"github.com/goldenarch/goldenarch/internal/engine"
	"github.com/goldenarch/goldenarch/internal/files"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/host/setup"
	"github.com/goldenarch/goldenarch/internal/host/setup/wiring"
	"github.com/goldenarch/goldenarch/internal/kustomize"
	"github.com/goldenarch/goldenarch/internal/machine"
	"github.com/goldenarch/goldenarch/internal/manifest"
	"github.com/goldenarch/goldenarch/internal/manifest/object"
	"github.com/goldenarch/goldenarch/internal/workspace/fleet"
	"github.com/goldenarch/goldenarch/internal/workspace/repo"
)

// inPlace sets goldenarch up for files that are applied as they are. They get the decisions,
// as fix writes them, and the Fleet gets what the files do not say about their clusters.
func (i *Initializer) inPlace(ctx context.Context, dir string, function engine.Function) (*Initialized, finding.List, error) {
	of, err := i.lookThrough(dir, function, scan{byDirectory: true})
	found := of.found
	if err != nil || found.Failed() {
		return nil, found, err
	}
	if err := i.forOneCluster(of.layout); err != nil {
		return nil, nil, err
	}
	p := fleetPlan{options: i, run: of, Wiring: i.wiring(dir, setup.HostFiles)}
	more, err := p.readClusters(function)
	if err == nil && more.Has(finding.NoCR) && (len(of.layout.Bundles) > 0 || isOfOperator(dir)) {
		return i.operator(ctx, dir, function, p)
	}
	if found = append(found, more...); err != nil || found.Failed() {
		return nil, found, err
	}
	slices.Sort(p.Hosts)
	p.Hosts = slices.Compact(p.Hosts)
	files, more := p.Changes()
	if found = append(found, more...); found.Failed() {
		return nil, found, nil
	}
	if len(p.layout.Places) == 0 && len(of.layout.Places) > 0 { // each cluster is set up
		return &Initialized{Wiring: p.Wiring, Changes: files}, found, nil
	}
	p.found, p.targets = found, p.at(p.layout.Places)
	return i.fixed(ctx, function, p, files)
}

// operator sets goldenarch up for the repository of an operator: the pods get their node affinity. A check of it needs nothing else.
func (i *Initializer) operator(ctx context.Context, dir string, function engine.Function, p fleetPlan) (*Initialized, finding.List, error) {
	function.Options = function.Options.With(workloadsKey, string(v1alpha1.WorkloadsAffinity))
	of, err := i.lookThrough(dir, function, scan{byDirectory: true})
	if err != nil || len(of.layout.Places) == 0 {
		return nil, append(of.found, mustKnow(engine.Known{}, dir)...), err
	}
	p.run = of
	out, found, err := i.fixed(ctx, function, p, nil)
	if out != nil {
		out.Operator = true
	}
	return out, found, err
}

// fixed returns what init writes: what fix writes into the files of the clusters, and what is written besides.
func (i *Initializer) fixed(ctx context.Context, function engine.Function, p fleetPlan, besides []files.Change) (*Initialized, finding.List, error) {
	fixes := clusterFixer{Fixer: &Fixer{Options: i.Options, Patch: i.Patch}, paths: []string{p.Dir}}
	fixed, found, err := fixes.fix(ctx, function, p.run)
	if err != nil || fixed == nil {
		return nil, found, err
	}
	// The Fleet names the configuration, and directories of machines that are no clusters without it.
	found = withoutID(withoutID(found, finding.ConfigUnlisted), finding.FleetUnmatched)
	return &Initialized{Wiring: p.Wiring, Changes: append(fixed.Changes, besides...)}, found, nil
}

// fleetPlan is what init has seen of the clusters of a directory, and the Fleet for them.
type fleetPlan struct {
	*wiring.Wiring

	run // with the Fleet as it will be

	options *Initializer
	// known are the paths of the clusters in the directory of the Fleet, by themselves and by their files as the Fleet names
	// them; nil until they are looked for.
	known map[string]string
}

// seenCluster is what init knows about a cluster.
type seenCluster struct {
	target

	items         []*yaml.RNode
	known, stored engine.Known // with the flags, and without them
	config        string       // a configuration beside its kustomization, which does not list it
	hosts         []string     // that a check contacts
	runs          bool         // its kustomization runs goldenarch
	failed        bool         // it cannot be read, and fix says why
}

// readClusters reads the clusters, and adds to the Fleet those that it lacks.
func (p *fleetPlan) readClusters(function engine.Function) (finding.List, error) {
	var found finding.List
	var entries []setup.Cluster
	var unknown []string
	file := p.fleetFile()
	failed, crs := false, 0
	var running []string
	places := p.layout.Places
	p.layout.Places = nil
	for _, cluster := range p.at(places) {
		one, more, err := p.options.seeCluster(cluster, function)
		if found = append(found, cluster.in(more)...); err != nil {
			return found, err
		}
		if one.runs { // it is set up
			running = append(running, filepath.ToSlash(cluster.Path))
			continue
		}
		p.layout.Places = append(p.layout.Places, cluster.Place)
		failed = failed || one.failed
		if one.failed || len(one.known.CRs) == 0 {
			continue
		}
		crs++
		p.Items = append(p.Items, one.items...)
		p.Hosts = append(p.Hosts, one.hosts...)
		if len(one.known.CRs) == 1 && len(one.known.Workload) == 0 {
			unknown = append(unknown, filepath.ToSlash(cluster.Path))
			continue
		}
		entry, more := one.entry(filepath.Dir(file))
		if found = append(append(found, mustKnow(one.known, cluster.Path)...), more...); entry != nil {
			p.asInRepository(entry, cluster.Place, file, function)
			entries = append(entries, *entry)
		}
	}
	switch {
	case len(running) > 0 && len(running) == len(places) && p.options.Host == string(setup.HostFiles):
		for _, dir := range running { // the user wants it not to run on the way
			found = append(found, conflict(dir,
				"the kustomization runs goldenarch as a function, so init --host files does not write the decisions into its files",
				"remove the entry of goldenarch from the transformers or generators of the kustomization first")...)
		}
	case len(unknown) > 0:
		found = append(found, nodesUnknown(p.Dir, len(places), unknown)...)
		if len(running) > 0 {
			found[len(found)-1].Do += fmt.Sprintf(". If %s has what goldenarch renders of %s, state that in %s instead, as docs/flux.md shows: "+
				"an entry with paths: [%s], and with renders and the file", unknown[0], running[0], fleet.FileName, running[0])
		}
	case crs == 0 && !failed && len(places) == len(p.layout.Places):
		found = slices.Concat(found, p.layout.Found, asWarnings(p.layout.Unread), forCharts(p.options.skipped(p.layout)))
		found = append(found, mustKnow(engine.Known{}, p.Dir)...)
	}
	if found.Failed() || len(entries) == 0 {
		return found, nil
	}
	if crs == 1 && p.states == nil {
		entries[0].Beside = append(entries[0].Beside, p.besideCluster(filepath.Dir(file))...)
	}
	return append(found, p.write(file, entries)...), nil
}

// asInRepository adds to an entry the path by which a check of the whole directory of the Fleet knows the cluster, where that is
// another one: an Application applies a directory above it.
func (p *fleetPlan) asInRepository(entry *setup.Cluster, place repo.Place, file string, function engine.Function) {
	if same(filepath.Dir(file), p.Dir) {
		return
	}
	dir := filepath.Dir(file)
	if p.known == nil {
		p.known = map[string]string{}
		all := *p.options
		of, err := all.lookThrough(dir, function, scan{byDirectory: true})
		if err != nil {
			return // the check says it
		}
		for _, one := range of.layout.Places {
			for _, at := range append(slices.Clone(one.Files), one.Path) {
				if below, err := belowFleet(dir, at); err == nil {
					p.known[below] = one.Path
				}
			}
		}
	}
	for _, at := range append([]string{place.Path}, place.Files...) {
		below, err := belowFleet(dir, at)
		if path, ok := p.known[below]; ok && err == nil {
			if path, err = belowFleet(dir, path); err == nil && path != entry.Path {
				entry.Path, entry.Beside = path, []string{entry.Path}
			}
			return
		}
	}
}

// besideCluster returns the directories with manifests of virtual machines that are in no cluster, as the Fleet in a
// directory names them. In a repository with one CR, a check looks at these machines with that CR: with a Fleet it must
// do so, too. What a kustomization or a chart makes of machines is theirs, and a check says that nobody looks at it.
func (p *fleetPlan) besideCluster(dir string) []string {
	var dirs, out []string
	for _, path := range p.layout.Machines {
		if hasMachines(path) { // a chart has none that goldenarch reads
			dirs = append(dirs, filepath.Dir(path))
		}
	}
	slices.Sort(dirs)
	for i, at := range dirs {
		covered := slices.ContainsFunc(dirs[:i], func(above string) bool { return files.Within(at, above) })
		top := func(one string) bool { return kustomize.In(one) || same(one, dir) }
		if below, err := belowFleet(dir, at); err == nil && !covered && !kustomize.In(nearestDir(at, top)) {
			out = append(out, below)
		}
	}
	return out
}

// hasMachines reports whether a file is a manifest with virtual machines or their disks.
func hasMachines(file string) bool {
	reader := manifest.Reader{Lenient: true}
	read, failed := reader.Files([]string{file})
	return failed[file] == nil && slices.ContainsFunc(object.All(read.Items), func(o object.Object) bool { return machine.IsOne(o.At) })
}

// fleetFile returns the file of the Fleet: the one that counts for the directory, or else one
// at the root of the Git repository.
func (p *fleetPlan) fleetFile() string {
	if file, _ := p.options.fleetOf(p.Dir); file != "" {
		return file
	}
	above := directoriesAbove(p.Dir)
	return filepath.Join(above[len(above)-1], fleet.FileName)
}

// write adds the Fleet with its new entries to the changes. A directory that is applied as it
// is gets none: kubectl would apply it. Then the commands say what the Fleet would.
func (p *fleetPlan) write(file string, entries []setup.Cluster) finding.List {
	applied := slices.ContainsFunc(p.layout.Places, func(place repo.Place) bool {
		return place.Kind == repo.Directory && same(place.Path, filepath.Dir(file))
	})
	if applied && !files.Exists(file) {
		if len(p.layout.Places) == 1 && entries[0].Config == "" {
			p.Facts = entries[0].Facts
			return nil
		}
		return conflict(file, "the Fleet would be in a directory that is applied as it is, and kubectl would apply "+fleet.FileName+" too",
			"move the manifests of each cluster into a directory of its own")
	}
	err := p.Edit(file, func(text []byte) ([]byte, error) { return setup.Fleet(text, entries) })
	if err != nil {
		return conflict(file, err.Error(), "correct the Fleet, or add the entries by hand, as docs/fleet.md shows them")
	}
	states, found := fleet.Parse(file, p.After(file))
	p.states = states
	return found
}

// seeCluster reads one cluster.
func (i *Initializer) seeCluster(cluster target, function engine.Function) (seenCluster, finding.List, error) {
	out := seenCluster{target: cluster}
	in := i.readerOf(cluster)
	read, found, err := in.readTarget(function, cluster)
	if out.runs = len(in.built.Steps) > 0; out.runs {
		return out, nil, nil
	}
	if out.failed = found.Failed(); out.failed || err != nil {
		return out, nil, err
	}
	if cluster.Entry == nil {
		for _, unlisted := range in.unlisted {
			if unlisted.Kind != v1alpha1.GoldenImagesKind {
				continue
			}
			in.Config, in.configured, out.config = unlisted.File, nil, unlisted.File
			if read.steps, err = in.steps(nil); err != nil {
				return out, nil, err
			}
		}
	}
	out.items = read.items
	out.known, found = read.function.Known(out.items, read.steps)
	bare := read.function
	bare.Options.Flags, bare.Nodes = nil, nil
	if function.Live != nil { // it is no file of the cluster
		bare.Live = nil
	}
	out.stored, _ = bare.Known(out.items, read.steps)
	bare.Options.Images = nil
	images, _ := bare.Images(out.items, read.steps) // a check reports what it cannot look up
	out.hosts = images.Hosts()
	return out, in.located(found), nil
}

// entry returns the entry that the Fleet in a directory lacks; nil for none.
func (c *seenCluster) entry(dir string) (*setup.Cluster, finding.List) {
	known, stored := c.known, c.stored
	var facts setup.Facts
	switch {
	case len(stored.Workload) == 0:
		facts.Workload = known.Workload.Strings()
	case !stored.Workload.Equal(known.Workload):
		return nil, conflict(c.Path, fmt.Sprintf("the files state that the workload nodes have %s, and the command line states %s", stored.Workload, known.Workload),
			"correct the files, or leave out the flag")
	}
	switch {
	case stored.ControlPlaneUnknown && !known.ControlPlaneUnknown:
		facts.ControlPlane = known.ControlPlane.Strings()
	case !stored.ControlPlaneUnknown && !stored.ControlPlane.Equal(known.ControlPlane):
		return nil, conflict(c.Path, fmt.Sprintf("the files state that the control-plane nodes have %s, and the command line states %s",
			cmp.Or(stored.ControlPlane.String(), "none"), cmp.Or(known.ControlPlane.String(), "none")), "correct the files, or leave out the flag")
	}
	if stored.Release.Text() == "" {
		facts.Release = known.Release.Text()
	}
	if c.Entry == nil {
		facts.Gate = gateOf(known)
	}
	if facts.Workload == nil && facts.ControlPlane == nil && facts.Release == "" && facts.Gate == "" && c.config == "" {
		return nil, nil
	}
	if c.Entry != nil {
		return nil, conflict(c.Path, "an entry of the Fleet matches this cluster, and it does not state "+strings.Join(facts.Flags(), " "), "add it to that entry")
	}
	path, err := belowFleet(dir, c.Path)
	if err != nil {
		return nil, conflict(c.Path, err.Error(), "name the directory without links")
	}
	out := &setup.Cluster{Path: path, Facts: facts}
	if c.config != "" {
		if out.Config, err = belowFleet(dir, c.config); err != nil {
			return nil, conflict(c.Path, err.Error(), "name the directory without links")
		}
	}
	return out, nil
}

// belowFleet returns a path as the Fleet in a directory names it.
func belowFleet(dir, path string) (string, error) {
	below, err := fleet.RelativeTo(dir, path)
	if err == nil && !filepath.IsLocal(filepath.FromSlash(below)) {
		err = fmt.Errorf("%s is not below %s, where the Fleet is", path, dir)
	}
	return below, err
}

// nodesUnknown reports the clusters whose nodes init does not know.
func nodesUnknown(dir string, all int, unknown []string) finding.List {
	found := mustKnow(engine.Known{CRs: make([]finding.Object, 1)}, dir)
	if all > 1 {
		found[0].Text = fmt.Sprintf("goldenarch does not know the architectures of the nodes of %s: %s",
			finding.Count(len(unknown), "cluster"), strings.Join(unknown, ", "))
		found[0].Do = "run goldenarch init for each of them with its live CR (--live FILE) or its architectures: " +
			console.Command("goldenarch", "init", console.CommandPath(unknown[0]), "--live", "FILE")
	}
	return found
}
