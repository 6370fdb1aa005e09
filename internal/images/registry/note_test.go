package registry_test

import (
	"net/http"
	"slices"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/goldenarch/goldenarch/internal/images/registry"
	"github.com/goldenarch/goldenarch/test/registrytest"
)

func TestNotes(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		reason           string
		limit, remaining string
		status           int // 0 is that of the registry
		want             string
	}{
		"Low":         {"Less than a tenth is low.", "200;w=21600", "19;w=21600", 0, "has 19 of 200 pulls left in 6h"},
		"Few":         {"Less than ten is low.", "40;w=3600", "9;w=3600", 0, "has 9 of 40 pulls left in 1h"},
		"Minutes":     {"A window is said without zeros.", "100;w=1800", "9;w=1800", 0, "has 9 of 100 pulls left in 30m"},
		"Seconds":     {"In seconds too.", "100;w=10", "9;w=10", 0, "has 9 of 100 pulls left in 10s"},
		"NoWindow":    {"The window may be missing.", "100", "3", 0, "has 3 of 100 pulls left"},
		"None":        {"None left is low, and told beside the error.", "100;w=21600", "0;w=21600", http.StatusForbidden, "has 0 of 100 pulls left in 6h"},
		"Enough":      {"A tenth is enough.", "200;w=21600", "20;w=21600", 0, ""},
		"Absent":      {"Most registries say nothing.", "", "", 0, ""},
		"NoRemaining": {"Half of it says nothing.", "100;w=21600", "", 0, ""},
		"Words":       {"Words say nothing.", "many;w=1", "few", 0, ""},
		"Negative":    {"Nor do numbers that cannot be.", "100", "-1", 0, ""},
		"Zero":        {"A limit of nothing is none.", "0", "0", 0, ""},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			say := func(next http.Handler) http.Handler {
				return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
					if tc.limit != "" {
						rw.Header().Set("Ratelimit-Limit", tc.limit)
					}
					if tc.remaining != "" {
						rw.Header().Set("Ratelimit-Remaining", tc.remaining)
					}
					if tc.status != 0 {
						next = registrytest.Reply(tc.status, nil)(next)
					}
					next.ServeHTTP(rw, r)
				})
			}
			s := with(t, say)
			var mu sync.Mutex
			var got []string
			o := trusting(t)
			o.Note = func(n registry.Note) {
				mu.Lock()
				defer mu.Unlock()
				got = append(got, n.String())
			}
			_, _ = resolve(t, client(t, o), fill(t, s, 1, 0)[0])
			var want []string
			if tc.want != "" {
				want = []string{"registry " + s.Host() + " " + tc.want}
			}
			if diff := cmp.Diff(want, slices.Compact(got)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}
