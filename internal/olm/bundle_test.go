package olm

import (
	"errors"
	"strings"
	"testing"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/manifest/object"
	"github.com/goldenarch/goldenarch/internal/workload"
)

var errGone = errors.New("404")

// TestBundles: the manifests of a bundle have one ClusterServiceVersion that OLM reads.
func TestBundles(t *testing.T) {
	t.Parallel()
	csv := finding.Object{APIVersion: csvVersion, Kind: "ClusterServiceVersion", Name: "a"}
	other := finding.Object{APIVersion: "operators.coreos.com/v1", Kind: "ClusterServiceVersion", Name: "b"}
	service := finding.Object{APIVersion: "v1", Kind: "Service", Name: "a"}
	for _, tc := range []struct {
		reason  string
		objects []finding.Object
		want    []string
	}{
		{"one", []finding.Object{service, csv}, nil},
		{"none", []finding.Object{service}, []string{"have no ClusterServiceVersion"}},
		{"nothing at all", nil, []string{"have no ClusterServiceVersion"}},
		{"another apiVersion", []finding.Object{other}, []string{`has the apiVersion "operators.coreos.com/v1"`}},
		{
			"two, one of them of another apiVersion",
			[]finding.Object{csv, other},
			[]string{`has the apiVersion`, "has 2 ClusterServiceVersions, and OLM accepts one: a, b"},
		},
	} {
		found := CheckBundle("metadata/annotations.yaml", tc.objects)
		if len(found) != len(tc.want) {
			t.Errorf("%s: want %d findings, got\n%s", tc.reason, len(tc.want), found)
			continue
		}
		for i, f := range found {
			if f.ID != finding.BundleInvalid || f.Severity != finding.Error || !strings.Contains(f.Text, tc.want[i]) {
				t.Errorf("%s: want an error with %q, got %s", tc.reason, tc.want[i], f)
			}
		}
	}
}

// TestOperandsAreRecognized: which variables name an image.
func TestOperandsAreRecognized(t *testing.T) {
	t.Parallel()
	const digest = "@sha256:0000000000000000000000000000000000000000000000000000000000000000"
	for _, tc := range []struct {
		name, value string
		want        bool
	}{
		{"RELATED_IMAGE_DB", "quay.io/a/db" + digest, true},
		{"RELATED_IMAGE_DB", "docker.io/db", false}, // the operator adds a tag
		{"BUILDER_IMAGE", "builder", false},
		{"DB_IMAGE", "$(REGISTRY)/db", true},
		{"DB_IMAGE", "mysql:8", true},
		{"DB", "quay.io/a/db:1", true},
		{"DB", "localhost:5000/a/db:1", true},
		{"DB", "quay.io/a/db" + digest, true},
		{"DB", "quay.io/a/db", false}, // may be a repository or a path
		{"DB", "a/db:1", false},       // no registry
		{"URL", "https://quay.io/a/db:1", false},
		{"PROXY", "proxy.example.com:3128", false},
		{"MODULE", "github.com/a/b", false},
		{"NO_PROXY", "a.example.com/x:1,b.example.com/y:2", false},
		{"PULL_IMAGE", "true", false},
		{"RETRIES_IMAGE", "3", false},
		{"DB_IMAGE", "", false},
		{"IMAGE", "quay.io/{{x}}/db:1", false},
		{"CONFIG", "./etc/db:1", false},
	} {
		if got := isOperand(tc.name, tc.value); got != tc.want {
			t.Errorf("%s=%q: want %v, got %v", tc.name, tc.value, tc.want, got)
		}
	}
}

