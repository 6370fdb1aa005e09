package kustomize

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
		"Literal":         {kustomization: "secretGenerator: [{name: s, literals: [PLANTED]}]", want: "expected key=value"},
		"LiteralNoKey":    {kustomization: "configMapGenerator: [{name: s, literals: ['=PLANTED', 'b=PLANTED']}]", want: "expected key=value"},
		"LiteralWord":     {kustomization: "configMapGenerator: [{name: s, literals: [PLANTED]}]", want: "expected key=value"},
		"LiteralShort":    {kustomization: "secretGenerator: [{name: s, literals: [P]}]", want: "expected key=value"},
		"LiteralBrackets": {kustomization: "secretGenerator: [{name: s, literals: ['PLANTED]: PLANTED']}]", want: "literal sources"},
		"LiteralTwice":    {kustomization: "secretGenerator: [{name: s, literals: [a=PLANTED, a=PLANTED]}]", want: "illegally repeats the key"},
		"LiteralYAML":     {kustomization: "secretGenerator: [{name: s, literals: ['a=PLANTED]}]", want: "invalid Kustomization"},
		"LiteralAlias":    {kustomization: "secretGenerator: [{name: s, literals: [*PLANTED]}]", want: "unknown anchor"},
		"GeneratorTwice": {
			kustomization: "secretGenerator: [{name: s, literals: [a=PLANTED]}, {name: s, literals: [b=PLANTED]}]",
			want:          "behavior must be merge or replace",
		},
		"GeneratorMerges": {kustomization: "secretGenerator: [{name: s, behavior: merge, literals: [a=PLANTED]}]", want: "does not exist"},
		"GeneratorType":   {kustomization: "secretGenerator: PLANTED", want: "cannot unmarshal string"},
		"EnvUTF8":         {kustomization: "secretGenerator: [{name: s, envs: [x.yaml]}]", file: "a=PLANTED\xff\n", want: "has invalid utf8 bytes"},
		"EnvTwice":        {kustomization: "secretGenerator: [{name: s, envs: [x.yaml]}]", file: "a=PLANTED\na=PLANTED-2\n", want: "illegally repeats"},
		"Patch":           {kustomization: "patches:\n- patch: |-\n" + deeper + ": [}", want: "unable to parse SM or JSON patch from"},
		"PatchNoTarget":   {kustomization: "patches:\n- patch: |-\n" + deeper + "}", want: "no resource matches strategic merge patch"},
		"PatchWord":       {kustomization: "patches: [{patch: PLANTED}]", want: "unable to parse"},
		"PatchAndPath":    {kustomization: "patches: [{patch: '{PLANTED: PLANTED}', path: x.yaml}]", file: "a: b", want: "patch and path"},
		"PatchUntargeted": {
			kustomization: "patches: [{patch: '[{\"op\": \"add\", \"path\": \"/data/b\", \"value\": \"PLANTED\"}]'}]",
			want:          "must specify a target for JSON patch",
		},
		"PatchFile":          {kustomization: "patches: [{path: x.yaml}]", file: "PLANTED: {", want: "x.yaml"},
		"StrategicMerge":     {kustomization: "patchesStrategicMerge:\n- |-\n" + inlineSecret + ": [}", want: "no such file or directory"},
		"StrategicMergePath": {kustomization: "patchesStrategicMerge:\n- |-\n" + inlineSecret + "//x/../: [}", want: "no such file or directory"},
		"JSON6902": {
			kustomization: "patchesJson6902: [{target: {version: v1, kind: ConfigMap, name: c}, patch: '[{op: add, path: /data/a, value: PLANTED]'}]",
			want:          "decoding",
		},
		"JSON6902NoTarget": {
			kustomization: "patchesJson6902: [{patch: '[{\"op\": \"add\", \"path\": \"/data/a\", \"value\": \"PLANTED\"}]'}]",
			want:          "kustomize's library crashes",
		},
		"Replacement": {
			kustomization: "replacements: [{sourceValue: PLANTED, targets: [{select: {kind: ConfigMap}, fieldPaths: [data.b.c]}]}]",
			want:          `unable to find field "data.b.c"`,
		},
		"ReplacementIndex": {
			kustomization: "replacements: [{source: {kind: ConfigMap, fieldPath: data.a, options: {delimiter: '-', index: 9}}, " +
				"targets: [{select: {kind: ConfigMap}, fieldPaths: [data.a]}]}]",
			want: "options.index 9 is out of bounds",
		},
		"ReplacementInline": {
			kustomization: "transformers:\n" + plugin + "ReplacementTransformer\n  metadata: {name: r}\n  replacements: [{sourceValue: PLANTED}]\n",
			want:          "replacements must specify",
		},
		"Annotations": {kustomization: "commonAnnotations: {a: [PLANTED]}", want: "cannot unmarshal array"},
		"Labels":      {kustomization: "labels: [{pairs: {a: PLANTED}, includeSelectors: PLANTED}]", want: "cannot unmarshal string"},
		"HelmValues":  {kustomization: "helmCharts: [{name: a, valuesInline: {a: PLANTED}}]", want: "--enable-helm"},
		"Vars": {
			kustomization: "vars: [{name: V, objref: {kind: ConfigMap, name: none, apiVersion: v1}, fieldref: {fieldpath: data.a}}]",
			want:          "var",
		},
		"Generator": {
			kustomization: "generators:\n" + plugin + "SecretGenerator\n  metadata: {name: p}\n  literals: [PLANTED]\n",
			want:          "expected key=value",
		},
		"GeneratorNoYAML": {
			kustomization: "generators:\n" + plugin + "SecretGenerator\n  metadata: {name: p}\n  literals: [PLANTED: [}\n",
			want:          "no such file or directory",
		},
		"GeneratorRemote": {
			kustomization: "generators:\n" + plugin + "SecretGenerator\n  metadata: {name: p}\n  literals: [a=PLANTED]\n  files: [b=https://example.com/x]\n",
			want:          "names something remote",
		},
		"Transformer": {
			kustomization: "transformers:\n" + plugin + "PatchTransformer\n  metadata: {name: p}\n  foo: PLANTED\n  target: {kind: ConfigMap}\n",
			want:          "must specify one of patch and path",
		},
		"TransformerJSON": {
			kustomization: `transformers: ['{"apiVersion": "builtin", "kind": "PatchTransformer", "metadata": {"name": "p"}, "patch": "PLANTED"}']`,
			want:          "unable to parse SM or JSON patch",
		},
		"TransformerTwoKinds": {
			kustomization: "transformers:\n- |\n  apiVersion: goldenarch.dev/v1alpha1\n  kind: GoldenImages\n  metadata: {name: p}\n  ---\n" + inlineSecret + "}\n",
			want:          "list them separately",
		},
		"OtherFunction": {
			kustomization: "transformers:\n- |\n  apiVersion: example.com/v1\n  kind: Foo\n  metadata: {name: p}\n  stringData: {a: PLANTED}\n",
			want:          "Foo",
		},
		"Validator": {
			kustomization: "validators:\n" +
				plugin +
				"AnnotationsTransformer\n  metadata: {name: p}\n  annotations: {b: PLANTED}\n  fieldSpecs: [{path: metadata/annotations, create: true}]\n",
			want: "validator",
		},
		"TransformersCrash": {kustomization: "transformers: [../t]", want: "kustomize's library crashes"},
		"Component":         {kustomization: "components: [../c]", want: "accumulateDirectory"},
		"Base":              {kustomization: "resources: [../b]", want: "unable to parse SM or JSON patch"},
		"Resource":          {kustomization: "resources: [x.yaml]", file: configMap + "stringData: {a: PLANTED: [}", want: "x.yaml"},
		"ResourceTwice":     {kustomization: "resources: [x.yaml]", file: configMap, want: "already registered id"},
		"ResourceAlias":     {kustomization: "resources: [x.yaml]", file: "a: *PLANTED", want: "x.yaml"},
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
			_, err := buildDir(written(t, map[string]string{
				"top/kustomization.yaml": k, "top/cm.yaml": configMap, "top/x.yaml": fill(tc.file),
				"c/kustomization.yaml": "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\n" + broken,
				"t/kustomization.yaml": fill("patchesJson6902: [{patch: '[PLANTED]'}]"),
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

// TestWordsOfTheMessageStay: a value that is a part of a word of kustomize's own
// message, or an ordinary word, is not replaced. A secret is, whatever it is.
func TestWordsOfTheMessageStay(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		kustomization, configMap string
		want                     string // part of the error
		hides                    string
		reason                   string
	}{
		"PartOfAWord": {
			kustomization: "helmCharts: [{name: a, repo: 'https://charts.example.com', version: 1.0.0}]\nconfigMapGenerator: [{name: m, literals: [mode=config]}]",
			want:          "--enable-helm", reason: "kustomize says 'configuring builtin'",
		},
		"WordOfTheMessage": {
			kustomization: "secretGenerator: [{name: s, literals: [nokey]}]", hides: "nokey", configMap: "data: {mode: builtin}",
			want: "expected key=value", reason: "a word of the message in a ConfigMap",
		},
		"PluginOfAnOperator": {
			kustomization: "generators:\n- |\n  apiVersion: viaduct.ai/v1\n  kind: ksops\n  metadata: {name: p}", configMap: "data: {role: plugin}",
			want: "unable to load external plugin 'ksops'", reason: "a value that is a longer word of kustomize's message",
		},
		"PathsInAnInlineText": {
			kustomization: "generators:\n- |\n  apiVersion: viaduct.ai/v1\n  kind: ksops\n  metadata: {name: p}",
			configMap:     "  annotations: {a: \"exec:\\n  path: ../../../../../../ksops\"}",
			want:          "plugin 'ksops'", reason: "dots in a text end in a word of the message",
		},
		"Number": {
			kustomization: "commonLabels: {a: [swordfish-17]}", want: "cannot unmarshal", hides: "swordfish", reason: "the shape says that it may be one",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := buildDir(written(t, map[string]string{
				"top/kustomization.yaml": tc.kustomization + "\nresources: [cm.yaml]\n",
				"top/cm.yaml":            "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: c\n" + tc.configMap + "\n",
			}))
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Fatalf("%s: want an error with %q, got %v", tc.reason, tc.want, err)
			}
			if text := err.Error(); strings.Contains(text, notShown+"uring") || tc.hides != "" && strings.Contains(text, tc.hides) ||
				tc.hides == "" && strings.Contains(text, notShown) {
				t.Errorf("%s: %s", tc.reason, text)
			}
		})
	}
}

