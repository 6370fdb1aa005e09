package kustomization

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/kyaml/filesys"
)

// indented is a text as an entry of a list.
func indented(text string) string {
	return "\n- |\n  " + strings.ReplaceAll(strings.TrimSpace(text), "\n", "\n  ") + "\n"
}

// vectors are kustomizations that would have something fetched, in ways that are
// easily read over. URL is where from.
func vectors() map[string]string {
	const (
		generator = "apiVersion: builtin\nkind: ConfigMapGenerator\nmetadata: {name: m}\nfiles: ['a b=URL']\n"
		secrets   = "apiVersion: builtin\nkind: SecretGenerator\nmetadata: {name: m}\nenvs: ['URL']\n"
		patch     = "apiVersion: builtin\nkind: PatchTransformer\nmetadata: {name: p}\ntarget: {kind: HyperConverged}\npath: URL\n"
		list      = "apiVersion: v1\nkind: List\nmetadata: {name: l}\nitems:\n- {apiVersion: builtin, kind: PatchTransformer, metadata: {name: p}, target: {kind: HyperConverged}, path: URL}\n"
	)
	return map[string]string{
		"KeyWithBlank":      "configMapGenerator: [{name: m, files: ['a b=URL']}]",
		"KeyWithBrace":      "configMapGenerator: [{name: m, files: ['{=URL']}]",
		"KeyWithLine":       `configMapGenerator: [{name: m, files: ["a\nb=URL"]}]`,
		"KeyEmpty":          "configMapGenerator: [{name: m, files: ['=URL']}]",
		"KeyTwice":          "configMapGenerator: [{name: m, files: ['a=b=URL']}]",
		"Secret":            "secretGenerator: [{name: m, files: ['a b=URL']}]",
		"SecretEnvs":        "secretGenerator: [{name: m, envs: ['URL']}]",
		"Env":               "configMapGenerator: [{name: m, env: 'URL'}]",
		"InlineGenerator":   "generators:" + indented(generator),
		"InlineSecrets":     "generators:" + indented(secrets),
		"InlineJSON":        `generators: ['{"apiVersion": "builtin", "kind": "ConfigMapGenerator", "metadata": {"name": "m"}, "files": ["{=URL"]}']`,
		"InlineSecond":      "resources: [cr.yaml]\ntransformers:" + indented(label+"---\n"+patch),
		"InlineList":        "resources: [cr.yaml]\ntransformers:" + indented(list),
		"ListInFile":        "resources: [cr.yaml]\ntransformers: [list.yaml]",
		"ListInList":        "resources: [cr.yaml]\ntransformers: [nested.yaml]",
		"OtherList":         "resources: [cr.yaml]\ntransformers: [other-list.yaml]",
		"EscapedVersion":    "resources: [cr.yaml]\ntransformers: [escaped.yaml]",
		"EscapedInline":     `{"resources": ["cr.yaml"], "transformers": ["apiVersion: \"\\x62uiltin\"\nkind: PatchTransformer\nmetadata: {name: p}\ntarget: {kind: HyperConverged}\npath: URL\n"]}`,
		"Slash":             "resources: [cr.yaml]\ntransformers:" + indented(strings.Replace(patch, "builtin", "/builtin", 1)),
		"Validator":         "resources: [cr.yaml]\nvalidators:" + indented(patch),
		"ValidatorEntry":    "resources: [cr.yaml]\nvalidators: ['URL']",
		"ReplacementInline": "resources: [cr.yaml]\ntransformers:" + indented("apiVersion: builtin\nkind: ReplacementTransformer\nmetadata: {name: r}\nreplacements: [{path: URL}]\n"),
		"JSONPatchInline":   "resources: [cr.yaml]\ntransformers:" + indented("apiVersion: builtin\nkind: PatchJson6902Transformer\nmetadata: {name: r}\ntarget: {kind: HyperConverged, version: v1beta1, name: cr}\npath: URL\n"),
		"MergePatchInline":  "resources: [cr.yaml]\ntransformers:" + indented("apiVersion: builtin\nkind: PatchStrategicMergeTransformer\nmetadata: {name: r}\npaths: [URL]\n"),
		"HelmValues":        "helmCharts: [{name: c, valuesFile: 'URL'}]",
		"HelmMoreValues":    "helmCharts: [{name: c, additionalValuesFiles: ['URL']}]",
		"HelmGenerator":     "generators:" + indented("apiVersion: builtin\nkind: HelmChartInflationGenerator\nmetadata: {name: c}\nname: c\nrepo: URL\nvaluesFile: URL\n"),
		"OpenAPI":           "resources: [cr.yaml]\nopenapi: {path: 'URL'}",
		"CRDs":              "resources: [cr.yaml]\ncrds: ['URL']",
		"Configurations":    "resources: [cr.yaml]\nconfigurations: ['URL']",
		"PatchesText":       "resources: [cr.yaml]\npatches: ['URL']",
		"GitQuery":          "resources: ['HOST/org/repo?ref=x', 'user@HOST/org/repo']",
		"GitFile":           "resources: ['file:///tmp/x//y']",
		"GitSSH":            "components: ['git::ssh://HOST/org/repo']",
		"GitTransformers":   "resources: [cr.yaml]\ntransformers: ['git@HOST:org/repo']",
		"GitGenerators":     "resources: [cr.yaml]\ngenerators: ['git@HOST:org/repo']",
		"GitValidators":     "resources: [cr.yaml]\nvalidators: ['github.com/org/repo']",
		"BaseOfBase":        "resources: [../base]",
		"Component":         "components: [../part]",
		"ConfigDirectory":   "resources: [cr.yaml]\ntransformers: [../configs]",
	}
}

