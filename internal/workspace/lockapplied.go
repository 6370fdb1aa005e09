package workspace

import (
	"fmt"
	"path/filepath"
	"slices"

	"github.com/goldenarch/goldenarch/internal/console"
	"github.com/goldenarch/goldenarch/internal/files"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/manifest"
)

// Applied reports a lock that was written where something may apply it: no cluster knows the kind. Argo CD,
// kustomize, Flux and kpt leave a new lock out, and kubectl does not, which the note says.
func (l *Locker) Applied(one *SharedLock) (found finding.List, note string) {
	items, err := manifest.ReadFile(one.Name)
	if err != nil {
		return nil, "" // the next run reports it
	}
	if l.As.routes == nil {
		l.lookIn(one.Name)
	}
	dir := filepath.Dir(one.Name)
	if found = l.As.appliedSettings(items, one.clusters[0].Entry); len(found) > 0 {
		for i := range found {
			found[i].Severity = finding.Warning // the lock is written, and check reports it
		}
		return found, ""
	}
	if one.text == nil && len(l.As.to(one.Name)) == 0 && isPlain(one.Name) {
		return nil, fmt.Sprintf("Argo CD, kustomize, Flux and kpt leave %s out. 'kubectl apply -f' of its directory does not, and fails. "+
			"If you apply the directory so, keep the lock outside of it: %s", one.Name,
			console.Command("goldenarch", "lock", console.CommandPath(dir), "--file", "FILE"))
	}
	return nil, ""
}

// isPlain reports whether a file is beside manifests that neither kustomize nor kpt builds.
func isPlain(name string) bool {
	names, err := manifest.FilesIn(filepath.Dir(name))
	beside := slices.ContainsFunc(names, func(file string) bool { return filepath.Base(file) != filepath.Base(name) })
	list, _ := kustomizationAbove(name)
	return err == nil && beside && list == "" && !files.Exists(filepath.Join(filepath.Dir(name), manifest.PackageFile))
}
