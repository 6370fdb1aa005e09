package edit

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/kustomize"
	"github.com/goldenarch/goldenarch/internal/manifest/object"
	"github.com/goldenarch/goldenarch/internal/yaml/yamlnode"
)

// template returns an element of a list of templates, indented by four blanks.
func template(name, image string) string {
	return fmt.Sprintf("  - metadata:\n      name: %s\n    spec: {image: %s}\n", name, image)
}

// TestLocated: a finding about a built object has the file and the line that set the
// field. Each case names the line by a part of its text.
func TestLocated(t *testing.T) {
	t.Parallel()
	const twoImages = "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec:\n  containers:\n" +
		"  - name: b\n    image: quay.io/a/b:1\n  - name: c\n    image: quay.io/a/c:1\n"
	full := cr + "spec:\n  # first\n  gate: true\n  dataImportCronTemplates:\n" + template("fedora", "a") + template("centos", "b")
	base := map[string]string{"base/kustomization.yaml": "resources: [cr.yaml]\n", "base/cr.yaml": full}
	list := "apiVersion: v1\nkind: List\nitems:\n- " + strings.ReplaceAll(strings.TrimSuffix(full, "\n"), "\n", "\n  ") + "\n"
	name := func(s string) string { return "spec.dataImportCronTemplates[" + s + "].metadata.name" }
	for _, tc := range []struct {
		reason string
		files  map[string]string
		top    string // the kustomization
		field  string
		file   string // below the tree
		line   string // a part of the line's text
		nth    int    // which line with this part
	}{
		{reason: "a template of the base", top: "resources: [../base]\n", field: name("1"), file: "base/cr.yaml", line: "name: centos"},
		{
			reason: "a field that no file sets: its nearest parent",
			top:    "resources: [../base]\n",
			field:  "spec.dataImportCronTemplates[1].metadata.annotations[x]",
			file:   "base/cr.yaml",
			line:   "metadata:",
			nth:    3,
		},
		{
			reason: "an image that the kustomization sets", field: "spec.containers[1].image", file: "top/kustomization.yaml", line: "name: quay.io/a/c",
			top:   "resources: [pod.yaml]\nimages:\n- name: quay.io/a/b\n  newTag: \"7\"\n- name: quay.io/a/c\n  newName: quay.io/x/c\n  newTag: \"7\"\n",
			files: map[string]string{"top/pod.yaml": twoImages},
		},
		{
			reason: "an image with a suffix of the tag", field: "spec.containers[1].image", file: "top/kustomization.yaml", line: "name: quay.io/a/c",
			top:   "resources: [pod.yaml]\nimages:\n- name: quay.io/a/b\n  newTag: \"7\"\n- name: quay.io/a/c\n  tagSuffix: -x\n",
			files: map[string]string{"top/pod.yaml": twoImages},
		},
		{
			reason: "an image that it leaves as it is", field: "spec.containers[0].image", file: "top/pod.yaml", line: "image: quay.io/a/b:1",
			top:   "resources: [pod.yaml]\nimages:\n- name: quay.io/a/c\n  newTag: \"1\"\n",
			files: map[string]string{"top/pod.yaml": twoImages},
		},
		{reason: "the object", top: "resources: [../base]\n", field: "", file: "base/cr.yaml", line: "apiVersion"},
		{reason: "a prefix changes the name", top: "resources: [../base]\nnamePrefix: x-\n", field: "spec.gate", file: "base/cr.yaml", line: "gate: true"},
		{
			reason: "the last patch of a list replaces the base's",
			field:  name("1"),
			file:   "top/p.yaml",
			line:   "name: fedora",
			top:    "resources: [../base]\npatches: [{path: p.yaml}]\n",
			files:  map[string]string{"top/p.yaml": "# ours\n" + cr + "spec:\n  dataImportCronTemplates:\n" + template("centos", "b") + template("fedora", "c")},
		},
		{
			reason: "a patch that sets something else does not count", field: name("0"), file: "base/cr.yaml", line: "name: fedora",
			top: "resources: [../base]\npatches: [{path: p.yaml}]\n", files: map[string]string{"top/p.yaml": cr + "spec: {gate: false}\n"},
		},
		{
			reason: "a patch of one field", field: "spec.gate", file: "top/p.yaml", line: "gate: false",
			top: "resources: [../base]\npatches: [{path: p.yaml}]\n", files: map[string]string{"top/p.yaml": cr + "spec:\n  gate: false\n"},
		},
		{
			reason: "a patch of several documents for several objects", field: "spec.gate", file: "top/p.yaml", line: "gate: false",
			top: "resources: [../base]\npatches: [{path: p.yaml}]\n", files: map[string]string{"top/p.yaml": "---\n# text\n" + cr + "spec:\n  gate: false\n"},
		},
		{
			reason: "a JSON patch adds a template", field: name("2"), file: "top/ops.yaml", line: "name: added",
			top:   "resources: [../base]\npatches: [{path: ops.yaml, target: {kind: HyperConverged}}]\n",
			files: map[string]string{"top/ops.yaml": "- op: add\n  path: /spec/dataImportCronTemplates/-\n  value:\n    metadata:\n      name: added\n"},
		},
		{
			reason: "a template that a JSON patch moves is found by its name", field: name("1"), file: "base/cr.yaml", line: "name: fedora",
			top:   "resources: [../base]\npatches: [{path: ops.yaml, target: {kind: HyperConverged}}]\n",
			files: map[string]string{"top/ops.yaml": "- op: add\n  path: /spec/dataImportCronTemplates/0\n  value:\n    metadata:\n      name: added\n"},
		},
		{
			reason: "a JSON patch for another kind does not count", field: name("1"), file: "base/cr.yaml", line: "name: centos",
			top: "resources: [../base]\npatches: [{path: ops.yaml, target: {kind: HyperConverged}}, {path: more.yaml, target: {kind: Deployment}, options: {}}]\n",
			files: map[string]string{
				"top/ops.yaml":  "- {op: replace, path: /spec/gate, value: false}\n",
				"top/more.yaml": "- op: add\n  path: /spec/dataImportCronTemplates/-\n  value: {metadata: {name: centos}}\n",
			},
		},
		{
			reason: "a JSON patch that replaces a field", field: "spec.gate", file: "top/ops.json", line: "false",
			top:   "resources: [../base]\npatches: [{path: ops.json, target: {kind: HyperConverged}}]\n",
			files: map[string]string{"top/ops.json": "[\n  {\"op\": \"replace\", \"path\": \"/spec/gate\",\n   \"value\": false}\n]\n"},
		},
		{
			reason: "a patch inside the kustomization", field: "spec.gate", file: "top/kustomization.yaml", line: "gate: false",
			top: `resources: [../base]
# text
patches:
- patch: |-
    apiVersion: hco.kubevirt.io/v1beta1
    kind: HyperConverged
    metadata: {name: other}
    spec:
      gate: false
  target: {kind: HyperConverged, name: c.*}
`,
		},
		{
			reason: "a JSON patch inside the kustomization, in one line", field: "spec.gate", file: "top/kustomization.yaml", line: "- patch: '",
			top: "resources: [../base]\npatches:\n- patch: '[{\"op\": \"replace\", \"path\": \"/spec/gate\", \"value\": false}]'\n  target: {kind: HyperConverged}\n",
		},
		{
			reason: "a component", field: "spec.gate", file: "part/p.yaml", line: "gate: false", top: "resources: [../base]\ncomponents: [../part]\n",
			files: map[string]string{
				"part/kustomization.yaml": "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\npatches: [{path: p.yaml}]\n",
				"part/p.yaml":             cr + "spec:\n  gate: false\n",
			},
		},
		{
			reason: "a List",
			field:  name("1"),
			file:   "top/list.yaml",
			line:   "name: centos",
			top:    "resources: [list.yaml]\n",
			files:  map[string]string{"top/list.yaml": list},
		},
		{
			reason: "a List in a List",
			field:  name("1"),
			file:   "top/list.yaml",
			line:   "name: centos",
			top:    "resources: [list.yaml]\n",
			files: map[string]string{
				"top/list.yaml": "apiVersion: v1\nkind: List\nitems:\n- " + strings.ReplaceAll(strings.TrimSuffix(list, "\n"), "\n", "\n  ") + "\n",
			},
		},
		{
			reason: "the kind of a List is an alias", field: name("1"), file: "top/list.yaml", line: "name: centos", top: "resources: [list.yaml]\n",
			files: map[string]string{"top/list.yaml": strings.Replace(list, "kind: List", "metadata: {labels: {k: &k List}}\nkind: *k", 1)},
		},
		{
			reason: "a patch whose name is an alias", field: "spec.gate", file: "top/p.yaml", line: "gate: false",
			top:   "resources: [../base]\npatches: [{path: p.yaml}]\n",
			files: map[string]string{"top/p.yaml": strings.Replace(cr, "name: cr", "labels: {n: &n cr}, name: *n", 1) + "spec:\n  gate: false\n"},
		},
		{
			reason: "fields in other letters, as kustomize accepts them", field: "spec.gate", file: "top/kustomization.yaml", line: "gate: false",
			top: "Resources: [../base]\nPatches:\n- Patch: |-\n    " + strings.ReplaceAll(cr, "\n", "\n    ") + "spec:\n      gate: false\n",
		},
		{
			reason: "older fields", field: "spec.gate", file: "top/p.yaml", line: "gate: false", top: "bases: [../base]\npatchesStrategicMerge: [p.yaml]\n",
			files: map[string]string{"top/p.yaml": cr + "spec:\n  gate: false\n"},
		},
		{
			reason: "Windows line ends", field: name("1"), file: "top/cr.yaml", line: "name: centos", top: "resources: [cr.yaml]\n",
			files: map[string]string{"top/cr.yaml": strings.ReplaceAll("# a\n---\n"+full, "\n", "\r\n")},
		},
	} {
		files := map[string]string{"top/kustomization.yaml": tc.top}
		for _, more := range []map[string]string{base, tc.files} {
			maps.Copy(files, more)
		}
		top := written(t, files)
		built, err := buildDir(top)
		if err != nil {
			t.Fatalf("%s: %v", tc.reason, err)
		}
		at := object.New(built.Items[0]).At
		f := new(Session).Located([]kustomize.Built{built}, finding.List{{Object: at, Field: tc.field}})[0]
		file, err := filepath.Rel(filepath.Dir(top), f.PlaceFile())
		if err != nil || file != tc.file {
			t.Errorf("%s: want the file %s, got %s:%d (%v)", tc.reason, tc.file, file, f.Line, err)
			continue
		}
		lines := strings.Split(files[tc.file], "\n")
		want, left := 0, max(tc.nth, 1)
		for i, line := range lines {
			if strings.Contains(line, tc.line) {
				if left--; left == 0 {
					want = i + 1
				}
			}
		}
		if f.Line != want {
			t.Errorf("%s: want line %d of %s, got %d", tc.reason, want, tc.file, f.Line)
		}
	}
}

