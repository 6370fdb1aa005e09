package kustomization

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// localInBase64 is the name of the annotation of local configuration.
const localInBase64 = "Y29uZmlnLmt1YmVybmV0ZXMuaW8vbG9jYWwtY29uZmln"

// drawnObject returns an object with a name, which may refer to others.
func drawnObject(r *rand.Rand, name string, other func() string) string {
	namespace := [...]string{"", ", namespace: shop", ", namespace: default", ", namespace: other"}[r.IntN(4)]
	object := func(kind, rest string) string {
		return fmt.Sprintf("apiVersion: %s\nmetadata: {name: %s%s}\n%s", kind, name, namespace, rest)
	}
	switch r.IntN(12) {
	case 0, 1, 2:
		return object("apps/v1\nkind: Deployment", fmt.Sprintf("spec:\n  selector: {matchLabels: {app: %s}}\n"+
			"  template:\n    metadata: {labels: {app: shop}}\n    spec:\n      serviceAccountName: %s\n      containers:\n"+
			"      - {name: app, image: 'registry.example.com/app:1', envFrom: [{configMapRef: {name: %s}}]}\n",
			other(), other(), other()))
	case 3:
		return object("v1\nkind: Service", "spec:\n  selector: {app: shop}\n  ports: [{port: 80}]\n")
	case 4:
		return object("v1\nkind: ConfigMap", "data:\n  a: |\n    text\n")
	case 5:
		return "# before\n---\n# a comment\n" + object("v1\nkind: ConfigMap", "data:\n  a: |+\n    text\n\n  b: 'x\n\n    y'\n")
	case 6:
		return object("autoscaling/v2\nkind: HorizontalPodAutoscaler", "spec: {scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: "+other()+"}}\n")
	case 7:
		return object("admissionregistration.k8s.io/v1\nkind: ValidatingWebhookConfiguration",
			"webhooks:\n- name: w\n  clientConfig: {service: {name: "+other()+"}}\n")
	case 8:
		return object("rbac.authorization.k8s.io/v1\nkind: RoleBinding", "roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: "+other()+"}\n"+
			"subjects: [{kind: ServiceAccount, name: "+other()+"}, {kind: ServiceAccount, name: default}]\n")
	case 9:
		return object("v1\nkind: ServiceAccount", "")
	case 10:
		return object("rbac.authorization.k8s.io/v1\nkind: Role", "rules: [{resources: [configmaps], resourceNames: ["+other()+"], verbs: [get]}]\n")
	default:
		spelled := [...]string{"config.kubernetes.io/local-config", `"config.kubernetes.io/local\u002dconfig"`, "!!binary " + localInBase64}[r.IntN(3)]
		return "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: " + name + ", annotations: {" + spelled + ": 'true'}}\n"
	}
}

// drawnTree writes a directory with a kustomization, and directories that it refers to.
func drawnTree(t *testing.T, r *rand.Rand, dir string) {
	t.Helper()
	number := 0
	other := func() string {
		if r.IntN(4) > 0 {
			return "none"
		}
		return fmt.Sprintf("n%d", r.IntN(number+3))
	}
	var makeDir func(dir string, depth int, component bool)
	makeDir = func(dir string, depth int, component bool) {
		var resources, components []string
		for i := range 1 + r.IntN(3) {
			var texts []string
			for range 1 + r.IntN(4) {
				number++
				texts = append(texts, drawnObject(r, fmt.Sprintf("n%d", number-r.IntN(25)/24), other))
			}
			name := fmt.Sprintf("f%d.yaml", i)
			write(t, dir, name, [...]string{"", "---\n", "\n"}[r.IntN(3)]+strings.Join(texts, [...]string{"---\n", "\n--- # next\n"}[r.IntN(2)]))
			resources = append(resources, name)
		}
		for i := range r.IntN(3) {
			if depth < 2 {
				makeDir(filepath.Join(dir, fmt.Sprintf("d%d", i)), depth+1, false)
				resources = append(resources, fmt.Sprintf("d%d", i))
			}
		}
		if depth == 0 && r.IntN(3) == 0 {
			makeDir(filepath.Join(dir, "c"), 2, true)
			components = append(components, "c")
		}
		r.Shuffle(len(resources), func(i, j int) { resources[i], resources[j] = resources[j], resources[i] })
		text := fmt.Sprintf("resources: [%s]\ncomponents: [%s]\n", strings.Join(resources, ", "), strings.Join(components, ", "))
		if component {
			text += "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\n"
		}
		for field, odds := range map[string]int{
			"namespace: all\n": 4, "labels: [{pairs: {a: b}, includeSelectors: true}]\n": 3, "commonAnnotations: {c: d}\n": 3,
			"images: [{name: registry.example.com/app, newTag: '2'}]\n": 3, "namePrefix: p-\n": 20, "sortOptions: {order: fifo}\n": 20,
			"transformers: ['{apiVersion: builtin, kind: PrefixTransformer, metadata: {name: p}, prefix: t-, fieldSpecs: [{path: metadata/name}]}']\n": 25,
			"transformers: ['{apiVersion: goldenarch.dev/v1alpha1, kind: GoldenImages, metadata: {name: g}}']\n":                                       26,
		} {
			if number%odds == 0 {
				text += field
			}
		}
		write(t, dir, "kustomization.yaml", text)
	}
	makeDir(dir, 0, false)
}

