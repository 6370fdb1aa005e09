package edit

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/files"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/kustomize"
	"github.com/goldenarch/goldenarch/internal/manifest/object"
)

// TestFragmentsOfOneOfMany: to locate a finding, a session looks at the fragments of its
// object alone, however many objects and patches the build has.
func TestFragmentsOfOneOfMany(t *testing.T) {
	t.Parallel()
	const objects = 40
	const (
		form   = "- patch: |-\n    apiVersion: apps/v1\n    kind: Deployment\n    metadata: {name: app-%d}\n    spec: {replicas: 2}\n"
		target = "- target: {kind: Deployment, name: app-%d}\n  patch: '[{\"op\": \"add\", \"path\": \"/spec/replicas\", \"value\": 2}]'\n"
	)
	for _, tc := range []struct{ reason, more, patch string }{
		{"a patch in the form of each object", "", form},
		{"a patch with a target for each object", "", target},
		{"a prefix and a suffix", "namePrefix: a-\nnameSuffix: -z\n", target},
	} {
		var apps, patches strings.Builder
		for i := range objects {
			fmt.Fprintf(&apps, "---\napiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: app-%d\nspec:\n  paused: true\n", i)
			fmt.Fprintf(&patches, tc.patch, i)
		}
		top := written(t, map[string]string{
			"top/kustomization.yaml": "resources: [apps.yaml]\n" + tc.more + "patches:\n" + patches.String(), "top/apps.yaml": apps.String(),
		})
		built, err := buildDir(top)
		if err != nil {
			t.Fatalf("%s: %v", tc.reason, err)
		}
		s := &Session{}
		var found finding.List
		for _, item := range built.Items {
			found = append(found, finding.Finding{Object: object.New(item).At, Field: "spec.paused"})
		}
		found = s.Located([]kustomize.Built{built}, found)
		root, err := files.Real(top)
		if err != nil {
			t.Fatal(err)
		}
		all := fragmentsOf(s, top, root)
		for _, item := range built.Items {
			if got := len(all.relevant(item)); got != 2 {
				t.Errorf("%s: %s has %d fragments, want its object and its patch", tc.reason, item.GetName(), got)
			}
		}
		lines := strings.Split(apps.String(), "\n")
		for i, f := range found {
			if name := "  name: " + strings.TrimSuffix(strings.TrimPrefix(built.Items[i].GetName(), "a-"), "-z"); f.Line < 3 || lines[f.Line-3] != name {
				t.Errorf("%s: want the line below %q, got %d of %s", tc.reason, name, f.Line, f.PlaceFile())
			}
		}
	}
}

// TestFragmentsKeepPrecedence: patches that are for an object in several ways keep their
// order, the last of the kustomization first.
func TestFragmentsKeepPrecedence(t *testing.T) {
	t.Parallel()
	item := yaml.MustParse("apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: app}\n")
	patch := "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: app}\nspec: {replicas: 1}\n"
	top := written(t, map[string]string{
		"top/kustomization.yaml": "resources: [app.yaml]\npatches:\n- {path: a.yaml}\n- {path: b.yaml, target: {name: app}}\n" +
			"- {path: c.yaml, target: {name: a.*}}\n- {path: d.yaml}\n- {path: e.yaml, target: {name: other}}\n",
		"top/app.yaml": patch, "top/a.yaml": patch, "top/b.yaml": patch, "top/c.yaml": patch, "top/d.yaml": patch, "top/e.yaml": patch,
	})
	root, err := files.Real(top)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, x := range fragmentsOf(&Session{}, "top", root).relevant(item) {
		got = append(got, strings.TrimPrefix(x.path, root+"/"))
	}
	if want := []string{"d.yaml", "c.yaml", "b.yaml", "a.yaml", "app.yaml"}; !slices.Equal(got, want) {
		t.Errorf("want %q, got %q", want, got)
	}
}

// TestPatchTargetsAreLinear: to know how patches name the objects of a build, goldenarch
// reads each file once, however many objects there are.
func TestPatchTargetsAreLinear(t *testing.T) {
	allocations := func(objects int) float64 {
		var apps strings.Builder
		for i := range objects {
			fmt.Fprintf(&apps, "---\napiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: app-%d\nspec:\n  paused: true\n", i)
		}
		top := written(t, map[string]string{
			"base/kustomization.yaml": "resources: [apps.yaml]\nnamePrefix: a-\n", "base/apps.yaml": apps.String(),
			"top/kustomization.yaml": "resources: [../base]\nnameSuffix: -z\n",
		})
		built, err := buildDir(top)
		if err != nil {
			t.Fatal(err)
		}
		targets, err := patchTargetsOf(built)
		if err != nil {
			t.Fatal(err)
		}
		for _, item := range built.Items {
			of, want := targets.of[item].target, strings.TrimSuffix(strings.TrimPrefix(item.GetName(), "a-"), "-z")
			if of.Name != want || !slices.Equal(targets.selected(of), []*yaml.RNode{item}) {
				t.Fatalf("the target of %s is %v, want %s alone", item.GetName(), of, want)
			}
		}
		return testing.AllocsPerRun(1, func() {
			if _, err := patchTargetsOf(built); err != nil {
				t.Fatal(err)
			}
		})
	}
	if few, many := allocations(100), allocations(200); many > 2.5*few {
		t.Errorf("100 objects take %.0f allocations, 200 take %.0f, want at most 2.5 times as many", few, many)
	}
}
