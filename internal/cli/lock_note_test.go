package cli

import (
	"net/http"
	"strings"
	"testing"
)

// TestLockTellsOfFewPulls: a registry that says how few pulls are left is reported of
// by whatever asks it, whether it then writes, fails or only looks.
func TestLockTellsOfFewPulls(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		reason string
		args   []string
		prep   func(l *lockedTree)
		status int
	}{
		{reason: "a lock that is written", args: []string{"lock", "DIR"}},
		{reason: "one that is right already", args: []string{"lock", "DIR"}, prep: func(l *lockedTree) { l.run(nil, "lock", "DIR") }},
		{reason: "one that is only compared", args: []string{"lock", "--check", "DIR"}, status: 3},
		{reason: "one image of it", args: []string{"lock", "DIR", "--only", "HOST/x/fedora:1"}},
		{
			reason: "one that cannot be written",
			args:   []string{"lock", "DIR"},
			prep:   func(l *lockedTree) { l.write("hco.yaml", l.cr("x/fedora:1", "x/gone-for-good:1")) },
			status: 1,
		},
		{reason: "rendering without a lock", args: []string{"render", "DIR", "--workload-architectures=amd64"}},
	} {
		t.Run(tc.reason, func(t *testing.T) {
			t.Parallel()
			l := newLockedTree(t, func(next http.Handler) http.Handler {
				return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
					rw.Header().Set("Ratelimit-Limit", "100;w=21600")
					rw.Header().Set("Ratelimit-Remaining", "7;w=21600")
					next.ServeHTTP(rw, r)
				})
			})
			if tc.prep != nil {
				tc.prep(l)
			}
			status, _, stderr := l.run(nil, tc.args...)
			want := "warning GA215: registry " + l.registry.Host() + " has 7 of 100 pulls left in 6h"
			if status != tc.status || strings.Count(stderr, want) != 1 {
				t.Errorf("%s: want the status %d and once %q, got %d:\n%s", tc.reason, tc.status, want, status, stderr)
			}
		})
	}
}
