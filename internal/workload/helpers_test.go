package workload

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/manifest/object"
	"github.com/goldenarch/goldenarch/internal/workload/affinity"
	"github.com/goldenarch/goldenarch/internal/workload/podspec"
	"github.com/goldenarch/goldenarch/internal/yaml/yamlnode"
)

// podOf returns a Deployment with images, and what its pods say about their node.
func podOf(images, constraints string) string {
	var b strings.Builder
	b.WriteString("apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: x}\nspec:\n  template:\n    spec:\n      containers:\n")
	for i, image := range strings.Fields(images) {
		fmt.Fprintf(&b, "      - {name: c%d, image: %s}\n", i, image)
	}
	for line := range strings.Lines(constraints) {
		b.WriteString("      " + line)
	}
	return b.String()
}

// constraintsOf returns what the pods of a Deployment say about their node.
func constraintsOf(t *testing.T, text string) affinity.Constraints {
	t.Helper()
	node, err := yaml.Parse(text)
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	c, faults := affinity.Read(yamlnode.Get(node.YNode(), "spec", "template", "spec"))
	if len(faults) > 0 {
		t.Fatalf("%v in\n%s", faults, text)
	}
	return c
}

func preferredOf(t *testing.T, text string) []v1alpha1.PreferredArchitecture {
	t.Helper()
	name, weight, ok := strings.Cut(text, "=")
	if !ok {
		return nil
	}
	n, err := strconv.Atoi(weight)
	if err != nil {
		t.Fatal(err)
	}
	return []v1alpha1.PreferredArchitecture{{Architecture: name, Weight: n}}
}

func withoutFixed(ids []string) []string {
	return slices.DeleteFunc(ids, func(id string) bool { return id == "GA717" })
}

// treatedText runs one object and returns its text; the one given if there is an error.
func treatedText(t *rapid.T, r Run, text string) (string, finding.List) {
	node, err := yaml.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	var found finding.List
	for _, o := range objectsIn(node) {
		_, list := r.Treat(o)
		found = append(found, list...)
	}
	if found.Failed() {
		return text, found
	}
	return node.MustString(), found
}

// objectsIn returns the objects of an item that can have pods.
func objectsIn(item *yaml.RNode) []podspec.Object {
	list, _ := Objects(object.All([]*yaml.RNode{item}))
	return list
}
