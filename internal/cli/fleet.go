package cli

import (
	"cmp"
	"errors"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/fleet"
	"github.com/goldenarch/goldenarch/internal/gittree"
	"github.com/goldenarch/goldenarch/internal/input/manifest"
	"github.com/goldenarch/goldenarch/internal/pathname"
	"github.com/goldenarch/goldenarch/internal/pipeline"
)

// directoriesAbove returns a directory and those above it up to the root of its Git
// repository, named as the directory is where that leads to them. Outside of Git it is the directory alone.
func directoriesAbove(dir string) []string {
	out := []string{dir}
	at, err := pathname.Real(dir)
	top := ""
	if err == nil {
		top = gittree.Root(at)
	}
	for top != "" && at != top {
		at = filepath.Dir(at)
		dir = filepath.Join(dir, "..")
		if there, err := pathname.Real(dir); err != nil || there != at {
			dir = pathname.FromHere(at) // the directory is a link: what is above its name is another one
		}
		out = append(out, dir)
	}
	return out
}

// addFleet adds the flag that names a Fleet.
func addFleet(cmd *cobra.Command, file *string) {
	cmd.Flags().StringVar(file, "fleet", "",
		"file with the Fleet, which states options and nodes of many clusters (default: "+fleet.FileName+" in the directory or above it)")
}

// fleetOf returns the file of the Fleet for a directory, "" if there is none, and the file to
// read it from: that of the policy, if the input is untrusted. Without the flag, it is in the
// directory or above it, in the same Git repository.
func (o *inputOptions) fleetOf(root string) (file, from string) {
	if o.fleet != "" {
		return o.trusted(o.fleet)
	}
	for _, dir := range directoriesAbove(root) {
		file, from = o.trusted(filepath.Join(dir, fleet.FileName))
		if from != "" && fleet.In(filepath.Dir(from)) {
			return file, from
		}
	}
	return "", ""
}

// trusted returns a file, and where to read it from: in the policy, if the input is
// untrusted. Both are "" if the policy does not have it.
func (o *inputOptions) trusted(file string) (shown, from string) {
	if !o.untrusted.on || !o.untrusted.holds(file) {
		return file, file
	}
	if from = o.untrusted.inPolicy(file); from == "" {
		return "", ""
	}
	return file, from
}

// readFleet reads the Fleet for a directory, nil if there is none.
func (o *inputOptions) readFleet(root string) (*fleet.Fleet, finding.List) {
	file, from := o.fleetOf(root)
	if file == "" {
		return nil, nil
	}
	return fleet.ReadFor(from, filepath.Dir(file))
}

// statesFleet reports whether the user has a Fleet for the path, and returns the path.
func (o *inputOptions) statesFleet(paths []string) (string, bool, error) {
	root, is := oneDirectory(paths)
	switch {
	case o.fleet != "" && len(o.crPaths) > 0:
		return "", false, misuse{errors.New("--fleet is for the clusters of a directory, and --cr-path for the CR of one: leave out one of them")}
	case len(o.crPaths) > 0:
		return "", false, nil
	case o.fleet != "" && !is:
		return "", false, misuse{errors.New("--fleet is for one directory: name the directory of the repository, or of one cluster")}
	case o.fleet != "":
		return root, true, nil
	}
	file, _ := o.fleetOf(root)
	return root, is && file != "", nil
}

// withFleet adds to a function what a Fleet states about a cluster. It returns the items and
// the steps of the run.
func withFleet(function *pipeline.Function, adds fleet.Additions, items []*yaml.RNode, steps []pipeline.Step) ([]*yaml.RNode, []pipeline.Step) {
	function.Options.FleetRelease = adds.Release
	if policy := function.Policy; policy != nil {
		policy.Items = slices.Concat(policy.Items, adds.Items)
		policy.StatesNodes = policy.StatesNodes || adds.Live != nil
		if adds.Config != nil {
			policy.Operator = adds.Config
		}
		adds.Items = nil
	}
	if adds.Facts != nil && function.Facts == nil {
		function.Facts = withPublished(adds.Facts)
	}
	if adds.Live != nil {
		function.Live = adds.Live
	}
	if adds.Config != nil {
		steps, function.Dir = pipeline.Given(adds.Config), adds.Dir
	}
	return slices.Concat(items, adds.Items), steps
}

// countingFor returns the items and the configuration that a Fleet gives way to: those of
// the input, or those of the policy if the input is untrusted.
func countingFor(function pipeline.Function, items []*yaml.RNode, given *yaml.RNode) ([]*yaml.RNode, *yaml.RNode) {
	switch policy := function.Policy; {
	case policy == nil:
		return items, given
	case policy.Operator != nil:
		return policy.Items, policy.Operator
	case len(policy.Given) > 0:
		return policy.Items, policy.Given[0]
	default:
		return policy.Items, nil
	}
}

// preparedInput is an input with all that counts for a run: what its kustomization lists, and
// what the Fleet states about its cluster.
type preparedInput struct {
	items []*yaml.RNode
	steps []pipeline.Step
	entry *v1alpha1.FleetCluster // of the Fleet; nil for none
}

// preparePaths passes to a function what counts for paths that are one input, and returns the
// input.
func (r *inputReader) preparePaths(function *pipeline.Function, paths []string, items []*yaml.RNode) (preparedInput, finding.List, error) {
	out := preparedInput{items: items}
	var err error
	if out.steps, err = r.steps(); err != nil {
		return out, nil, err
	}
	r.prepare(function, r.firstPath(paths), items)
	found := r.givePolicyOf(function, paths)
	if found.Failed() {
		return out, found, nil
	}
	path := "."
	switch files := r.crPaths.files(paths); {
	case len(files) > 1, len(files) == 1 && files[0] == manifest.Stdin:
		return out, found, nil
	case len(files) == 1:
		path = files[0]
	}
	dir := dirOf(path)
	states, more := r.readFleet(dir)
	if found = append(found, more...); states == nil {
		return out, found, nil
	}
	out.entry = cmp.Or(states.EntryOf(path), states.EntryOf(dir))
	return out, append(found, out.addFleet(function, states)...), nil
}

// readCluster reads one cluster of a repository, passes to the function what counts for it, and
// returns the input.
func (r *inputReader) readCluster(function *pipeline.Function, place fleet.Cluster, states *fleet.Fleet) (preparedInput, finding.List, error) {
	items, found := r.readPlace(place.Place)
	out := preparedInput{items: items, entry: place.Entry}
	if found.Failed() {
		return out, found, nil
	}
	more, err := r.prepareCluster(function, place, states, &out)
	return out, append(found, more...), err
}

// prepareCluster passes to a function what counts for the items of one cluster.
func (r *inputReader) prepareCluster(function *pipeline.Function, place fleet.Cluster, states *fleet.Fleet, input *preparedInput) (finding.List, error) {
	var err error
	if input.steps, err = r.steps(); err != nil {
		return nil, err
	}
	r.prepare(function, place.Path, input.items)
	found := r.givePolicy(function, place.Place)
	if found.Failed() {
		return found, nil
	}
	return append(found, input.addFleet(function, states)...), nil
}

// addFleet adds to an input what the Fleet states about its cluster.
func (p *preparedInput) addFleet(function *pipeline.Function, states *fleet.Fleet) finding.List {
	counting, stated := countingFor(*function, p.items, configsOf(p.steps)[0])
	adds := states.Additions(p.entry, counting, stated, function.Live != nil)
	if !adds.Found.Failed() {
		p.items, p.steps = withFleet(function, adds, p.items, p.steps)
	}
	return adds.Found
}
