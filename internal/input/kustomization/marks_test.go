package kustomization

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// marksTest is a directory of two overlays of one base.
type marksTest struct {
	reason string
	files  map[string]string // by path, in place of the usual ones
	marked bool
}

const (
	marksBase  = "resources: [m.yaml]\n"
	marksTop   = "resources: [../base, own.yaml]\n"
	marksM     = "# The map.\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: m\n---\n# nothing\n---\nkind: Secret\napiVersion: v1\nmetadata: {name: s}\n"
	marksBlock = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: b}\ndata:\n  a: "
	marksOwn   = "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: own, annotations: {config.kubernetes.io/local-config: \"true\"}}\ndata: {a: b}\n"
)

var marksTests = []marksTest{
	{"files and directories", nil, true},
	{"all plain fields", map[string]string{"top/kustomization.yaml": marksTop + "namespace: ns\nnamePrefix: p-\nnameSuffix: -s\n" +
		"labels: [{pairs: {a: b}, includeSelectors: true}]\ncommonAnnotations: {c: d}\nimages: [{name: i, newTag: t}]\n"}, true},
	{"a strategic patch", map[string]string{
		"top/kustomization.yaml": marksTop + "patches: [{path: p.yaml}]\n",
		"top/p.yaml":             "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: m}\ndata: {x: y}\n",
	}, true},
	{"a JSON patch", map[string]string{"top/kustomization.yaml": marksTop + "patches: [{target: {kind: Secret}, " +
		`patch: '[{"op": "add", "path": "/stringData", "value": {"a": "b"}}]'}]` + "\n"}, true},
	{"a patch that renames", map[string]string{"top/kustomization.yaml": marksTop + "patches: [{target: {name: m}, options: {allowNameChange: true}, " +
		`patch: '[{"op": "replace", "path": "/metadata/name", "value": "n"}]'}]` + "\n"}, true},
	{"a patch that deletes", map[string]string{"top/kustomization.yaml": marksTop + "patches: [{patch: '{apiVersion: v1, kind: Secret, " +
		"metadata: {name: s}, $patch: delete}'}]\n"}, true},
	{"a patch that replaces all", map[string]string{"top/kustomization.yaml": marksTop + "patches: [{patch: '{apiVersion: v1, kind: ConfigMap, " +
		"metadata: {name: m}, $patch: replace, data: {z: z}}'}]\n"}, true},
	{"a patch that takes the mark", map[string]string{"top/kustomization.yaml": marksTop + "patches: [{target: {name: m}, " +
		`patch: '[{"op": "replace", "path": "", "value": {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "m"}}}]'}]` + "\n"}, false},
	{"a patch of the whole object", map[string]string{"top/kustomization.yaml": marksTop + "patches: [{target: {name: m}, " +
		`patch: '[{"op": "copy", "from": "", "path": "/data"}]'}]` + "\n"}, false},
	{"a patch that fails", map[string]string{"top/kustomization.yaml": marksTop + "patches: [{target: {name: m}, " +
		`patch: '[{"op": "test", "path": "/data", "value": 1}]'}]` + "\n"}, false},
	{"a patch that is a resource, too", map[string]string{"top/kustomization.yaml": "resources: [own.yaml]\npatches: [{path: own.yaml}]\n"}, false},
	{"a patch of local configuration", map[string]string{"top/kustomization.yaml": marksTop + "patches: [{target: {name: m}, " +
		`patch: '[{"op": "add", "path": "/metadata/annotations", "value": {"config.kubernetes.io/local-config": null}}]'}]` + "\n"}, false},
	{"a component", map[string]string{
		"top/kustomization.yaml":  marksTop + "components: [../part]\n",
		"part/kustomization.yaml": "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\nresources: [c.yaml]\nnamespace: c\n",
		"part/c.yaml":             "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\n",
	}, true},
	{"an order", map[string]string{"top/kustomization.yaml": marksTop + "sortOptions: {order: legacy}\n"}, true},
	{"goldenarch at the end", map[string]string{
		"top/kustomization.yaml": marksTop + "transformers: [g.yaml]\n",
		"top/g.yaml":             "apiVersion: goldenarch.dev/v1alpha1\nkind: GoldenImages\nmetadata: {name: g}\n",
	}, true},
	{"another transformer", map[string]string{"top/kustomization.yaml": marksTop + "transformers: ['{apiVersion: builtin, kind: PrefixTransformer, " +
		"metadata: {name: p}, prefix: p-}']\n"}, false},
	{"a generator", map[string]string{"base/kustomization.yaml": marksBase + "configMapGenerator: [{name: g, literals: [a=b]}]\n"}, false},
	{"the user wants origins", map[string]string{"top/kustomization.yaml": marksTop + "buildMetadata: [originAnnotations]\n"}, false},
	{"a block before the last marker", map[string]string{"top/own.yaml": marksBlock + "|\n    foo\n---\n"}, true},
	{"a block before the last comment", map[string]string{"top/own.yaml": marksBlock + "|+\n    foo\n\n---\n# end\n"}, true},
	{"a block without a line end", map[string]string{"top/own.yaml": marksOwn + "---\n" + marksBlock + "|\n    foo"}, true},
	{"a document of a tab", map[string]string{"top/own.yaml": marksOwn + "---\n\t\n"}, false},
	{"another line end", map[string]string{"top/own.yaml": marksOwn + "---\n# x\u2028apiVersion: v1\u2028kind: ConfigMap\u2028metadata: {name: hidden}\n"}, false},
	{"a hash of all fields", map[string]string{"top/own.yaml": "apiVersion: x.y/v1\nkind: Foo\n" +
		"metadata: {name: own, annotations: {internal.config.kubernetes.io/needsHashSuffix: enabled}}\nspec: {a: b}\n"}, false},
	{"a hash by an annotation for all", map[string]string{"top/kustomization.yaml": marksTop +
		"commonAnnotations: {internal.config.kubernetes.io/needsHashSuffix: enabled}\n"}, false},
	{"a name that is escaped", map[string]string{"top/own.yaml": strings.Replace(marksOwn, `config.kubernetes.io/local-config: "true"`,
		`"config.kubernetes.io/local\x2dconfig": null`, 1)}, false},
	{"a hash of an object", map[string]string{"top/own.yaml": strings.Replace(marksOwn, "local-config", "needs-hash", 1)}, false},
	{"null as local configuration", map[string]string{"top/own.yaml": strings.Replace(marksOwn, `"true"`, "", 1)}, false},
	{"a List", map[string]string{"top/own.yaml": "apiVersion: v1\nkind: List\nitems: [{apiVersion: v1, kind: ConfigMap, metadata: {name: i}}]\n"}, false},
	{"JSON", map[string]string{"top/own.yaml": `{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "j"}}`}, false},
	{"keys in quotes", map[string]string{"top/own.yaml": "\"apiVersion\": v1\nkind: ConfigMap\nmetadata: {name: q}\n"}, false},
	{"an indented document", map[string]string{"top/own.yaml": "  apiVersion: v1\n  kind: ConfigMap\n  metadata: {name: i}\n"}, false},
	{"a directive", map[string]string{"top/own.yaml": "%YAML 1.1\n---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: d}\n"}, false},
	{"a file without objects", map[string]string{"top/own.yaml": "# nothing\n"}, false},
	{"not YAML", map[string]string{"top/own.yaml": "apiVersion: v1\nkind: ConfigMap\n\tmetadata: {}\n"}, false},
	{"no name", map[string]string{"top/own.yaml": "apiVersion: v1\nkind: ConfigMap\n"}, false},
}

