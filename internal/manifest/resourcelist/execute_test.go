package resourcelist_test

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/kustomize/kyaml/kio"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/manifest/resourcelist"
)

const head = "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\n"

// TestExecute has the item named "edited" labelled, "removed" taken away and
// "added" put at the end, and looks at every byte that comes out.
func TestExecute(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		reason, items, want string
	}{
		"Untouched": {
			reason: "what nobody changed goes out as it came: blanks, quotes, comments, empty annotations",
			items:  "items:\n- kind:   A # why\n  metadata: {name: a, annotations: {}}\n  list:\n    - 'x'\n\n  # end\n- {kind: B}\n",
			want:   "items:\n- kind:   A # why\n  metadata: {name: a, annotations: {}}\n  list:\n    - 'x'\n\n  # end\n- {kind: B}\n",
		},
		"Edited": {
			reason: "only what changed is written anew: its neighbours stay, and so does the rest of its line",
			items:  "items:\n- kind:   A\n- kind: B\n  metadata:   {name: edited}\n- kind:   C\n",
			want:   "items:\n- kind:   A\n- kind: B\n  metadata:   {name: edited, labels: {x: 'z'}}\n- kind:   C\n",
		},
		"Indented": {
			reason: "what is encoded stands where the others stand, texts of several lines as well",
			items:  "items:\n    - kind:   A\n    - kind: B\n      metadata:\n        name: edited\n      text: |\n        a\n\n          b\n    - kind: C\n",
			want: `items:
    - kind:   A
    - kind: B
      metadata:
        name: edited
        labels:
          x: 'z'
      text: |
        a

          b
    - kind: C
`,
		},
		"Folded": {
			reason: "a folded block whose value the encoder would change stays as it is",
			items:  "items:\n- kind:   A\n  a: >-\n    [\n      {}\n    ]\n- kind: B\n  metadata: {name: edited}\n  a: >- # why\n    [\n      {}\n    ]\n",
			want: `items:
- kind:   A
  a: >-
    [
      {}
    ]
- kind: B
  metadata: {name: edited, labels: {x: 'z'}}
  a: >- # why
    [
      {}
    ]
`,
		},
		"FoldedInWhole": {
			reason: "in a list that lines do not cut too, wherever it stands",
			items: "items: !!seq\n" +
				"- kind: A\n" +
				"  b: >\n" +
				"    x\n" +
				"      y\n" +
				"functionConfig:\n" +
				"  a: >\n" +
				"    x\n" +
				"      y\n" +
				"results:\n" +
				"- message: >\n" +
				"    x\n" +
				"      y\n",
			want: `items:
- kind: A
  b: |
    x
      y
functionConfig:
  a: |
    x
      y
results:
- message: |
    x
      y
`,
		},
		"Removed": {
			reason: "with an item go the comments above it, and no others",
			items:  "items:\n# a\n- kind: A\n# removed\n\n# too\n- metadata: {name: removed}\n# c\n- kind: C\n",
			want:   "items:\n# a\n- kind: A\n# c\n- kind: C\n",
		},
		"CommentsOfAnEditedItem": {
			reason: "comments above, beside, inside and below all stay",
			items:  "items:\n# above\n- kind: B # beside\n  metadata:\n    # inside\n    name: edited\n# below\n- kind: C\n# last\n",
			want:   "items:\n# above\n- kind: B # beside\n  metadata:\n    # inside\n    name: edited\n    labels:\n      x: 'z'\n# below\n- kind: C\n# last\n",
		},
		"AddedBehindComments": {
			reason: "a new item is not put into the comments of the one before",
			items:  "items:\n- kind: A\n- metadata: {name: add}\n",
			want:   "items:\n- kind: A\n- metadata: {name: add}\n- kind: New\n  metadata:\n    name: added\n",
		},
		"NothingLeft": {
			reason: "an empty list is a list",
			items:  "items:\n- metadata: {name: removed}\n", want: "items: []\n",
		},
		"DashesInText": {
			reason: "a dash in a text is no item, at whatever column",
			items:  "items:\n- kind: A\n  a: |\n    - x\n  b: \"p\n- q\"\n- metadata: {name: edited}\n",
			want:   "items:\n- kind: A\n  a: |\n    - x\n  b: \"p - q\"\n- metadata: {name: edited, labels: {x: 'z'}}\n",
		},
		"BlankLinesThatCount": {
			reason: "the empty lines at the end of a text that keeps them are the text's",
			items:  "items:\n- kind: A\n  a: |+\n    x\n\n\n# about b\n- metadata: {name: edited}\n",
			want:   "items:\n- kind: A\n  a: |+\n    x\n\n\n# about b\n- metadata: {name: edited, labels: {x: 'z'}}\n",
		},
		"AnchorOfItsOwn": {
			reason: "an item has its own anchors",
			items:  "items:\n- kind: A\n  a: &a  [1,2]\n  b: *a\n- metadata: {name: edited}\n  a: &a b\n  c: *a\n",
			want:   "items:\n- kind: A\n  a: &a  [1,2]\n  b: *a\n- metadata: {name: edited, labels: {x: 'z'}}\n  a: &a b\n  c: *a\n",
		},
		"AnchorOfANeighbour": {
			reason: "an item is written by itself, so it gets the value of another one's anchor",
			items:  "items:\n- kind: A\n  a: &a [1,2]\n- metadata: {name: edited}\n  a: *a\n",
			want:   "items:\n- kind: A\n  a: &a [1, 2]\n- metadata: {name: edited, labels: {x: 'z'}}\n  a: [1, 2]\n",
		},
		"Flow": {
			reason: "a list in brackets is written as a block, and its items as they came",
			items:  "items: [{kind:   A}, {metadata: {name: edited}}, {kind: B, a: {},\n  b: [\"],\"]}]\n",
			want:   "items:\n- {kind:   A}\n- {metadata: {name: edited, labels: {x: 'z'}}}\n- {kind: B, a: {},\n    b: [\"],\"]}\n",
		},
		"FlowWithQuotes": {
			reason: "what only YAML's reader understands is encoded",
			items:  "items: [{kind:   'A]'}, {metadata: {name: edited}}]\n",
			want:   "items:\n- {kind: 'A]'}\n- {metadata: {name: edited, labels: {x: 'z'}}}\n",
		},
		"LinesOfWindows": {
			reason: "other line ends are written as those of Unix",
			items:  "items:\r\n- kind: A\r\n- metadata: {name: edited}\r\n",
			want:   "items:\n- kind: A\n- metadata: {name: edited, labels: {x: 'z'}}\n",
		},
		"DashAlone": {
			reason: "an item may begin on the line after its dash",
			items:  "items:\n-\n  kind: A\n- metadata: {name: edited}\n",
			want:   "items:\n-\n  kind: A\n- metadata: {name: edited, labels: {x: 'z'}}\n",
		},
		"Configured": {
			reason: "the configuration and the results of functions before stay, in kyaml's order",
			items:  "functionConfig: {kind: F}\nitems:\n- kind:   A\nresults:\n- message: before\n",
			want:   "items:\n- kind:   A\nfunctionConfig: {kind: F}\nresults:\n- message: before\n",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var out bytes.Buffer
			if err := new(resourcelist.Lazy).Execute(edit(nil), strings.NewReader(head+tc.items), &out); err != nil {
				t.Fatalf("%s: %v", tc.reason, err)
			}
			if diff := cmp.Diff(head+tc.want, out.String()); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
			if strings.HasPrefix(name, "Folded") {
				var again bytes.Buffer
				if err := new(resourcelist.Lazy).Execute(edit(nil), bytes.NewReader(out.Bytes()), &again); err != nil || again.String() != out.String() {
					t.Errorf("a second run must change nothing (error %v):\n%s", err, cmp.Diff(out.String(), again.String()))
				}
			}
		})
	}
}

