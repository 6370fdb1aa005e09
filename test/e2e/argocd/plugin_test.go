package argocd

import (
	"context"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/argoproj/argo-cd/v3/pkg/apis/application/v1alpha1"
	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// named chooses the plugin, with parameters.
func named(parameters ...v1alpha1.ApplicationSourcePluginParameter) *v1alpha1.ApplicationSourcePlugin {
	return &v1alpha1.ApplicationSourcePlugin{Name: "goldenarch", Parameters: parameters}
}

func text(name, value string) v1alpha1.ApplicationSourcePluginParameter {
	return v1alpha1.ApplicationSourcePluginParameter{Name: name, String_: &value}
}

func array(name string, values ...string) v1alpha1.ApplicationSourcePluginParameter {
	return v1alpha1.ApplicationSourcePluginParameter{Name: name, OptionalArray: &v1alpha1.OptionalArray{Array: values}}
}

// TestGenerate renders the example as its Application says.
func TestGenerate(t *testing.T) {
	t.Parallel()
	r := newRepo(t, nil)
	for name, plugin := range map[string]*v1alpha1.ApplicationSourcePlugin{
		"Discovered": nil, "Named": named(), "AsTheApplicationSays": application(t).Spec.Source.Plugin,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			objects, err := r.generate(t.Context(), plugin)
			if err != nil {
				t.Fatal(err)
			}
			if len(objects) != 1 {
				t.Errorf("nodes, lock and configuration are not for the cluster: got %d objects", len(objects))
			}
			cr := one(t, objects, "HyperConverged")
			if diff := cmp.Diff([]string{"amd64,arm64,s390x", "amd64"}, claims(t, cr)); diff != "" {
				t.Errorf("the claims (-want +got):\n%s", diff)
			}
			if gate, _, _ := unstructured.NestedBool(cr.Object, "spec", "featureGates", "enableMultiArchBootImageImport"); !gate {
				t.Error("the gate is off")
			}
			if cr.GetAnnotations()["argocd.argoproj.io/tracking-id"] != "golden-images:hco.kubevirt.io/HyperConverged:openshift-cnv/kubevirt-hyperconverged" {
				t.Errorf("Argo CD does not track it: %v", cr.GetAnnotations())
			}
			for key := range cr.GetAnnotations() {
				if strings.Contains(key, "config.kubernetes.io") {
					t.Errorf("the annotation %s is for tools, not for the cluster", key)
				}
			}
		})
	}
}

// TestParametersCount changes the example by what an Application can say.
func TestParametersCount(t *testing.T) {
	t.Parallel()
	environment := named()
	environment.Env = v1alpha1.Env{{Name: "UNSUPPORTED", Value: "Keep"}, {Name: "WORKLOAD_ARCHITECTURES", Value: "s390x"}}
	for name, tc := range map[string]struct {
		reason string
		plugin *v1alpha1.ApplicationSourcePlugin
		kinds  []string
		enable string // the annotation of the second template
	}{
		"Array":       {reason: "the appliance has no arm64", plugin: named(array("workload-architectures", "arm64")), kinds: []string{"HyperConverged"}, enable: "false"},
		"String":      {reason: "a list in a string", plugin: named(text("workload-architectures", "s390x,arm64")), kinds: []string{"HyperConverged"}, enable: "false"},
		"Two":         {reason: "a parameter beside another", plugin: named(array("workload-architectures", "arm64"), text("unsupported", "Keep")), kinds: []string{"HyperConverged"}},
		"Environment": {reason: "plugin.env says the same", plugin: environment, kinds: []string{"HyperConverged"}},
		"Emit": {
			reason: "the expansion comes beside the CR", plugin: named(text("expand", "Emit")),
			kinds: []string{"HyperConverged", "DataImportCron", "DataSource", "DataImportCron", "DataSource", "DataSource", "DataImportCron", "DataSource", "DataSource"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			objects, err := newRepo(t, nil).generate(t.Context(), tc.plugin)
			if err != nil {
				t.Fatalf("%s: %v", tc.reason, err)
			}
			var kinds []string
			for _, object := range objects {
				kinds = append(kinds, object.GetKind())
			}
			if diff := cmp.Diff(counted(tc.kinds), counted(kinds)); diff != "" {
				t.Errorf("%s: the objects (-want +got):\n%s", tc.reason, diff)
			}
			second := templates(t, one(t, objects, "HyperConverged"))[1].(map[string]any)
			enable, _, _ := unstructured.NestedString(second, "metadata", "annotations", "dataimportcrontemplate.kubevirt.io/enable")
			if enable != tc.enable {
				t.Errorf("%s: enable is %q, want %q", tc.reason, enable, tc.enable)
			}
		})
	}
}

