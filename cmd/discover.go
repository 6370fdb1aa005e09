package cmd

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/kustomization"
)

// The kinds by which a directory is known.
const (
	goldenImages   = v1alpha1.GoldenImagesKind
	hyperConverged = "HyperConverged"
)

// discover prints why the current directory is one for goldenarch.
//
// Argo CD asks every plugin about every Application, so without a choice only a
// GoldenImages will do: a HyperConverged CR is no reason to change what Argo CD does
// with it. Where the Application has a plugin in its source, Argo CD has said so in
// the environment; then a directory of which nothing can be told is taken as well,
// since the rendering says what is wrong and Argo CD only that no plugin was found.
func discover(streams Streams) error {
	kinds := []string{goldenImages}
	_, chosen := os.LookupEnv(argoParameters)
	if chosen {
		kinds = append(kinds, hyperConverged)
	}
	reason := mentioned(".", kinds)
	if reason == "" && (chosen || kustomization.In(".")) {
		reason = built(streams, kinds, chosen)
	}
	if reason == "" {
		return nil
	}
	_, err := fmt.Fprintln(streams.Out, reason)
	return err //nolint:wrapcheck // nothing to add
}

// mentioned returns the first file below a directory that has an object of one of
// the kinds. It reads the text only: the directory may be anybody's, and large.
func mentioned(dir string, kinds []string) string {
	kind := regexp.MustCompile(`(?m)^[ -]*["']?kind["']?[ ]*:[ ]*["']?(` + strings.Join(kinds, "|") + `)["']?[ \r]*(,|#|$)`)
	found := ""
	_ = filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		name := entry.Name()
		switch {
		case err != nil:
			return nil //nolint:nilerr // as above
		case entry.IsDir() && path != dir && strings.HasPrefix(name, "."):
			return fs.SkipDir
		case !entry.Type().IsRegular(), !slices.Contains([]string{".yaml", ".yml", ".json"}, filepath.Ext(name)) && name != "Kustomization":
			return nil
		}
		text, err := os.ReadFile(path) //nolint:gosec // it is below the directory
		if match := kind.FindSubmatch(text); err == nil && match != nil {
			found = fmt.Sprintf("%s in %s", match[1], path)
			return fs.SkipAll
		}
		return nil
	})
	return found
}

// built returns the first object of one of the kinds that the current directory
// builds to or lists. unknown says whether a directory will do that cannot be read,
// or has nothing in it.
func built(streams Streams, kinds []string, unknown bool) string {
	r := render{streams: streams}
	items, found := r.read(nil)
	for _, item := range items {
		if slices.Contains(kinds, item.GetKind()) {
			return fmt.Sprintf("%s %s", item.GetKind(), item.GetName())
		}
	}
	if unknown && (found.Failed() || len(items) == 0) {
		return "chosen by the Application"
	}
	return ""
}
