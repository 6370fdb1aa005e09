//go:build unix

package hostile

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/goldenarch/goldenarch/test/filetest"
	"github.com/goldenarch/goldenarch/test/registrytest"
)

// rendezvous holds the requests of repositories until those of two are there at once, and
// counts how many repositories were.
type rendezvous struct {
	mu   sync.Mutex
	open map[string]int
	most int
	met  chan struct{}
}

func newRendezvous() *rendezvous {
	return &rendezvous{open: map[string]int{}, met: make(chan struct{})}
}

// wrap is the wrapper of the registry.
func (r *rendezvous) wrap(next http.Handler) http.Handler {
	return http.HandlerFunc(func(rw http.ResponseWriter, request *http.Request) {
		if repository, _, ok := strings.Cut(request.URL.Path, "/manifests/"); ok {
			r.enter(repository)
			defer r.leave(repository)
			select {
			case <-r.met:
			case <-time.After(20 * time.Second):
			}
		}
		next.ServeHTTP(rw, request)
	})
}

func (r *rendezvous) enter(repository string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.open[repository]++
	r.most = max(r.most, len(r.open))
	if len(r.open) == 2 {
		select {
		case <-r.met:
		default:
			close(r.met)
		}
	}
}

func (r *rendezvous) leave(repository string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.open[repository]--; r.open[repository] == 0 {
		delete(r.open, repository)
	}
}

// clusters are so many overlays below a directory, each with a CR of one image, and their
// common GoldenImages.
func clusters(n int, host string) map[string]string {
	files := map[string]string{}
	for i := range n {
		dir := fmt.Sprintf("overlays/c%d/", i)
		files[dir+"hco.yaml"] = crOf(fmt.Sprintf("%s/org/r%d:1", host, i))
		files[dir+"golden-images.yaml"] = "apiVersion: goldenarch.dev/v1alpha1\nkind: GoldenImages\nmetadata: {name: g}\n" +
			"spec:\n  release: \"1.19\"\n  predefined: none\n  cluster: {workloadArchitectures: [amd64, arm64], controlPlaneArchitectures: [amd64]}\n" +
			"  registry: {insecure: [\"" + host + "\"], requestTimeout: 30s, retries: 0}\n"
		files[dir+"kustomization.yaml"] = "resources: [hco.yaml]\ntransformers: [golden-images.yaml]\n"
	}
	return files
}

// TestClustersAreHandledAtOnce: the clusters of a repository of kustomizations query a slow
// registry at the same time, whatever the verb. One that waits delays no other.
func TestClustersAreHandledAtOnce(t *testing.T) {
	t.Parallel()
	const n = 6
	for _, verb := range [][]string{{"check", ".", "--as", "rendered"}, {"fix", ".", "--diff"}, {"lock", "."}} {
		t.Run(verb[0], func(t *testing.T) {
			t.Parallel()
			meet := newRendezvous()
			s := serving(t, registrytest.After(1, meet.wrap)) // the first request shows whether the registry wants a login
			for i := range n {
				s.Push(fmt.Sprintf("org/r%d:1", i), registrytest.Index("linux/amd64", "linux/arm64"))
			}
			got := Run(t, verb, "", Limits{Dir: filetest.New(t, clusters(n, s.Host())), Once: true})
			if got.Status != 0 && got.Status != 3 {
				t.Errorf("status %d\n%.3000s%.3000s", got.Status, got.Stdout, got.Stderr)
			}
			if meet.most < 2 {
				t.Errorf("at most %d clusters queried the registry at once, expected several", meet.most)
			}
		})
	}
}

// TestClustersDoNotBlameEachOther: a registry of one cluster never answers, and the build of
// another is ended because it grows without end, which takes most of a minute. The rest of the repository is checked as if
// they were not there, and each error is at its own cluster.
func TestClustersDoNotBlameEachOther(t *testing.T) {
	t.Parallel()
	const n = 6
	s := serving(t, silentFor("org/r1/"), registrytest.Latency(100*time.Millisecond))
	files := clusters(n, s.Host())
	files["overlays/c1/golden-images.yaml"] = strings.Replace(files["overlays/c1/golden-images.yaml"], "requestTimeout: 30s", "requestTimeout: 5s", 1)
	grows := "resources: [hco.yaml, m.yaml]\npatches:\n" // each patch copies less than it may
	for i := range 600 {
		grows += fmt.Sprintf("- {target: {kind: Thing}, patch: '[{\"op\": \"copy\", \"from\": \"/spec/a\", \"path\": \"/spec/c%d\"}]'}\n", i)
	}
	files["overlays/grows/kustomization.yaml"] = grows
	files["overlays/grows/hco.yaml"] = crOf(s.Host() + "/org/r0:1")
	files["overlays/grows/m.yaml"] = "apiVersion: v1\nkind: Thing\nmetadata: {name: m}\nspec: {a: " + strings.Repeat("x", 1_000_000) + "}\n"
	for i := range n {
		s.Push(fmt.Sprintf("org/r%d:1", i), registrytest.Index("linux/amd64", "linux/arm64"))
	}
	got := Run(t, []string{"check", ".", "--as", "rendered", "-o", "json"}, "", Limits{Dir: filetest.New(t, files), Once: true, Time: 180 * time.Second})
	var report struct {
		Repository struct {
			Clusters []struct {
				Path   string `json:"path"`
				Errors int    `json:"errors"`
			} `json:"clusters"`
		} `json:"repository"`
	}
	if err := json.Unmarshal([]byte(got.Stdout), &report); err != nil {
		t.Fatalf("status %d: %v\n%.2000s", got.Status, err, got.Stderr)
	}
	var failed []string
	for _, c := range report.Repository.Clusters {
		if c.Errors > 0 {
			failed = append(failed, c.Path)
		}
	}
	slices.Sort(failed)
	if want := []string{"overlays/c1", "overlays/grows"}; got.Status != 1 || !slices.Equal(failed, want) {
		t.Errorf("status %d: want errors in %v and nowhere else, got %v\n%.4000s", got.Status, want, failed, got.Stderr)
	}
}
