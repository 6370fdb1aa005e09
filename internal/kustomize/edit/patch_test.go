package edit

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/kustomize/kyaml/yaml"
	k8syaml "sigs.k8s.io/yaml"
)

// tree is an object of a base.
type tree = map[string]any

func parsed(t *testing.T, text string) tree {
	t.Helper()
	out := tree{}
	if err := k8syaml.Unmarshal([]byte(text), &out); err != nil {
		t.Fatal(err)
	}
	return out
}

func text(t *testing.T, objects ...tree) string {
	t.Helper()
	var out []string
	for _, object := range objects {
		data, err := k8syaml.Marshal(object)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, string(data))
	}
	return strings.Join(out, "---\n")
}

// overlay writes a base with objects, and an overlay of it. It returns the overlay.
func overlay(t *testing.T, objects ...tree) string {
	t.Helper()
	return written(t, map[string]string{
		"base/kustomization.yaml": "resources: [all.yaml]\n", "base/all.yaml": text(t, objects...),
		"top/kustomization.yaml": "resources: [../base]\n",
	})
}

func setBase(t *testing.T, dir string, objects ...tree) {
	t.Helper()
	write(t, filepath.Join(filepath.Dir(dir), "base"), "all.yaml", text(t, objects...))
}

// decide edits the objects of an overlay as a run of goldenarch would, and writes the
// patches.
func decide(t *testing.T, dir string, edit func(tree)) error {
	t.Helper()
	built, err := buildWithoutPatch(dir)
	if err != nil {
		return err
	}
	for _, item := range built.Items {
		after := parsed(t, item.MustString())
		edit(after)
		node, err := yaml.Parse(text(t, after))
		if err != nil {
			t.Fatal(err)
		}
		item.SetYNode(node.YNode())
	}
	edits, err := Patches(built)
	if err != nil {
		return err
	}
	for _, e := range edits {
		if e.After == nil {
			if err := os.Remove(e.Name); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if err := os.WriteFile(e.Name, e.After, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return nil
}

// builtOf returns the objects of an overlay by kind and name.
func builtOf(t *testing.T, dir string) (map[string]tree, error) {
	t.Helper()
	built, err := buildDir(dir)
	if err != nil {
		return nil, err
	}
	out := map[string]tree{}
	for _, item := range built.Items {
		object := parsed(t, item.MustString())
		if metadata := asMapping(object["metadata"]); metadata != nil {
			for key := range asMapping(metadata["annotations"]) {
				if strings.HasPrefix(key, "config.kubernetes.io/") || strings.HasPrefix(key, "internal.") {
					delete(asMapping(metadata["annotations"]), key)
				}
			}
			if len(asMapping(metadata["annotations"])) == 0 {
				delete(metadata, "annotations")
			}
		}
		out[item.GetKind()+"/"+item.GetName()] = object
	}
	return out, nil
}

func asMapping(value any) tree {
	m, _ := value.(tree)
	return m
}

// elementName returns the name of an element, or "" if it has none.
func elementName(element any) string {
	object := asMapping(element)
	name, _ := object["name"].(string)
	if of, ok := asMapping(object["metadata"])["name"].(string); ok {
		name = of
	}
	return name
}

// areNamed reports whether each element has a name of its own.
func areNamed(list []any) bool {
	known := map[string]bool{"": true}
	for _, element := range list {
		name := elementName(element)
		if known[name] {
			return false
		}
		known[name] = true
	}
	return true
}

// at follows keys and the names of elements.
func at(value any, path ...string) any {
	for _, key := range path {
		if list, ok := value.([]any); ok {
			i := slices.IndexFunc(list, func(element any) bool { return elementName(element) == key })
			if i < 0 {
				return nil
			}
			value = list[i]
			continue
		}
		value = asMapping(value)[key]
	}
	return value
}

const (
	patchedCR = `apiVersion: hco.kubevirt.io/v1beta1
kind: HyperConverged
metadata: {name: cr, namespace: ns}
spec:
  dataImportCronTemplates:
  - metadata: {name: a, annotations: {keep: "1"}}
    spec: {schedule: "1"}
  - metadata: {name: b}
    spec: {schedule: "2"}
  infra: {nodePlacement: {affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [
    {matchExpressions: [{key: zone, operator: In, values: [x]}]}]}}}}}
`
	patchedPods = `apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  template:
    spec:
      containers:
      - {name: app, image: quay.io/acme/app:1}
`
	declared = "ssp.kubevirt.io/dict.architectures"
)

// decided are edits as those of goldenarch: a gate, declared architectures, an expression
// in a term, a new list, and the affinity of pods with its record.
func decided(o tree) {
	expression := tree{"key": "kubernetes.io/arch", "operator": "In", "values": []any{"amd64"}}
	required := func(terms ...any) tree {
		return tree{"nodeAffinity": tree{"requiredDuringSchedulingIgnoredDuringExecution": tree{"nodeSelectorTerms": terms}}}
	}
	if o["kind"] == "Deployment" {
		o["metadata"].(tree)["annotations"] = tree{"goldenarch.dev/node-affinity": "amd64"}
		o["spec"].(tree)["template"].(tree)["spec"].(tree)["affinity"] = required(tree{"matchExpressions": []any{expression}})
		return
	}
	spec := o["spec"].(tree)
	spec["featureGates"] = tree{"enableMultiArchBootImageImport": true}
	for _, template := range spec["dataImportCronTemplates"].([]any) {
		metadata := template.(tree)["metadata"].(tree)
		if metadata["annotations"] == nil {
			metadata["annotations"] = tree{}
		}
		metadata["annotations"].(tree)[declared] = "amd64,arm64"
	}
	terms := at(spec, "infra", "nodePlacement", "affinity", "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution").(tree)
	first := terms["nodeSelectorTerms"].([]any)[0].(tree)
	first["matchExpressions"] = append(first["matchExpressions"].([]any), expression)
	spec["workloads"] = tree{"nodePlacement": tree{"affinity": required(tree{"matchExpressions": []any{expression}})}}
}

// TestPatchErasesNothing: what the base gets after goldenarch wrote the patch is in the
// build of the overlay, or the build fails.
func TestPatchErasesNothing(t *testing.T) {
	t.Parallel()
	template := func(name string) tree { return tree{"metadata": tree{"name": name}, "spec": tree{"schedule": "9"}} }
	templates := func(o tree) []any { return o["spec"].(tree)["dataImportCronTemplates"].([]any) }
	terms := func(o tree) tree {
		return at(o, "spec", "infra", "nodePlacement", "affinity", "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution").(tree)
	}
	for name, tc := range map[string]struct {
		reason string
		edit   func(cr, pods tree)
		fails  bool
		object string   // where the new content is; "" is the CR
		path   []string // to it
		want   any
	}{
		"AnotherGate": {
			reason: "a merge patch merges mappings",
			edit:   func(cr, _ tree) { cr["spec"].(tree)["featureGates"] = tree{"downwardMetrics": true} },
			path:   []string{"spec", "featureGates"}, want: tree{"downwardMetrics": true, "enableMultiArchBootImageImport": true},
		},
		"AnotherFieldOfANewMapping": {
			reason: "the mappings around the new list are in the merge patch",
			edit: func(cr, _ tree) {
				cr["spec"].(tree)["workloads"] = tree{"nodePlacement": tree{"nodeSelector": tree{"disk": "ssd"}}}
			},
			path: []string{"spec", "workloads", "nodePlacement", "nodeSelector"}, want: tree{"disk": "ssd"},
		},
		"TemplateBehind": {
			reason: "the indices stay",
			edit: func(cr, _ tree) {
				cr["spec"].(tree)["dataImportCronTemplates"] = append(templates(cr), template("c"))
			},
			path: []string{"spec", "dataImportCronTemplates", "c"}, want: template("c"),
		},
		"TemplateBefore": {
			reason: "the index of each template is another one",
			edit: func(cr, _ tree) {
				cr["spec"].(tree)["dataImportCronTemplates"] = append([]any{template("c")}, templates(cr)...)
			},
			fails: true,
		},
		"TemplateAmong": {
			reason: "the index of the second template is another one",
			edit: func(cr, _ tree) {
				cr["spec"].(tree)["dataImportCronTemplates"] = slices.Insert(templates(cr), 1, any(template("c")))
			},
			fails: true,
		},
		"TemplateRenamed": {
			reason: "the element is tested by its name",
			edit:   func(cr, _ tree) { templates(cr)[1].(tree)["metadata"] = tree{"name": "c"} }, fails: true,
		},
		"TemplateRemoved": {
			reason: "the element is tested by its name",
			edit:   func(cr, _ tree) { cr["spec"].(tree)["dataImportCronTemplates"] = templates(cr)[1:] }, fails: true,
		},
		"FieldOfATemplate": {
			reason: "the patch does not set it",
			edit:   func(cr, _ tree) { templates(cr)[1].(tree)["spec"].(tree)["schedule"] = "3" },
			path:   []string{"spec", "dataImportCronTemplates", "b", "spec", "schedule"}, want: "3",
		},
		"AnnotationBesideOthers": {
			reason: "the patch adds one key to the annotations that were there",
			edit: func(cr, _ tree) {
				at(templates(cr), "a", "metadata", "annotations").(tree)["owner"] = "me"
			},
			path: []string{"spec", "dataImportCronTemplates", "a", "metadata", "annotations", "owner"}, want: "me",
		},
		"FirstAnnotations": {
			reason: "the patch adds the annotations as a whole, and tests that there are none",
			edit: func(cr, _ tree) {
				at(templates(cr), "b", "metadata").(tree)["annotations"] = tree{"owner": "me"}
			},
			fails: true,
		},
		"DeclaredInTheBase": {
			reason: "a person has declared the architectures where the patch does",
			edit: func(cr, _ tree) {
				at(templates(cr), "a", "metadata", "annotations").(tree)[declared] = "arm64"
			},
			fails: true,
		},
		"ListThatDidNotExist": {
			reason: "the test for null fails where there is a list",
			edit: func(cr, _ tree) {
				cr["spec"].(tree)["workloads"] = tree{"nodePlacement": tree{"affinity": tree{"nodeAffinity": tree{
					"requiredDuringSchedulingIgnoredDuringExecution": tree{"nodeSelectorTerms": []any{tree{"matchExpressions": []any{}}}},
				}}}}
			},
			fails: true,
		},
		"ExpressionInATerm": {
			reason: "the list of terms is tested as a whole",
			edit: func(cr, _ tree) {
				first := terms(cr)["nodeSelectorTerms"].([]any)[0].(tree)
				first["matchExpressions"] = append(first["matchExpressions"].([]any), tree{"key": "disk", "operator": "Exists"})
			},
			fails: true,
		},
		"TermBehind": {
			reason: "any term is enough for a node, so the new one would allow each architecture",
			edit: func(cr, _ tree) {
				terms(cr)["nodeSelectorTerms"] = append(terms(cr)["nodeSelectorTerms"].([]any), tree{"matchFields": []any{}})
			},
			fails: true,
		},
		"TermBefore": {
			reason: "the list of terms is tested as a whole",
			edit: func(cr, _ tree) {
				terms(cr)["nodeSelectorTerms"] = append([]any{tree{"matchFields": []any{}}}, terms(cr)["nodeSelectorTerms"].([]any)...)
			},
			fails: true,
		},
		"PlacementRemoved": {
			reason: "there is no term to test",
			edit:   func(cr, _ tree) { delete(cr["spec"].(tree), "infra") }, fails: true,
		},
		"AnotherContainer": {
			reason: "the patch of pods has no list of containers",
			edit: func(_, pods tree) {
				spec := at(pods, "spec", "template", "spec").(tree)
				spec["containers"] = append([]any{tree{"name": "side", "image": "i"}}, spec["containers"].([]any)...)
			},
			object: "Deployment/web", path: []string{"spec", "template", "spec", "containers", "side"}, want: tree{"name": "side", "image": "i"},
		},
		"AnotherAffinity": {
			reason: "mappings are merged in pods as well",
			edit: func(_, pods tree) {
				at(pods, "spec", "template", "spec").(tree)["affinity"] = tree{"podAntiAffinity": tree{"x": tree{}}}
			},
			object: "Deployment/web", path: []string{"spec", "template", "spec", "affinity", "podAntiAffinity"}, want: tree{"x": tree{}},
		},
		"EmptyMapping": {
			reason: "kustomize keeps an empty mapping where it merges",
			edit:   func(cr, _ tree) { cr["spec"].(tree)["logVerbosityConfig"] = tree{} },
			path:   []string{"spec", "logVerbosityConfig"}, want: tree{},
		},
		"EmptyList": {
			reason: "the same of a list",
			edit:   func(cr, _ tree) { cr["spec"].(tree)["obsoleteCPUs"] = []any{} },
			path:   []string{"spec", "obsoleteCPUs"}, want: []any{},
		},
		"EmptyText": {
			reason: "the same of a text",
			edit:   func(cr, _ tree) { cr["spec"].(tree)["defaultCPUModel"] = "" },
			path:   []string{"spec", "defaultCPUModel"}, want: "",
		},
		"EmptyDir": {
			reason: "the same in pods",
			edit: func(_, pods tree) {
				at(pods, "spec", "template", "spec").(tree)["volumes"] = []any{tree{"name": "tmp", "emptyDir": tree{}}}
			},
			object: "Deployment/web", path: []string{"spec", "template", "spec", "volumes", "tmp", "emptyDir"}, want: tree{},
		},
		"EmptyMappingBesideAList": {
			reason: "the same in a mapping that the patch is about",
			edit: func(_, pods tree) {
				at(pods, "spec", "template", "spec").(tree)["affinity"] = tree{"podAffinity": tree{}}
			},
			object: "Deployment/web", path: []string{"spec", "template", "spec", "affinity", "podAffinity"}, want: tree{},
		},
		"NoValueInPods": {
			reason: "null is no value, and breaks nothing",
			edit:   func(_, pods tree) { at(pods, "spec", "template", "spec").(tree)["hostname"] = nil },
			object: "Deployment/web", path: []string{"spec", "template", "spec", "hostname"}, want: nil,
		},
		"GatesWithoutAValue": {
			reason: "null is no mapping that could be erased",
			edit:   func(cr, _ tree) { cr["spec"].(tree)["featureGates"] = nil },
			path:   []string{"spec", "featureGates"}, want: tree{"enableMultiArchBootImageImport": true},
		},
		"FirstAnnotationsOfPods": {
			reason: "annotations of an object are merged",
			edit:   func(_, pods tree) { pods["metadata"].(tree)["annotations"] = tree{"owner": "me"} },
			object: "Deployment/web", path: []string{"metadata", "annotations"}, want: tree{"owner": "me", "goldenarch.dev/node-affinity": "amd64"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cr, pods := parsed(t, patchedCR), parsed(t, patchedPods)
			dir := overlay(t, cr, pods)
			if err := decide(t, dir, decided); err != nil {
				t.Fatal(err)
			}
			tc.edit(cr, pods)
			setBase(t, dir, cr, pods)
			all, err := builtOf(t, dir)
			switch {
			case tc.fails:
				if err == nil {
					t.Errorf("%s: the build does not fail:\n%s", tc.reason, text(t, slices.Collect(maps.Values(all))...))
				}
				return
			case err != nil:
				t.Fatalf("%s: %v", tc.reason, err)
			}
			object := tc.object
			if object == "" {
				object = "HyperConverged/cr"
			}
			if got := at(all[object], tc.path...); asText(got) != asText(tc.want) {
				t.Errorf("%s: got %s, want %s", tc.reason, asText(got), asText(tc.want))
			}
		})
	}
}

func asText(value any) string {
	data, err := json.Marshal(value)
	if err != nil {
		return err.Error()
	}
	return string(data)
}

// leaves returns the scalars of a value by their path, in which elements have their name.
// An element without a name is a leaf as a whole.
func leaves(value any, path string, out map[string]string) {
	switch value := value.(type) {
	case map[string]any:
		for key, inner := range value {
			leaves(inner, path+"/"+key, out)
		}
	case []any:
		named := areNamed(value)
		for _, element := range value {
			if named {
				leaves(element, path+"/["+elementName(element)+"]", out)
			} else {
				out[path+"/"+asText(element)] = ""
			}
		}
	default:
		out[path] = asText(value)
	}
}

func leavesOf(value any) map[string]string {
	out := map[string]string{}
	leaves(value, "", out)
	return out
}

// randomEdit edits a value somewhere, as a person would in a base.
func randomEdit(r *rand.Rand, value any) {
	switch value := value.(type) {
	case map[string]any:
		keys := slices.Sorted(maps.Keys(value))
		keys = slices.DeleteFunc(keys, func(key string) bool { return key == "apiVersion" || key == "kind" })
		if len(keys) == 0 || r.IntN(4) == 0 {
			value[randomKey(r)] = randomValue(r)
			return
		}
		key := keys[r.IntN(len(keys))]
		switch inner := value[key].(type) {
		case map[string]any:
			if r.IntN(12) == 0 {
				delete(value, key)
				return
			}
			randomEdit(r, inner)
		case []any:
			value[key] = randomList(r, inner)
		default:
			if key != "name" && key != "namespace" {
				value[key] = randomValue(r)
			}
		}
	}
}

func randomList(r *rand.Rand, list []any) []any {
	out := slices.Clone(list)
	fresh := any(tree{"matchExpressions": []any{tree{"key": randomKey(r), "operator": "Exists"}}})
	if areNamed(list) {
		fresh = tree{"name": fmt.Sprintf("n%d", r.IntN(1000)), "value": "v"}
		if len(list) > 0 && asMapping(list[0])["metadata"] != nil {
			fresh = tree{"metadata": tree{"name": fmt.Sprintf("n%d", r.IntN(1000))}}
		}
	}
	switch i := r.IntN(len(list) + 1); {
	case r.IntN(3) == 0 && i < len(list):
		return slices.Delete(out, i, i+1)
	case r.IntN(2) == 0 && i < len(list):
		randomEdit(r, out[i])
		return out
	default:
		return slices.Insert(out, i, fresh)
	}
}

// The keys and values are those of the decisions too, so that edits meet them.
func randomKey(r *rand.Rand) string {
	keys := []string{
		"annotations", "featureGates", "workloads", "nodePlacement", "affinity", "nodeAffinity", "enableMultiArchBootImageImport",
		"requiredDuringSchedulingIgnoredDuringExecution", "nodeSelectorTerms", "labels", "other", declared, "goldenarch.dev/node-affinity",
	}
	return keys[r.IntN(len(keys))]
}

func randomValue(r *rand.Rand) any {
	switch r.IntN(5) {
	case 0:
		return []any{tree{"matchExpressions": []any{tree{"key": randomKey(r), "operator": "Exists"}}}}
	case 1, 2:
		return tree{randomKey(r): randomValue(r)}
	default:
		return fmt.Sprintf("v%d", r.IntN(1000))
	}
}

// TestPatchErasesNothingOfAnyBase: after random edits of the base the build fails, or has
// all that is new in the base, nothing that the base lost, and each decision.
func TestPatchErasesNothingOfAnyBase(t *testing.T) {
	t.Parallel()
	const runs = 200
	kept, failed := 0, 0
	cr, pods := parsed(t, patchedCR), parsed(t, patchedPods)
	dir := overlay(t, cr, pods)
	if err := decide(t, dir, decided); err != nil {
		t.Fatal(err)
	}
	for seed := range uint64(runs) {
		r := rand.New(rand.NewPCG(seed, 1)) // the same numbers in each run
		after := []tree{parsed(t, patchedCR), parsed(t, patchedPods)}
		for range 1 + r.IntN(3) {
			randomEdit(r, after[r.IntN(2)])
		}
		setBase(t, dir, after...)
		base, err := builtOf(t, filepath.Join(filepath.Dir(dir), "base"))
		if err != nil {
			continue // no kustomization of a person
		}
		all, err := builtOf(t, dir)
		if err != nil {
			failed++
			continue
		}
		kept++
		for _, before := range []tree{parsed(t, patchedCR), parsed(t, patchedPods)} {
			wanted := parsed(t, text(t, before))
			decided(wanted)
			object := before["kind"].(string) + "/" + before["metadata"].(tree)["name"].(string)
			if lost := lostOf(leavesOf(before), leavesOf(wanted), leavesOf(base[object]), leavesOf(all[object])); len(lost) > 0 {
				t.Errorf("seed %d: %s: the build differs silently at %q\nbase:\n%s\nbuilt:\n%s", seed, object, lost, text(t, base[object]), text(t, all[object]))
			}
		}
	}
	if kept < runs/10 || failed < runs/10 {
		t.Errorf("%d builds were kept and %d failed: the edits do not meet the patch", kept, failed)
	}
}

// lostOf returns the leaves of which a build does not have what it must have: each decision,
// and else the base as it is now.
func lostOf(before, wanted, base, built map[string]string) []string {
	var out []string
	want := maps.Clone(base)
	for path, value := range wanted {
		if was, had := before[path]; !had || was != value {
			want[path] = value
		}
	}
	for path := range before {
		if _, stays := wanted[path]; !stays {
			delete(want, path)
		}
	}
	for path, value := range want {
		if got, has := built[path]; !has || got != value {
			out = append(out, path)
		}
	}
	for path := range built {
		if _, ok := want[path]; !ok {
			out = append(out, path)
		}
	}
	slices.Sort(out)
	return out
}

// TestPatchesOfAnOverlay: the files and entries that goldenarch writes, and what it leaves.
func TestPatchesOfAnOverlay(t *testing.T) {
	t.Parallel()
	two := "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {template: {spec: {containers: [{name: a, image: b}]}}}\n"
	const ports = "{name: dns, containerPort: 53, protocol: UDP}, {name: tcp, containerPort: 53}"
	record := func(o tree) {
		metadata := o["metadata"].(tree)
		if metadata["annotations"] == nil {
			metadata["annotations"] = tree{}
		}
		metadata["annotations"].(tree)["goldenarch.dev/node-affinity"] = "amd64"
	}
	for name, tc := range map[string]struct {
		reason string
		files  map[string]string
		edit   func(tree)        // nil is decided
		want   map[string]string // the files of the overlay that matter: a text that is in it
		gone   []string
	}{
		"TwoObjectsOfOneName": {
			reason: "the target has the namespace only where it is needed",
			files: map[string]string{
				"top/kustomization.yaml": "resources: [a.yaml, b.yaml]\n", "top/a.yaml": strings.Replace(two, "web}", "web, namespace: one}", 1),
				"top/b.yaml": strings.Replace(two, "web}", "web, namespace: two}", 1),
			},
			want: map[string]string{"kustomization.yaml": "namespace: two\n"},
		},
		"OneBaseTwice": {
			reason: "the name in the file is that of two objects",
			files: map[string]string{
				"base/kustomization.yaml": "resources: [a.yaml]\n", "base/a.yaml": two,
				"one/kustomization.yaml": "resources: [../base]\nnamePrefix: one-\n", "two/kustomization.yaml": "resources: [../base]\nnamePrefix: two-\n",
				"top/kustomization.yaml": "resources: [../one, ../two]\nnamePrefix: top-\n",
			},
			want: map[string]string{"kustomization.yaml": "name: one-web\n"},
		},
		"NameIsAnAlias": {
			reason: "kustomize expands aliases before it looks for the object",
			files: map[string]string{
				"top/kustomization.yaml": "resources: [a.yaml]\nnamePrefix: my-\n", "top/a.yaml": strings.Replace(two, "name: web", "labels: {n: &n web}, name: *n", 1),
			},
			want: map[string]string{"kustomization.yaml": "name: web\n", "goldenarch-patch-2.yaml": "name: web\n"},
		},
		"PrefixAndSeveralObjects": {
			reason: "the object with the longest part of the name is the source",
			files: map[string]string{
				"top/kustomization.yaml": "resources: [a.yaml, b.yaml]\nnamePrefix: my-\n", "top/a.yaml": two,
				"top/b.yaml": strings.Replace(two, "web}", "web.x}", 1),
			},
			want: map[string]string{"kustomization.yaml": `name: web\.x` + "\n", "goldenarch-patch-4.yaml": "name: web.x\n"},
		},
		"DirectoryWithTheNameOfAKustomization": {
			reason: "kustomize reads files only",
			files:  map[string]string{"top/kustomization.yaml": "resources: [a.yaml]\n", "top/Kustomization/x.yaml": "", "top/a.yaml": two},
			want:   map[string]string{"kustomization.yaml": "- path: goldenarch-patch.yaml\n"},
		},
		"OtherLetters": {
			reason: "kustomize reads fields in any letters, and the list that is there gets the patch",
			files: map[string]string{
				"top/kustomization.yaml": "resources: [a.yaml]\nPatches:\n- path: mine.yaml\n",
				"top/mine.yaml":          "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web, labels: {a: b}}\n",
				"top/a.yaml":             two,
			},
			want: map[string]string{"kustomization.yaml": "Patches:\n- path: mine.yaml\n- path: goldenarch-patch-2.yaml\n"},
		},
		"OldFormat": {
			reason: "a patch that an earlier goldenarch wrote is replaced, and its entry stays",
			files: map[string]string{
				"top/kustomization.yaml":    "resources: [a.yaml]\npatches:\n- path: goldenarch-patch.yaml # ours\n  target: {kind: Deployment}\n",
				"top/a.yaml":                two,
				"top/goldenarch-patch.yaml": patchHead + "- op: replace\n  path: /spec\n  value: {}\n",
			},
			want: map[string]string{
				"kustomization.yaml":    "# ours\n  target: {kind: Deployment}\n",
				"goldenarch-patch.yaml": "- op: test\n", "goldenarch-patch-2.yaml": "kind: Deployment\n",
			},
		},
		"TargetOfTwo": {
			reason: "a target that selects another object, too, is written again",
			files: map[string]string{
				"top/kustomization.yaml": "resources: [a.yaml, b.yaml]\npatches:\n- path: goldenarch-patch.yaml # ours\n  target: {kind: Deployment}\n",
				"top/a.yaml":             two, "top/b.yaml": strings.Replace(two, "web}", "other}", 1),
			},
			want: map[string]string{"kustomization.yaml": "# ours\n  target: {group: apps, kind: Deployment, name: other}\n"},
		},
		"TargetWithLabels": {
			reason: "and so is one with a selector of labels, which may be for nothing",
			files: map[string]string{
				"top/kustomization.yaml": "resources: [a.yaml]\npatches:\n- path: goldenarch-patch.yaml\n  target: {kind: Deployment, labelSelector: env=lab}\n",
				"top/a.yaml":             strings.Replace(two, "name: web", "name: web, labels: {env: prod}, annotations: {x: y}", 1),
			},
			want: map[string]string{"kustomization.yaml": "  target:\n    group: apps\n    kind: Deployment\n    name: web\n"},
		},
		"Leftovers": {
			reason: "files of ours that are not needed any more are removed with their entries, and others stay",
			files: map[string]string{
				"top/kustomization.yaml":      "resources: [a.yaml]\npatches:\n- path: goldenarch-patch-7.yaml\n  target: {kind: Deployment}\n- path: mine.yaml\n",
				"top/mine.yaml":               "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web, labels: {a: b}}\n",
				"top/a.yaml":                  two,
				"top/goldenarch-patch-7.yaml": patchHead + "[]\n",
				"top/goldenarch-patch-8.yaml": "# a file of a person\n",
			},
			want: map[string]string{"kustomization.yaml": "- path: mine.yaml\n", "goldenarch-patch-8.yaml": "of a person"},
			gone: []string{"goldenarch-patch-7.yaml"},
		},
		"EmptyFields": {
			reason: "kustomize leaves out an empty field where it merges, so a JSON patch alone gives what was decided",
			files: map[string]string{
				"top/kustomization.yaml": "resources: [a.yaml]\n", "top/a.yaml": strings.Replace(two, "{name: web}", "{name: web, annotations: {a: b}}", 1) + "status:\n",
			},
			edit: record,
			want: map[string]string{"goldenarch-patch.yaml": "- op: test\n  path: /metadata/annotations/goldenarch.dev~1node-affinity\n  value: null\n"},
			gone: []string{"goldenarch-patch-2.yaml"},
		},
		"EmptyFieldsAndNoAnnotations": {
			reason: "kustomize has annotations of its own where it applies the patch, so a test of all annotations would fail",
			files:  map[string]string{"top/kustomization.yaml": "resources: [a.yaml]\n", "top/a.yaml": two + "status:\n"},
			edit:   record,
			want:   map[string]string{"goldenarch-patch.yaml": "  path: /metadata/annotations/goldenarch.dev~1node-affinity\n  value: null\n"},
			gone:   []string{"goldenarch-patch-2.yaml"},
		},
		"OneOfTwoObjects": {
			reason: "the object without empty fields keeps its merge patch",
			files: map[string]string{
				"top/kustomization.yaml": "resources: [a.yaml, b.yaml]\n", "top/a.yaml": two, "top/b.yaml": strings.Replace(two, "web}", "other}", 1) + "status:\n",
			},
			want: map[string]string{
				"goldenarch-patch.yaml":   "  path: /metadata/annotations/goldenarch.dev~1node-affinity\n",
				"goldenarch-patch-3.yaml": "  annotations:\n    goldenarch.dev/node-affinity: amd64\n  name: web\n",
			},
			gone: []string{"goldenarch-patch-4.yaml"},
		},
		"PortsOfOneNumber": {
			reason: "a merge patch joins the ports, and a JSON patch does not",
			files: map[string]string{
				"top/kustomization.yaml": "resources: [a.yaml]\n",
				"top/a.yaml":             strings.Replace(two, "image: b", "image: b, ports: ["+ports+"]", 1),
			},
			want: map[string]string{"goldenarch-patch.yaml": "  path: /spec/template/spec/affinity\n"}, gone: []string{"goldenarch-patch-2.yaml"},
		},
		"KeyIsRemoved": {
			reason: "a JSON patch removes, and fails where the value is another one",
			files: map[string]string{
				"top/kustomization.yaml": "resources: [a.yaml]\n",
				"top/a.yaml":             strings.Replace(two, "{name: web}", "{name: web, labels: {a: b, c: d}, annotations: {e: f, g: h}}", 1),
			},
			edit: func(o tree) {
				decided(o)
				o["metadata"].(tree)["labels"] = tree{"a": "b"}
				o["metadata"].(tree)["annotations"] = tree{"e": "f"}
			},
			want: map[string]string{
				"goldenarch-patch.yaml": "- op: test\n  path: /metadata/annotations/g\n  value: h\n- op: remove\n  path: /metadata/annotations/g\n" +
					"- op: test\n  path: /metadata/labels/c\n  value: d\n- op: remove\n  path: /metadata/labels/c\n",
			},
		},
		"ValueChanges": {
			reason: "a merge patch sets a value in the place of another",
			files: map[string]string{
				"top/kustomization.yaml": "resources: [a.yaml]\n", "top/a.yaml": patchedCR + "  featureGates: {enableMultiArchBootImageImport: false}\n",
			},
			want: map[string]string{"goldenarch-patch-2.yaml": "  featureGates:\n    enableMultiArchBootImageImport: true\n"},
		},
		"ListGrows": {
			reason: "another list of names is tested and replaced as a whole",
			files:  map[string]string{"top/kustomization.yaml": "resources: [a.yaml]\n", "top/a.yaml": patchedCR},
			edit: func(o tree) {
				spec := o["spec"].(tree)
				spec["dataImportCronTemplates"] = append(spec["dataImportCronTemplates"].([]any), tree{"metadata": tree{"name": "c"}})
			},
			want: map[string]string{"goldenarch-patch.yaml": "- op: replace\n  path: /spec/dataImportCronTemplates\n"},
			gone: []string{"goldenarch-patch-2.yaml"},
		},
		"LastKeyIsRemoved": {
			reason: "there are no annotations and labels left",
			files: map[string]string{
				"top/kustomization.yaml": "resources: [a.yaml]\n",
				"top/a.yaml":             strings.Replace(two, "{name: web}", "{name: web, labels: {c: d}, annotations: {g: h}}", 1),
			},
			edit: func(o tree) {
				delete(o["metadata"].(tree), "labels")
				delete(o["metadata"].(tree), "annotations")
			},
			want: map[string]string{
				"goldenarch-patch.yaml": "- op: test\n  path: /metadata/annotations/g\n  value: h\n- op: remove\n  path: /metadata/annotations/g\n" +
					"- op: test\n  path: /metadata/labels\n  value:\n    c: d\n- op: remove\n  path: /metadata/labels\n",
			},
			gone: []string{"goldenarch-patch-2.yaml"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := written(t, tc.files)
			if tc.edit == nil {
				tc.edit = decided
			}
			for range 2 {
				if err := decide(t, dir, tc.edit); err != nil {
					t.Fatalf("%s: %v", tc.reason, err)
				}
			}
			for file, part := range tc.want {
				if got := string(readText(filepath.Join(dir, file))); !strings.Contains(got, part) {
					t.Errorf("%s: %s has no %q:\n%s", tc.reason, file, part, got)
				}
			}
			for _, file := range tc.gone {
				if _, err := os.Stat(filepath.Join(dir, file)); !errors.Is(err, os.ErrNotExist) {
					t.Errorf("%s: %s is left", tc.reason, file)
				}
			}
			if err := decide(t, dir, func(tree) {}); err != nil {
				t.Fatal(err)
			}
			if HasPatch(dir) || strings.Contains(string(readText(filepath.Join(dir, "kustomization.yaml"))), "goldenarch") {
				t.Errorf("%s: without a decision something of ours is left", tc.reason)
			}
		})
	}
}

// TestPatchOfAnotherAuthor: a file with the name of our patch is not replaced.
func TestPatchOfAnotherAuthor(t *testing.T) {
	t.Parallel()
	for name, files := range map[string]map[string]string{
		"Listed": {"top/kustomization.yaml": "resources: [a.yaml]\npatches:\n- path: goldenarch-patch.yaml\n  target: {kind: Deployment}\n"},
		"Beside": {"top/kustomization.yaml": "resources: [a.yaml]\n"},
	} {
		files["top/a.yaml"], files["top/goldenarch-patch.yaml"] = patchedPods, "- {op: add, path: /metadata/labels, value: {}}\n"
		if err := decide(t, written(t, files), decided); !errors.Is(err, errOthers) {
			t.Errorf("%s: got %v, want %v", name, err, errOthers)
		}
	}
}
