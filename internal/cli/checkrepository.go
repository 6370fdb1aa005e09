package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/check"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/fleet"
	"github.com/goldenarch/goldenarch/internal/input/kinds"
	"github.com/goldenarch/goldenarch/internal/input/kustomization"
	"github.com/goldenarch/goldenarch/internal/object"
	"github.com/goldenarch/goldenarch/internal/pipeline"
	"github.com/goldenarch/goldenarch/internal/repo"
)

// clusterCheck is the check of one cluster of a repository.
type clusterCheck struct {
	check.Result

	fleet.Cluster
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

// addFleet adds the flag that names a Fleet.
func addFleet(cmd *cobra.Command, file *string) {
	cmd.Flags().StringVar(file, "fleet", "",
		"file with the Fleet, which states options and nodes of many clusters (default: "+fleet.FileName+" in the directory, if it is a Fleet)")
}

// fleetOf returns the file of the Fleet for a directory, "" if there is none, and the file to
// read it from: that of the policy, if the input is untrusted.
func (r *render) fleetOf(root string) (file, from string) {
	file = cmp.Or(r.fleet, filepath.Join(root, fleet.FileName))
	from = file
	if r.untrusted.on && r.untrusted.holds(file) {
		if from = r.untrusted.inPolicy(file); from == "" {
			return "", ""
		}
	}
	if r.fleet == "" && !fleet.In(filepath.Dir(from)) {
		return "", ""
	}
	return file, from
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
	if adds.Live != nil {
		function.Live = adds.Live
	}
	if adds.Config != nil {
		steps, function.Dir = pipeline.Given(adds.Config), adds.Dir
	}
	return slices.Concat(items, adds.Items), steps
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
	file, _ := r.fleetOf(root)
	return root, is && file != "", nil
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
	states, layout, found, err := c.layout(root, function)
	if err != nil {
		return err
	}
	found = append(c.earlier, found...)
	var clusters []clusterCheck
	if !found.Failed() {
		if err := c.forOneCluster(layout); err != nil {
			return err
		}
		clusters = c.checkAll(ctx, root, states.At(layout.Places), states, function)
		bar.clear()
		for _, f := range states.Unmatched(root) {
			f.Severity = finding.Error // a cluster that vanishes is one that nobody checks
			found = append(found, f)
		}
	}
	if err := c.flags.registry.end(); err != nil {
		return err
	}
	found = append(append(found, c.untrusted.raised(failUnseen(layout.Found, layout))...), c.untrusted.ignoredFiles(root)...)
	return c.showRepository(root, layout, clusters, append(found, c.flags.idleGiven()...), function.Dir)
}

// layout reads the Fleet of a repository, and finds its clusters.
func (r *render) layout(root string, function pipeline.Function) (*fleet.Fleet, repo.Layout, finding.List, error) {
	var states *fleet.Fleet
	var found finding.List
	switch file, from := r.fleetOf(root); {
	case r.fleet != "":
		states, found = fleet.ReadFor(from, filepath.Dir(r.fleet))
	case file != "":
		states, found = fleet.ReadFor(from, filepath.Dir(file))
	}
	steps, err := r.steps()
	if err != nil {
		return nil, repo.Layout{}, nil, err
	}
	options := repo.Options{
		Pods:       slices.ContainsFunc(configsOf(steps), function.AboutPods) || slices.ContainsFunc(states.Configurations(), function.AboutPods),
		IgnoreFrom: r.untrusted.ignoreFrom(),
		IsBundle:   func(dir string) bool { _, is := bundleIn(dir); return is },
		Named:      append(states.Files(), withoutLinks(r.config, r.live)...), Stated: states.States, ByDirectory: states != nil,
	}
	layout, err := repo.Scan(root, options)
	if r.untrusted.on {
		r.untrusted.scanPolicy(root, options)
	}
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

// checkAll checks clusters, and returns the results in their order.
func (c *checkCommand) checkAll(ctx context.Context, root string, clusters []fleet.Cluster, states *fleet.Fleet, function pipeline.Function) []clusterCheck {
	defer collectRarely()()
	function.Open = (&fleet.SharedImages{Next: function.Open}).Open
	session := &kustomization.Session{}
	return fleet.Run(clusters, func(one fleet.Cluster) clusterCheck {
		place := c.forPlace(one.Place, session)
		if states != nil {
			place.fixed = root // fix reads the Fleet there
		}
		return clusterCheck{Cluster: one, Result: place.checkPlace(ctx, function, one, states)}
	})
}
