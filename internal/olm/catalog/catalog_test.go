package catalog

import (
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/workload"
)

const labels = "operatorframework.io/arch.amd64: supported, operatorframework.io/arch.arm64: supported"

// bundleText returns a bundle with the labels and images.
func bundleText(name string, images ...string) string {
	text := fmt.Sprintf("---\nschema: olm.bundle\nname: %s\npackage: acme\nimage: r.io/%s-bundle:1\nproperties:\n"+
		"- {type: olm.package, value: {packageName: acme}}\n- {type: olm.csv.metadata, value: {labels: {%s}}}\n"+
		"relatedImages:\n- {name: '', image: r.io/%s-bundle:1}\n",
		name, name, labels, name)
	for _, image := range images {
		text += "- {name: x, image: " + image + "}\n"
	}
	return text
}

const channels = "schema: olm.package\nname: acme\n---\nschema: olm.channel\nname: stable\npackage: acme\n" +
	"entries: [{name: v1}, {name: v2, replaces: v1}, {name: v4, replaces: v2, skips: [v3]}, {name: v3}]\n" +
	"---\nschema: olm.channel\nname: beta\npackage: acme\nentries: [{name: v5}]\n"

// TestCatalogs: the heads of channels, in YAML and JSON, with the labels in both places.
func TestCatalogs(t *testing.T) {
	t.Parallel()
	answers := map[string]workload.Answer{
		"two": {Architectures: arch.Named("amd64", "arm64")}, "amd": {Architectures: arch.Named("amd64")},
		"three": {Architectures: arch.Named("amd64", "arm64", "s390x")}, "gone": {Err: errors.New("404"), Host: "r.io", Cause: "it is gone"},
		"gone2": {Err: errors.New("404"), Host: "r.io", Cause: "it is gone"}, "ignored": {Ignored: true},
	}
	csv := base64.StdEncoding.EncodeToString([]byte(`{"kind":"ClusterServiceVersion","metadata":{"labels":{"operatorframework.io/arch.s390x":"supported"}}}`))
	service := base64.StdEncoding.EncodeToString([]byte(`{"kind":"Service"}`))
	for _, tc := range []struct {
		reason string
		files  map[string][]byte
		images int
		want   []string
	}{
		{
			reason: "two heads, one of which lacks what it promises, and an older bundle",
			files: map[string][]byte{"c/a.yaml": []byte(channels), "c/b.yaml": []byte(
				bundleText("v1", "amd") + bundleText("v2", "two") + bundleText("v4", "two", "amd", "ignored") + bundleText("v5", "three"))},
			images: 4,
			want: []string{
				`error GA713 olm.bundle/v4 (c/b.yaml): the head of the channel "stable" promises arm64, and not all images have it: amd has amd64. ` +
					`Correct the labels of its ClusterServiceVersion, or build these images`,
				`warning GA713 olm.package/acme (c/b.yaml): 1 bundles that are no channel heads promise architectures that not all of their images have: v1 lacks arm64. ` +
					`Remove them from the channels, if OLM need not pass through them`,
				`info GA736 olm.package/acme (c/b.yaml): the images of the channel heads have these architectures in common: stable (v4): amd64; ` +
					`beta (v5): amd64, arm64, s390x, and the labels do not promise s390x`,
			},
		},
		{
			reason: "JSON, one value after the other, with a ClusterServiceVersion in base64",
			files: map[string][]byte{"c.json": []byte(`{"schema":"olm.channel","name":"stable","package":"acme","entries":[{"name":"v1"}]}` + "\n" +
				`{"schema":"olm.bundle","name":"v1","package":"acme","properties":[{"type":"olm.bundle.object","value":{"data":"` + service + `"}},` +
				`{"type":"olm.bundle.object","value":{"data":"` + csv + `"}}],"relatedImages":[{"image":"amd"}]}`)},
			images: 1,
			want: []string{
				`error GA713 olm.bundle/v1 (c.json): the head of the channel "stable" promises s390x, and not all images have it: amd has amd64. ` +
					`Correct the labels of its ClusterServiceVersion, or build these images`,
				`info GA736 olm.package/acme (c.json): the images of the channel heads have these architectures in common: ` +
					`stable (v1): amd64, and the labels do not promise amd64`,
			},
		},
		{
			reason: "images of which nothing is known are one finding",
			files:  map[string][]byte{"c.yaml": []byte(channels + bundleText("v4", "gone", "gone2", "two") + bundleText("v5"))},
			images: 3,
			want: []string{
				`info GA736 olm.package/acme (c.yaml): the images of the channel heads have these architectures in common: ` +
					`stable (v4): 2 of 3 images unknown, the others have amd64, arm64; beta (v5): no related images`,
				`warning GA706 olm.catalog (c): 2 images of r.io are unresolved, because it is gone: gone; gone2. Of the first one: 404. ` +
					`State their architectures with imageArchitectures, or skip them with ignoreImages`,
			},
		},
	} {
		c, err := Read("c", tc.files)
		if err != nil {
			t.Errorf("%s: %v", tc.reason, err)
			continue
		}
		if got := len(c.Images()); got != tc.images {
			t.Errorf("%s: want %d images, got %d", tc.reason, tc.images, got)
		}
		if diff := cmp.Diff(strings.Join(tc.want, "\n")+"\n", c.Check(answers).String()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
		}
	}
}

// TestNothingOfACatalogIsProven: a check fails then, as for a pod.
func TestNothingOfACatalogIsProven(t *testing.T) {
	t.Parallel()
	c, err := Read("c", map[string][]byte{"c.yaml": []byte(channels + bundleText("v4", "gone"))})
	if err != nil {
		t.Fatal(err)
	}
	found := c.Check(map[string]workload.Answer{"gone": {Err: errors.New("404")}})
	if found.Failed() || !found.Unchanged().Failed() || found.Count(finding.Warning) != 1 {
		t.Errorf("got\n%s", found.Unchanged())
	}
}

// TestBeginnings: what the beginning of a file says.
func TestBeginnings(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"---\nschema: olm.package\n":                                 true,
		"# a comment\n\nschema: olm.bundle\n":                        true,
		"defaultChannel: x\nname: acme\nschema: olm.package\n":       true,
		"{\n    \"schema\": \"olm.package\"":                         true,
		`{"schema":"olm.channel","name":"a"}`:                        true,
		"apiVersion: v1\nkind: ConfigMap\ndata:\n  x: olm.package\n": false,
		"schema: olm.other\n":                                        false,
		"":                                                           false,
	} {
		if got := Is([]byte(text)); got != want {
			t.Errorf("%q: want %v, got %v", text, want, got)
		}
	}
}

// TestBrokenCatalogs: the error names the file, and the bundle.
func TestBrokenCatalogs(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ text, want string }{
		{"schema: [", "read c.yaml"},
		{`{"schema": "olm.bundle"`, "read c.yaml"},
		{"schema: olm.bundle\nname: v1\nproperties: [{type: olm.bundle.object, value: {data: '?'}}]\n", `bundle "v1": olm.bundle.object`},
		{"schema: olm.bundle\nname: v1\nproperties: [{type: olm.csv.metadata, value: 3}]\n", `bundle "v1": olm.csv.metadata`},
	} {
		if _, err := Read("c", map[string][]byte{"c.yaml": []byte(tc.text)}); err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%q: want an error with %q, got %v", tc.text, tc.want, err)
		}
	}
}
