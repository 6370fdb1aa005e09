package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/goldenarch/goldenarch/internal/finding"
)

// reportUnlisted warns of files beside a kustomization that configure goldenarch and that
// the run does not read: the kustomization does not list them, and neither --config nor a
// path names them.
func (r *render) reportUnlisted(paths []string) finding.List {
	var out finding.List
	for _, one := range r.unlisted {
		if slices.ContainsFunc(append([]string{r.config}, paths...), func(path string) bool { return same(path, one.File) }) {
			continue
		}
		out = append(out, finding.Finding{
			ID: finding.ConfigUnlisted, Severity: finding.Warning, Object: finding.Object{File: filepath.ToSlash(one.File)},
			Text: fmt.Sprintf("the kustomization beside this %s does not list it, so its settings have no effect", one.Kind),
			Do:   "list it under transformers of the kustomization",
		})
	}
	return out
}

// same reports whether two paths name the same file.
func same(a, b string) bool {
	first, err := os.Stat(a)
	if err != nil {
		return false
	}
	second, err := os.Stat(b)
	return err == nil && os.SameFile(first, second)
}
