package kinds

import (
	"fmt"
	"slices"
	"strings"

	"github.com/goldenarch/goldenarch/internal/fieldpath"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/object"
	"github.com/goldenarch/goldenarch/internal/wrapper"
	"github.com/goldenarch/goldenarch/internal/yamlnode"
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
			if slices.ContainsFunc(list, func(other object.Object) bool { return other.IsInText(o, path) }) {
				continue
			}
			found = append(found, o.Locate(finding.List{{
				ID: finding.CRUnread, Severity: finding.Warning, Field: path,
				Text: fmt.Sprintf("%s holds a HyperConverged CR in %s, where goldenarch does not read it, so it neither checks nor changes this CR", o.At, path),
				Do:   howToRead(o, path),
			}})...)
		}
	}
	return found
}

// howToRead returns what a user can do about a CR that goldenarch does not read.
func howToRead(o object.Object, path string) string {
	const alone = "keep the CR in a file of its own, pass that file to goldenarch, and wrap what it renders"
	text := o.Node.YNode()
	for _, step := range fieldpath.Steps(path) {
		text, _ = yamlnode.Child(text, step)
		text = yamlnode.Dealias(text)
	}
	switch {
	case strings.Contains(text.Value, "{{"), strings.Contains(text.Value, "{%"):
	case o.At.Kind == "Secret" && strings.HasPrefix(path, "data"):
		return "write the text as a literal block under stringData, or " + alone
	case o.At.Kind == "ConfigMap" || o.At.Kind == "Secret":
		return "if a ClusterResourceSet applies it, pass that too; otherwise " + alone
	}
	return alone
}
