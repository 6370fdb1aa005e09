package kustomize

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/kyaml/filesys"

	"github.com/goldenarch/goldenarch/internal/manifest/object"
)

// TestOriginsChangeNothing: a build is that of kustomize, which notes no origins, also where
// a kustomization reads all annotations of an object or needs the first one.
func TestOriginsChangeNothing(t *testing.T) {
	t.Parallel()
	const older = "patchesJson6902:\n- target: {kind: ConfigMap, version: v1, name: m}\n  patch: '[%s]'\n"
	const newer = "patches:\n- target: {kind: ConfigMap%s}\n  patch: '[%s]'\n"
	const add = `{"op":"add","path":"/metadata/annotations/x","value":"y"}`
	plugin := "apiVersion: builtin\nkind: PatchJson6902Transformer\nmetadata: {name: p}\n" +
		"target: {kind: ConfigMap, version: v1, name: m}\njsonOp: '[" + add + "]'\n"
	for _, tc := range []struct{ reason, top string }{
		{"a patch that adds the first annotation", fmt.Sprintf(newer, "", add)},
		{"the older form fails", fmt.Sprintf(older, add)},
		{"the older form adds to the metadata", fmt.Sprintf(older, `{"op":"add","path":"/metadata/labels","value":{"a":"b"}}`)},
		{"the older form tests that there are none", fmt.Sprintf(older, `{"op":"test","path":"/metadata/annotations","value":null}`)},
		{"a configuration of the older form", "transformers:\n- |\n  " + strings.ReplaceAll(plugin, "\n", "\n  ")},
		{"a file of the older form", "patchesJson6902:\n- target: {kind: ConfigMap, version: v1, name: m}\n  path: add.json\n"},
		{"a copy of the annotations", fmt.Sprintf(newer, "", `{"op":"copy","from":"/metadata/annotations","path":"/data"}`)},
		{"a copy of the metadata", fmt.Sprintf(newer, "", `{"op":"copy","from":"/metadata","path":"/data"}`)},
		{"a move of the annotations", fmt.Sprintf(newer, "", `{"op":"move","from":"/metadata/annotations","path":"/data"}`)},
		{"a test of the annotations", fmt.Sprintf(newer, "", `{"op":"test","path":"/metadata/annotations","value":null}`)},
		{"a selector of the origin", fmt.Sprintf(newer, ", annotationSelector: "+origin, add)},
		{"a replacement from all annotations", "replacements:\n- source: {kind: ConfigMap, fieldPath: metadata.annotations}\n" +
			"  targets: [{select: {kind: ConfigMap}, fieldPaths: [data], options: {create: true}}]\n"},
		{"with a prefix", "namePrefix: p-\n" + fmt.Sprintf(newer, "", `{"op":"copy","from":"/metadata/annotations","path":"/data"}`)},
		{"the user wants the origins", "buildMetadata: [originAnnotations]\n" + fmt.Sprintf(older, add)},
		{"the user wants the transformers", "buildMetadata: [transformerAnnotations]\n" + fmt.Sprintf(older, add)},
		{"the user wants the label", "buildMetadata: [managedByLabel]\n" + fmt.Sprintf(newer, "", `{"op":"copy","from":"/metadata/annotations","path":"/data"}`)},
	} {
		for _, resources := range []string{"resources: [../base]\n", "resources: [m.yaml]\n"} {
			const m = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: m}\n"
			dir := written(t, map[string]string{
				"top/kustomization.yaml": resources + tc.top, "top/m.yaml": m, "top/add.json": "[" + add + "]",
				"base/kustomization.yaml": "resources: [m.yaml]\n", "base/m.yaml": m,
			})
			options := krusty.MakeDefaultOptions()
			options.Reorder = krusty.ReorderOptionUnspecified
			want := ""
			all, wrong := krusty.MakeKustomizer(options).Run(filesys.MakeFsOnDisk(), dir)
			if wrong == nil {
				text, err := all.AsYaml()
				if err != nil {
					t.Fatal(err)
				}
				want = string(text)
			}
			b, err := newBuild(newDisk(&Library{}, Request{}), dir)
			if err != nil {
				t.Fatal(err)
			}
			built, err := b.run()
			var got []string
			for _, one := range built.Objects {
				got = append(got, string(one.Text))
				if filepath.Base(one.File) != "m.yaml" {
					t.Errorf("%s: the object is from %s", tc.reason, one.File)
				}
			}
			if (err == nil) != (wrong == nil) {
				t.Errorf("%s: want the error %v, got %v", tc.reason, wrong, err)
				continue
			}
			text := strings.ReplaceAll(strings.Join(got, "---\n"), kustomizeRelease, "(devel)")
			if diff := cmp.Diff(strings.ReplaceAll(want, kustomizeRelease, "(devel)"), text); diff != "" {
				t.Errorf("%s (-kustomize +goldenarch):\n%s", tc.reason, diff)
			}
		}
	}
}

