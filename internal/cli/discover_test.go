package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/goldenarch/goldenarch/internal/host/argocd"
	"github.com/goldenarch/goldenarch/test/filetest"
)

const (
	ownConfig = "apiVersion: goldenarch.dev/v1alpha1\nkind: GoldenImages\nmetadata: {name: g, annotations: {config.kubernetes.io/local-config: 'true'}}\n" +
		"spec: {release: '1.19', expand: {mode: Emit}, cluster: {workloadArchitectures: [amd64, arm64]}}\n"
	kustomized = "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n"
)

// written writes files below a new directory and goes to one of them.
func written(t *testing.T, files map[string]string, to string) {
	t.Helper()
	dir := filetest.New(t, files)
	to = filepath.Join(dir, to)
	if err := os.MkdirAll(to, 0o700); err != nil {
		t.Fatal(err)
	}
	t.Chdir(to)
}

// ask runs a verb, and wants it to succeed.
func ask(t *testing.T, args ...string) (stdout, stderr string) {
	t.Helper()
	status, out, errs := runFed(t, "", args...)
	if status != statusOK {
		t.Fatalf("%v: status %d\n%s", args, status, errs)
	}
	return out, errs
}

func TestDiscover(t *testing.T) {
	cr := "apiVersion: hco.kubevirt.io/v1beta1\nkind: HyperConverged\nmetadata: {name: kubevirt-hyperconverged}\n"
	base := map[string]string{
		"base/kustomization.yaml": kustomized + "resources: [hco.yaml, g.yaml]\n", "base/hco.yaml": cr, "base/g.yaml": ownConfig,
		"prod/kustomization.yaml": kustomized + "resources: [../base]\n",
	}
	const plain = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\n"
	for name, tc := range map[string]struct {
		reason, in       string
		files            map[string]string
		want, checkValue string // without and with a plugin in the Application's source
	}{
		"Own": {
			reason:     "a GoldenImages is for nobody else",
			files:      map[string]string{"g.yaml": ownConfig, "b.yaml": cr},
			want:       "GoldenImages in g.yaml\n",
			checkValue: "HyperConverged in b.yaml\n",
		},
		"Skipped": {
			reason:     "what Argo CD does not apply itself still says that goldenarch renders the directory",
			files:      map[string]string{"g.yaml": "# +argocd:skip-file-rendering\n" + ownConfig, "b.yaml": cr},
			want:       "GoldenImages in g.yaml\n",
			checkValue: "HyperConverged in b.yaml\n",
		},
		"Pods": {
			reason:     "so is a WorkloadArchitectures",
			files:      map[string]string{"pods.yaml": podsConfig, "d.yaml": "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\n"},
			want:       "WorkloadArchitectures in pods.yaml\n",
			checkValue: "WorkloadArchitectures in pods.yaml\n",
		},
		"Below": {
			reason:     "what is below may be of another Application, and Argo CD does not look there",
			files:      map[string]string{"a/g.yaml": ownConfig, "a/hco.yaml": cr, "top.yaml": plain},
			checkValue: "GoldenImages g\n",
		},
		"JSON": {
			reason: "JSON is YAML",
			files: map[string]string{
				"g.json": "{\n  \"apiVersion\": \"goldenarch.dev/v1alpha1\",\n  \"kind\": \"GoldenImages\",\n  \"metadata\": {\"name\": \"g\"}\n}\n",
			},
			want:       "GoldenImages in g.json\n",
			checkValue: "GoldenImages in g.json\n",
		},
		"OneLine": {
			reason:     "JSON needs no lines",
			files:      map[string]string{"g.json": `{"metadata":{"name":"g"},"kind":"GoldenImages","apiVersion":"goldenarch.dev/v1alpha1"}`},
			want:       "GoldenImages in g.json\n",
			checkValue: "GoldenImages in g.json\n",
		},
		"Flow": {
			reason:     "nor does YAML, and the document need not be the first",
			files:      map[string]string{"g.yml": plain + "---\n{apiVersion: goldenarch.dev/v1alpha1, kind: GoldenImages, metadata: {name: g}}\n"},
			want:       "GoldenImages in g.yml\n",
			checkValue: "GoldenImages in g.yml\n",
		},
		"List": {
			reason: "it may stand in a List",
			files: map[string]string{
				"g.yaml": "apiVersion: v1\nkind: List\nitems:\n- {apiVersion: goldenarch.dev/v1alpha1, kind: GoldenImages, metadata: {name: g}}\n",
			},
			want:       "GoldenImages in g.yaml\n",
			checkValue: "GoldenImages in g.yaml\n",
		},
		"Data": {
			reason: "a line of somebody's data is no object",
			files:  map[string]string{"cm.yaml": plain + "data:\n  g.yaml: |\n    kind: GoldenImages\n    apiVersion: goldenarch.dev/v1alpha1\n"},
		},
		"Group": {
			reason: "another group's kind of that name",
			files:  map[string]string{"g.yaml": "apiVersion: example.com/v1\nkind: GoldenImages\nmetadata: {name: g}\n"},
		},
		"Chart": {
			reason:     "a chart is for helm",
			files:      map[string]string{"Chart.yaml": "apiVersion: v2\nname: c\nversion: 1.0.0\n", "g.yaml": ownConfig, "templates/g.yaml": ownConfig},
			checkValue: "the Application chooses the plugin\n",
		},
		"Templated": {
			reason: "a template is rendered by somebody else",
			files:  map[string]string{"g.yaml": strings.Replace(ownConfig, "name: g", "name: {{ .Values.name }}", 1), "cm.yaml": plain},
		},
		"Inline": {
			reason: "kustomize takes it inline",
			files: map[string]string{
				"kustomization.yaml": kustomized + "transformers:\n- |-\n  apiVersion: goldenarch.dev/v1alpha1\n  kind: GoldenImages # ours\n  metadata: {name: g}\n",
			},
			want:       "GoldenImages in kustomization.yaml\n",
			checkValue: "GoldenImages in kustomization.yaml\n",
		},
		"Overlay": {
			reason:     "an overlay builds to what its base has",
			files:      base,
			in:         "prod",
			want:       "GoldenImages in ../base/g.yaml\n",
			checkValue: "HyperConverged in ../base/hco.yaml\n",
		},
		"Component": {reason: "and to what a component has, whatever else it would fetch", files: map[string]string{
			"prod/kustomization.yaml": kustomized + "resources: ['https://example.com/x.yaml']\ncomponents: [../c]\n", "c/g.yaml": ownConfig,
			"c/kustomization.yaml": "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\ntransformers: [g.yaml]\n",
		}, in: "prod", want: "GoldenImages in ../c/g.yaml\n", checkValue: "GoldenImages in ../c/g.yaml\n"},
		"Unlisted": {
			reason: "what the kustomization does not list is not rendered",
			files: map[string]string{
				"kustomization.yaml":       kustomized + "resources: [cm.yaml]\n",
				"cm.yaml":                  plain,
				"g.yaml":                   ownConfig,
				"child/golden-images.yaml": ownConfig,
			},
		},
		"Remote": {
			reason:     "so where the kustomization does not build here",
			files:      map[string]string{"kustomization.yaml": kustomized + "resources: ['https://example.com/x.yaml']\n", "child/golden-images.yaml": ownConfig},
			checkValue: "the Application chooses the plugin\n",
		},
		"CR": {
			reason:     "a CR alone is left to Argo CD, unless the Application chooses",
			files:      map[string]string{"hco.yaml": cr},
			checkValue: "HyperConverged in hco.yaml\n",
		},
		"Others":   {reason: "another's manifests", files: map[string]string{"cm.yaml": plain + "data: {a: HyperConverged}\n"}},
		"Hidden":   {reason: "hidden directories are not read", files: map[string]string{".github/g.yaml": ownConfig, "cm.yaml": plain}},
		"Document": {reason: "prose is no manifest", files: map[string]string{"README.md": ownConfig, "cm.yaml": plain}},
		"Empty":    {reason: "of a chosen directory the rendering says what is wrong", files: nil, checkValue: "the Application chooses the plugin\n"},
		"Broken": {
			reason:     "so it does of one that does not build",
			files:      map[string]string{"kustomization.yaml": kustomized + "resources: [none.yaml]\n"},
			checkValue: "the Application chooses the plugin\n",
		},
	} {
		for _, chosen := range []bool{false, true} {
			t.Run(name, func(t *testing.T) {
				written(t, tc.files, tc.in)
				want := tc.want
				if chosen {
					t.Setenv(argocd.Parameters, "null")
					want = tc.checkValue
				}
				if got, _ := ask(t, "argocd", "discover"); got != want {
					t.Errorf("%s (chosen: %v): got %q, want %q", tc.reason, chosen, got, want)
				}
			})
		}
	}
}

