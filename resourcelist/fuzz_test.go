package resourcelist_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/kustomize/kyaml/fn/framework"
	"sigs.k8s.io/kustomize/kyaml/kio"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/resourcelist"
)

// FuzzExecute holds Execute against kyaml's own: the same items with the same
// values come out, in the same order, and the same configuration and results.
func FuzzExecute(f *testing.F) {
	for _, items := range []string{
		"items:\n- kind: A\n- metadata: {name: edited}\n",
		"items:\n  - kind: A\n    a: |\n      x\n\n  # c\n  - metadata: {name: add}\n# z\nresults:\n- message: m\n",
		"functionConfig:\n  a: \"x\n\nitems:\n- y\"\nitems:\n-\n  kind: A\n- kind: 'a\n- b'\n- metadata: {name: removed}\n",
		"items:\n- a: &a b\n- c: *a\n",
		"items:\n- a: [b,\n- c]\n- ? x\n  : y\n",
		"items: # comment\n- a\n",
		"items:\n- - kind: A\n- a: >-\n    b\n\n    c\n  # d\n\n- e: !!binary AA==\n",
		"items:\n- kind: A\n---\nitems:\n- kind: B\n",
	} {
		f.Add(head + items)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if strings.Contains(text, "annotations") || len(text) > 2000 {
			return // kyaml tidies those of every item
		}
		var got, want bytes.Buffer
		source := &kio.ByteReadWriter{Reader: strings.NewReader(text), Writer: &want, KeepReaderAnnotations: true}
		if err := framework.Execute(byKyaml(edit(nil)), source); err != nil || source.WrappingKind != kio.ResourceListKind {
			return // kyaml cannot handle items that are no objects, where only the text is needed
		}
		if err := resourcelist.Execute(edit(nil), strings.NewReader(text), &got); err != nil {
			t.Fatalf("kyaml reads it, and Execute does not: %v\n%s", err, text)
		}
		if diff := cmp.Diff(values(t, want.String()), values(t, got.String())); diff != "" {
			t.Errorf("kyaml and Execute differ (-kyaml +got):\n%s\nof:\n%s\ngot:\n%s", diff, text, got.String())
		}
	})
}

// values returns the items, the configuration and the results of a ResourceList
// as JSON.
func values(t *testing.T, text string) []string {
	t.Helper()
	reader := &kio.ByteReader{Reader: strings.NewReader(text), OmitReaderAnnotations: true}
	nodes, err := reader.Read()
	if err != nil {
		t.Fatalf("what was written is no YAML: %v\n%s", err, text)
	}
	var out []string
	for _, node := range append(nodes, reader.FunctionConfig, reader.Results) {
		if node.IsNil() {
			out = append(out, "")
			continue
		}
		// As kyaml tidies the metadata of items that it has annotated for a while.
		if node != reader.FunctionConfig && node != reader.Results {
			if err := node.PipeE(yaml.SetAnnotation("a", "b"), yaml.ClearAnnotation("a")); err == nil {
				_ = yaml.ClearEmptyAnnotations(node)
			}
		}
		text, err := node.String()
		if json, jsonErr := node.MarshalJSON(); jsonErr == nil {
			text, err = string(json), nil
		}
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, text)
	}
	return out
}

// byKyaml has kyaml call a processor.
func byKyaml(process resourcelist.Processor) framework.ResourceListProcessorFunc {
	return func(rl *framework.ResourceList) error {
		l := &resourcelist.List{FunctionConfig: rl.FunctionConfig, Items: rl.Items}
		err := process(l)
		rl.Items = l.Items
		return err
	}
}