// TestComponentsOfManyOverlays: a build of many overlays, each with the same few components, is no
// build that repeats too much.
func TestComponentsOfManyOverlays(t *testing.T) {
	t.Parallel()
	const overlays = 201
	files := map[string]string{}
	top := "resources:\n"
	for i := range 3 {
		files[fmt.Sprintf("c%d/kustomization.yaml", i)] = fmt.Sprintf("kind: Component\ncommonAnnotations: {c%d: x}\n", i)
	}
	for i := range overlays {
		name := fmt.Sprintf("o%d", i)
		files[name+"/kustomization.yaml"] = "resources: [m.yaml]\ncomponents: [../c0, ../c1, ../c2]\n"
		files[name+"/m.yaml"] = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: " + name + "}\n"
		top += "- ../" + name + "\n"
	}
	files["top/kustomization.yaml"] = top
	built, err := buildDir(written(t, files))
	if err != nil || len(built.Items) != overlays {
		t.Errorf("want %d objects, got %d and %v", overlays, len(built.Items), err)
	}
}

// TestFilesOfObjects: an object is from the file that has its kind and its name, before what the
// kustomizations on the way do to the name. What is not clear is from the directory.
func TestFilesOfObjects(t *testing.T) {
	t.Parallel()
	const m = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: m}\n"
	files := map[string]string{
		"top/m.yaml": m, "top/n.yaml": strings.ReplaceAll(m, "name: m", "name: n"), "a/kustomization.yaml": "resources: [m.yaml]\nnamePrefix: a-\n",
		"a/m.yaml": m, "b/kustomization.yaml": "resources: [m.yaml]\nnameSuffix: -b\n", "b/m.yaml": m,
		"c/kustomization.yaml": "resources: [m.yaml]\nnamespace: c\n", "c/m.yaml": m, "d/kustomization.yaml": "resources: [m.yaml]\nnamespace: d\n", "d/m.yaml": m,
		"part/kustomization.yaml": "kind: Component\nnamePrefix: part-\nresources: [own.yaml]\n", "part/own.yaml": strings.ReplaceAll(m, "name: m", "name: own"),
		"e/kustomization.yaml": "resources: [m.yaml]\ntransformers: ['{apiVersion: builtin, kind: NamespaceTransformer, metadata: {name: t, namespace: e}}']\n",
		"e/m.yaml":             m,
	}
	for _, tc := range []struct {
		reason, top string
		want        []string
	}{
		{"a file of its own", "resources: [m.yaml, n.yaml]\n", []string{"m top/m.yaml", "n top/n.yaml"}},
		{"prefixes and suffixes of bases", "resources: [../a, ../b, m.yaml]\nnamePrefix: x-\n", []string{"x-a-m a/m.yaml", "x-m top/m.yaml", "x-m-b b/m.yaml"}},
		{"namespaces of bases", "resources: [../c, ../d, ../e]\n", []string{"m c/m.yaml", "m d/m.yaml", "m e/m.yaml"}},
		{
			"a component changes what is above it", "resources: [m.yaml]\ncomponents: [../part]\nnamePrefix: x-\n",
			[]string{"x-part-m top/m.yaml", "x-part-own part/own.yaml"},
		},
		{"a generator with a hash", "configMapGenerator: [{name: g, literals: [a=b]}]\n", []string{"g-4h2mbtbbt6 top/kustomization.yaml"}},
		{"a transformer", "resources: [m.yaml, n.yaml]\ntransformers: ['{apiVersion: builtin, kind: PrefixTransformer, metadata: {name: t}, prefix: x-, " +
			"fieldSpecs: [{path: metadata/name}]}']\n", []string{"x-m top/m.yaml", "x-n top/n.yaml"}},
		{"a patch renames the only one of its kind", "resources: [m.yaml]\npatches: [{target: {name: m}, options: {allowNameChange: true}, " +
			`patch: '[{"op": "replace", "path": "/metadata/name", "value": "z"}]'}]` + "\n", []string{"z top/m.yaml"}},
		{"a patch renames one of two", "resources: [m.yaml, n.yaml]\npatches: [{target: {name: m}, options: {allowNameChange: true}, " +
			`patch: '[{"op": "replace", "path": "/metadata/name", "value": "z"}]'}]` + "\n", []string{"n top/n.yaml", "z top"}},
	} {
		files["top/kustomization.yaml"] = tc.top
		top := written(t, files)
		built, err := buildDir(top)
		if err != nil {
			t.Errorf("%s: %v", tc.reason, err)
			continue
		}
		var got []string
		for _, item := range built.Items {
			file, _ := object.Place(item)
			got = append(got, item.GetName()+" "+strings.TrimPrefix(file, filepath.Dir(top)+"/"))
		}
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
		}
	}
}
