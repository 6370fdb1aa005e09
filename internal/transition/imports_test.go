package transition

import (
	"encoding/json"
	"testing"

	"github.com/goldenarch/goldenarch/internal/operators/expansion"
)

// TestPodReason: a pod that runs again, or has ended well, has no reason, whatever ended it before.
func TestPodReason(t *testing.T) {
	t.Parallel()
	const failed = `"lastState": {"terminated": {"reason": "Error", "message": "reset by peer"}}`
	for _, tc := range []struct{ reason, status, want string }{
		{"it runs", `{"containerStatuses": [{"state": {"running": {"startedAt": "2026-01-01T00:00:00Z"}}}]}`, ""},
		{"it runs again", `{"containerStatuses": [{"state": {"running": {"startedAt": "2026-01-01T00:00:00Z"}}, ` + failed + `}]}`, ""},
		{"it has ended at the second attempt", `{"containerStatuses": [{"state": {"terminated": {"reason": "Completed"}}, ` + failed + `}]}`, ""},
		{"it is created", `{"containerStatuses": [{"state": {"waiting": {"reason": "ContainerCreating"}}}]}`, ""},
		{"it is created again", `{"containerStatuses": [{"state": {"waiting": {"reason": "ContainerCreating"}}, ` + failed + `}]}`, "Error: reset by peer"},
		{"it waits", `{"containerStatuses": [{"state": {"waiting": {"reason": "ErrImagePull", "message": "none"}}, ` + failed + `}]}`, "ErrImagePull: none"},
		{"it has failed", `{"containerStatuses": [{"state": {"terminated": {"reason": "Error", "message": "no match"}}}]}`, "Error: no match"},
		{"it has no node", `{"conditions": [{"type": "PodScheduled", "status": "False", "reason": "Unschedulable", "message": "0 of 3"}]}`, "Unschedulable: 0 of 3"},
	} {
		var status map[string]any
		if err := json.Unmarshal([]byte(tc.status), &status); err != nil {
			t.Fatal(err)
		}
		if got := podReason(expansion.Object{"status": status}); got != tc.want {
			t.Errorf("%s: want %q, got %q", tc.reason, tc.want, got)
		}
	}
}