// TestLocatedAfterChanges: a finding is at the line of what was built, also where goldenarch has
// changed the order of a list or removed a field since.
func TestLocatedAfterChanges(t *testing.T) {
	t.Parallel()
	const expressions = "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec:\n  list:\n  - name: a\n    x: 1\n  - name: b\n    x: 2\n  bare:\n  - y\n  - z\n"
	for _, tc := range []struct {
		reason, field string
		change        func(spec *yaml.Node)
		line          int
	}{
		{"nothing changed", "spec.list[1].x", func(*yaml.Node) {}, 9},
		{"another field", "spec.list[1].x", func(spec *yaml.Node) { yamlnode.SetString(spec, "new", "v", 0) }, 9},
		{"the order of named elements", "spec.list[1].x", func(spec *yaml.Node) { slices.Reverse(yamlnode.Get(spec, "list").Content) }, 9},
		{"the order of texts", "spec.bare[1]", func(spec *yaml.Node) { slices.Reverse(yamlnode.Get(spec, "bare").Content) }, 12},
		{"the field is gone", "spec.list[0].x", func(spec *yaml.Node) { yamlnode.Remove(yamlnode.Get(spec, "list").Content[0], "x") }, 7},
	} {
		built, err := buildDir(written(t, map[string]string{"top/kustomization.yaml": "resources: [p.yaml]\n", "top/p.yaml": expressions}))
		if err != nil {
			t.Fatal(err)
		}
		at := object.New(built.Items[0]).At
		tc.change(yamlnode.Get(built.Items[0].YNode(), "spec"))
		if f := new(Session).Located([]kustomize.Built{built}, finding.List{{Object: at, Field: tc.field}})[0]; f.Line != tc.line {
			t.Errorf("%s: want line %d, got %d", tc.reason, tc.line, f.Line)
		}
	}
}

// TestLocatedInALocalName: a patch whose path looks like a repository is read, as kustomize does.
func TestLocatedInALocalName(t *testing.T) {
	t.Parallel()
	top := written(t, map[string]string{
		"top/kustomization.yaml":         "resources: [a.yaml]\npatches: [{path: github.com/org/repo/p.yaml}]\n",
		"top/a.yaml":                     "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n",
		"top/github.com/org/repo/p.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n  a: b\n",
	})
	built, err := buildDir(top)
	if err != nil {
		t.Fatal(err)
	}
	f := new(Session).Located([]kustomize.Built{built}, finding.List{{Object: object.New(built.Items[0]).At, Field: "data.a"}})[0]
	if file, err := filepath.Rel(top, filepath.FromSlash(f.PlaceFile())); err != nil || filepath.ToSlash(file) != "github.com/org/repo/p.yaml" || f.Line != 5 {
		t.Errorf("want line 5 of the patch, got %s:%d (%v)", file, f.Line, err)
	}
}
