package argocd

import (
	"strings"
	"testing"

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

// TestInit: Argo CD's server logs each command that it runs.
func TestInit(t *testing.T) {
	t.Parallel()
	before := len(log.String())
	if _, err := newRepo(t, nil).generate(t.Context(), named()); err != nil {
		t.Fatal(err)
	}
	for _, command := range []string{"goldenarch argocd discover", "goldenarch version", "goldenarch render ."} {
		if !log.waitFor(before, has(`"msg":"`+command+`"`)) {
			t.Errorf("the server has not run %q:\n%s", command, last(log.since(before)))
		}
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
		"Array": {
			reason: "the appliance has no arm64",
			plugin: named(array("workload-architectures", "arm64")),
			kinds:  []string{"HyperConverged"},
			enable: "false",
		},
		"String": {
			reason: "a list in a string",
			plugin: named(text("workload-architectures", "s390x,arm64")),
			kinds:  []string{"HyperConverged"},
			enable: "false",
		},
		"Two": {
			reason: "a parameter beside another",
			plugin: named(array("workload-architectures", "arm64"), text("unsupported", "Keep")),
			kinds:  []string{"HyperConverged"},
		},
		"Environment": {reason: "plugin.env says the same", plugin: environment, kinds: []string{"HyperConverged"}},
		"Emit": {
			reason: "the expansion comes beside the CR", plugin: named(text("expand", "Emit")),
			kinds: []string{
				"HyperConverged", "DataImportCron", "DataSource", "DataImportCron", "DataSource", "DataSource",
				"DataImportCron", "DataSource", "DataSource",
			},
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