func TestParameters(t *testing.T) {
	for name, tc := range map[string]struct {
		reason string
		files  map[string]string
		want   map[string]string
	}{
		"Git": {
			reason: "the values of Git are shown",
			files:  map[string]string{"g.yaml": ownConfig},
			want:   map[string]string{"workload-architectures": "amd64 arm64", "control-plane-architectures": "", "release": "1.19", "expand": "Emit"},
		},
		"Alias": {
			reason: "a kind that an alias names",
			files: map[string]string{
				"g.yaml": strings.Replace(ownConfig, "kind: GoldenImages\nmetadata: {name: g", "metadata: {name: &kind GoldenImages", 1) + "kind: *kind\n",
			},
			want: map[string]string{"workload-architectures": "amd64 arm64", "control-plane-architectures": "", "release": "1.19", "expand": "Emit"},
		},
		"List": {
			reason: "render reads a configuration in a List, too",
			files: map[string]string{
				"g.yaml": "apiVersion: v1\nkind: List\nitems:\n- " + strings.ReplaceAll(strings.TrimSpace(ownConfig), "\n", "\n  ") + "\n",
			},
			want: map[string]string{"workload-architectures": "amd64 arm64", "control-plane-architectures": "", "release": "1.19", "expand": "Emit"},
		},
		"Default": {
			reason: "without a configuration the defaults",
			want:   map[string]string{"workload-architectures": "", "control-plane-architectures": "", "release": "", "expand": "None"},
		},
		"Broken": {
			reason: "the parameters are there, so that they can be corrected",
			files:  map[string]string{"g.yaml": ownConfig + "x: ["},
			want:   map[string]string{"workload-architectures": "", "control-plane-architectures": "", "release": "", "expand": "None"},
		},
		"Wrong": {
			reason: "so with a wrong configuration",
			files:  map[string]string{"g.yaml": strings.Replace(ownConfig, "Emit", "Emti", 1)},
			want:   map[string]string{"workload-architectures": "", "control-plane-architectures": "", "release": "", "expand": "None"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			written(t, tc.files, ".")
			out, _ := ask(t, "argocd", "parameters")
			var list []struct {
				Name    string   `json:"name"`
				Title   string   `json:"title"`
				Tooltip string   `json:"tooltip"`
				String  string   `json:"string"`
				Array   []string `json:"array"`
			}
			if err := json.Unmarshal([]byte(out), &list); err != nil {
				t.Fatal(err)
			}
			got := map[string]string{}
			for _, a := range list {
				got[a.Name] = a.String + strings.Join(a.Array, " ")
				if a.Title == "" || a.Tooltip == "" {
					t.Errorf("%q has no words for people", a.Name)
				}
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}
