package kustomization

import (
	"strings"
	"testing"
)

// planted stands where a password may stand.
const planted = "hunter2-and-a-half"

// TestNothingOfTheFilesInErrors: kustomize prints what it cannot use.
func TestNothingOfTheFilesInErrors(t *testing.T) {
	t.Parallel()
	const configMap = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c, annotations: {a: " + planted + "}}\ndata: {a: " + planted + "}\n"
	const inlineSecret = "  apiVersion: v1\n  kind: Secret\n  metadata: {name: x}\n  stringData: {p: PLANTED"
	deeper := "    " + strings.ReplaceAll(strings.TrimSpace(inlineSecret), "\n", "\n  ")
	const plugin = "- |\n  apiVersion: builtin\n  kind: "
	for name, tc := range map[string]struct {
		kustomization, file string // x.yaml
		want                string // part of the error
	}{
		"Literal":             {kustomization: "secretGenerator: [{name: s, literals: [PLANTED]}]", want: "a literal is not of the form key=value"},
		"LiteralNoKey":        {kustomization: "configMapGenerator: [{name: s, literals: ['=PLANTED', 'b=PLANTED']}]", want: "a literal is not of the form"},
		"LiteralShort":        {kustomization: "secretGenerator: [{name: s, literals: [P]}]", want: "a literal is not of the form"},
		"LiteralBrackets":     {kustomization: "secretGenerator: [{name: s, literals: ['PLANTED]: PLANTED']}]", want: "literal sources"},
		"LiteralTwice":        {kustomization: "secretGenerator: [{name: s, literals: [a=PLANTED, a=PLANTED]}]", want: "illegally repeats the key"},
		"LiteralYAML":         {kustomization: "secretGenerator: [{name: s, literals: ['a=PLANTED]}]", want: "invalid Kustomization"},
		"LiteralAlias":        {kustomization: "secretGenerator: [{name: s, literals: [*PLANTED]}]", want: "an alias has no anchor"},
		"GeneratorTwice":      {kustomization: "secretGenerator: [{name: s, literals: [a=PLANTED]}, {name: s, literals: [b=PLANTED]}]", want: `merging from a generator: Secret "s" exists`},
		"GeneratorMerges":     {kustomization: "secretGenerator: [{name: s, behavior: merge, literals: [a=PLANTED]}]", want: `Secret "s" does not exist`},
		"GeneratorType":       {kustomization: "secretGenerator: PLANTED", want: "cannot unmarshal string"},
		"EnvUTF8":             {kustomization: "secretGenerator: [{name: s, envs: [x.yaml]}]", file: "a=PLANTED\xff\n", want: "a line is not UTF-8"},
		"EnvTwice":            {kustomization: "secretGenerator: [{name: s, envs: [x.yaml]}]", file: "a=PLANTED\na=PLANTED-2\n", want: "illegally repeats"},
		"Patch":               {kustomization: "patches:\n- patch: |-\n" + deeper + ": [}", want: "unable to parse SM or JSON patch from (inline content)"},
		"PatchNoTarget":       {kustomization: "patches:\n- patch: |-\n" + deeper + "}", want: "no resource matches strategic merge patch"},
		"PatchWord":           {kustomization: "patches: [{patch: PLANTED}]", want: "unable to parse"},
		"PatchAndPath":        {kustomization: "patches: [{patch: '{PLANTED: PLANTED}', path: x.yaml}]", file: "a: b", want: "patch and path"},
		"PatchUntargeted":     {kustomization: "patches: [{patch: '[{\"op\": \"add\", \"path\": \"/data/b\", \"value\": \"PLANTED\"}]'}]", want: "must specify a target for JSON patch"},
		"PatchFile":           {kustomization: "patches: [{path: x.yaml}]", file: "PLANTED: {", want: "x.yaml"},
		"StrategicMerge":      {kustomization: "patchesStrategicMerge:\n- |-\n" + inlineSecret + ": [}", want: "no YAML, and no file"},
		"StrategicMergePath":  {kustomization: "patchesStrategicMerge:\n- |-\n" + inlineSecret + "//x/../: [}", want: "no YAML, and no file"},
		"JSON6902":            {kustomization: "patchesJson6902: [{target: {version: v1, kind: ConfigMap, name: c}, patch: '[{op: add, path: /data/a, value: PLANTED]'}]", want: "decoding (inline content)"},
		"JSON6902NoTarget":    {kustomization: "patchesJson6902: [{patch: '[{\"op\": \"add\", \"path\": \"/data/a\", \"value\": \"PLANTED\"}]'}]", want: "kustomize's library crashes"},
		"Replacement":         {kustomization: "replacements: [{sourceValue: PLANTED, targets: [{select: {kind: ConfigMap}, fieldPaths: [data.b.c]}]}]", want: `unable to find field "data.b.c"`},
		"ReplacementIndex":    {kustomization: "replacements: [{source: {kind: ConfigMap, fieldPath: data.a, options: {delimiter: '-', index: 9}}, targets: [{select: {kind: ConfigMap}, fieldPaths: [data.a]}]}]", want: "options.index 9 is out of bounds"},
		"ReplacementInline":   {kustomization: "transformers:\n" + plugin + "ReplacementTransformer\n  metadata: {name: r}\n  replacements: [{sourceValue: PLANTED}]\n", want: "replacements must specify"},
		"Annotations":         {kustomization: "commonAnnotations: {a: [PLANTED]}", want: "cannot unmarshal array"},
		"Labels":              {kustomization: "labels: [{pairs: {a: PLANTED}, includeSelectors: PLANTED}]", want: "cannot unmarshal string"},
		"HelmValues":          {kustomization: "helmCharts: [{name: a, valuesInline: {a: PLANTED}}]", want: "--enable-helm"},
		"Vars":                {kustomization: "vars: [{name: V, objref: {kind: ConfigMap, name: none, apiVersion: v1}, fieldref: {fieldpath: data.a}}]", want: "var"},
		"Generator":           {kustomization: "generators:\n" + plugin + "SecretGenerator\n  metadata: {name: p}\n  literals: [PLANTED]\n", want: "a literal is not of the form"},
		"GeneratorNoYAML":     {kustomization: "generators:\n" + plugin + "SecretGenerator\n  metadata: {name: p}\n  literals: [PLANTED: [}\n", want: "no YAML, and no file"},
		"GeneratorRemote":     {kustomization: "generators:\n" + plugin + "SecretGenerator\n  metadata: {name: p}\n  literals: [a=PLANTED]\n  files: [b=https://example.com/x]\n", want: `names "b=https://example.com/x"`},
		"Transformer":         {kustomization: "transformers:\n" + plugin + "PatchTransformer\n  metadata: {name: p}\n  foo: PLANTED\n  target: {kind: ConfigMap}\n", want: "must specify one of patch and path"},
		"TransformerJSON":     {kustomization: `transformers: ['{"apiVersion": "builtin", "kind": "PatchTransformer", "metadata": {"name": "p"}, "patch": "PLANTED"}']`, want: "unable to parse SM or JSON patch"},
		"TransformerTwoKinds": {kustomization: "transformers:\n- |\n  apiVersion: goldenarch.dev/v1alpha1\n  kind: GoldenImages\n  metadata: {name: p}\n  ---\n" + inlineSecret + "}\n", want: "list them apart"},
		"OtherFunction":       {kustomization: "transformers:\n- |\n  apiVersion: example.com/v1\n  kind: Foo\n  metadata: {name: p}\n  stringData: {a: PLANTED}\n", want: "Foo"},
		"Validator":           {kustomization: "validators:\n" + plugin + "AnnotationsTransformer\n  metadata: {name: p}\n  annotations: {b: PLANTED}\n  fieldSpecs: [{path: metadata/annotations, create: true}]\n", want: "validator"},
		"Component":           {kustomization: "components: [../c]", want: "accumulateDirectory"},
		"Base":                {kustomization: "resources: [../b]", want: "unable to parse SM or JSON patch"},
		"Resource":            {kustomization: "resources: [x.yaml]", file: configMap + "stringData: {a: PLANTED: [}", want: "x.yaml"},
		"ResourceTwice":       {kustomization: "resources: [x.yaml]", file: configMap, want: "already registered id"},
		"ResourceAlias":       {kustomization: "resources: [x.yaml]", file: "a: *PLANTED", want: "x.yaml"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			fill := func(text string) string { return strings.ReplaceAll(text, "PLANTED", planted) }
			k := fill(tc.kustomization)
			if !strings.Contains(k, "resources:") {
				k += "\nresources: [cm.yaml]\n"
			} else {
				k = strings.Replace(k, "resources: [", "resources: [cm.yaml, ", 1)
			}
			broken := "patches:\n- patch: |-\n" + fill(deeper) + ": \"[}\n"
			_, err := Build(written(t, map[string]string{
				"top/kustomization.yaml": k, "top/cm.yaml": configMap, "top/x.yaml": fill(tc.file),
				"c/kustomization.yaml": "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\n" + broken,
				"b/kustomization.yaml": "resources: [cm.yaml]\n" + broken, "b/cm.yaml": strings.ReplaceAll(configMap, "name: c", "name: d"),
			}))
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Fatalf("want an error that says %q, got %v", tc.want, err)
			}
			text := err.Error()
			if strings.Contains(text, planted) || strings.Contains(text, planted[:7]) || strings.Contains(text, "0x") || len(text) > 1200 {
				t.Errorf("the error must be short and without content and addresses:\n%s", text)
			}
		})
	}
}

// TestInlineWithAnURL: a value that is a URL fetches nothing.
func TestInlineWithAnURL(t *testing.T) {
	t.Parallel()
	top := written(t, map[string]string{"top/kustomization.yaml": "generators:\n- |\n  apiVersion: builtin\n  kind: ConfigMapGenerator\n  metadata: {name: p}\n  literals: [a=https://example.com]\n"})
	if built, err := Build(top); err != nil || len(built.Items) != 1 {
		t.Errorf("want a ConfigMap, got %d items and %v", len(built.Items), err)
	}
}
