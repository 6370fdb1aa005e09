//go:build unix

package hostile

import (
	"fmt"
	"maps"
	"path/filepath"
	"strings"
	"testing"

	"github.com/goldenarch/goldenarch/test/filetest"
)

// stacked is layers of which each builds the one below it twice, with kustomizations
// of a form.
func stacked(layers int, upper, lower string) map[string]string {
	files := map[string]string{"top/hco.yaml": hco, fmt.Sprintf("l%d/hco.yaml", layers): hco}
	for i := range layers {
		files[fmt.Sprintf("l%d/kustomization.yaml", i)] = fmt.Sprintf(upper, i)
		for _, side := range []string{"a", "b"} {
			files[fmt.Sprintf("%s%d/kustomization.yaml", side, i)] = fmt.Sprintf(lower, i+1, side)
		}
	}
	return files
}

// doubled is a kustomization whose replacements copy a field into itself, or
// between two fields.
func doubled(times int, form string) map[string]string {
	text := "resources: [hco.yaml, m.yaml]\nreplacements:\n"
	for i := range times {
		for half := range 2 {
			from, to := "ab"[i%2], "ab"[(i+1)%2]
			text += fmt.Sprintf(form, string(from), string(to), half, fmt.Sprint("k", i, "of", half))
		}
	}
	return map[string]string{
		"top/kustomization.yaml": text, "top/hco.yaml": hco,
		"top/m.yaml": "apiVersion: v1\nkind: Thing\nmetadata: {name: m}\nspec: {a: 'x-x', b: 'y-y', c: {d: e}}\n",
	}
}

// moved is a kustomization whose replacements stand somewhere else: in a file, or in
// a transformer, which may be in a List.
func moved(files map[string]string, to string) map[string]string {
	resources, list, _ := strings.Cut(files["top/kustomization.yaml"], "replacements:\n")
	transformer := "apiVersion: builtin\nkind: ReplacementTransformer\nmetadata: {name: r}\nreplacements:\n" + list
	switch to {
	case "path":
		files["top/r.yaml"], resources = list, resources+"replacements: [{path: r.yaml}]\n"
	case "transformer":
		files["top/r.yaml"], resources = transformer, resources+"transformers: [r.yaml]\n"
	case "list":
		files["top/r.yaml"] = "apiVersion: v1\nkind: List\nitems:\n- " + strings.ReplaceAll(strings.TrimSuffix(transformer, "\n"), "\n", "\n  ") + "\n"
		resources += "transformers: [r.yaml]\n"
	}
	files["top/kustomization.yaml"] = resources
	return files
}

// spread is the same with each replacement in a component of its own.
func spread(times int, form string) map[string]string {
	files := doubled(times, form)
	resources, list, _ := strings.Cut(files["top/kustomization.yaml"], "replacements:\n")
	resources += "components:\n"
	for i, one := range strings.SplitAfter(strings.TrimPrefix(list, "- source"), "\n- source") {
		files[fmt.Sprintf("c%d/kustomization.yaml", i)] = "kind: Component\nreplacements:\n- source" + strings.TrimSuffix(one, "- source")
		resources += fmt.Sprintf("- ../c%d\n", i)
	}
	files["top/kustomization.yaml"] = resources
	return files
}

// multiplied is a field that has a variable many times, and a long text for it.
func multiplied(times, length int) map[string]string {
	return map[string]string{
		"top/kustomization.yaml": `resources: [hco.yaml, m.yaml]
configurations: [c.yaml]
vars:
- {name: A, objref: {apiVersion: v1, kind: Thing, name: m}, fieldref: {fieldpath: spec.a}}
`,
		"top/c.yaml": "varReference: [{kind: Thing, path: spec/b}]\n", "top/hco.yaml": hco,
		"top/m.yaml": "apiVersion: v1\nkind: Thing\nmetadata: {name: m}\nspec:\n  a: " + strings.Repeat("x", length) + "\n  b: " +
			strings.Repeat("$(A)", times) + "\n",
	}
}

func with(files map[string]string, more map[string]string) map[string]string {
	maps.Copy(files, more)
	return files
}