func TestExecuteErrors(t *testing.T) {
	t.Parallel()
	failed := errors.New("the processor's")
	for name, tc := range map[string]struct {
		reason, in string
		processor  error
		want       error
		out        string
	}{
		"OfTheProcessor": {
			reason: "what a failed processor left is written, as kyaml does", in: head + "items:\n- kind:   A\n",
			processor: failed, want: failed, out: head + "items:\n- kind:   A\n",
		},
		"List":     {reason: "a List is not what a function gets", in: "apiVersion: v1\nkind: List\nitems:\n- kind: A\n", want: resourcelist.ErrKind},
		"Manifest": {reason: "nor is a manifest", in: "apiVersion: v1\nkind: ConfigMap\n", want: resourcelist.ErrKind},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var out bytes.Buffer
			err := new(resourcelist.Lazy).Execute(edit(tc.processor), strings.NewReader(tc.in), &out)
			if !errors.Is(err, tc.want) {
				t.Errorf("%s: want the error %v, got %v", tc.reason, tc.want, err)
			}
			if tc.out != "" && tc.out != out.String() {
				t.Errorf("%s:\n%s", tc.reason, cmp.Diff(tc.out, out.String()))
			}
		})
	}
}

// TestPlaces proves that new items say their place as the host's own do.
func TestPlaces(t *testing.T) {
	t.Parallel()
	const internal, legacy = "internal.config.kubernetes.io/path", "config.kubernetes.io/path"
	for name, tc := range map[string]struct {
		reason string
		has    []string
	}{
		"New":    {reason: "kustomize of today", has: []string{internal}},
		"Legacy": {reason: "older hosts", has: []string{legacy}},
		"Both":   {reason: "kpt", has: []string{internal, legacy}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			in := head + "items:\n- metadata:\n    name: add\n    annotations:\n"
			for _, key := range tc.has {
				in += "      " + key + ": add.yaml\n"
			}
			var out bytes.Buffer
			if err := new(resourcelist.Lazy).Execute(edit(nil), strings.NewReader(in), &out); err != nil {
				t.Fatal(err)
			}
			nodes, err := (&kio.ByteReader{Reader: &out}).Read()
			if err != nil || len(nodes) != 2 {
				t.Fatalf("want two items, got %d, %v", len(nodes), err)
			}
			for _, key := range []string{internal, legacy} {
				_, want := nodes[0].GetAnnotations()[key]
				if _, got := nodes[1].GetAnnotations()[key]; got != want {
					t.Errorf("%s: annotation %s of the new item: want %v, got %v", tc.reason, key, want, got)
				}
			}
		})
	}
}

