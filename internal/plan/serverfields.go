package plan

import (
	"slices"
	"strings"

	"github.com/goldenarch/goldenarch/internal/finding"
)

// harms says what the API server does with a field that only it sets, if that is more than
// ignoring it (k8s apimachinery: rest.BeforeUpdate, the field manager, Preconditions).
var harms = []struct{ field, does string }{
	{"metadata.managedFields", "the API server refuses a server-side apply with managedFields"},
	{"metadata.resourceVersion", "the API server refuses a resourceVersion that is not the present one"},
	{"metadata.uid", "the API server refuses the uid of another object, such as one of another cluster"},
}

// decideServerFields decides which fields to remove because only a cluster sets them.
func decideServerFields(s Subject) ([]string, finding.List) {
	fields := slices.Clone(s.ServerFields)
	var found finding.List
	if s.StatusNeeded && slices.Contains(fields, statusField) {
		fields = slices.DeleteFunc(fields, func(field string) bool { return field == statusField })
		found = append(found, finding.Finding{
			ID: finding.StatusKept, Severity: finding.Warning, Field: statusField,
			Text: "only status.nodeInfo of this CR states the nodes, so goldenarch does not remove the status. In Git it is as old as the dump",
			Do:   "state the nodes in the configuration or a ClusterArchitectures, or pass the dump with --live. Then goldenarch removes the status",
		})
	}
	if len(fields) == 0 {
		return nil, found
	}
	list, why := strings.Join(fields, ", "), ""
	for _, harm := range harms {
		if why == "" && slices.Contains(fields, harm.field) {
			why = ", and " + harm.does
		}
	}
	return fields, append(found, finding.Finding{
		ID: finding.ServerFields, Severity: finding.Warning, Field: fields[0],
		Text: "goldenarch removes " + list + " from the CR: only a cluster sets these" + why,
		Unchanged: finding.Advice{
			Text: "the CR has fields that only a cluster sets" + why + ": " + list,
			Do:   "remove them, or run goldenarch fix",
		},
	})
}

const statusField = "status"