// TestPortions: what is built in portions is what one build gives, and a directory that does
// not build does so in neither way.
func TestPortions(t *testing.T) {
	t.Parallel()
	const trees = 40
	small := &Library{portions: portionLimits{least: 4, size: 3}}
	divided, inPortions := 0, 0
	for seed := range uint64(trees) {
		dir, err := filepath.EvalSymlinks(t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		drawnTree(t, rand.New(rand.NewPCG(seed, 0)), dir)
		var whole bool
		got, err := buildWith(func(r Request) (Result, error) {
			result, err := small.Build(t.Context(), r)
			switch {
			case r.Portion || r.Files != nil:
			case len(result.Portions) > 0:
				divided++
			default:
				whole = true
			}
			return result, err
		}, Request{Dir: dir})
		want, wrong := buildWith(func(r Request) (Result, error) { return small.Build(t.Context(), r) }, Request{Dir: dir, Whole: true})
		if fmt.Sprint(err) != fmt.Sprint(wrong) {
			t.Errorf("seed %d: want the error %v, got %v", seed, wrong, err)
		}
		if diff := cmp.Diff(shown(t, want), shown(t, got)); diff != "" {
			t.Errorf("seed %d: (-whole +portions):\n%s", seed, diff)
		}
		if err == nil && !whole {
			inPortions++
		}
	}
	t.Logf("%d of %d trees were divided, and %d built in portions", divided, trees, inPortions)
	if inPortions < trees/5 || inPortions == divided {
		t.Errorf("of %d trees %d were divided, and %d built in portions", trees, divided, inPortions)
	}
}

// shown returns what a build gives as text.
func shown(t *testing.T, b Built) []string {
	t.Helper()
	var out []string
	for _, item := range b.Items {
		out = append(out, item.MustString())
	}
	for _, f := range b.Found {
		out = append(out, f.Text)
	}
	for _, step := range b.Steps {
		out = append(out, step.Key)
	}
	for _, file := range b.Unlisted {
		out = append(out, file.File)
	}
	return out
}

// TestManyPortions: a large directory is built in portions, in the order of one build.
func TestManyPortions(t *testing.T) {
	t.Parallel()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	for i := range 3 * minInPortions {
		fmt.Fprintf(&text, "---\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: d%d, namespace: shop, labels: {app: own}}\n"+
			"spec: {template: {spec: {containers: [{name: app}]}}}\n", i)
	}
	text.WriteString("---\napiVersion: v1\nkind: Namespace\nmetadata: {name: shop}\n---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: own}\n")
	write(t, dir, "all.yaml", text.String())
	write(t, dir, "kustomization.yaml", "resources: [all.yaml]\ncommonLabels: {a: b}\n")
	var portions atomic.Int64
	built, err := buildWith(func(r Request) (Result, error) {
		if r.Portion {
			portions.Add(1)
		}
		return library.Build(t.Context(), r)
	}, Request{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	if n := portions.Load(); n != 3*minInPortions/portionSize+1 {
		t.Errorf("got %d portions", n)
	}
	if len(built.Found) != 1 {
		t.Errorf("want one finding about commonLabels, got %v", built.Found)
	}
	var names []string
	for _, item := range built.Items {
		names = append(names, item.GetName())
	}
	if names[0] != "shop" || names[1] != "own" || !slices.IsSorted(names[2:]) || len(names) != 3*minInPortions+2 {
		t.Errorf("want the order of kustomize, got %d objects: %q", len(names), names[:5])
	}
}

// TestFailedPortion: a portion that cannot be built leaves the directory to one build of the
// whole, and so do objects that kustomize does not sort.
func TestFailedPortion(t *testing.T) {
	t.Parallel()
	named := func(r Request) string { return slices.Collect(maps.Keys(r.Texts))[0] }
	for reason, build := range map[string]func(Request) ([]Object, error){
		"an error": func(Request) ([]Object, error) { return nil, errAbandoned },
		"no YAML":  func(Request) ([]Object, error) { return []Object{{Text: []byte("a: [")}}, nil },
		"one object in two": func(Request) ([]Object, error) {
			return []Object{{Text: []byte("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n")}}, nil
		},
		"no order": func(r Request) ([]Object, error) {
			return []Object{{Text: []byte("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: " + named(r) + "}\n")}}, nil
		},
	} {
		whole := 0
		built, err := buildWith(func(r Request) (Result, error) {
			switch {
			case r.Whole:
				whole++
				return Result{Objects: []Object{{Text: []byte(cr)}}}, nil
			case r.Files != nil:
				return Result{}, nil
			case !r.Portion:
				return Result{Portions: []map[string][]byte{{"one": nil}, {"two": nil}}}, nil
			}
			list, err := build(r)
			return Result{Objects: list}, err
		}, Request{})
		if err != nil || len(built.Items) != 1 || whole != 1 {
			t.Errorf("%s: want one build of the whole, got %d with %d objects: %v", reason, whole, len(built.Items), err)
		}
	}
}

// TestDocumentsOf: texts are divided as kustomize does, or not at all.
func TestDocumentsOf(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]string{
		"a: 1\n---\nb: 1\n":            {"a: 1\n", "b: 1\n"},
		"---\na: 1\n\n--- \nb: |+\n\n": {"---\na: 1\n\n", "b: |+\n\n"},
		"# a\n---\na: 1":               {"a: 1"},
		"a: 1\n--- b: 1\n":             nil,
		"a: 1\n--- # b\nb: 1":          {"a: 1\n", "b: 1"},
		"a: |\n  b\n---\n# end\n":      {"a: |\n  b\n"},
		"a: 1\n---\n\t\n":              {"a: 1\n", "\t\n"},
		"a: 1\n---\n# x\u2028a: 1\n":   nil,
		"a: 1\n---b\n":                 nil,
		"a: 1\r\n---\r\nb: 1\r\n":      nil,
		"%YAML 1.1\n---\na: 1\n":       nil,
		"a: 1\n...\n---\nb: 1\n":       nil,
	} {
		got, ok := documentsOf(text)
		if ok != (want != nil) || ok && !slices.Equal(got, want) {
			t.Errorf("%q: want %q, got %q, %t", text, want, got, ok)
		}
	}
}

// TestOnePortion: what makes objects depend on each other leaves a directory to one build.
func TestOnePortion(t *testing.T) {
	t.Parallel()
	const objects = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: b}\n"
	for reason, tc := range map[string]struct {
		top, base, more string
		portions        int
	}{
		"nothing":                {"resources: [base]\n", "resources: [m.yaml]\n", "", 2},
		"a namespace and labels": {"resources: [base]\nnamespace: all\n", "resources: [m.yaml]\nlabels: [{pairs: {a: b}}]\n", "", 2},
		"goldenarch at the end": {
			"resources: [base]\ntransformers: ['{apiVersion: goldenarch.dev/v1alpha1, kind: GoldenImages, metadata: {name: g}}']\n",
			"resources: [m.yaml]\n",
			"",
			2,
		},
		"a prefix": {"resources: [base]\n", "resources: [m.yaml]\nnamePrefix: p-\n", "", 0},
		"a patch":  {"resources: [base]\npatches: [{path: p.yaml}]\n", "resources: [m.yaml]\n", "", 0},
		"a transformer of a base": {
			"resources: [base]\n",
			"resources: [m.yaml]\ntransformers: ['{apiVersion: builtin, kind: PrefixTransformer, metadata: {name: p}, prefix: p-}']\n",
			"",
			0,
		},
		"an order":                  {"resources: [base]\nsortOptions: {order: fifo}\n", "resources: [m.yaml]\n", "", 0},
		"annotations of the origin": {"resources: [base]\nbuildMetadata: [originAnnotations]\n", "resources: [m.yaml]\n", "", 0},
		"a List":                    {"resources: [base]\n", "resources: [m.yaml]\n", "---\napiVersion: v1\nkind: List\nitems: []\n", 0},
		"an alias": {
			"resources: [base]\n",
			"resources: [m.yaml]\n",
			"---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: c, labels: {a: &a b}}\ndata: {a: *a}\n",
			0,
		},
		"a name as a value": {"resources: [base]\n", "resources: [m.yaml]\n", "data: {other: a}\n", 0},
		"a name as a label": {"resources: [base]\n", "resources: [m.yaml]\n", "spec: {selector: {matchLabels: {app: a}}}\n", 2},
	} {
		dir, err := filepath.EvalSymlinks(t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		write(t, dir, "kustomization.yaml", tc.top)
		write(t, filepath.Join(dir, "base"), "kustomization.yaml", tc.base)
		write(t, filepath.Join(dir, "base"), "m.yaml", objects+tc.more)
		files := newDisk()
		files.portions = portionLimits{2, 1}
		b, err := newBuild(files, dir)
		if err != nil {
			t.Fatal(err)
		}
		if got := len(b.portions()); got != tc.portions {
			t.Errorf("%s: want %d portions, got %d", reason, tc.portions, got)
		}
	}
}