// edit is a processor that acts on items by their names, and then fails or not.
func edit(failed error) resourcelist.Processor {
	return func(rl *resourcelist.List) error {
		var out []*yaml.RNode
		var added []*yaml.RNode
		for _, item := range rl.Items {
			name, _ := item.GetString("metadata.name")
			switch name {
			case "removed":
				continue
			case "edited":
				if err := item.PipeE(yaml.SetLabel("x", "z")); err != nil {
					return err
				}
			case "add":
				added = append(added, yaml.MustParse("kind: New\nmetadata:\n  name: added\n"))
				if len(item.GetAnnotations()) > 0 {
					added[0].SetAnnotations(map[string]string{
						"internal.config.kubernetes.io/path": "x.yaml", "config.kubernetes.io/path": "x.yaml",
					})
				}
			}
			out = append(out, item)
		}
		rl.Items = append(out, added...)
		return failed
	}
}

// TestNamedThroughAlias: an item that is not needed is found by the values of its aliases.
func TestNamedThroughAlias(t *testing.T) {
	t.Parallel()
	const text = "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n" +
		"- apiVersion: v1\n  data: {a: &n Secret}\n  kind: *n\n  metadata: {name: *n}\n"
	lazy := resourcelist.Lazy{Needed: func(_, _ *yaml.RNode) bool { return false }}
	err := lazy.Execute(func(rl *resourcelist.List) error {
		if found := lazy.Named(rl.Items[0], "Secret", "Secret"); len(found) != 1 {
			t.Errorf("want one, got %d", len(found))
		}
		return nil
	}, strings.NewReader(text), io.Discard)
	if err != nil {
		t.Fatal(err)
	}
}

// TestLazy: items that are not needed go out as they came in, whatever happens to the
// others, and are found by their names.
func TestLazy(t *testing.T) {
	t.Parallel()
	const head = "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n"
	const text = "# above a\n- apiVersion: v1\n  kind: A\n  metadata: {name: a, annotations: {}}\n- apiVersion: v1\n  kind: A\n  metadata:\n      name: b # c\n" +
		"- apiVersion: v1\n  kind: B\n  metadata: {name: edited}\n- apiVersion: v1\n  kind: A\n  metadata: {name: a}\n  list: [\n    a ]\n"
	lazy := resourcelist.Lazy{Needed: func(_, item *yaml.RNode) bool { return item.GetKind() == "B" }}
	var out bytes.Buffer
	err := lazy.Execute(func(rl *resourcelist.List) error {
		if len(rl.Items) != 3 {
			t.Errorf("want 3 items, got %d", len(rl.Items))
		}
		var found []int
		for _, item := range rl.Items {
			found = append(found, len(lazy.Named(item, "A", "a")))
		}
		if diff := cmp.Diff([]int{1, 0, 1}, found); diff != "" {
			t.Errorf("A a (-want +got):\n%s", diff)
		}
		return rl.Items[1].PipeE(yaml.SetLabel("x", "y"))
	}, strings.NewReader(head+text), &out)
	if err != nil {
		t.Fatal(err)
	}
	want := head + strings.Replace(text, "{name: edited}", "{name: edited, labels: {x: 'y'}}", 1)
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
