package kustomization

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/kyaml/filesys"
)

// noMarks are fields of a kustomization that change nothing, and with which a build has no marks.
const noMarks = "generatorOptions: {disableNameSuffixHash: true}\n"

// TestOriginsOfManyPatches: with more patches than fewPatches another build notes the
// origins, and the result is the same.
func TestOriginsOfManyPatches(t *testing.T) {
	t.Parallel()
	const deployment = "---\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: %s}\nspec: {replicas: 1}\n"
	for _, tc := range []struct {
		reason, more, patch string
		other               bool // another build notes the origins
	}{
		{"patches of two bases", "", "[{\"op\": \"replace\", \"path\": \"/spec/replicas\", \"value\": %d}]", true},
		{
			"a prefix, a namespace, labels and a generator of kustomize",
			"namePrefix: x-\nnamespace: ns\nlabels: [{pairs: {a: b}}]\nconfigMapGenerator: [{name: c, literals: [d=e]}]\n",
			"[{\"op\": \"replace\", \"path\": \"/spec/replicas\", \"value\": %d}]", true,
		},
		{"a patch that renames", "", "[{\"op\": \"replace\", \"path\": \"/metadata/name\", \"value\": \"other%d\"}]", false},
		{"the user wants the origins", "buildMetadata: [originAnnotations]\n", "[{\"op\": \"replace\", \"path\": \"/spec/replicas\", \"value\": %d}]", false},
	} {
		var got []string
		for _, patches := range []int{fewPatches, fewPatches + 1} {
			var top strings.Builder
			fmt.Fprintf(&top, "resources: [../a, ../b]\n%s%spatches:\n", noMarks, tc.more)
			for i := range patches {
				fmt.Fprintf(&top, "- target: {name: a}\n  patch: '%s'\n", fmt.Sprintf(tc.patch, min(i, fewPatches-1)))
			}
			if strings.Contains(tc.patch, "metadata") {
				top.Reset()
				fmt.Fprintf(&top, "resources: [../a, ../b]\npatches:\n- target: {name: a}\n  patch: '%s'\n", fmt.Sprintf(tc.patch, 1))
				for range patches - 1 {
					fmt.Fprint(&top, "- target: {name: b}\n  patch: '[{\"op\": \"replace\", \"path\": \"/spec/replicas\", \"value\": 2}]'\n")
				}
			}
			dir := written(t, map[string]string{
				"a/kustomization.yaml": "resources: [a.yaml]\n", "a/a.yaml": fmt.Sprintf(deployment, "a"),
				"b/kustomization.yaml": "resources: [b.yaml]\n", "b/b.yaml": fmt.Sprintf(deployment, "b"),
				"top/kustomization.yaml": top.String(),
			})
			files := newDisk()
			b, err := newBuild(files, dir)
			if err != nil {
				t.Fatal(err)
			}
			list, err := b.run()
			if err != nil {
				t.Fatalf("%s: %v", tc.reason, err)
			}
			if is := b.origins == fromOther; is != (tc.other && patches > fewPatches) {
				t.Errorf("%s: %d patches: another build notes the origins: %t", tc.reason, patches, is)
			}
			var text strings.Builder
			for _, one := range list {
				fmt.Fprintf(&text, "%s\n%s", strings.TrimPrefix(one.File, filepath.Dir(dir)), one.Text)
			}
			got = append(got, text.String())
		}
		if diff := cmp.Diff(got[0], got[1]); diff != "" {
			t.Errorf("%s (-one build +two):\n%s", tc.reason, diff)
		}
	}
}

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
			b, err := newBuild(newDisk(), dir)
			if err != nil {
				t.Fatal(err)
			}
			list, err := b.run()
			var got []string
			for _, one := range list {
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

// TestSecondBuildRepeatsNothing: a build that another one notes the origins for, or that follows
// one, does not repeat the directories of that one.
func TestSecondBuildRepeatsNothing(t *testing.T) {
	t.Parallel()
	const bases = 20
	const renames = `[{"op": "replace", "path": "/metadata/name", "value": "other"}]`
	for reason, first := range map[string]string{"two builds": "[]", "a third, because a patch renames an object": renames} {
		files := map[string]string{}
		top := "resources:\n"
		for i := range bases {
			name := fmt.Sprintf("b%d", i)
			files[name+"/kustomization.yaml"] = "resources: [m.yaml]\n"
			files[name+"/m.yaml"] = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: " + name + "}\n"
			top += "- ../" + name + "\n"
		}
		top += "patches:\n- target: {name: b0}\n  patch: '" + first + "'\n"
		for range fewPatches {
			top += "- target: {name: none}\n  patch: '[]'\n"
		}
		files["top/kustomization.yaml"] = top
		notes := newDisk()
		start := maxRepeatedBuilds + maxRepeatsOfEach*(bases+1) - bases/2 // that many more would be too many
		notes.repeated = start
		b, err := newBuild(notes, written(t, files))
		if err != nil {
			t.Fatal(err)
		}
		list, err := b.run()
		if err != nil || len(list) != bases {
			t.Errorf("%s: want %d objects, got %d and %v", reason, bases, len(list), err)
		}
		if notes.repeated > start {
			t.Errorf("%s: %d repeated builds were counted", reason, notes.repeated-start)
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

// TestOriginsOfAComponentOfPatches: kustomize refuses a kustomization without a field, which one
// that has patches alone is without them.
func TestOriginsOfAComponentOfPatches(t *testing.T) {
	t.Parallel()
	part := "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\npatches:\n" +
		strings.Repeat("- target: {name: cr}\n  patch: '[{\"op\": \"add\", \"path\": \"/spec\", \"value\": {}}]'\n", fewPatches+1)
	dir := written(t, map[string]string{
		"top/kustomization.yaml": "resources: [cr.yaml]\ncomponents: [../part]\nnamespace: ns\n" + noMarks, "top/cr.yaml": cr, "part/kustomization.yaml": part,
	})
	b, err := newBuild(newDisk(), dir)
	if err != nil {
		t.Fatal(err)
	}
	list, err := b.run()
	if err != nil || len(list) != 1 || filepath.Base(list[0].File) != "cr.yaml" {
		t.Errorf("want the CR with its file, got %v and %v", list, err)
	}
	if b.origins != fromOther {
		t.Error("the build itself notes the origins, which takes time for each patch")
	}
}
