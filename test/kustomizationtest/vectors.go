package kustomizationtest

import "strings"

const (
	cr    = "apiVersion: hco.kubevirt.io/v1beta1\nkind: HyperConverged\nmetadata: {name: cr, namespace: ns}\n"
	label = "apiVersion: builtin\nkind: LabelTransformer\nmetadata: {name: label}\nlabels: {a: b}\nfieldSpecs: [{path: metadata/labels, create: true}]\n"
)

// indented returns a text as an entry of a list.
func indented(text string) string {
	return "\n- |\n  " + strings.ReplaceAll(strings.TrimSpace(text), "\n", "\n  ") + "\n"
}

// Vectors returns kustomizations, by what is special about them, that have
// kustomize fetch something. They are easily overlooked. URL and HOST are where from.
func Vectors() map[string]string {
	const (
		generator = "apiVersion: builtin\nkind: ConfigMapGenerator\nmetadata: {name: m}\nfiles: ['a b=URL']\n"
		envs      = "apiVersion: builtin\nkind: SecretGenerator\nmetadata: {name: m}\nenvs: ['URL']\n"
		patch     = "apiVersion: builtin\nkind: PatchTransformer\nmetadata: {name: p}\ntarget: {kind: HyperConverged}\npath: URL\n"
		list      = `apiVersion: v1
kind: List
metadata: {name: l}
items:
- {apiVersion: builtin, kind: PatchTransformer, metadata: {name: p}, target: {kind: HyperConverged}, path: URL}
`
	)
	return map[string]string{
		"KeyWithBlank":    "configMapGenerator: [{name: m, files: ['a b=URL']}]",
		"KeyWithBrace":    "configMapGenerator: [{name: m, files: ['{=URL']}]",
		"KeyWithLine":     `configMapGenerator: [{name: m, files: ["a\nb=URL"]}]`,
		"KeyEmpty":        "configMapGenerator: [{name: m, files: ['=URL']}]",
		"KeyTwice":        "configMapGenerator: [{name: m, files: ['a=b=URL']}]",
		"Secret":          "secretGenerator: [{name: m, files: ['a b=URL']}]",
		"SecretEnvs":      "secretGenerator: [{name: m, envs: ['URL']}]",
		"Env":             "configMapGenerator: [{name: m, env: 'URL'}]",
		"InlineGenerator": "generators:" + indented(generator),
		"InlineSecrets":   "generators:" + indented(envs),
		"InlineJSON":      `generators: ['{"apiVersion": "builtin", "kind": "ConfigMapGenerator", "metadata": {"name": "m"}, "files": ["{=URL"]}']`,
		"InlineSecond":    "resources: [cr.yaml]\ntransformers:" + indented(label+"---\n"+patch),
		"InlineList":      "resources: [cr.yaml]\ntransformers:" + indented(list),
		"ListInFile":      "resources: [cr.yaml]\ntransformers: [list.yaml]",
		"ListInList":      "resources: [cr.yaml]\ntransformers: [nested.yaml]",
		"OtherList":       "resources: [cr.yaml]\ntransformers: [other-list.yaml]",
		"EscapedVersion":  "resources: [cr.yaml]\ntransformers: [escaped.yaml]",
		"EscapedInline": `{"resources": ["cr.yaml"], "transformers": ["apiVersion: \"\\x62uiltin\"\nkind: ` +
			`PatchTransformer\nmetadata: {name: p}\ntarget: {kind: HyperConverged}\npath: URL\n"]}`,
		"Slash":          "resources: [cr.yaml]\ntransformers:" + indented(strings.Replace(patch, "builtin", "/builtin", 1)),
		"Validator":      "resources: [cr.yaml]\nvalidators:" + indented(patch),
		"ValidatorEntry": "resources: [cr.yaml]\nvalidators: ['URL']",
		"ReplacementInline": "resources: [cr.yaml]\ntransformers:" +
			indented("apiVersion: builtin\nkind: ReplacementTransformer\nmetadata: {name: r}\nreplacements: [{path: URL}]\n"),
		"JSONPatchInline": "resources: [cr.yaml]\ntransformers:" +
			indented(`apiVersion: builtin
kind: PatchJson6902Transformer
metadata: {name: r}
target: {kind: HyperConverged, version: v1beta1, name: cr}
path: URL
`),
		"MergePatchInline": "resources: [cr.yaml]\ntransformers:" +
			indented("apiVersion: builtin\nkind: PatchStrategicMergeTransformer\nmetadata: {name: r}\npaths: [URL]\n"),
		"HelmValues":     "helmCharts: [{name: c, valuesFile: 'URL'}]",
		"HelmMoreValues": "helmCharts: [{name: c, additionalValuesFiles: ['URL']}]",
		"HelmGenerator": "generators:" +
			indented("apiVersion: builtin\nkind: HelmChartInflationGenerator\nmetadata: {name: c}\nname: c\nrepo: URL\nvaluesFile: URL\n"),
		"OpenAPI":         "resources: [cr.yaml]\nopenapi: {path: 'URL'}",
		"CRDs":            "resources: [cr.yaml]\ncrds: ['URL']",
		"Configurations":  "resources: [cr.yaml]\nconfigurations: ['URL']",
		"PatchesText":     "resources: [cr.yaml]\npatches: ['URL']",
		"GitQuery":        "resources: ['HOST/org/repo?ref=x', 'user@HOST/org/repo']",
		"GitFile":         "resources: ['file:///x//y']",
		"GitSSH":          "components: ['git::ssh://HOST/org/repo']",
		"GitTransformers": "resources: [cr.yaml]\ntransformers: ['git@HOST:org/repo']",
		"GitGenerators":   "resources: [cr.yaml]\ngenerators: ['git@HOST:org/repo']",
		"GitValidators":   "resources: [cr.yaml]\nvalidators: ['github.com/org/repo']",
		"BaseOfBase":      "resources: [../base]",
		"Component":       "components: [../part]",
		"ConfigDirectory": "resources: [cr.yaml]\ntransformers: [../configs]",

		"Resource":        "resources: ['URL']",
		"UpperCase":       "resources: ['HTTP://HOST/cr.yaml']",
		"AnyCase":         "RESOURCES: ['URL']",
		"ListedTwice":     "resources: [cr.yaml]\nresources: ['URL']",
		"Git":             "resources: ['github.com/org/repo//path?ref=v1']",
		"GitUpperCase":    "resources: ['GitHub.com/org/repo']",
		"ForcedGit":       "resources: ['GIT::https://HOST/org/repo']",
		"HTTPS":           "resources: ['https://HOST/org/repo.git//path']",
		"SSH":             "resources: ['ssh://git@HOST/org/repo']",
		"SCP":             "resources: ['git@example.com:org/repo']",
		"SCPWithoutColon": "resources: ['git@example.com/org/repo']",
		"File":            "resources: ['file:///srv/repo']",
		"Base":            "bases: ['git@example.com:org/repo']",
		"RemoteComponent": "components: ['https://HOST/org/repo']",
		"Patch":           "resources: [cr.yaml]\npatches: [{path: 'URL'}]",
		"OldPatch":        "resources: [cr.yaml]\npatchesStrategicMerge: ['URL']",
		"OldJSONPatch":    "resources: [cr.yaml]\npatchesJson6902: [{target: {version: v1beta1, kind: HyperConverged, name: cr}, path: 'URL'}]",
		"Replacement":     "resources: [cr.yaml]\nreplacements: [{path: 'URL'}]",
		"ConfigMap":       "configMapGenerator: [{name: m, files: ['a=URL']}]",
		"ConfigMapEnv":    "configMapGenerator: [{name: m, envs: ['URL']}]",
		"SecretEnv":       "secretGenerator: [{name: m, env: 'URL'}]",
		"Transformer":     "resources: [cr.yaml]\ntransformers: ['URL']",
		"Generator":       "generators: ['URL']",
		"PluginFile":      "resources: [cr.yaml]\ntransformers: [patch.yaml]",
		"PluginInline":    "resources: [cr.yaml]\ntransformers:" + indented(patch),
		"PluginAnyCase":   "resources: [cr.yaml]\ntransformers:" + indented(strings.Replace(patch, "path:", "Path:", 1)),
		"PluginBuilt":     "resources: [cr.yaml]\ntransformers: [../plugins]",
		"PluginBuiltDeep": "resources: [cr.yaml]\ntransformers: [../deep]",
	}
}

