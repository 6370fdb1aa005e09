package object

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/manifest/wrapper"
	"github.com/goldenarch/goldenarch/internal/yaml/yamlnode"
)

const crText = "apiVersion: hco.kubevirt.io/v1beta1\nkind: HyperConverged\nmetadata: {name: a}\n"

// configMap returns a ConfigMap with a text as a literal block.
func configMap(text string) string {
	return "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata:\n  x.yaml: |\n    " + strings.ReplaceAll(text, "\n", "\n    ") + "\n"
}

func resourceSet(strategy string) string {
	return "apiVersion: addons.cluster.x-k8s.io/v1beta2\nkind: ClusterResourceSet\nmetadata: {name: s}\n" +
		"spec: {strategy: " + strategy + ", resources: [{kind: ConfigMap, name: c}]}\n"
}

// TestTextsOfAResourceSet: an object in a text is one of the input only if a set applies it.
func TestTextsOfAResourceSet(t *testing.T) {
	t.Parallel()
	list := func(text string) string {
		return "apiVersion: v1\nkind: List\nitems:\n- " + strings.ReplaceAll(strings.TrimSpace(text), "\n", "\n  ") + "\n"
	}
	for _, tc := range []struct {
		reason string
		items  []string
		want   string
	}{
		{"Reconcile", []string{configMap(crText), resourceSet("Reconcile")}, "data[x.yaml]:6:0"},
		{"ApplyOnce, and the set comes first", []string{resourceSet("ApplyOnce"), configMap(crText)}, "data[x.yaml]:6:2"},
		{"two sets: some clusters get it once", []string{resourceSet("ApplyOnce"), configMap(crText), resourceSet("Reconcile")}, "data[x.yaml]:6:2"},
		{"no set", []string{configMap(crText)}, ""},
		{"a List of both", []string{list(configMap(crText)), list(resourceSet("Reconcile"))}, "items[0].data[x.yaml]:9:0"},
		{
			"several documents",
			[]string{configMap("# c\nkind: Namespace\napiVersion: v1\n---  # next\n" + crText + "---\n"), resourceSet("Reconcile")},
			"data[x.yaml]:10:0",
		},
		{
			"a wrapper in the text",
			[]string{configMap(
				"apiVersion: hive.openshift.io/v1\nkind: SyncSet\nspec:\n  resources:\n  - " + strings.ReplaceAll(crText, "\n", "\n    ")), resourceSet("Reconcile")},
			"data[x.yaml].spec.resources[0]:10:0",
		},
		{"a template", []string{configMap(crText + "spec: {{ x }}"), resourceSet("Reconcile")}, ""},
		{"text that is not YAML", []string{configMap(crText + "spec: ]"), resourceSet("Reconcile")}, ""},
		{"the end of a document", []string{configMap(crText + "...\n"), resourceSet("Reconcile")}, "data[x.yaml]:6:0"},
		{"and a document behind it", []string{configMap(crText + "...\n---\nkind: x\n"), resourceSet("Reconcile")}, "data[x.yaml]:6:0"},
		{
			"the kind in two lines",
			[]string{configMap(strings.Replace(crText, "kind: ", "kind:\n  ", 1)), resourceSet("Reconcile")},
			"data[x.yaml]:6:0",
		},
		{"what follows the end of a document", []string{configMap(crText + "...\nkind: x"), resourceSet("Reconcile")}, ""},
	} {
		var items []*yaml.RNode
		for _, text := range tc.items {
			items = append(items, yaml.MustParse(text))
		}
		got := ""
		for _, o := range All(items) {
			if o.At.Kind == "HyperConverged" {
				got += fmt.Sprintf("%s:%d:%d", o.Path, o.Line(""), o.Reach)
			}
		}
		if got != tc.want {
			t.Errorf("%s: want %q, got %q", tc.reason, tc.want, got)
		}
	}
	if wrapper.Applied != 0 || wrapper.CreatedOnce != 2 {
		t.Error("the reaches of the table have other numbers")
	}
}

// TestEditInText: an edit of an object in a text changes the text, and nothing else of it.
func TestEditInText(t *testing.T) {
	t.Parallel()
	const around = "# first\napiVersion: v1\nkind: Namespace   # x\nmetadata: {name: &n  a}\n---\n"
	items := []*yaml.RNode{yaml.MustParse(configMap(around + crText + "---\n# last")), yaml.MustParse(resourceSet("Reconcile"))}
	for _, o := range All(items) {
		if o.At.Kind != "HyperConverged" {
			continue
		}
		copied, err := yamlnode.Expanded(o.Item)
		if err != nil {
			t.Fatal(err)
		}
		edit := func(n *yaml.RNode) error {
			yamlnode.SetBool(yamlnode.Mapping(n.YNode(), "spec"), "gate", true)
			return nil
		}
		if err := o.Edit(copied, edit); err != nil {
			t.Fatal(err)
		}
		text := NodeAt(copied, "data", "x.yaml").Value
		if diff := cmp.Diff(around+crText+"spec:\n  gate: true\n---\n# last\n", text); diff != "" {
			t.Errorf("the text (-want +got):\n%s", diff)
		}
		if got := TextAt(o.InCopy(copied), "spec", "gate"); got != "true" {
			t.Errorf("the object in the copy has %q", got)
		}
		return
	}
	t.Error("no CR was found")
}
