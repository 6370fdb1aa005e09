package flux

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

func TestLiteral(t *testing.T) {
	t.Parallel()
	const note = "kustomize.toolkit.fluxcd.io/substitute"
	for name, tc := range map[string]struct{ reason, in, want string }{
		"Nothing": {
			reason: "what has no variable is left alone",
			in:     "kind: A\nmetadata: {name: a}\nspec: {x: $x, y: $(y), z: a$}\n",
			want:   "kind: A\nmetadata: {name: a}\nspec: {x: $x, y: $(y), z: a$}\n",
		},
		"Value": {
			reason: "a variable in a value",
			in:     "kind: A\nmetadata:\n  name: a\nspec: {x: 'a ${x} b'}\n",
			want:   "kind: A\nmetadata:\n  name: a\n  annotations:\n    " + note + ": 'disabled'\nspec: {x: 'a ${x} b'}\n",
		},
		"Key": {
			reason: "or in a key",
			in:     "kind: A\nmetadata:\n  name: a\nspec: {'${x}': 1}\n",
			want:   "kind: A\nmetadata:\n  name: a\n  annotations:\n    " + note + ": 'disabled'\nspec: {'${x}': 1}\n",
		},
		"Escaped": {
			reason: "Flux would take the escape off",
			in:     "kind: A\nmetadata:\n  name: a\nspec: {x: '$${x}'}\n",
			want:   "kind: A\nmetadata:\n  name: a\n  annotations:\n    " + note + ": 'disabled'\nspec: {x: '$${x}'}\n",
		},
		"Dollars": {
			reason: "Flux takes one of two off, as of the process id in a script",
			in:     "kind: A\nmetadata:\n  name: a\nspec: {x: kill $$}\n",
			want:   "kind: A\nmetadata:\n  name: a\n  annotations:\n    " + note + ": 'disabled'\nspec: {x: kill $$}\n",
		},
		"Comment": {"a comment does not reach the substitution", "kind: A # ${x}\nmetadata: {name: a}\n", "kind: A # ${x}\nmetadata: {name: a}\n"},
		"Said": {
			reason: "what a person has said stays",
			in:     "kind: A\nmetadata:\n  annotations:\n    " + note + ": enabled\nspec: ${x}\n",
			want:   "kind: A\nmetadata:\n  annotations:\n    " + note + ": enabled\nspec: ${x}\n",
		},
		"Elements": {
			reason: "kustomize takes a list apart: the elements are annotated",
			in:     "kind: AList\nitems:\n- kind: A\n  metadata:\n    name: ${x}\n- kind: A\n  metadata:\n    name: b\n",
			want: "kind: AList\nitems:\n- kind: A\n  metadata:\n    name: ${x}\n    annotations:\n      " + note +
				": 'disabled'\n- kind: A\n  metadata:\n    name: b\n",
		},
		"Alias": {
			reason: "Flux sees what an alias stands for, and the note is for one of two objects with the same metadata",
			in: "kind: List\nitems:\n- kind: A\n  metadata: &m\n    name: a\n  data: &d {x: b}\n- kind: A\n  metadata: *m\n  data: {x: '${x}'}\n" +
				"- kind: B\n  metadata: *m\n  data: *d\n",
			want: "kind: List\nitems:\n- kind: A\n  metadata:\n    name: a\n  data: {x: b}\n- kind: A\n  metadata:\n    name: a\n" +
				"    annotations:\n      " + note + ": 'disabled'\n  data: {x: '${x}'}\n- kind: B\n  metadata:\n    name: a\n  data: {x: b}\n",
		},
		"Anchor": {
			reason: "the variable is in another element",
			in:     "kind: List\nitems:\n- kind: A\n  metadata:\n    name: a\n  data: &d {x: '${x}'}\n- kind: A\n  metadata:\n    name: b\n  data: *d\n",
			want: "kind: List\nitems:\n- kind: A\n  metadata:\n    name: a\n    annotations:\n      " + note + ": 'disabled'\n  data: {x: '${x}'}\n" +
				"- kind: A\n  metadata:\n    name: b\n    annotations:\n      " + note + ": 'disabled'\n  data: {x: '${x}'}\n",
		},
		"AliasSaid": {
			reason: "what has the note keeps its aliases",
			in:     "kind: A\nmetadata:\n  annotations: &a\n    " + note + ": disabled\nspec: {x: '${x}', y: *a}\n",
			want:   "kind: A\nmetadata:\n  annotations: &a\n    " + note + ": disabled\nspec: {x: '${x}', y: *a}\n",
		},
		"Null": {
			reason: "Flux does not take a null for disabled",
			in:     "kind: A\nmetadata:\n  annotations:\n    " + note + ": ~\nspec: {x: '${x}'}\n",
			want:   "kind: A\nmetadata:\n  annotations:\n    " + note + ": disabled\nspec: {x: '${x}'}\n",
		},
		"Label": {
			reason: "a label says the same",
			in:     "kind: A\nmetadata:\n  labels:\n    " + note + ": disabled\nspec: {x: '${x}'}\n",
			want:   "kind: A\nmetadata:\n  labels:\n    " + note + ": disabled\nspec: {x: '${x}'}\n",
		},
		"OtherLabel": {
			reason: "another label value does not",
			in:     "kind: A\nmetadata:\n  labels:\n    " + note + ": enabled\nspec: {x: '${x}'}\n",
			want:   "kind: A\nmetadata:\n  labels:\n    " + note + ": enabled\n  annotations:\n    " + note + ": 'disabled'\nspec: {x: '${x}'}\n",
		},
		"NoList": {
			reason: "an object may have a field of that name",
			in:     "kind: A\nmetadata:\n  name: a\nitems: ['${x}']\n",
			want:   "kind: A\nmetadata:\n  name: a\n  annotations:\n    " + note + ": 'disabled'\nitems: ['${x}']\n",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			item := yaml.MustParse(tc.in)
			if err := Literal([]*yaml.RNode{item}); err != nil {
				t.Fatal(err)
			}
			want := yaml.MustParse(tc.want).MustString()
			got := item.MustString()
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
			if err := Literal([]*yaml.RNode{item}); err != nil || item.MustString() != got {
				t.Errorf("%s: a second run changed something: %v\n%s", tc.reason, err, item.MustString())
			}
		})
	}
}
