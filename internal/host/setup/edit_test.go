package setup

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestEdits: each entry is added once, and what is there already changes nothing.
func TestEdits(t *testing.T) {
	t.Parallel()
	const kptfile = "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: p}\n"
	const entry = "  - exec: " + program + "\n    configPath: golden-images.yaml\n"
	list := func(text []byte) ([]byte, error) {
		return ListInKustomization(text, "golden-images.yaml", "hco.yaml", "nodes.yaml")
	}
	mutate := func(text []byte) ([]byte, error) { return AddMutator(text, "golden-images.yaml") }
	for _, tc := range []struct {
		reason string
		edit   func(text []byte) ([]byte, error)
		before string
		// want is the text after the edit; "" for no change.
		want string
		// err is part of the error, if there is one.
		err string
	}{
		{
			reason: "resources and transformers are made where they are missing",
			edit:   list,
			before: "# mine\nnamespace: a\n",
			want:   "# mine\nnamespace: a\nresources:\n- hco.yaml\n- nodes.yaml\ntransformers:\n- golden-images.yaml\n",
		},
		{
			reason: "what is listed is not listed again, with ./ or without",
			edit:   list,
			before: "resources: [./hco.yaml, nodes.yaml]\ntransformers: [golden-images.yaml]\n",
		},
		{
			reason: "the configuration is the last transformer",
			edit:   list,
			before: "resources: [hco.yaml, nodes.yaml]\ntransformers:\n- labels.yaml\n",
			want:   "resources: [hco.yaml, nodes.yaml]\ntransformers:\n- labels.yaml\n- golden-images.yaml\n",
		},
		{
			reason: "the line ends of Windows stay",
			edit:   list,
			before: "resources:\r\n- hco.yaml\r\n- nodes.yaml\r\n",
			want:   "resources:\r\n- hco.yaml\r\n- nodes.yaml\r\ntransformers:\r\n- golden-images.yaml\r\n",
		},
		{
			reason: "kustomize takes the names of fields in any case, and the last of two counts",
			edit:   list,
			before: "Resources:\n- hco.yaml\nTRANSFORMERS: []\n",
			want:   "Resources:\n- hco.yaml\n- nodes.yaml\nTRANSFORMERS:\n- golden-images.yaml\n",
		},
		{
			reason: "an alias lists what its anchor says",
			edit:   list,
			before: "metadata: {name: &config golden-images.yaml}\nresources: [hco.yaml, nodes.yaml]\ntransformers: [*config]\n",
		},
		{
			reason: "an edit of an alias would change other places",
			edit:   list, before: "resources: &list [hco.yaml, nodes.yaml]\ntransformers: *list\n",
			err: "transformers is the YAML alias *list, and an edit would change other places",
		},
		{reason: "kustomize reads no text for resources", edit: list, before: "resources: hco.yaml\n", err: "resources is not a list"},
		{reason: "nor for transformers", edit: list, before: "transformers: {a: b}\n", err: "transformers is not a list"},
		{reason: "the file is broken", edit: list, before: "resources: [", err: "the file is not YAML"},
		{reason: "the file is empty", edit: list, want: "resources:\n- hco.yaml\n- nodes.yaml\ntransformers:\n- golden-images.yaml\n"},
		{
			reason: "the file has only comments, and the line ends of Windows", edit: list, before: "# later\r\n---\r\n",
			want: "# later\r\n---\r\nresources:\r\n- hco.yaml\r\n- nodes.yaml\r\ntransformers:\r\n- golden-images.yaml\r\n",
		},
		{
			reason: "a comment without a line break", edit: list, before: "# later",
			want: "# later\nresources:\n- hco.yaml\n- nodes.yaml\ntransformers:\n- golden-images.yaml\n",
		},
		{reason: "the file is a list", edit: list, before: "- a\n", err: "another form than expected"},
		{
			reason: "kustomize runs what the annotation names",
			edit:   AddFunction,
			before: "kind: GoldenImages\nmetadata:\n  name: g\n",
			want: "kind: GoldenImages\nmetadata:\n  name: g\n" +
				"  annotations:\n    config.kubernetes.io/function: 'exec: {path: goldenarch}'\n",
		},
		{reason: "a function that a person named stays", edit: AddFunction, before: "metadata: {annotations: {config.kubernetes.io/function: x}}\n"},
		{reason: "so does one under the older name", edit: AddFunction, before: "metadata: {annotations: {config.k8s.io/function: x}}\n"},
		{
			reason: "a function that an alias names stays", edit: AddFunction,
			before: "x: &a {config.kubernetes.io/function: x}\nmetadata: {annotations: *a}\n",
		},
		{
			reason: "annotations of others", edit: AddFunction,
			before: "x: &a {b: c}\nmetadata: {annotations: *a}\n", err: "metadata.annotations is the YAML alias *a",
		},
		{reason: "kustomize takes no List for the configuration", edit: AddFunction, before: "kind: List\nitems: []\n", err: "the GoldenImages is in a List"},
		{reason: "annotations that are a list", edit: AddFunction, before: "metadata: {annotations: [a]}\n", err: "annotations is not an object"},
		{reason: "metadata that is a text", edit: AddFunction, before: "metadata: a\n", err: "metadata is not an object"},
		{
			reason: "kpt runs the mutators of the pipeline",
			edit:   mutate,
			before: kptfile,
			want:   kptfile + "pipeline:\n  mutators:\n" + entry,
		},
		{
			reason: "after the mutators that are there",
			edit:   mutate,
			before: kptfile + "pipeline:\n  mutators:\n  - image: set-labels:v1\n",
			want:   kptfile + "pipeline:\n  mutators:\n  - image: set-labels:v1\n" + entry,
		},
		{reason: "an image with a digest is goldenarch", edit: mutate, before: kptfile + "pipeline: {mutators: [{image: r.io:5000/x/goldenarch:v1@sha256:a}]}\n"},
		{reason: "so is a program with arguments", edit: mutate, before: kptfile + "pipeline: {mutators: [{exec: ./bin/goldenarch fn}]}\n"},
		{
			reason: "an alias runs what its anchor says",
			edit:   mutate, before: kptfile + "info: {description: &exec goldenarch}\npipeline: {mutators: [{exec: *exec}]}\n",
		},
		{
			reason: "a program with a longer name is another one",
			edit:   mutate,
			before: kptfile + "pipeline:\n  mutators:\n  - exec: goldenarch-old\n",
			want:   kptfile + "pipeline:\n  mutators:\n  - exec: goldenarch-old\n" + entry,
		},
		{reason: "another kind", edit: mutate, before: "kind: Kustomization\n", err: "the kind is not Kptfile"},
		{reason: "no kind", edit: mutate, before: "a: b\n", err: "the kind is not Kptfile"},
		{reason: "a pipeline that is a list", edit: mutate, before: kptfile + "pipeline: []\n", err: "pipeline is not an object"},
		{reason: "mutators that are an object", edit: mutate, before: kptfile + "pipeline: {mutators: {a: b}}\n", err: "mutators is not a list"},
	} {
		t.Run(tc.reason, func(t *testing.T) {
			t.Parallel()
			holdText(t, tc.edit, tc.before, tc.want, tc.err)
		})
	}
}