func counted(kinds []string) map[string]int {
	out := map[string]int{}
	for _, kind := range kinds {
		out[kind]++
	}
	return out
}

// TestErrors: what a user reads in the Application's conditions.
func TestErrors(t *testing.T) {
	t.Parallel()
	const secret = "hunter2-and-a-half"
	lines := func(file, old, now string) string {
		data, err := os.ReadFile(example("application", file))
		if err != nil || !strings.Contains(string(data), old) {
			t.Fatalf("%s has no %q: %v", file, old, err)
		}
		return strings.ReplaceAll(string(data), old, now)
	}
	for name, tc := range map[string]struct {
		reason string
		change map[string]string
		plugin *v1alpha1.ApplicationSourcePlugin
		says   []string
	}{
		"NotLocked": {
			reason: "an image that the lock lacks, and a password in its reference",
			change: map[string]string{"hyperconverged.yaml": lines("hyperconverged.yaml", "docker://registry.example.com/vm/appliance:2.4", "docker://robot:"+secret+"@registry.example.com/vm/appliance:2.5")},
			says:   []string{"`goldenarch render .` failed exit status 1: error GA", "hyperconverged.yaml:"},
		},
		"Parameter": {
			reason: "a misspelt parameter", plugin: named(text("relaese", "4.22")),
			says: []string{`failed exit status 1: goldenarch: plugin parameter: there is no option "relaese"; did you mean "release"?`},
		},
		"Word": {
			reason: "a wrong word", plugin: named(text("expand", "emit")),
			says: []string{`goldenarch: the plugin parameters of the Application: spec.expand.mode: unknown mode "emit"`, `did you mean "Emit"?`},
		},
		"Unsupported": {
			reason: "warnings do not hide the error", plugin: named(array("workload-architectures", "ppc64le"), text("unsupported", "Fail")),
			says: []string{"error GA111"},
		},
		"Broken": {
			reason: "a file with a Secret that is no YAML",
			change: map[string]string{"secret.yaml": "apiVersion: v1\nkind: Secret\nmetadata: {name: s}\nstringData: {password: " + secret + ": x: [}\n"},
			says:   []string{"error GA001: secret.yaml: the document that begins at line 1 is not YAML"},
		},
		"Kustomization": {
			reason: "kustomize's own words, without the directory of this one call",
			change: map[string]string{"kustomization.yaml": "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources: [../../base, none.yaml]\n"},
			says:   []string{"error GA001: build .: accumulating resources", "none.yaml"},
		},
		"Many": {
			reason: "many errors are one screen",
			change: map[string]string{"hyperconverged.yaml": manyTemplates()},
			says:   []string{"error GA601", "and 20 more lines: run 'goldenarch render' on the directory"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			plugin := tc.plugin
			if plugin == nil {
				plugin = named()
			}
			r := newRepo(t, tc.change)
			r.write(t, "base/kustomization.yaml", "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nnamePrefix: x-\n")
			var told [2]string
			for i := range told {
				objects, err := r.generate(t.Context(), plugin)
				if err == nil {
					t.Fatalf("%s: no error, and %d objects", tc.reason, len(objects))
				}
				told[i] = err.Error()
			}
			for _, part := range tc.says {
				if !strings.Contains(told[0], part) {
					t.Errorf("%s: the user must read %q, and reads:\n%s", tc.reason, part, told[0])
				}
			}
			if told[0] != told[1] {
				t.Errorf("%s: the same failure has other words the next time, so the Application changes for ever:\n%s\n%s", tc.reason, told[0], told[1])
			}
			for _, part := range []string{secret, "warning GA", "info GA", "_cmp_server"} {
				if strings.Contains(told[0], part) {
					t.Errorf("%s: the user must not read %q, and reads:\n%s", tc.reason, part, told[0])
				}
			}
			if len(told[0]) > 8000 {
				t.Errorf("%s: %d bytes are not short", tc.reason, len(told[0]))
			}
		})
	}
	if strings.Contains(log.String(), secret) {
		t.Error("the password is in the log of the sidecar")
	}
}

