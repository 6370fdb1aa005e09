package pipeline

import (
	"os"
	"path"
	"path/filepath"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/object"
)

// inPackages names the files of findings relative to the package that the function runs
// on: kpt names those of a package below it relative to that one. A finding loses a file
// that does not exist, such as one that an earlier function of the pipeline renames.
// about are the items that the findings are about, and all those of the run.
func inPackages(found finding.List, about, all []*yaml.RNode) finding.List {
	base := baseOf(all)
	if base == "" {
		return found
	}
	for i := range found {
		at := &found[i].Object
		if at.File == "" {
			continue
		}
		dir := packageOf(*at, about)
		if dir == "" {
			continue
		}
		if isMissing(dir, at.File) {
			at.File, at.Index = "", 0
			continue
		}
		if below, is := strings.CutPrefix(dir, strings.TrimSuffix(base, "/")+"/"); is {
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

// packageOf returns the package of the item that an object is in; "" if that is not clear.
func packageOf(at finding.Object, items []*yaml.RNode) string {
	out := ""
	for _, item := range items {
		file, index := object.Place(item)
		if file != at.File || index != at.Index || !holds(item, at) {
			continue
		}
		if dir := object.PackageOf(item); out == "" {
			out = dir
		} else if dir != out {
			return ""
		}
	}
	return out
}

// holds reports whether an item is an object, or has it as an element.
func holds(item *yaml.RNode, at finding.Object) bool {
	ref := object.Ref(item)
	if ref.Kind == at.Kind && ref.Name == at.Name {
		return true
	}
	for _, o := range object.All([]*yaml.RNode{item}) {
		if o.At.Kind == at.Kind && o.At.Name == at.Name {
			return true
		}
	}
	return false
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
