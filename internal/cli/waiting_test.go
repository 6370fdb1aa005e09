package cli

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/goldenarch/goldenarch/test/registrytest"
)

// TestClustersWaitTogether: the images of all clusters are asked for at once, up to what one registry gets at once. The registry answers for
// a tag only when all tags were asked for.
func TestClustersWaitTogether(t *testing.T) {
	t.Parallel()
	const clusters = 8
	var mu sync.Mutex
	seen, all := map[string]bool{}, make(chan struct{})
	gate := func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if _, tag, ok := strings.Cut(r.URL.Path, "/manifests/tag-"); ok {
				mu.Lock()
				before := len(seen)
				seen[tag] = true
				if now := all; before < clusters && len(seen) == clusters {
					close(now)
				}
				now := all
				mu.Unlock()
				select {
				case <-now:
				case <-time.After(time.Minute):
					w.WriteHeader(http.StatusGatewayTimeout)
					return
				}
			}
			next.ServeHTTP(w, r)
		})
	}
	l := newLockedTree(t, gate)
	for i := range clusters {
		l.registry.Push(fmt.Sprintf("x/app:tag-%d", i), registrytest.Index("linux/amd64", "linux/arm64"))
		l.write(fmt.Sprintf("clusters/c%d/hco.yaml", i), l.cr(fmt.Sprintf("x/app:tag-%d", i)))
	}
	l.write("goldenarch.yaml", "apiVersion: goldenarch.dev/v1alpha1\nkind: Fleet\nmetadata: {name: f}\nclusters:\n"+
		"- {paths: [\"clusters/*\"], workloadArchitectures: [amd64, arm64], controlPlaneArchitectures: [amd64], release: \"1.19\"}\n")
	for _, verb := range [][]string{{"check"}, {"fix", "--diff"}, {"lock", "--check"}} {
		mu.Lock()
		seen, all = map[string]bool{}, make(chan struct{})
		mu.Unlock()
		out, messages, _ := runIn(t, l.dir, append(verb, "--set", "registryInsecure="+l.registry.Host(), "--set", "lock=Ignore", ".")...)
		if len(seen) != clusters || strings.Contains(out+messages, "504") {
			t.Errorf("%s: %d images asked for at once, expected %d:\n%.2000s%.2000s", verb, len(seen), clusters, out, messages)
		}
	}
}
