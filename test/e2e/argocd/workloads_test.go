package argocd

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/argoproj/argo-cd/v3/pkg/apis/application/v1alpha1"
	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"
)

// newShop copies the directory of the Application with workloads into a repository.
func newShop(t *testing.T) repo {
	t.Helper()
	r := repo{root: t.TempDir(), path: "apps/shop"}
	if err := os.CopyFS(filepath.Join(r.root, r.path), os.DirFS(example("..", "workloads", "argocd", "application"))); err != nil {
		t.Fatal(err)
	}
	return r
}

// TestWorkloads: Argo CD gets the workloads of the example with their node affinity, and
// nothing of what is for tools.
func TestWorkloads(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile(example("..", "workloads", "argocd", "application.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	var app v1alpha1.Application
	if err := yaml.UnmarshalStrict(data, &app); err != nil {
		t.Fatal(err)
	}
	for name, plugin := range map[string]*v1alpha1.ApplicationSourcePlugin{"Discovered": nil, "AsTheApplicationSays": app.Spec.Source.Plugin} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			objects, err := newShop(t).generate(t.Context(), plugin)
			if err != nil {
				t.Fatal(err)
			}
			got := map[string]string{}
			for _, object := range objects {
				got[object.GetKind()] = object.GetAnnotations()["goldenarch.dev/node-affinity"]
			}
			want := map[string]string{"Deployment": "amd64,arm64", "StatefulSet": "amd64,arm64,s390x", "CronJob": "amd64"}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("the objects, with what goldenarch wrote (-want +got):\n%s", diff)
			}
			if len(objects) != len(want) {
				t.Errorf("lock and configuration are not for the cluster: got %d objects", len(objects))
			}
			template := []string{"spec", "template", "spec"}
			terms, _, _ := unstructured.NestedSlice(one(t, objects, "StatefulSet").Object,
				append(template, "affinity", "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution", "nodeSelectorTerms")...)
			if len(terms) != 1 {
				t.Errorf("want the one term of the StatefulSet with one more expression, got %v", terms)
			}
		})
	}
}

// TestWorkloadsThatFail: the user interface shows the finding.
func TestWorkloadsThatFail(t *testing.T) {
	t.Parallel()
	r := newShop(t)
	const config = "workload-architectures.yaml"
	data, err := os.ReadFile(filepath.Join(r.root, r.path, config))
	if err != nil {
		t.Fatal(err)
	}
	r.write(t, filepath.Join(r.path, config), strings.Replace(string(data), "  mode: Affinity\n", "  mode: Affinity\n  limitTo: [ppc64le]\n", 1))
	if _, err := r.generate(t.Context(), nil); err == nil || !strings.Contains(err.Error(), "GA701 Deployment/web") {
		t.Errorf("want GA701, got %v", err)
	}
}

// TestWorkloadsAreNotAnotherPlugins: workloads without a configuration are left to Argo CD.
func TestWorkloadsAreNotAnotherPlugins(t *testing.T) {
	t.Parallel()
	r := newShop(t)
	if err := os.Remove(filepath.Join(r.root, r.path, "workload-architectures.yaml")); err != nil {
		t.Fatal(err)
	}
	objects, err := r.generate(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, object := range objects {
		if object.GetAnnotations()["goldenarch.dev/node-affinity"] != "" {
			t.Errorf("goldenarch has rendered %s", object.GetName())
		}
	}
}
