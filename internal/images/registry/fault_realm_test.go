package registry_test

import (
	"net/http"
	"net/url"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/goldenarch/goldenarch/test/registrytest"
)

// TestWhatATokenServiceIsAsked: the query is what the realm and the challenge say,
// and nothing that neither says.
func TestWhatATokenServiceIsAsked(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		reason, realm, challenge string
		want                     url.Values
	}{
		"Service":   {"The usual one.", "/token", `,service="r"`, url.Values{"service": {"r"}, "scope": {"repository:org/r0:pull"}}},
		"NoService": {"A service without a name is not asked by an empty one.", "/token", "", url.Values{"scope": {"repository:org/r0:pull"}}},
		"OwnQuery": {
			reason: "What the realm asks stays.",
			realm:  "/token?account=a&service=s",
			want:   url.Values{"account": {"a"}, "service": {"s"}, "scope": {"repository:org/r0:pull"}},
		},
		"Both":  {"The challenge wins.", "/token?service=s", `,service="r"`, url.Values{"service": {"r"}, "scope": {"repository:org/r0:pull"}}},
		"Scope": {"As does its scope.", "/token", `,scope="repository:org/r0:pull,push"`, url.Values{"scope": {"repository:org/r0:pull,push"}}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var mu sync.Mutex
			var got url.Values
			s := with(t, func(next http.Handler) http.Handler {
				return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					switch {
					case r.URL.Path == "/token":
						mu.Lock()
						got = r.URL.Query()
						mu.Unlock()
						_, _ = w.Write([]byte(`{"token":"t","expires_in":"300","refresh_token":7}`))
					case r.Header.Get("Authorization") == "Bearer t":
						next.ServeHTTP(w, r)
					default:
						w.Header().Set("WWW-Authenticate", `Bearer realm="https://`+r.Host+tc.realm+`"`+tc.challenge)
						w.WriteHeader(http.StatusUnauthorized)
					}
				})
			})
			s.Push("org/r0:1", registrytest.Image("linux/arm64"))
			if _, err := resolve(t, client(t, trusting(t)), reference(t, s, "org/r0:1")); err != nil {
				t.Fatal(err)
			}
			mu.Lock()
			defer mu.Unlock()
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("%s\n-want, +got:\n%s", tc.reason, diff)
			}
		})
	}
}
