package workspace

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/files"
	"github.com/goldenarch/goldenarch/internal/manifest"
	"github.com/goldenarch/goldenarch/internal/manifest/object"
)

// The file that identifies a directory as a bundle of the Operator Lifecycle Manager,
// and the annotations in it (operator-registry docs/design/operator-bundle.md).
const (
	bundleFile      = "metadata/annotations.yaml"
	bundleMediaType = "operators.operatorframework.io.bundle.mediatype.v1"
	bundlePackage   = "operators.operatorframework.io.bundle.package.v1"
	bundleManifests = "operators.operatorframework.io.bundle.manifests.v1"
)

// projectFile is the file by which kubebuilder and operator-sdk know the repository of an operator.
const projectFile = "PROJECT"

// isOfOperator reports whether a path is in the repository of an operator.
func isOfOperator(path string) bool {
	return slices.ContainsFunc(directoriesAbove(dirOf(path)), func(dir string) bool {
		data, err := files.Read(filepath.Join(dir, projectFile))
		if err != nil {
			return false
		}
		node, err := yaml.Parse(string(data))
		return err == nil && object.TextAt(node, "version") != ""
	})
}

// bundle is a directory that is a bundle of the Operator Lifecycle Manager.
type bundle struct {
	dir string
	// manifests is the directory in it whose files OLM applies.
	manifests string
	// Name is the package of the operator; "" if the bundle does not state it.
	name string
	// outside is what the annotation says in place of a directory in the bundle; "" if it
	// names one.
	outside string
}

// bundleIn returns the bundle that a directory is, and false if it is not one.
func bundleIn(dir string) (bundle, bool) {
	data, err := files.Read(filepath.Join(dir, filepath.FromSlash(bundleFile)))
	if err != nil {
		return bundle{}, false
	}
	node, err := yaml.Parse(string(data))
	if err != nil {
		return bundle{}, false
	}
	text := func(key string) string { return object.TextAt(node, "annotations", key) }
	manifests := text(bundleManifests)
	if text(bundleMediaType) != "registry+v1" {
		return bundle{}, false
	}
	out := bundle{dir: dir, manifests: filepath.Join(dir, manifests), name: text(bundlePackage)}
	if !filepath.IsLocal(manifests) {
		out.outside = strconv.Quote(manifests)
	}
	return out, true
}

// isBundle reports whether a directory is a bundle.
func isBundle(dir string) bool {
	_, ok := bundleIn(dir)
	return ok
}

// isChart reports whether a directory is a Helm chart.
func isChart(dir string) bool { return files.Exists(filepath.Join(dir, manifest.ChartFile)) }

// hasOldFormat reports whether a directory has the manifests of a bundle beside its metadata, as
// in the format before bundles, and not where the metadata says: OLM does not read it as a bundle.
func (b bundle) hasOldFormat() bool {
	if b.outside != "" {
		return false
	}
	if _, err := os.Stat(b.manifests); !errors.Is(err, fs.ErrNotExist) {
		return false
	}
	beside, err := os.ReadDir(b.dir)
	return err == nil && slices.ContainsFunc(beside, func(entry fs.DirEntry) bool { return filepath.Ext(entry.Name()) == ".yaml" })
}

// paths returns what goldenarch reads of a bundle: its manifests, and the lock beside
// them, because OLM refuses a bundle with an object of a kind that it does not know. The metadata
// are no Kubernetes objects.
func (b bundle) paths() []string {
	if lock := filepath.Join(b.dir, LockFile); files.Exists(lock) {
		return []string{b.manifests, lock}
	}
	return []string{b.manifests}
}

// bundleOf returns the bundle with the manifests that a file is in, and false if the file
// is in none.
func bundleOf(file string, bundles []bundle) (bundle, bool) {
	for _, b := range bundles {
		if files.Within(filepath.Dir(file), b.manifests) {
			return b, true
		}
	}
	return bundle{}, false
}
