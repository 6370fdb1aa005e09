package kinds

import (
	"fmt"

	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/object"
	"github.com/goldenarch/goldenarch/internal/wrapper"
)

// ReportUnread returns a warning for each HyperConverged CR that is inside an object where
// goldenarch does not read it: in a kind that goldenarch does not open, or in a text.
func ReportUnread(list []object.Object) finding.List {
	var found finding.List
	for _, o := range list {
		if !object.IsFinite(o.Node.YNode()) {
			continue // reported as unreadable
		}
		for _, path := range wrapper.Unread(o.At.APIVersion, o.At.Kind, o.Node.YNode()) {
			found = append(found, o.Locate(finding.List{{
				ID: finding.CRUnread, Severity: finding.Warning, Field: path,
				Text: fmt.Sprintf("%s holds a HyperConverged CR in %s, where goldenarch does not read it, so it neither checks nor changes this CR", o.At, path),
				Do:   "keep the CR in a file of its own, pass that file to goldenarch, and wrap what it renders",
			}})...)
		}
	}
	return found
}
