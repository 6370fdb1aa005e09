package object

import (
	"testing"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// TestCopyKeepsValues: an item with anchors goes through its text, which changes
// no value; and the item itself stays as it is.
func TestCopyKeepsValues(t *testing.T) {
	t.Parallel()
	item := yaml.MustParse("a: &a >-\n  [\n    {}\n  ]\nb: *a\n")
	want := "[\n  {}\n]"
	copied, err := Copy(item)
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"a", "b"} {
		if got := TextAt(copied, key); got != want {
			t.Errorf("%s: want the value %q, got %q", key, want, got)
		}
	}
	data, err := Object{Item: item, Node: item}.JSON()
	if err != nil {
		t.Fatal(err)
	}
	if text := `{"a":"[\n  {}\n]","apiVersion":"","b":"[\n  {}\n]","kind":""}`; string(data) != text {
		t.Errorf("want %s, got %s", text, data)
	}
	if style := NodeAt(item, "a").Style; style != yaml.FoldedStyle {
		t.Errorf("reading an item changed its form: %d", style)
	}
}