// Files returns a directory "top" with one of the [Vectors] and what it refers to.
// It fetches from a server.
func Files(kustomization, server string) map[string]string {
	const item = "{apiVersion: builtin, kind: PatchTransformer, metadata: {name: p}, target: {kind: HyperConverged}, path: URL}\n"
	files := map[string]string{
		"top/kustomization.yaml": kustomization, "top/cr.yaml": cr,
		"top/list.yaml":              "apiVersion: v1\nkind: List\nitems:\n- " + item,
		"top/nested.yaml":            "apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: List\n  items:\n  - " + item,
		"top/other-list.yaml":        "apiVersion: example.com/v1\nkind: PluginList\nitems:\n- " + item,
		"top/escaped.yaml":           strings.Replace(item, "builtin", `"\x62uiltin"`, 1),
		"base/kustomization.yaml":    "configMapGenerator: [{name: m, files: ['a b=URL']}]",
		"part/kustomization.yaml":    "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\nsecretGenerator: [{name: m, files: ['a b=URL']}]",
		"configs/kustomization.yaml": "resources: [list.yaml]",
		"configs/list.yaml":          "apiVersion: v1\nkind: List\nitems:\n- " + item,
		"top/patch.yaml":             item,
		// The plugin gets its path while it is built.
		"plugins/kustomization.yaml": "resources: [patch.yaml]\npatches: [{target: {kind: PatchTransformer}, " +
			`patch: '[{"op": "replace", "path": "/path", "value": "URL"}]'}]`,
		"plugins/patch.yaml":      strings.Replace(item, "URL", "local.yaml", 1),
		"deep/kustomization.yaml": "resources: [patch.yaml]\ntransformers: [../plugins]",
		"deep/patch.yaml":         strings.Replace(item, "URL", "local.yaml", 1),
	}
	for name, text := range files {
		files[name] = strings.NewReplacer("URL", server+"/cr.yaml", "HOST", strings.TrimPrefix(server, "http://")).Replace(text)
	}
	return files
}
