package registry

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"time"
)

// TestServersThatAllowFewRequests: a server that allows few requests on a connection
// answers all of them. One that allows as many as usual needs no second connection.
func TestServersThatAllowFewRequests(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct{ streams, connections int }{"Few": {10, 1000}, "Usual": {100, 2}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := serve(t, func(s *httptest.Server) {
				s.Config.HTTP2 = &http.HTTP2Config{MaxConcurrentStreams: tc.streams}
				tlsHTTP2(s)
			}, func(next http.Handler) http.Handler {
				return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					time.Sleep(time.Millisecond)
					next.ServeHTTP(w, r)
				})
			})
			c := New(f.options())
			defer c.Close()
			for _, r := range ResolveAll(run(t), c, fill(t, f, 200, 50)) {
				if r.Err != nil {
					t.Fatalf("%s: %v", r.Reference, r.Err)
				}
			}
			f.mu.Lock()
			defer f.mu.Unlock()
			if f.connections > tc.connections {
				t.Errorf("%d connections for a server that allows %d requests on each, want at most %d", f.connections, tc.streams, tc.connections)
			}
		})
	}
}
