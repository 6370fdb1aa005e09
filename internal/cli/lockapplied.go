package cli

import (
	"path/filepath"
	"slices"

	"github.com/goldenarch/goldenarch/internal/console"
	"github.com/goldenarch/goldenarch/internal/files"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/input/manifest"
)

// sayApplied reports a lock that was written where something may apply it: no cluster knows the kind. Argo CD,
// kustomize, Flux and kpt leave a new lock out, and kubectl does not.
func (l *lockOptions) sayApplied(one lockWrite) {
	items, err := manifest.ReadFile(one.name)
	if err != nil {
		return // the next run reports it
	}
	if l.as.routes == nil {
		l.as.lookIn(one.name, &l.untrusted, l.streams)
	}
	dir := filepath.Dir(one.name)
	switch found := l.as.appliedSettings(items, one.entry); {
	case len(found) > 0:
		for i := range found {
			found[i].Severity = finding.Warning // the lock is written, and check reports it
		}
		_ = l.streams.report(found)
	case one.text == nil && len(l.as.to(one.name)) == 0 && isPlain(one.name):
		l.streams.printer.Message("Argo CD, kustomize, Flux and kpt leave %s out. 'kubectl apply -f' of its directory does not, and fails. "+
			"If you apply the directory so, keep the lock outside of it: %s", one.name,
			console.Command("goldenarch", "lock", console.CommandPath(filepath.ToSlash(dir)), "--file", "FILE"))
	}
}

// isPlain reports whether a file is beside manifests that neither kustomize nor kpt builds.
func isPlain(name string) bool {
	names, err := manifest.FilesIn(filepath.Dir(name))
	beside := slices.ContainsFunc(names, func(file string) bool { return filepath.Base(file) != filepath.Base(name) })
	list, _ := kustomizationAbove(name)
	return err == nil && beside && list == "" && !files.Exists(filepath.Join(filepath.Dir(name), manifest.PackageFile))
}
