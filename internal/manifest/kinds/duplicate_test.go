package kinds

import (
	"testing"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/manifest/object"
)

// TestDuplicateOf: the message says where the first object is, and the advice fits what was
// passed.
func TestDuplicateOf(t *testing.T) {
	t.Parallel()
	of := func(apiVersion, kind, namespace, file string) object.Object {
		node := yaml.MustParse("apiVersion: " + apiVersion + "\nkind: " + kind + "\nmetadata: {name: a}\n")
		return object.Object{Item: node, Node: node, At: finding.Object{
			APIVersion: apiVersion, Kind: kind, Name: "a", Namespace: namespace, File: file,
		}}
	}
	cr := func(file string) object.Object { return of("hco.kubevirt.io/v1beta1", "HyperConverged", "", file) }
	const remove = "remove one of them"
	for _, tc := range []struct {
		reason   string
		o, first object.Object
		text, do string
	}{
		{
			"two files of a directory",
			cr("prod/b.yaml"), cr("prod/a.yaml"),
			"duplicate object: HyperConverged/a: the first is document 1 of prod/a.yaml", remove,
		},
		{
			"two directories may be two clusters",
			cr("stage/hco.yaml"), cr("prod/hco.yaml"),
			"duplicate object: HyperConverged/a: the first is document 1 of prod/hco.yaml",
			remove + ". If they are of two clusters, run goldenarch for each directory by itself",
		},
		{"a stream has no files", cr(""), cr(""), "duplicate object: HyperConverged/a", remove},
		{
			"an ImageStream of two directories is one of one cluster",
			of("image.openshift.io/v1", "ImageStream", "os", "b/s.yaml"), of("image.openshift.io/v1", "ImageStream", "os", "a/s.yaml"),
			`duplicate object: ImageStream/a in namespace "os": the first is document 1 of a/s.yaml`, remove,
		},
		{
			"node facts, whatever their names",
			of("goldenarch.dev/v1alpha1", "ClusterArchitectures", "", "b.yaml"), of("goldenarch.dev/v1alpha1", "ClusterArchitectures", "", "a.yaml"),
			"the input has two ClusterArchitectures, and only one can state the nodes: the first is document 1 of a.yaml", remove,
		},
	} {
		f := DuplicateOf(tc.o, tc.first)
		if f.ID != finding.Duplicate || f.Severity != finding.Error || f.Text != tc.text || f.Do != tc.do {
			t.Errorf("%s: %q and %q, want %q and %q", tc.reason, f.Text, f.Do, tc.text, tc.do)
		}
	}
}
