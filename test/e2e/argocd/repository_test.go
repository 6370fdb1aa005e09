package argocd

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/argoproj/argo-cd/v3/pkg/apis/application/v1alpha1"
	"github.com/argoproj/argo-cd/v3/reposerver/apiclient"
	"github.com/argoproj/argo-cd/v3/reposerver/repository"
	"github.com/argoproj/argo-cd/v3/util/git"
	utilio "github.com/argoproj/argo-cd/v3/util/io"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"
)

// application returns the Application of the example.
func application(t *testing.T) v1alpha1.Application {
	t.Helper()
	data, err := os.ReadFile(example("application.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	var app v1alpha1.Application
	if err := yaml.UnmarshalStrict(data, &app); err != nil {
		t.Fatal(err)
	}
	return app
}

// repo is a checked-out repository with an Application's directory in it.
type repo struct {
	root string
	path string // of the directory, below the root
}

// newRepo copies the example's directory into a repository, as it is or changed.
func newRepo(t testing.TB, change map[string]string) repo {
	t.Helper()
	r := repo{root: t.TempDir(), path: "clusters/production"}
	if err := os.CopyFS(filepath.Join(r.root, r.path), os.DirFS(example("application"))); err != nil {
		t.Fatal(err)
	}
	for name, text := range change {
		r.write(t, filepath.Join(r.path, name), text)
	}
	return r
}

func (r repo) write(t testing.TB, name, text string) {
	t.Helper()
	name = filepath.Join(r.root, name)
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// generate has Argo CD's repo-server make the manifests of a directory.
func (r repo) generate(ctx context.Context, plugin *v1alpha1.ApplicationSourcePlugin) ([]*unstructured.Unstructured, error) {
	return r.generateFrom(ctx, v1alpha1.ApplicationSource{Plugin: plugin})
}

// generateFrom is generate with a source of the Application.
func (r repo) generateFrom(ctx context.Context, of v1alpha1.ApplicationSource) ([]*unstructured.Unstructured, error) {
	source := &of
	source.RepoURL, source.Path, source.TargetRevision = "https://git.example.com/platform/clusters.git", r.path, "main"
	response, err := repository.GenerateManifests(ctx, filepath.Join(r.root, r.path), r.root, "5f1d0c3b8a", &apiclient.ManifestRequest{
		Repo:              &v1alpha1.Repository{Repo: source.RepoURL},
		Revision:          "5f1d0c3b8a",
		AppName:           "golden-images",
		AppLabelKey:       "app.kubernetes.io/instance",
		Namespace:         "openshift-cnv",
		ApplicationSource: source,
		KubeVersion:       "1.34.0",
		ProjectName:       "default",
		TrackingMethod:    string(v1alpha1.TrackingMethodAnnotation),
	}, false, &git.NoopCredsStore{}, resource.MustParse("0"), utilio.NewRandomizedTempPaths(os.TempDir()))
	if err != nil {
		return nil, err
	}
	var out []*unstructured.Unstructured
	for _, manifest := range response.Manifests {
		object := &unstructured.Unstructured{}
		if err := json.Unmarshal([]byte(manifest), object); err != nil {
			return nil, err
		}
		out = append(out, object)
	}
	return out, nil
}

// one returns the only object of a kind.
func one(t *testing.T, objects []*unstructured.Unstructured, kind string) *unstructured.Unstructured {
	t.Helper()
	var found []*unstructured.Unstructured
	for _, object := range objects {
		if object.GetKind() == kind {
			found = append(found, object)
		}
	}
	if len(found) != 1 {
		t.Fatalf("want one %s, got %d of %d objects", kind, len(found), len(objects))
	}
	return found[0]
}

// templates returns the templates of a CR.
func templates(t *testing.T, cr *unstructured.Unstructured) []any {
	t.Helper()
	list, found, err := unstructured.NestedSlice(cr.Object, "spec", "dataImportCronTemplates")
	if err != nil || !found {
		t.Fatalf("no templates: %v", err)
	}
	return list
}

// claims returns the claims of the templates, "" for one without.
func claims(t *testing.T, cr *unstructured.Unstructured) []string {
	t.Helper()
	var out []string
	for _, template := range templates(t, cr) {
		claim, _, err := unstructured.NestedString(template.(map[string]any), "metadata", "annotations", "ssp.kubevirt.io/dict.architectures")
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, claim)
	}
	return out
}
