package definition

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

// functionMetadata is metadata.yaml, in the form of kpt's function catalog.
type functionMetadata struct {
	Image              string   `json:"image"`
	Description        string   `json:"description"`
	Tags               []string `json:"tags"`
	SourceURL          string   `json:"sourceURL"`
	ExamplePackageURLs []string `json:"examplePackageURLs"`
	License            string   `json:"license"`
}

// metadata reads metadata.yaml, which people write.
func metadata() functionMetadata {
	var out functionMetadata
	data, err := os.ReadFile(filepath.Join(root, "metadata.yaml"))
	if err == nil {
		err = yaml.UnmarshalStrict(data, &out)
	}
	if err != nil {
		panic(err)
	}
	return out
}

// What metadata.yaml names exists, and the image is the one of the examples.
func TestMetadata(t *testing.T) {
	t.Parallel()
	meta := metadata()
	urls := []string{meta.SourceURL}
	for _, f := range functions() {
		urls = append(urls, f.examples...)
	}
	for _, url := range urls {
		path, ours := strings.CutPrefix(url, home+"/tree/main")
		if _, err := os.Stat(filepath.Join(root, path)); !ours || err != nil {
			t.Errorf("%s leads nowhere in the repository", url)
		}
	}
	for _, example := range []string{
		"examples/kustomize/image/golden-images.yaml",
		"examples/kpt/README.md",
		"examples/workloads/kustomize/image/workload-architectures.yaml",
	} {
		data, err := os.ReadFile(filepath.Join(root, example))
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(data), meta.Image) {
			t.Errorf("%s does not name the image %s", example, meta.Image)
		}
	}
	if meta.License != "Apache-2.0" || meta.Description == "" || len(meta.Tags) == 0 {
		t.Errorf("incomplete: %+v", meta)
	}
}
