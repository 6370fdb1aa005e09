package engine

import (
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/manifest/object"
)

// runPackages runs the step on the items of a ResourceList: at once, or, where kpt passes
// several packages with a CR each, on each of these clusters by itself. A run about pods sees
// all items at once. It returns the exceptions that are still to be applied to the findings.
func (s *loadedStep) runPackages(ctx context.Context, items []*yaml.RNode) ([]*yaml.RNode, finding.List, finding.Exceptions) {
	clusters := packageClusters(items)
	if s.podSpec(&s.config.Spec).Mode != v1alpha1.WorkloadsNone {
		clusters = nil
	}
	if len(clusters) == 0 {
		out, found := s.runOrCheck(ctx, slices.Concat(items, s.extra))
		return out, inPackages(found, items, items), s.exceptions
	}
	var found finding.List
	runs := make([]*run, len(clusters))
	for i, c := range clusters {
		visible := slices.Concat(c.own, c.shared, s.extra)
		one := s.onCluster(visible)
		var list finding.List
		runs[i] = one.newRun(visible)
		if s.checks() {
			_, list = one.runOrCheck(ctx, visible)
		} else {
			runs[i].decide(ctx)
			runs[i].finish(visible)
			list = runs[i].findings()
		}
		list = one.exceptions.Apply(list).List
		found = append(found, ofPackage(inPackages(list, visible, items), c.dir, baseOf(items))...)
	}
	if found.Failed() {
		return items, withoutWritten(found), s.exceptions.Any()
	}
	out, err := merged(items, s.extra, clusters, runs)
	if err != nil {
		return items, finding.List{{ID: finding.Unreadable, Severity: finding.Error, Text: err.Error()}}, nil
	}
	return out, found, s.exceptions.Any()
}

// onCluster returns the step with the exceptions of one cluster: objects of several clusters
// may have one name.
func (s *loadedStep) onCluster(visible []*yaml.RNode) *loadedStep {
	annotated, _ := s.source.ExceptionsOf(visible) // reported when the step was loaded
	out := *s
	out.exceptions = slices.Concat(s.exceptions.Any(), annotated)
	return &out
}

// ofPackage says of findings which package they are about: kpt prints no files, and the CRs
// of two clusters have the same name.
func ofPackage(found finding.List, dir, base string) finding.List {
	if name := strings.TrimPrefix(strings.TrimPrefix(dir, base), "/"); name != "" {
		for i := range found {
			found[i].Text = "package " + name + ": " + found[i].Text
		}
	}
	return found
}

// merged returns the items as the runs on the clusters leave them. What a run adds is put
// into the package of its cluster.
func merged(items, extra []*yaml.RNode, clusters []packageCluster, runs []*run) ([]*yaml.RNode, error) {
	gone, known := map[*yaml.RNode]bool{}, setOf(slices.Concat(items, extra))
	var added []*yaml.RNode
	for i, c := range clusters {
		for _, item := range c.own {
			gone[item] = !slices.Contains(runs[i].items, item)
		}
		for _, item := range runs[i].items {
			if known[item] {
				continue
			}
			if object.PackageOf(item) == "" {
				if err := item.PipeE(yaml.SetAnnotation(object.PackageAnnotation, c.dir)); err != nil {
					return nil, fmt.Errorf("annotate the object: %w", err)
				}
			}
			added = append(added, item)
		}
		runs[i].apply()
	}
	out := slices.DeleteFunc(slices.Clone(items), func(item *yaml.RNode) bool { return gone[item] })
	return slices.Concat(out, extra, added), nil
}

// inPackages names the files of findings relative to the package that the function runs
// on: kpt names those of a package below it relative to that one. A finding loses a file
// that does not exist, such as one that an earlier function of the pipeline renames.
// about are the items that the findings are about, and all those of the run.
func inPackages(found finding.List, about, all []*yaml.RNode) finding.List {
	base := baseOf(all)
	if base == "" {
		return found
	}
	dirs := packagesOf(about)
	for i := range found {
		at := &found[i].Object
		dir := dirs[placeOf(*at)]
		if at.File == "" || dir == "" {
			continue
		}
		if isMissing(dir, at.File) {
			at.File, at.Index = "", 0
			continue
		}
		if below, ok := strings.CutPrefix(dir, strings.TrimSuffix(base, "/")+"/"); ok {
			at.File = path.Join(below, at.File)
		}
	}
	return found
}

// baseOf returns the directory that has the packages of all items; "" if no item has one.
func baseOf(items []*yaml.RNode) string {
	out := ""
	for _, item := range items {
		dir := object.PackageOf(item)
		for out != "" && dir != "" && dir != out && !strings.HasPrefix(dir, strings.TrimSuffix(out, "/")+"/") && path.Dir(out) != out {
			out = path.Dir(out)
		}
		if out == "" {
			out = dir
		}
	}
	return out
}

// packagesOf returns the package of each item and of each object in one, by its place; "" if several
// packages have the same.
func packagesOf(items []*yaml.RNode) map[finding.Object]string {
	out := map[finding.Object]string{}
	for _, item := range items {
		for _, o := range append(object.All([]*yaml.RNode{item}), object.New(item)) {
			dir, at := object.PackageOf(item), placeOf(o.At)
			if other, ok := out[at]; ok && other != dir {
				dir = ""
			}
			out[at] = dir
		}
	}
	return out
}

// placeOf returns what tells the objects of a package apart.
func placeOf(at finding.Object) finding.Object {
	return finding.Object{Kind: at.Kind, Name: at.Name, File: at.File, Index: at.Index}
}

// isMissing reports whether a package has no such file. A container does not see the
// package, and cannot know it.
func isMissing(dir, file string) bool {
	if _, err := os.Stat(dir); err != nil {
		return false
	}
	_, err := os.Stat(filepath.Join(dir, filepath.FromSlash(file)))
	return os.IsNotExist(err)
}
