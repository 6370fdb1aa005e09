package cli

import (
	"os"
	"path/filepath"
	"slices"

	"github.com/goldenarch/goldenarch/internal/finding"
)

// reportUnlisted warns of GoldenImages files beside a kustomization that the run does
// not read: the kustomization does not list them, and neither --config nor a path names
// them.
func (r *render) reportUnlisted(paths []string) finding.List {
	var out finding.List
	for _, file := range r.unlisted {
		if slices.ContainsFunc(append([]string{r.config}, paths...), func(path string) bool { return same(path, file) }) {
			continue
		}
		out = append(out, finding.Finding{
			ID: finding.ConfigUnlisted, Severity: finding.Warning, Object: finding.Object{File: filepath.ToSlash(file)},
			Text: "the kustomization beside this GoldenImages does not list it, so its settings have no effect",
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