// TestReplacedWords: only whole words are replaced, the longest first, and none of a path.
func TestReplacedWords(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ text, want string }{
		{"configuring builtin plugin", "configuring builtin plugin"},
		{"a config b", "a (not shown) b"},
		{`"config": x`, `"(not shown)": x`},
		{"config", "(not shown)"},
		{"my-config=1", "my-(not shown)=1"},
		{"reconfig configs", "reconfig configs"},
		{"key config-long!", "key (not shown)"},
		{"path '/srv/config' and /srv/config: config", "path '/srv/config' and /srv/config: (not shown)"},
		{"from base/config.yaml: base", "from base/config.yaml: base"},
	} {
		known := contents{"config-long!": notShown, "config": notShown, "base/config.yaml": "base/config.yaml", "/srv/config": "/srv/config"}
		if got := known.withoutValues(tc.text); got != tc.want {
			t.Errorf("%q: want %q, got %q", tc.text, tc.want, got)
		}
	}
}

// TestInlineWithAnURL: a value that is a URL fetches nothing.
func TestInlineWithAnURL(t *testing.T) {
	t.Parallel()
	top := written(t,
		map[string]string{
			"top/kustomization.yaml": `generators:
- |
  apiVersion: builtin
  kind: ConfigMapGenerator
  metadata: {name: p}
  literals: [a=https://example.com]
`,
		})
	if built, err := buildDir(top); err != nil || len(built.Items) != 1 {
		t.Errorf("want a ConfigMap, got %d items and %v", len(built.Items), err)
	}
}
