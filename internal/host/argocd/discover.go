package argocd

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/files"
	"github.com/goldenarch/goldenarch/internal/kustomize"
	"github.com/goldenarch/goldenarch/internal/manifest"
	"github.com/goldenarch/goldenarch/internal/manifest/object"
)

// The kinds that identify a directory.
const (
	GoldenImages   = v1alpha1.GoldenImagesKind
	Workloads      = v1alpha1.WorkloadArchitecturesKind
	HyperConverged = "HyperConverged"
)

// groups are the API groups of the kinds.
var groups = map[string]string{GoldenImages: v1alpha1.Group, Workloads: v1alpha1.Group, HyperConverged: "hco.kubevirt.io"}

// Mentioned returns the first object of one of the kinds in a directory: one that its
// kustomization lists, or otherwise one in a file of its own. By default Argo CD does
// not read below a directory, where files of another Application may be; a Helm chart
// is for helm. Mentioned builds nothing: the directory may be untrusted, and large.
func Mentioned(dir string, kinds []string) (string, error) {
	wanted := func(item *yaml.RNode) bool { return KindOf(item, kinds) != "" }
	tell := func(item *yaml.RNode) string {
		file, _ := object.Place(item)
		return fmt.Sprintf("%s in %s", KindOf(item, kinds), file)
	}
	if kustomize.In(dir) {
		found, err := kustomize.Find(dir, wanted)
		if found == nil {
			return "", err
		}
		return tell(found), nil
	}
	names, err := manifest.FilesIn(dir)
	if err != nil || files.Exists(filepath.Join(dir, manifest.ChartFile)) {
		return "", nil //nolint:nilerr // an unreadable directory, or a chart, has no known objects
	}
	var budget files.Budget
	for _, file := range names {
		// An unreadable file, for example a template, has no known objects.
		items, err := candidates(&budget, file, kinds)
		if errors.Is(err, files.ErrTooLarge) || errors.Is(err, files.ErrTooMany) {
			return "", err // its objects are unknown
		}
		if at := slices.IndexFunc(items, wanted); err == nil && at >= 0 {
			return tell(items[at]), nil
		}
	}
	return "", nil
}

// candidates reads a file, if it contains the word for one of the kinds.
func candidates(budget *files.Budget, file string, kinds []string) ([]*yaml.RNode, error) {
	data, err := budget.Read(file)
	if err != nil || !slices.ContainsFunc(kinds, func(kind string) bool { return bytes.Contains(data, []byte(kind)) }) {
		return nil, err
	}
	return manifest.Parse(filepath.ToSlash(file), data)
}

// KindOf returns the kind of the first of the objects that an item is or holds, as render reads
// them, that has one of the kinds; "" if none has.
func KindOf(item *yaml.RNode, kinds []string) string {
	for _, o := range object.All([]*yaml.RNode{item}) {
		if slices.Contains(kinds, o.At.Kind) && groups[o.At.Kind] == o.At.Group() {
			return o.At.Kind
		}
	}
	return ""
}
