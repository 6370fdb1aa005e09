package resourcelist_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/kustomize/kyaml/fn/framework"
	"sigs.k8s.io/kustomize/kyaml/kio"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/manifest/resourcelist"
	limits "github.com/goldenarch/goldenarch/internal/yaml/yamlnode"
)

// FuzzExecute holds Execute against what kyaml reads: the same items with the same
// values come out, in the same order, and the same configuration and results.
func FuzzExecute(f *testing.F) {
	for _, items := range []string{
		"items:\n- kind: A\n- metadata: {name: edited}\n",
		"items:\n  - kind: A\n    a: |\n      x\n\n  # c\n  - metadata: {name: add}\n# z\nresults:\n- message: m\n",
		"functionConfig:\n  a: \"x\n\nitems:\n- y\"\nitems:\n-\n  kind: A\n- kind: 'a\n- b'\n- metadata: {name: removed}\n",
		"items:\n- a: &a b\n- c: *a\n",
		"items:\n- a: [b,\n- c]\n- ? x\n  : y\n",
		"items: # comment\n- a\n",
		"items: [{kind: A, a: \"]}\"}, {metadata: {name: edited}},\n {kind: B, b: it's}]\nresults: [{message: \"[\"}]\n",
		"items: [{kind: A, a: {b: \"x\n  y\"}}, &a {kind: B}, {kind: C, c: *a}, ]\n",
		"x: \"\nitems: [{a: b}]\"\nitems: [{kind: A, a: b\"[}, {kind: B}]\n",
		"x: \"\nitems: [{a: b}]\"\nitems:\n",
		"x: \"\nitems: [{a: b}]\"\nitems: []\n",
		"items:  []\nx: \"\nitems: [{a: b}]\"\n",
		"items:\n- - kind: A\n- a: >-\n    b\n\n    c\n  # d\n\n- e: !!binary AA==\n",
		"items:\n- kind: A\n---\nitems:\n- kind: B\n",
		"x: &a {k: v}\nitems:\n- kind: A\n  data: *a\n",
		"items:\n- <<: &a {k: v}\n- metadata: {name: removed}\n  x: &b 1\n- *b : 2\n  <<: [*a]\nfunctionConfig: &c {x: *b}\nresults: [*c]\n",
		"x: &a 1\nitems:\n- y: &a 2\n- metadata: {name: add}\n  y: *a\n",
	} {
		f.Add(head + items)
	}
	f.Add("{\"apiVersion\": \"v1\", \"items\": [{\"kind\":\"A\",\"a\":\"\\\"]\"},\n{\"metadata\":{\"name\":\"edited\"}}], \"kind\": \"ResourceList\"}")
	f.Fuzz(func(t *testing.T, text string) {
		if strings.Contains(text, "annotations") || len(text) > 2000 {
			return // kyaml tidies those of every item
		}
		reader := &kio.ByteReadWriter{Reader: strings.NewReader(text), Writer: io.Discard, KeepReaderAnnotations: true}
		if err := framework.Execute(frameworks(edit(nil)), reader); err != nil || reader.WrappingKind != kio.ResourceListKind {
			return // kyaml cannot handle items that are no objects, where only the text is needed
		}
		if !isYAML(text) {
			return // kyaml reads no document that begins after a carriage return
		}
		sameValues(t, text, untouched)
		sameValues(t, text, edit(nil))
	})
}

// isYAML reports whether each document of a text is YAML.
func isYAML(text string) bool {
	for decoder := yaml.NewDecoder(strings.NewReader(text)); ; {
		var doc yaml.Node
		if err := decoder.Decode(&doc); err != nil {
			return errors.Is(err, io.EOF)
		}
	}
}

// sameValues has a list processed, and holds what comes out against what the
// processor makes of the values that kyaml reads.
func sameValues(t *testing.T, text string, p resourcelist.Processor) {
	t.Helper()
	var got bytes.Buffer
	switch err := new(resourcelist.Lazy).Execute(p, strings.NewReader(text), &got); {
	case errors.Is(err, resourcelist.ErrShape), errors.Is(err, resourcelist.ErrAnchors), errors.Is(err, limits.ErrDepth):
		return // kyaml loses what it does not see
	case err != nil:
		t.Fatalf("kyaml reads it, and Execute does not: %v\n%s", err, text)
	}
	want, ends := values(t, text, p)
	if !ends {
		return
	}
	if out, _ := values(t, got.String(), untouched); out != want {
		t.Errorf("the values differ (-want +got):\n%s\nof:\n%s\ngot:\n%s", cmp.Diff(want, out), text, got.String())
	}
}

// values returns what the parts of a ResourceList say after it was processed, aliases
// followed. It reports false if that has no end.
func values(t *testing.T, text string, p resourcelist.Processor) (string, bool) {
	t.Helper()
	reader := &kio.ByteReader{Reader: strings.NewReader(text), OmitReaderAnnotations: true}
	nodes, err := reader.Read()
	if err != nil {
		t.Fatalf("it is not YAML: %v\n%s", err, text)
	}
	rl := &resourcelist.List{FunctionConfig: reader.FunctionConfig, Items: nodes}
	if err := p(rl); err != nil {
		t.Fatal(err)
	}
	for _, node := range rl.Items { // as both tidy the metadata of items that they write
		_ = yaml.ClearEmptyAnnotations(node)
	}
	var out strings.Builder
	budget := 10_000
	for _, node := range append(rl.Items, reader.FunctionConfig, reader.Results) {
		out.WriteString("\n")
		if !node.IsNil() && !show(&out, node.YNode(), &budget) {
			return "", false
		}
	}
	return out.String(), true
}

// show writes what a node says, whatever form it has.
func show(out *strings.Builder, n *yaml.Node, budget *int) bool {
	for n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	if *budget--; *budget < 0 {
		return false
	}
	value := n.Value
	if n.ShortTag() == yaml.NodeTagNull {
		value = "" // it has several forms
	}
	fmt.Fprintf(out, "%d %s %q (", n.Kind, n.ShortTag(), value)
	for _, child := range n.Content {
		if !show(out, child, budget) {
			return false
		}
	}
	out.WriteString(")")
	return true
}

// untouched is a processor that does nothing.
func untouched(*resourcelist.List) error { return nil }

// frameworks returns a processor that adds no results as one of kyaml's framework.
func frameworks(p resourcelist.Processor) framework.ResourceListProcessorFunc {
	return func(rl *framework.ResourceList) error {
		list := &resourcelist.List{Items: rl.Items, FunctionConfig: rl.FunctionConfig}
		err := p(list)
		rl.Items = list.Items
		return err
	}
}
