package manifest

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestWriteKeepsValues: what is written and read again is written the same.
func TestWriteKeepsValues(t *testing.T) {
	t.Parallel()
	const head = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n"
	for name, tc := range map[string]struct{ reason, in, want string }{
		"FoldedIndented": {
			reason: "indented lines of a folded block would drift apart",
			in:     "data:\n  a: >-\n    [\n      {}\n    ]\n",
			want:   "data:\n  a: |-\n    [\n      {}\n    ]\n",
		},
		"FoldedTrailing": {"so would empty lines at its end", "data:\n  a: >+\n    x\n\n\n  b: y\n", "data:\n  a: |+\n    x\n\n\n  b: y\n"},
		"FoldedInAList":  {"at any depth", "data:\n- - a: > # b\n      x\n        y\n", "data:\n- - a: | # b\n      x\n        y\n"},
		"Tab":            {"a block that begins with a tab cannot be read", "data:\n  a: |2\n    \tx\n", "data:\n  a: \"\\tx\\n\"\n"},
		"Literal": {
			reason: "what is safe keeps its form",
			in:     "data:\n  a: |2-\n      x\n     y\n  b: >-\n    x y\n",
			want:   "data:\n  a: |2-\n      x\n     y\n  b: >-\n    x y\n",
		},
	} {
		text := head + tc.in
		for range 3 {
			items, err := Parse("f.yaml", []byte(text))
			if err != nil {
				t.Fatalf("%s: %v\n%s", name, err, text)
			}
			var out bytes.Buffer
			if err := (Texts{}).Write(&out, items); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if diff := cmp.Diff(head+tc.want, out.String()); diff != "" {
				t.Fatalf("%s: %s (-want +got):\n%s", name, tc.reason, diff)
			}
			text = out.String()
		}
	}
}

// TestEmptiedGoes: annotations of hosts are no user's, where there is no text of the user's.
func TestEmptiedGoes(t *testing.T) {
	t.Parallel()
	const text = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  annotations:\n    config.kubernetes.io/path: x.yaml\n"
	items, err := Parse("f.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := (Texts{}).Write(&out, items); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff("apiVersion: v1\nkind: ConfigMap\n", out.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