// holdText holds an edit against the text that it gives; "" is the text before. A second
// edit changes nothing.
func holdText(t *testing.T, edit func(text []byte) ([]byte, error), before, want, fault string) {
	t.Helper()
	got, err := edit([]byte(before))
	if fault != "" {
		if err == nil || !strings.Contains(err.Error(), fault) {
			t.Fatalf("want an error with %q, got %v and\n%s", fault, err, got)
		}
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	if want == "" {
		want = before
	}
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Fatalf("(-want +got):\n%s", diff)
	}
	if again, err := edit(got); err != nil || string(again) != string(got) {
		t.Errorf("a second edit changes the text: %v\n%s", err, again)
	}
}

// TestHasPipeline: a Kptfile runs functions in each form of YAML.
func TestHasPipeline(t *testing.T) {
	t.Parallel()
	const pipeline = "pipeline: {mutators: [{image: a}]}\n"
	for _, tc := range []struct {
		reason, text string
		want         bool
	}{
		{"a mutator", "kind: Kptfile\n" + pipeline, true},
		{"a validator", "kind: Kptfile\npipeline: {validators: [{image: a}]}\n", true},
		{"the kind from an alias", "info: {description: &k Kptfile}\nkind: *k\n" + pipeline, true},
		{"the kind from a merge key", "x: &x {kind: Kptfile}\n<<: *x\n" + pipeline, true},
		{"a byte order mark", "\ufeffkind: Kptfile\n" + pipeline, true},
		{"an empty pipeline", "kind: Kptfile\npipeline: {mutators: []}\n", false},
		{"mutators that are no list", "kind: Kptfile\npipeline: {mutators: {image: a}}\n", false},
		{"another kind", "kind: Kustomization\n" + pipeline, false},
		{"an anchor of that name", "x: &Kptfile a\nkind: *Kptfile\n" + pipeline, false},
		{"a list", "- a\n", false},
		{"no text", "", false},
		{"not YAML", "kind: [", false},
	} {
		if got := HasPipeline([]byte(tc.text)); got != tc.want {
			t.Errorf("%s: want %t, got %t", tc.reason, tc.want, got)
		}
	}
}
