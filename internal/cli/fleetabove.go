package cli

import (
	"cmp"
	"path/filepath"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/fleet"
	"github.com/goldenarch/goldenarch/internal/input/manifest"
	"github.com/goldenarch/goldenarch/internal/pipeline"
)

// directoriesAbove returns a directory and those above it up to the root of its Git
// repository, named as the directory is. Outside of Git it is the directory alone.
func directoriesAbove(dir string) []string {
	out := []string{dir}
	at, err := absoluteDir(dir)
	top := ""
	if err == nil {
		top = gitRoot(at)
	}
	for top != "" && at != top {
		at = filepath.Dir(at)
		dir = filepath.Join(dir, "..")
		out = append(out, dir)
	}
	return out
}

// fleetOf returns the file of the Fleet for a directory, "" if there is none, and the file to
// read it from: that of the policy, if the input is untrusted. Without the flag, it is in the
// directory or above it, in the same Git repository.
func (r *render) fleetOf(root string) (file, from string) {
	if r.fleet != "" {
		return r.trusted(r.fleet)
	}
	for _, dir := range directoriesAbove(root) {
		file, from = r.trusted(filepath.Join(dir, fleet.FileName))
		if from != "" && fleet.In(filepath.Dir(from)) {
			return file, from
		}
	}
	return "", ""
}

// trusted returns a file, and where to read it from: in the policy, if the input is
// untrusted. Both are "" if the policy does not have it.
func (r *render) trusted(file string) (shown, from string) {
	if !r.untrusted.on || !r.untrusted.holds(file) {
		return file, file
	}
	if from = r.untrusted.inPolicy(file); from == "" {
		return "", ""
	}
	return file, from
}

// readFleet reads the Fleet for a directory, nil if there is none.
func (r *render) readFleet(root string) (*fleet.Fleet, finding.List) {
	file, from := r.fleetOf(root)
	if file == "" {
		return nil, nil
	}
	return fleet.ReadFor(from, filepath.Dir(file))
}

// fromFleet adds to a run what a Fleet states about the cluster at the only path. It returns
// the items and the steps of the run, and the entry of the Fleet; nil if there is none.
func (r *render) fromFleet(
	function *pipeline.Function, paths []string, items []*yaml.RNode, steps []pipeline.Step,
) ([]*yaml.RNode, []pipeline.Step, *v1alpha1.FleetCluster, finding.List) {
	path := "."
	switch files := r.crPaths.files(paths); {
	case len(files) > 1, len(files) == 1 && files[0] == manifest.Stdin:
		return items, steps, nil, nil
	case len(files) == 1:
		path = files[0]
	}
	dir := dirOf(path)
	states, found := r.readFleet(dir)
	if states == nil || found.Failed() {
		return items, steps, nil, found
	}
	entry := cmp.Or(states.EntryOf(path), states.EntryOf(dir))
	counting, stated := countingFor(*function, items, configsOf(steps)[0])
	adds := states.Additions(entry, counting, stated, function.Live != nil)
	if found = append(found, adds.Found...); found.Failed() {
		return items, steps, entry, found
	}
	items, steps = withFleet(function, adds, items, steps)
	return items, steps, entry, found
}