// manyTemplates is a CR with 30 images that no lock has.
func manyTemplates() string {
	var b strings.Builder
	b.WriteString("apiVersion: hco.kubevirt.io/v1beta1\nkind: HyperConverged\nmetadata: {name: kubevirt-hyperconverged, namespace: openshift-cnv}\nspec:\n  dataImportCronTemplates:\n")
	for i := range 30 {
		name := "app-" + string(rune('a'+i%26)) + strings.Repeat("x", i/26)
		b.WriteString("  - metadata: {name: " + name + "}\n    spec: {managedDataSource: " + name + ", schedule: '0 3 * * 1', " +
			"template: {spec: {source: {registry: {url: 'docker://registry.example.com/vm/" + name + ":1'}}, storage: {resources: {requests: {storage: 1Gi}}}}}}\n")
	}
	return b.String()
}

// TestNothingToRender: an empty answer would be taken for "no manifests", and with
// pruning everything would be deleted.
func TestNothingToRender(t *testing.T) {
	t.Parallel()
	r := repo{root: t.TempDir(), path: "clusters/production"}
	r.write(t, "README.md", "empty\n")
	if err := os.MkdirAll(filepath.Join(r.root, r.path), 0o755); err != nil {
		t.Fatal(err)
	}
	objects, err := r.generate(t.Context(), named())
	if err == nil || !strings.Contains(err.Error(), "there is nothing to render: no manifests for the cluster were read") {
		t.Errorf("an empty directory: got %d objects and %v", len(objects), err)
	}
	if objects, err := r.generate(t.Context(), nil); err != nil || len(objects) != 0 {
		t.Errorf("without a choice it is none of the plugin's: got %d objects and %v", len(objects), err)
	}
}

// TestDeadline: Argo CD's patience ends while a registry does not answer.
func TestDeadline(t *testing.T) {
	t.Parallel()
	silent, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	asked := make(chan net.Conn, 64)
	go func() {
		for {
			connection, err := silent.Accept()
			if err != nil {
				return
			}
			asked <- connection // one that nobody holds would be closed
		}
	}()
	cr, err := os.ReadFile(example("application/hyperconverged.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	r := newRepo(t, map[string]string{
		"hyperconverged.yaml": strings.ReplaceAll(string(cr), "registry.example.com", silent.Addr().String()),
	})
	before := len(log.String())
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
	defer cancel()
	objects, err := r.generate(ctx, named(text("lock", "Prefer"), text("registry-insecure", silent.Addr().String()), text("registry-request-timeout", "1m")))
	if err == nil {
		t.Fatalf("no error, and %d objects", len(objects))
	}
	select {
	case connection := <-asked:
		defer connection.Close()
	default:
		t.Error("the registry was not asked, so this proves nothing")
	}
	// Which of the two is first to give up, Argo CD's client or its server, is a
	// matter of a tenth of a second. The server kills the program at once: exec's own
	// way to end it is faster than the SIGTERM that the server sends.
	ended := regexp.MustCompile("`goldenarch render .` failed (signal: (killed|terminated)|exit status 1: goldenarch: stopped by a signal, nothing was written)")
	if !ended.MatchString(err.Error()) && !strings.Contains(err.Error(), "DeadlineExceeded") {
		t.Errorf("the user reads: %v", err)
	}
	for deadline := time.Now().Add(4 * time.Second); !ended.MatchString(log.since(before)); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("the program goes on after the deadline:\n%s", last(log.since(before)))
		}
	}
	if _, err := newRepo(t, nil).generate(t.Context(), named()); err != nil {
		t.Errorf("the next call: %v", err)
	}
}
