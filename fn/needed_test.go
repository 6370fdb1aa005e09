package fn_test

import (
	"bytes"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/engine"
	"github.com/goldenarch/goldenarch/internal/engine/configuration"
	"github.com/goldenarch/goldenarch/internal/engine/prediction"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/images/registry"
	"github.com/goldenarch/goldenarch/internal/manifest"
	"github.com/goldenarch/goldenarch/internal/manifest/resourcelist"
)

// bystanders are documents that no run looks into.
const bystanders = `---
# above
apiVersion: apps/v1
kind: Deployment
metadata:
  name: a # beside
  annotations: {}
spec: {replicas: 1, list: [
  a ]}
---
{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "bystander"}, "data": {"a": "b"}}
---
apiVersion: v1
kind: Secret
metadata:
  name: bystander
  annotations: null
data:
    wide:
        - a
# below
---
apiVersion: v1
items:
# of the first
- apiVersion: v1
  kind: Secret
  metadata: {name: listed}
- {apiVersion: v1, kind: ConfigMap, metadata: {name: bystander}}
kind: List
metadata:
  resourceVersion: ""
`

// TestNeeded runs each golden case twice: with nodes for all documents, and with
// text for those that the run does not need. Both say and write the same.
func TestNeeded(t *testing.T) {
	t.Parallel()
	for _, dir := range goldenDirs(t) {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			t.Parallel()
			input := bystanders + "---\n" + strings.TrimPrefix(readFile(t, dir, "input.yaml"), "---\n") + bystanders
			all, text := manifest.Reader{}, manifest.Reader{Needed: engine.Needed}
			want, got := runReader(t, dir, input, &all), runReader(t, dir, input, &text)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("a run on text differs (-want +got):\n%s", diff)
			}
		})
	}
}

// TestNeededOfResourceList is the same for a ResourceList.
func TestNeededOfResourceList(t *testing.T) {
	t.Parallel()
	for _, dir := range goldenDirs(t) {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			t.Parallel()
			list := resourceListOf(t, readFile(t, dir, "config.yaml"), bystanders+"---\n"+readFile(t, dir, "input.yaml")+bystanders)
			images := answersOf(t, readFile(t, dir, "images.yaml"))
			run := func(lazy *resourcelist.Lazy) string {
				function := engine.Function{
					Source: configuration.Source{Dir: dir},
					Open: func(o registry.Options) (registry.Resolver, error) {
						return registry.Mirrored(images, images, o.Mirrors), nil
					},
					Named: lazy.Named,
				}
				var out bytes.Buffer
				err := lazy.Execute(func(rl *resourcelist.List) (err error) {
					var found finding.List
					rl.Items, found, err = function.Process(t.Context(), rl.Items, rl.FunctionConfig)
					rl.Results = found.Results()
					return err
				}, bytes.NewReader(list), &out)
				if err != nil && !errors.Is(err, engine.ErrFindings) {
					t.Fatal(err)
				}
				return out.String()
			}
			if diff := cmp.Diff(run(&resourcelist.Lazy{}), run(&resourcelist.Lazy{Needed: engine.NeededBeside})); diff != "" {
				t.Errorf("a run on text differs (-want +got):\n%s", diff)
			}
		})
	}
}

// runReader returns what the verbs make of an input, and what is rendered.
func runReader(t *testing.T, dir, input string, reader *manifest.Reader) []string {
	t.Helper()
	images := answersOf(t, readFile(t, dir, "images.yaml"))
	function := engine.Function{
		Source: configuration.Source{Dir: dir},
		Open: func(o registry.Options) (registry.Resolver, error) {
			return registry.Mirrored(images, images, o.Mirrors), nil
		},
		Named: reader.Texts.Named,
	}
	var given *yaml.RNode
	if items := readItems(t, readFile(t, dir, "config.yaml")); len(items) > 0 {
		given = items[0]
	}
	read := func() []*yaml.RNode {
		items, err := reader.Parse("input.yaml", []byte(input))
		if err != nil {
			t.Fatal(err)
		}
		function.Named = reader.Texts.Named
		return items
	}
	items := read()
	if reader.Needed != nil && items[0].GetKind() != "" {
		t.Errorf("the first document is not kept as text: %s", items[0].MustString())
	}
	rendered, found := function.Render(t.Context(), items, engine.Given(given))
	var out bytes.Buffer
	if err := reader.Texts.Write(&out, rendered.Items); err != nil {
		t.Fatal(err)
	}
	checked := function.Check(t.Context(), read(), engine.Given(given))
	_, predicted := function.Predict(read(), engine.Given(given), prediction.ThroughAdmission)
	_, locked := function.Images(read(), engine.Given(given))
	return []string{found.String(), out.String(), checked.Findings.String(), predicted.String(), locked.String()}
}

// TestNeededInDoubt: an item is needed if it is of a kind that goldenarch reads, or if
// readers may differ on what it is.
func TestNeededInDoubt(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		reason, text string
		want         bool
	}{
		"Other":  {"nobody looks into a Deployment", "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: a}\n", false},
		"ByName": {"a Secret is looked up by its name", "apiVersion: v1\nkind: Secret\nmetadata: {name: a}\n", false},
		"Slip":   {"a slip is reported", "apiVersion: hco.kubevirt.io/v1beta1\nkind: HyperConvergd\nmetadata: {name: a}\n", true},
		"List":   {"a List holds other objects", "apiVersion: v1\nkind: List\nitems: []\n", true},
		"Items":  {"so does what looks like one to clients", "apiVersion: x/v1\nkind: X\nmetadata: {name: a}\nitems: []\n", true},
		"Local": {
			reason: "local configuration is left out",
			text:   "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, annotations: {config.kubernetes.io/local-config: \"true\"}}\n",
			want:   true,
		},
		"KindTwice": {"readers take one of two kinds", "apiVersion: v1\nkind: ConfigMap\nkind: Node\nmetadata: {name: a}\n", true},
		"NotesTwice": {
			reason: "or of two lists of annotations",
			text:   "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, annotations: {a: b}, annotations: {config.kubernetes.io/local-config: \"true\"}}\n",
			want:   true,
		},
		"Merge": {"a merge key may bring a name", "apiVersion: v1\nkind: ConfigMap\nmetadata: {<<: {name: a}}\n", true},
		"Alias": {"an alias may be anything", "apiVersion: v1\nkind: ConfigMap\nmetadata: &a {name: a}\nx: *a\n", true},
		"EmittedFile": {
			reason: "a file where goldenarch emits",
			text:   "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, annotations: {internal.config.kubernetes.io/path: golden-images/role-a.yaml}}\n",
			want:   true,
		},
	} {
		item, err := yaml.Parse(tc.text)
		if err != nil {
			t.Fatal(err)
		}
		if got := engine.Needed(item); got != tc.want {
			t.Errorf("%s: %s: want %v, got %v", name, tc.reason, tc.want, got)
		}
	}
}
