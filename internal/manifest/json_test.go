package manifest

import (
	"bytes"
	"strings"
	"testing"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// TestEscapesOfJSON: what kubectl reads as JSON is read, also with escapes that YAML does not have.
func TestEscapesOfJSON(t *testing.T) {
	t.Parallel()
	const object = `{"apiVersion": "v1", "kind": "A\/B", "metadata": {"name": "x"}, "a": "\ud83d\ude00"}`
	for _, tc := range []struct{ reason, text, kinds, problem string }{
		{"an object", object, "A/B", ""},
		{"behind a marker", "---\n" + object + "\n", "A/B", ""},
		{"several", object + "\r\n" + `{"apiVersion": "v1", "kind": "C"}` + object, "A/B C A/B", ""},
		{"beside YAML", "apiVersion: v1\nkind: C\n---\n" + object, "C A/B", ""},
		{"the first has no escape", `{"apiVersion": "v1", "kind": "C"}` + object, "C A/B", ""},
		{"YAML has no such escape", `a: "\/"`, "", "is not YAML"},
		{"nor JSON with a comment", "# comment\n" + object, "", "is not YAML"},
		{"depth", `{"a": "\/", "b": ` + strings.Repeat("[", 600) + strings.Repeat("]", 600) + "}", "", "nested"},
	} {
		for _, drop := range []bool{false, true} {
			r := Reader{Needed: func(*yaml.RNode) bool { return !drop }}
			items, err := r.Parse("f.json", []byte(tc.text))
			if (err == nil) != (tc.problem == "") || err != nil && !strings.Contains(err.Error(), tc.problem) {
				t.Errorf("%s: want the error %q, got %v", tc.reason, tc.problem, err)
				continue
			}
			var out bytes.Buffer
			if err := r.Texts.Write(&out, items); err != nil {
				t.Fatal(err)
			}
			again, err := Parse("f.yaml", out.Bytes())
			var kinds []string
			for _, item := range again {
				kinds = append(kinds, item.GetKind())
				if strings.Contains(out.String(), `\/`) || strings.Contains(out.String(), `\ud`) {
					t.Errorf("%s: what is written must be YAML: %s", tc.reason, &out)
				}
			}
			if got := strings.Join(kinds, " "); err != nil || got != tc.kinds {
				t.Errorf("%s: want the kinds %q, got %q, %v", tc.reason, tc.kinds, got, err)
			}
		}
	}
}