// vectorFiles are what the vectors refer to.
func vectorFiles(kustomization string) map[string]string {
	const item = "{apiVersion: builtin, kind: PatchTransformer, metadata: {name: p}, target: {kind: HyperConverged}, path: URL}\n"
	return map[string]string{
		"top/kustomization.yaml": kustomization, "top/cr.yaml": cr,
		"top/list.yaml":              "apiVersion: v1\nkind: List\nitems:\n- " + item,
		"top/nested.yaml":            "apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: List\n  items:\n  - " + item,
		"top/other-list.yaml":        "apiVersion: example.com/v1\nkind: PluginList\nitems:\n- " + item,
		"top/escaped.yaml":           strings.Replace(item, "builtin", `"\x62uiltin"`, 1),
		"base/kustomization.yaml":    "configMapGenerator: [{name: m, files: ['a b=URL']}]",
		"part/kustomization.yaml":    "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\nsecretGenerator: [{name: m, files: ['a b=URL']}]",
		"configs/kustomization.yaml": "resources: [list.yaml]",
		"configs/list.yaml":          "apiVersion: v1\nkind: List\nitems:\n- " + item,
	}
}

// outside is what must not be reached: a server that counts, and a git that notes
// that it was called.
type outside struct {
	server *httptest.Server
	asked  atomic.Int32
	called string
}

func newOutside(t *testing.T) *outside {
	t.Helper()
	o := &outside{}
	o.server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		o.asked.Add(1)
		_, _ = w.Write([]byte(cr))
	}))
	t.Cleanup(o.server.Close)
	bin := t.TempDir()
	o.called = filepath.Join(bin, "called")
	if err := os.WriteFile(filepath.Join(bin, "git"), []byte("#!/bin/sh\necho \"$@\" >>"+o.called+"\nexit 1\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	return o
}

// written writes the files of a vector.
func (o *outside) written(t *testing.T, kustomization string) string {
	t.Helper()
	files := vectorFiles(kustomization)
	for name, text := range files {
		files[name] = strings.NewReplacer("URL", o.server.URL+"/cr.yaml", "HOST", strings.TrimPrefix(o.server.URL, "http://")).Replace(text)
	}
	return written(t, files)
}

func (o *outside) untouched(t *testing.T) {
	t.Helper()
	if n := o.asked.Load(); n > 0 {
		t.Errorf("the server was asked %d times", n)
	}
	if calls, err := os.ReadFile(o.called); err == nil {
		t.Errorf("git was called: %s", calls)
	}
}

// TestVectors: what would be fetched is seen before, whatever its form, and named
// where it stands.
func TestVectors(t *testing.T) {
	o := newOutside(t)
	for name, kustomization := range vectors() {
		t.Run(name, func(t *testing.T) {
			built, err := Build(o.written(t, kustomization))
			if err == nil || built.Items != nil {
				t.Fatalf("want an error, got %d items", len(built.Items))
			}
			if !errors.Is(err, errRemote) && name != "PatchesText" { // no kustomization has that
				t.Errorf("want %v, got %v", errRemote, err)
			}
		})
	}
	o.untouched(t)
}

// TestTheFence: kustomize's library by itself, without anybody who reads before it,
// reaches nothing either. Afterwards the process is as before.
func TestTheFence(t *testing.T) {
	o := newOutside(t)
	path := os.Getenv("PATH")
	hits := 0
	for name, kustomization := range vectors() {
		t.Run(name, func(t *testing.T) {
			top := o.written(t, kustomization)
			var err error
			quietly(func() {
				defer func() { _ = recover() }()
				_, err = krusty.MakeKustomizer(krusty.MakeDefaultOptions()).Run(filesys.MakeFsOnDisk(), top)
			})
			if theFence.hit(err) {
				hits++
			}
			if os.Getenv("PATH") != path {
				t.Error("PATH is not what it was")
			}
		})
	}
	o.untouched(t)
	if hits < 20 {
		t.Errorf("only %d of the vectors came as far as the fence: they are no vectors", hits)
	}
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, o.server.URL, nil)
	if err != nil {
		t.Fatal(err)
	}
	quietly(func() {
		if res, err := http.DefaultClient.Do(request); !errors.Is(err, errRefused) {
			t.Errorf("want %v, got %v", errRefused, err)
			if err == nil {
				_ = res.Body.Close()
			}
		}
		if _, err := http.DefaultTransport.(*http.Transport).DialContext(context.Background(), "tcp", "127.0.0.1:1"); !errors.Is(err, errRefused) {
			t.Errorf("want %v, got %v", errRefused, err)
		}
		if at, err := exec.LookPath("git"); err == nil {
			t.Errorf("git is found at %s", at)
		}
	})
	res, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatalf("the fence stays up: %v", err)
	}
	_ = res.Body.Close()
	if o.asked.Load() != 1 {
		t.Errorf("want the one request, got %d", o.asked.Load())
	}
	if _, err := exec.LookPath("git"); err != nil {
		t.Errorf("git is not found any more: %v", err)
	}
}

// TestTheFenceSays: what only the fence sees is reported as what is read before.
func TestTheFenceSays(t *testing.T) {
	top := written(t, map[string]string{"top/kustomization.yaml": "resources: [cr.yaml]", "top/cr.yaml": cr})
	quietly(func() {
		b, err := newBuild(newDisk(), top)
		if err != nil {
			t.Fatal(err)
		}
		theFence.refuse()
		if _, err := b.run(); !errors.Is(err, errRemote) {
			t.Errorf("want %v, got %v", errRemote, err)
		}
	})
}