// TestBuilds: what a build multiplies without any file that is large ends in an
// error, in time, and never in a crash for want of memory.
func TestBuilds(t *testing.T) {
	t.Parallel()
	const (
		texts = `- source: {kind: Thing, fieldPath: spec.%[1]s}
  targets: [{select: {kind: Thing}, fieldPaths: [spec.%[2]s], options: {delimiter: '-', index: %[3]d}}]
`
		trees = "- source: {kind: Thing, fieldPath: spec}\n  targets: [{select: {kind: Thing}, fieldPaths: [spec.%[4]s], options: {create: true}}]\n"
		again = "repeats directories more than 500 times"
		grows = "the build needs more than 192 MiB of memory"
	)
	copies := "resources: [hco.yaml]\npatches:\n"
	for i := range 40 {
		copies += fmt.Sprintf("- {target: {kind: HyperConverged}, patch: '[{\"op\": \"copy\", \"from\": \"/spec\", \"path\": \"/spec/c%d\"}]'}\n", i)
	}
	// The texts "&a" and "*a" come to stand in one patch.
	assembled := map[string]string{
		"top/kustomization.yaml": "resources: [hco.yaml]\ntransformers: [../t]\n", "top/hco.yaml": hco,
		"t/kustomization.yaml": "resources: [patch.yaml]\nreplacements:\n" +
			"- source: {kind: PatchTransformer, fieldPath: metadata.annotations.one}\n  targets: " +
			"[{select: {kind: PatchTransformer}, fieldPaths: [patch], options: {delimiter: ' ', index: 1}}]\n" +
			"- source: {kind: PatchTransformer, fieldPath: metadata.annotations.two}\n  targets: " +
			"[{select: {kind: PatchTransformer}, fieldPaths: [patch], options: {delimiter: ' ', index: 3}}]\n",
		"t/patch.yaml": "apiVersion: builtin\nkind: PatchTransformer\nmetadata: {name: p, annotations: {one: '&a', two: '*a'}}\ntarget: {kind: HyperConverged}\n" +
			"patch: '{apiVersion: X {b: Y }, kind: HyperConverged, metadata: {name: kubevirt-hyperconverged}}'\n",
	}
	for name, tc := range map[string]struct {
		files map[string]string
		says  string
	}{
		"BasesStacked": {
			files: with(stacked(20, "resources: [../a%[1]d, ../b%[1]d]\n", "resources: [../l%[1]d]\nnamePrefix: %[2]s-\n"),
				map[string]string{"l20/kustomization.yaml": "resources: [hco.yaml]\n", "top/kustomization.yaml": "resources: [../l0]\n"}),
			says: again,
		},
		"ComponentsStacked": {
			files: with(stacked(20, "kind: Component\ncomponents: [../a%[1]d, ../b%[1]d]\n", "kind: Component\ncomponents: [../l%[1]d]\n# %[2]s\n"),
				map[string]string{
					"l20/kustomization.yaml": "kind: Component\ncommonAnnotations: {a: b}\n",
					"top/kustomization.yaml": "resources: [hco.yaml]\ncomponents: [../l0]\n",
				}),
			says: again,
		},
		"TextsDoubled": {doubled(30, texts), grows},
		"TreesDoubled": {doubled(30, trees), grows},
		"PatchesDouble": {
			files: map[string]string{
				"top/hco.yaml":           strings.Replace(hco, "spec: {}", "spec: {x: {y: "+strings.Repeat("z", 1000)+"}}", 1),
				"top/kustomization.yaml": copies,
			},
			says: "exceeding the limit",
		},
		"PathsDouble":        {moved(doubled(30, texts), "path"), grows},
		"TransformerDoubles": {moved(doubled(30, texts), "transformer"), grows},
		"ListDoubles":        {moved(doubled(30, texts), "list"), grows},
		"ComponentsDouble":   {spread(30, texts), grows},
		"VarsMultiply":       {multiplied(20_000, 50_000), grows},
		"BombAssembled":      {assembled, "anchor contains itself"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(filetest.New(t, tc.files), "top")
			got := Run(t, []string{"render", dir}, "", Limits{})
			if got.Status != 1 || !strings.Contains(got.Stderr, tc.says) || got.Stdout != "" {
				t.Errorf("want status 1 and %q, got %d and\n%.1000s", tc.says, got.Status, got.Stderr)
			}
		})
	}
}
