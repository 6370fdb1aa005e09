package configuration

import (
	"os"
	"path"
	"path/filepath"
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/images/lock"
	"github.com/goldenarch/goldenarch/internal/input/kinds"
	"github.com/goldenarch/goldenarch/internal/input/manifest"
	"github.com/goldenarch/goldenarch/internal/object"
	"github.com/goldenarch/goldenarch/internal/workload/podspec"
)

// locksBeside reads the lock beside each file that the user named, where "goldenarch lock
// FILE" writes it. The file has a CR, or pods if the run is about them. For a directory,
// goldenarch reads the lock with it, and a kustomization lists the files to read. A caller
// that queries the registries in any case needs no lock.
func (s Source) locksBeside(items []*yaml.RNode, config *Config) ([]*yaml.RNode, finding.List) {
	if s.Options.QueriesAll || config.Spec.Lock.Mode == v1alpha1.LockIgnore || len(s.Files) == 0 {
		return nil, nil
	}
	read := map[string]bool{} // by resolved path
	var beside []string
	pods := config.aboutPods()
	for _, o := range object.All(items) {
		switch {
		case kinds.IsGoldenarch(o.At, v1alpha1.ArchitectureLockKind):
			read[lock.Target(filepath.FromSlash(o.At.File))] = true
		case (kinds.IsCR(o) || pods && podspec.MayHave(o.Node.YNode())) &&
			slices.ContainsFunc(s.Files, func(file string) bool { return path.Clean(filepath.ToSlash(file)) == path.Clean(o.At.File) }):
			beside = append(beside, path.Join(path.Dir(o.At.File), lock.FileName))
		}
	}
	var out []*yaml.RNode
	var found finding.List
	for _, name := range beside {
		target := lock.Target(filepath.FromSlash(name))
		info, err := os.Stat(filepath.FromSlash(name))
		if err != nil || info.IsDir() || read[target] {
			continue
		}
		read[target] = true
		list, err := manifest.ReadFile(filepath.FromSlash(name))
		if err != nil {
			found = append(found, finding.Finding{
				ID: finding.Unreadable, Severity: finding.Error, Object: finding.Object{File: name}, Text: err.Error(),
				Do: "correct or remove it: it is the lock of the CR or of the pods beside it",
			})
		}
		out = append(out, slices.DeleteFunc(list, func(item *yaml.RNode) bool {
			return !kinds.IsGoldenarch(object.Ref(item), v1alpha1.ArchitectureLockKind)
		})...)
	}
	return out, found
}