// TestMarks: a build with marks gives what one with kustomize's notes gives, or it does not
// count.
func TestMarks(t *testing.T) {
	t.Parallel()
	for _, tc := range marksTests {
		files := map[string]string{
			"top/kustomization.yaml": marksTop, "base/kustomization.yaml": marksBase, "top/own.yaml": marksOwn, "base/m.yaml": marksM,
		}
		maps.Copy(files, tc.files)
		sameWithMarks(t, tc.reason, written(t, files), tc.marked)
	}
}

// TestMarksOfLinks: kustomize names the origin of an object as the entries do.
func TestMarksOfLinks(t *testing.T) {
	t.Parallel()
	for reason, link := range map[string]string{"a link to a file": "top/own.yaml", "a link to a directory": "base"} {
		dir := written(t, map[string]string{
			"top/kustomization.yaml": marksTop, "there/own.yaml": marksOwn, "there/m.yaml": marksM, "there/kustomization.yaml": marksBase,
			"top/own.yaml": marksOwn, "base/kustomization.yaml": marksBase, "base/m.yaml": marksM,
		})
		at := filepath.Join(filepath.Dir(dir), link)
		if err := os.RemoveAll(at); err != nil {
			t.Fatal(err)
		}
		to := "../there/own.yaml"
		if link == "base" {
			to = "there"
		}
		if err := os.Symlink(to, at); err != nil {
			t.Fatal(err)
		}
		sameWithMarks(t, reason, dir, false)
	}
}

// sameWithMarks builds a directory with marks and without.
func sameWithMarks(t *testing.T, reason, dir string, want bool) {
	t.Helper()
	text := func(list []Object, err error) string {
		var out strings.Builder
		for _, o := range list {
			fmt.Fprintf(&out, "%s\n%s", o.File, o.Text)
		}
		return fmt.Sprintf("%serror: %v\n", out.String(), err)
	}
	with, err := newBuild(newDisk(), dir)
	if err != nil {
		t.Fatal(err)
	}
	list, is := with.runMarked()
	if is != want {
		t.Errorf("%s: marked: want %t, got %t", reason, want, is)
	}
	without, err := newBuild(newDisk(), dir)
	if err != nil {
		t.Fatal(err)
	}
	wanted := text(without.runNoted())
	if is {
		if diff := cmp.Diff(wanted, text(list, nil)); diff != "" {
			t.Errorf("%s (-noted +marked):\n%s", reason, diff)
		}
	} else if diff := cmp.Diff(wanted, text(with.runNoted())); diff != "" {
		t.Errorf("%s, after the build with marks (-noted):\n%s", reason, diff)
	}
}

// TestTransformationsOfAComponent: kustomize's notes of the transformers name none of goldenarch's,
// also where a component of the root ends the build.
func TestTransformationsOfAComponent(t *testing.T) {
	t.Parallel()
	built, err := buildDir(written(t, map[string]string{
		"top/kustomization.yaml":  "resources: [own.yaml]\ncomponents: [../part]\nbuildMetadata: [transformerAnnotations]\n",
		"part/kustomization.yaml": "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\ntransformers: [w.yaml]\n",
		"part/w.yaml":             "apiVersion: goldenarch.dev/v1alpha1\nkind: WorkloadArchitectures\nmetadata: {name: w}\n",
		"top/own.yaml":            marksM,
	}))
	if err != nil {
		t.Fatal(err)
	}
	for _, item := range built.Items {
		if text := item.MustString(); strings.Contains(text, "ReplacementTransformer") {
			t.Errorf("a transformer of goldenarch's own is named:\n%s", text)
		}
	}
}
