package cli

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/pipeline"
)

// severalClusters reports that a directory has several clusters: customize edits one CR. It
// reports nothing for a directory with one.
func (c *customizeVerb) severalClusters(root string, function pipeline.Function) (finding.List, error) {
	_, layout, found, err := c.layout(root, function)
	if err != nil || found.Failed() || len(layout.Places) < 2 {
		return found, err
	}
	var names []string
	for _, place := range layout.Places {
		names = append(names, filepath.ToSlash(place.Path))
	}
	f := finding.Finding{
		ID: finding.CustomizeWhichCR, Severity: finding.Error,
		Text: fmt.Sprintf("the directory has %d clusters, and customize edits the CR of one: %s", len(names), strings.Join(names, ", ")),
		Do:   "name one of them",
	}
	if len(layout.Shared) > 0 {
		f.Do += ", or the base that they share: " + strings.Join(layout.Shared, ", ")
	}
	return append(found, f), nil
}
