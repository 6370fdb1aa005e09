//go:build unix

package hostile

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/goldenarch/goldenarch/test/registrytest"
)

// serving is a registry over plain HTTP.
func serving(t *testing.T, wrappers ...registrytest.Wrapper) *registrytest.Server {
	t.Helper()
	s, err := registrytest.Start(registrytest.Options{PlainHTTP: true, Wrappers: wrappers})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

// TestManyLargeIndexes asks for 24 images at once whose indexes are as large as they
// may be and cost the most to read.
func TestManyLargeIndexes(t *testing.T) {
	t.Parallel()
	const images, size = 24, 4<<20 - 100
	bodies := []string{
		`{"manifests":[` + strings.Repeat("{},", size/3-10) + `{}]}`,
		`{"manifests":[` + strings.Repeat(`{"platform":{}},`, size/16-10) + `{}]}`,
		`{"manifests":[{"urls":[` + strings.Repeat(`"",`, size/3-20) + `""]}]}`,
		`{"manifests":[{"annotations":{` + strings.Repeat(`"a":"",`, size/7-20) + `"b":""}}]}`,
		`{"manifests":` + strings.Repeat("[", size-30) + `}`,
		`{"layers":[` + strings.Repeat("{},", size/3-20) + `{}]}`,
		`{"manifests":[],"x":` + strings.Repeat(`{"a":`, size/5-20) + `}`,
		`{"mediaType":"` + strings.Repeat(`\u0041`, size/6-20) + `"}`,
	}
	s := serving(t)
	args := []string{"resolve", "--set", "registryInsecure=" + s.Host(), "--set", "registryTimeout=60s"}
	for i := range images {
		name := fmt.Sprintf("org/r%d:1", i)
		s.Push(name, registrytest.Raw("application/vnd.oci.image.index.v1+json", []byte(bodies[i%len(bodies)])))
		args = append(args, s.Host()+"/"+name)
	}
	got := Run(t, args, "", Limits{})
	if got.Status != 1 || strings.Count(got.Stderr, "image \"") < images {
		t.Errorf("want an error for each image, got status %d and\n%.3000s", got.Status, got.Stderr)
	}
	if got.Peak > 300<<20 {
		t.Errorf("it took %d MB", got.Peak>>20)
	}
}

// silentFor never answers for one repository.
func silentFor(repository string) registrytest.Wrapper {
	return func(next http.Handler) http.Handler {
		silent := registrytest.Silent()(next)
		return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
			if strings.Contains(r.URL.Path, repository) {
				silent.ServeHTTP(rw, r)
				return
			}
			next.ServeHTTP(rw, r)
		})
	}
}

// TestOneSilentRepository has the function keep what it cannot find out, beside a
// repository that never answers: twenty runs write the same.
func TestOneSilentRepository(t *testing.T) {
	t.Parallel()
	const runs, healthy = 20, 5
	s := serving(t, silentFor("org/silent"))
	templates := ""
	for i := range healthy + 1 {
		name := fmt.Sprintf("org/r%d", i)
		if i == healthy {
			name = "org/silent"
		}
		s.Push(name+":1", registrytest.Index("linux/amd64", "linux/arm64"))
		templates += fmt.Sprintf("    - metadata: {name: t%d}\n      spec:\n        managedDataSource: t%d\n        schedule: \"0 1 * * *\"\n"+
			"        template: {spec: {source: {registry: {url: \"docker://%s/%s:1\"}}}}\n", i, i, s.Host(), name)
	}
	list := "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\n" +
		"functionConfig:\n  apiVersion: goldenarch.dev/v1alpha1\n  kind: GoldenImages\n  metadata: {name: g}\n" +
		"  spec:\n    unresolved: Keep\n    cluster: {workloadArchitectures: [amd64, arm64]}\n" +
		"    registry: {insecure: [\"" + s.Host() + "\"], requestTimeout: 4s, retries: 1}\n" +
		"items:\n- apiVersion: hco.kubevirt.io/v1beta1\n  kind: HyperConverged\n  metadata: {name: kubevirt-hyperconverged, namespace: kubevirt-hyperconverged}\n" +
		"  spec:\n    dataImportCronTemplates:\n" + templates
	first := Run(t, nil, list, Limits{Once: true})
	if n := strings.Count(first.Stdout, "dict.architectures: 'amd64,arm64'"); first.Status != 0 || n != healthy || !strings.Contains(first.Stderr, "org/silent") {
		t.Fatalf("want %d templates with architectures and a warning about the silent one, got status %d, %d templates and\n%.3000s",
			healthy, first.Status, n, first.Stderr)
	}
	const parts = 4 // side by side: most of a run is waiting
	for part := range parts {
		t.Run(strconv.Itoa(part), func(t *testing.T) {
			t.Parallel()
			for range runs / parts {
				again := Run(t, nil, list, Limits{Once: true})
				if again.Status != first.Status || again.Stdout != first.Stdout || again.Stderr != first.Stderr {
					t.Fatalf("a run differs:\n%.3000s\n%.2000s\nand the first was\n%.3000s\n%.2000s", again.Stdout, again.Stderr, first.Stdout, first.Stderr)
				}
			}
		})
	}
}
