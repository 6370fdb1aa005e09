package repo

import (
	"slices"
	"strings"

	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
	"github.com/goldenarch/goldenarch/internal/pattern"
)

// ignored names fields whose differences Argo CD ignores (argo-cd
// pkg/apis/application/v1alpha1/types.go: ResourceIgnoreDifferences).
type ignored struct {
	Group             string   `json:"group"`
	Kind              string   `json:"kind"`
	Name              string   `json:"name"`
	Namespace         string   `json:"namespace"`
	JSONPointers      []string `json:"jsonPointers"`
	JQPathExpressions []string `json:"jqPathExpressions"`
}

// IgnoredOf returns the fields among those that goldenarch decides on whose change in Git does not
// reach a CR, and whether they never do.
//
// Argo CD syncs by itself only what differs (argo-cd controller/appcontroller.go: autoSync). With
// RespectIgnoreDifferences it also writes what the cluster has in the place of an ignored field. In
// a list that is the whole list (controller/sync.go: normalizeTargetResources).
func (r Route) IgnoredOf(cr finding.Object) (fields []string, never bool) {
	if r.Plugin != nil {
		return nil, false
	}
	for _, one := range r.ignores {
		if one.selects(cr) {
			fields = append(fields, one.decided(cr, r.respects)...)
		}
	}
	if r.set != nil && r.set.ignores() {
		fields = append(fields, "templatePatch")
	}
	return fields, r.respects
}

// selects reports whether the entry is about a CR (argo-cd util/argo/normalizers/diff_normalizer.go:
// Normalize). A CR without a namespace gets that of the Application.
func (i ignored) selects(cr finding.Object) bool {
	matches := func(glob, text string) bool {
		pattern := compileGlob(glob)
		return pattern != nil && pattern.MatchString(text)
	}
	return matches(i.Group, cr.Group()) && matches(i.Kind, cr.Kind) && (i.Name == "" || i.Name == cr.Name) &&
		(i.Namespace == "" || cr.Namespace == "" || i.Namespace == cr.Namespace)
}

// decided returns the entries that hide templates, what they declare, or the multi-arch gate. Any
// part of the list counts if it stays as the cluster has it.
func (i ignored) decided(cr finding.Object, anyPart bool) []string {
	version, err := hyperconverged.ParseVersion(cr.APIVersion)
	if err != nil {
		return nil
	}
	templates, gate := version.Paths().Templates, version.GatePath()
	hides := func(at []string) bool {
		inTemplate := isPrefix(templates, at) && (anyPart || len(at) == len(templates)+1 || len(at) > len(templates)+1 && at[len(templates)+1] == "metadata")
		return isPrefix(at, templates) || isPrefix(at, gate) || inTemplate
	}
	var out []string
	for _, pointer := range i.JSONPointers {
		if at := strings.Split(pointer, "/"); len(at) > 1 && hides(at[1:]) { // without a slash it names nothing
			out = append(out, pointer)
		}
	}
	for _, expression := range i.JQPathExpressions {
		_, below, ok := strings.Cut(expression, templates[len(templates)-1])
		fields := strings.FieldsFunc(strings.TrimSpace(expression), func(r rune) bool { return r == '.' })
		if isFields().MatchString(expression) && hides(fields) ||
			ok && (anyPart || !strings.Contains(below, ".spec")) || strings.Contains(expression, hyperconverged.GateName) {
			out = append(out, expression)
		}
	}
	return out
}

// isFields matches an expression of jq that names fields alone, or the whole object.
var isFields = pattern.Of(`^\s*\.(?:\w+(?:\.\w+)*)?\s*$`)

func isPrefix(short, long []string) bool {
	return len(short) <= len(long) && slices.Equal(short, long[:len(short)])
}