// TestLabelsOfBundles: operands count as related images do, labels are checked without
// deployments, for other systems too, and what OLM ignores is an error in a bundle.
func TestLabelsOfBundles(t *testing.T) {
	t.Parallel()
	const two = ArchPrefix + "amd64: supported, " + ArchPrefix + "arm64: supported"
	const head = "apiVersion: operators.coreos.com/v1alpha1\nkind: ClusterServiceVersion\nmetadata: {name: x, labels: {LABELS}}\nspec:\n"
	const deployment = "  install: {spec: {deployments: [{name: d, spec: {template: {spec: {containers: [{name: manager, image: two, env: [ENV]}]}}}}]}}\n"
	with := func(labels, env, rest string) string {
		return strings.Replace(head, "LABELS", labels, 1) + strings.Replace(deployment, "ENV", env, 1) + rest
	}
	for _, tc := range []struct {
		reason, text string
		published    bool
		want         string
	}{
		{
			"an operand that lacks an architecture",
			with(two, "{name: RELATED_IMAGE_A, value: \"amd:1\"}", "  relatedImages: [{image: \"amd:1\"}]\n"),
			false, "error GA713; info GA735",
		},
		{"an operand that is not related", with(two, "{name: RELATED_IMAGE_A, value: \"two2:1\"}", ""), false, "warning GA735"},
		{"and lacks an architecture", with(two, "{name: RELATED_IMAGE_A, value: \"amd:1\"}", ""), false, "warning GA735; error GA713; info GA735"},
		{"an operand that is not there", with(two, "{name: A_IMAGE, value: \"gone:1\"}", "  relatedImages: [{image: \"gone:1\"}]\n"), false, "warning GA201"},
		{"an operand that is filled in later", with(two, "{name: A_IMAGE, value: $(X)}", ""), false, "warning GA201"},
		{
			"an operand that is the operator itself",
			strings.Replace(with(two, "{name: RELATED_IMAGE_A, value: \"two2:1\"}", ""), "image: two", "image: \"two2:1\"", 1),
			false, "",
		},
		{"no deployment", strings.Replace(head, "LABELS", two, 1) + "  relatedImages: [{image: \"amd:1\"}]\n", false, "error GA713"},
		{"a label that OLM ignores", with(two+", "+ArchPrefix+"x86_64: supported", "", ""), false, "warning GA713"},
		{"in a bundle", with(two+", "+ArchPrefix+"x86_64: supported", "", ""), true, "error GA713"},
		{
			"Windows, which no image has",
			with(ArchPrefix+"amd64: supported, "+osPrefix+"linux: supported, "+osPrefix+"windows: supported", "", ""),
			true, "error GA713; warning GA713",
		},
		{
			"Windows, which all images have for amd64",
			strings.Replace(with(ArchPrefix+"amd64: supported, "+osPrefix+"linux: supported, "+osPrefix+"windows: supported", "", ""), "image: two", "image: win", 1),
			true, "",
		},
		{
			"Windows, and a lock says nothing about it",
			strings.Replace(with(ArchPrefix+"amd64: supported, "+osPrefix+"windows: supported", "", ""), "image: two", "image: locked", 1),
			false, "warning GA713",
		},
		{"a promised architecture whose manifest is missing", strings.Replace(with(two, "", ""), "image: two", "image: sparse", 1), false, "error GA718"},
		{"one that no label promises", strings.Replace(with(ArchPrefix+"amd64: supported", "", ""), "image: two", "image: sparse", 1), false, ""},
	} {
		all := map[string]arch.Set{}
		run := workload.Run{Bundle: tc.published, Spec: v1alpha1.WorkloadArchitecturesSpec{Mode: v1alpha1.WorkloadsCheck}, Answers: map[string]workload.Answer{
			"two": {Architectures: arch.Named("amd64", "arm64"), Others: all, Systems: true}, "two2:1": {Architectures: arch.Named("amd64", "arm64")},
			"amd:1": {Architectures: arch.Named("amd64")}, "locked": {Architectures: arch.Named("amd64")},
			"win":    {Architectures: arch.Named("amd64"), Others: map[string]arch.Set{"windows": arch.Named("amd64")}, Systems: true},
			"gone:1": {Err: errGone},
			"sparse": {Err: errGone, Missing: arch.Named("arm64")},
		}}
		list, _ := workload.Objects(object.All([]*yaml.RNode{yaml.MustParse(tc.text)}))
		_, found := Treat(run, list[0])
		var got []string
		for _, f := range found {
			got = append(got, string(f.Severity)+" "+string(f.ID.Public()))
		}
		if shown := strings.Join(got, "; "); shown != tc.want {
			t.Errorf("%s: want %q, got %q\n%s", tc.reason, tc.want, shown, found)
		}
	}
}
