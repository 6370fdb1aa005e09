package cli

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/input/kustomization"
	"github.com/goldenarch/goldenarch/internal/sanitize"
)

// sharedFindings reports each file that must change for some overlays of a repository and
// that several overlays build: once, with all of these overlays.
func sharedFindings(root string, shared []*kustomization.SharedError) finding.List {
	overlays := map[string][]string{}
	for _, one := range shared {
		overlays[one.File] = append(append(overlays[one.File], one.Of), one.By...)
	}
	var found finding.List
	for _, file := range slices.Sorted(maps.Keys(overlays)) {
		names := slices.Compact(slices.Sorted(slices.Values(overlays[file])))
		found = append(found, finding.Finding{
			ID: finding.EditShared, Severity: finding.Error, Object: finding.Object{File: file},
			Text: fmt.Sprintf("%d overlays build this file, so an edit would change all of them: %s. goldenarch changed no file",
				len(names), strings.Join(names, ", ")),
			Do: "run the command again with --patch (" + sanitize.Command("goldenarch", "fix", "--patch", root) + "): it gives each of them a patch of its own",
		})
	}
	return found
}
