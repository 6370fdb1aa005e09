package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/check"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/input/kinds"
	"github.com/goldenarch/goldenarch/internal/input/kustomization"
	"github.com/goldenarch/goldenarch/internal/object"
	"github.com/goldenarch/goldenarch/internal/pipeline"
	"github.com/goldenarch/goldenarch/internal/repo"
)

// clusterCheck is the check of one cluster of a repository.
type clusterCheck struct {
	check.Result

	repo.Place

	name string
}

// oneDirectory returns the only path, if it is a directory.
func oneDirectory(paths []string) (string, bool) {
	root := "."
	if len(paths) > 0 {
		root = paths[0]
	}
	info, err := os.Stat(root)
	return root, len(paths) < 2 && err == nil && info.IsDir()
}

// statesFleet reports whether the user has a Fleet for the path, and returns the path.
func (r *render) statesFleet(paths []string) (string, bool, error) {
	root, is := oneDirectory(paths)
	switch {
	case r.fleet != "" && len(r.crPaths) > 0:
		return "", false, misuse{errors.New("--fleet is for the clusters of a directory, and --cr-path for the CR of one: leave out one of them")}
	case len(r.crPaths) > 0:
		return "", false, nil
	case r.fleet != "" && !is:
		return "", false, misuse{errors.New("--fleet is for one directory: name the directory of the repository, or of one cluster")}
	case r.fleet != "":
		return root, true, nil
	}
	return root, is && hasFleet(root), nil
}

// isRepository reports whether the paths are a directory that must be looked through for
// clusters: it cannot be read as one input, several of its files have a CR, or none has
// one beside templates or charts. A directory with a kustomization or a chart is one
// cluster, and so is what --cr-path names.
func (r *render) isRepository(paths []string, items []*yaml.RNode, found finding.List) (string, bool) {
	root, is := oneDirectory(paths)
	if !is || len(r.bundles)+len(r.crPaths) > 0 || kustomization.In(root) {
		return "", false
	}
	unreadable := slices.ContainsFunc(found, func(f finding.Finding) bool { return f.ID == finding.Unreadable })
	files := map[string]bool{}
	for _, o := range object.All(items) {
		if kinds.IsCR(o) {
			files[o.At.File] = true
		}
	}
	_, err := os.Stat(filepath.Join(root, chartFile))
	templated := err != nil && slices.ContainsFunc(found, func(f finding.Finding) bool { return f.ID == finding.Templated })
	return root, unreadable || len(files) > 1 || len(files) == 0 && templated
}

// repository checks the clusters of a repository.
func (c *checkCommand) repository(ctx context.Context, root string, function pipeline.Function, bar *progress) error {
	fleet, layout, found, err := c.layout(root, function)
	if err != nil {
		return err
	}
	var clusters []clusterCheck
	if !found.Failed() {
		if err := c.forOneCluster(layout); err != nil {
			return err
		}
		clusters = c.checkAll(ctx, layout.Places, fleet, function)
		bar.clear()
		found = append(found, fleet.unmatched(root)...)
	}
	if err := c.flags.registry.end(); err != nil {
		return err
	}
	found = append(found, layout.Found...)
	return c.showRepository(root, layout, clusters, append(found, c.flags.idleGiven()...), function.Dir)
}

// layout reads the Fleet of a repository, and finds its clusters.
func (r *render) layout(root string, function pipeline.Function) (*fleet, repo.Layout, finding.List, error) {
	var states *fleet
	var found finding.List
	switch {
	case r.fleet != "":
		states, found = readFleet(r.fleet)
	case hasFleet(root):
		states, found = readFleet(filepath.Join(root, fleetFile))
	}
	given, err := r.given()
	if err != nil {
		return nil, repo.Layout{}, nil, err
	}
	options := repo.Options{
		Pods:     function.AboutPods(given) || states.aboutPods(function),
		IsBundle: func(dir string) bool { _, is := bundleIn(dir); return is },
		Named:    append(states.files(), withoutLinks(r.config, r.live)...), Stated: states.states,
	}
	layout, err := repo.Scan(root, options)
	return states, layout, found, err
}

// withoutLinks returns files by their paths, absolute and without links.
func withoutLinks(files ...string) []string {
	var out []string
	for _, file := range files {
		if path, err := filepath.Abs(file); err == nil && file != "" {
			if path, err = filepath.EvalSymlinks(path); err == nil {
				out = append(out, path)
			}
		}
	}
	return out
}

// forOneCluster fails if a flag that is about one cluster is given for several.
func (r *render) forOneCluster(layout repo.Layout) error {
	if len(layout.Places) < 2 {
		return nil
	}
	for name, given := range map[string]bool{"live": r.live != "", "nodes": len(r.nodes) > 0} {
		if given {
			return misuse{
				fmt.Errorf("--%s describes one cluster, and the directory has %d: name one of them, or state the nodes of each in a Fleet", name, len(layout.Places)),
			}
		}
	}
	return nil
}

// checkAll checks places, and returns the results in their order. kustomize's library
// builds one directory at a time, because it changes what the process can reach; all else
// runs beside it.
func (c *checkCommand) checkAll(ctx context.Context, places []repo.Place, states *fleet, function pipeline.Function) []clusterCheck {
	defer collectRarely()()
	var outside sync.RWMutex
	shared := sharedImages{open: function.Open, outside: &outside}
	function.Open = shared.Open
	session := &kustomization.Session{Alone: &outside}
	out := make([]clusterCheck, len(places))
	entries := make([]*v1alpha1.FleetCluster, len(places))
	for i, place := range places {
		out[i].Place = place
		if entries[i] = states.entryOf(place.Path); entries[i] != nil {
			out[i].name = entries[i].Name
		}
	}
	var next atomic.Int64
	var group sync.WaitGroup
	for range min(checkers(), len(places)) {
		group.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(places); i = int(next.Add(1)) - 1 {
				out[i].Result = c.forPlace(places[i], session).checkPlace(ctx, function, places[i], states, entries[i])
			}
		})
	}
	group.Wait()
	return out
}
