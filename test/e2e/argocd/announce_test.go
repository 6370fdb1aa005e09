package argocd

import (
	"context"
	"maps"
	"path/filepath"
	"strings"
	"testing"

	"github.com/argoproj/argo-cd/v3/reposerver/apiclient"
	"github.com/argoproj/argo-cd/v3/util/app/discovery"
	"github.com/argoproj/argo-cd/v3/util/cmp"
	utilio "github.com/argoproj/argo-cd/v3/util/io"
	gocmp "github.com/google/go-cmp/cmp"
)

// announced asks for the parameters as Argo CD does for its user interface
// (reposerver/repository/repository.go: populatePluginAppDetails).
func (r repo) announced(ctx context.Context, t *testing.T, env []string) []*apiclient.ParameterAnnouncement {
	t.Helper()
	dir := filepath.Join(r.root, r.path)
	connection, client, err := discovery.DetectConfigManagementPlugin(ctx, dir, r.root, "goldenarch", env, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer utilio.Close(connection)
	stream, err := client.GetParametersAnnouncement(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if err := cmp.SendRepoStream(stream.Context(), dir, r.root, stream, env, nil); err != nil {
		t.Fatal(err)
	}
	response, err := stream.CloseAndRecv()
	if err != nil {
		t.Fatal(err)
	}
	return response.ParameterAnnouncements
}

// TestAnnouncement: what the user interface shows.
func TestAnnouncement(t *testing.T) {
	t.Parallel()
	stated := newRepo(t, map[string]string{
		"golden-images.yaml": "apiVersion: goldenarch.dev/v1alpha1\nkind: GoldenImages\nmetadata: {name: g}\n" +
			"spec: {release: '1.19', cluster: {workloadArchitectures: [amd64, arm64]}, expand: {mode: TakeOver}}\n",
	})
	static := map[string]string{"gate": "", "single-architecture": "", "unsupported": "", "existing": ""}
	for name, tc := range map[string]struct {
		reason string
		repo   repo
		want   map[string]string
	}{
		"Example": {"the values of the example", newRepo(t, nil), map[string]string{
			"workload-architectures": "array:", "control-plane-architectures": "array:", "release": "4.22", "expand": "None",
		}},
		"Stated": {"the values that Git has", stated, map[string]string{
			"workload-architectures": "array:amd64,arm64", "control-plane-architectures": "array:", "release": "1.19", "expand": "TakeOver",
		}},
		"Broken": {"a broken file does not take the parameters away", newRepo(t, map[string]string{"x.yaml": "a: ["}), map[string]string{
			"workload-architectures": "array:", "control-plane-architectures": "array:", "release": "", "expand": "None",
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			maps.Copy(tc.want, static)
			got := map[string]string{}
			for _, p := range tc.repo.announced(t.Context(), t, []string{"ARGOCD_APP_NAME=golden-images"}) {
				value := p.String_
				if p.CollectionType != "" {
					value = p.CollectionType + ":" + strings.Join(p.Array, ",")
				}
				if _, twice := got[p.Name]; twice || p.Title == "" || p.Tooltip == "" {
					t.Errorf("%s: %q is there twice, or has no words for people", tc.reason, p.Name)
				}
				got[p.Name] = value
			}
			if diff := gocmp.Diff(tc.want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

// TestMatch: which directories Argo CD gives to the plugin.
func TestMatch(t *testing.T) {
	t.Parallel()
	const (
		configMap     = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\n"
		cr            = "apiVersion: hco.kubevirt.io/v1beta1\nkind: HyperConverged\nmetadata: {name: kubevirt-hyperconverged}\n"
		kustomization = "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n"
	)
	for name, tc := range map[string]struct {
		reason        string
		files         map[string]string // below the root; the directory is "app"
		found, chosen bool              // by content, and by an Application with a plugin
	}{
		"Configured": {
			reason: "a GoldenImages is its sign",
			files:  map[string]string{"app/g.yaml": "apiVersion: goldenarch.dev/v1alpha1\nkind: GoldenImages\nmetadata: {name: g}\n"},
			found:  true,
			chosen: true,
		},
		"Overlay": {"the sign may be in a base", map[string]string{
			"base/g.yaml":             "apiVersion: goldenarch.dev/v1alpha1\nkind: GoldenImages\nmetadata: {name: g}\n",
			"base/kustomization.yaml": kustomization + "resources: [g.yaml]\n", "app/kustomization.yaml": kustomization + "resources: [../base]\n",
		}, true, true},
		"Below": {
			reason: "what is below may be of another Application",
			files:  map[string]string{"app/x.yaml": configMap, "app/a/g.yaml": "apiVersion: goldenarch.dev/v1alpha1\nkind: GoldenImages\nmetadata: {name: g}\n"},
			chosen: true,
		},
		"CR":     {"a CR alone is left to Argo CD", map[string]string{"app/hco.yaml": cr}, false, true},
		"Others": {"other Applications stay as they are", map[string]string{"app/x.yaml": configMap}, false, false},
		"Beside": {"what another directory has does not count", map[string]string{"app/x.yaml": configMap, "other/g.yaml": "kind: GoldenImages\n"}, false, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := repo{root: t.TempDir(), path: "app"}
			for file, text := range tc.files {
				r.write(t, file, text)
			}
			for plugin, want := range map[string]bool{"": tc.found, "goldenarch": tc.chosen} {
				env := []string{"ARGOCD_APP_NAME=x"}
				if plugin != "" {
					env = append(env, "ARGOCD_APP_PARAMETERS=null")
				}
				connection, _, err := discovery.DetectConfigManagementPlugin(t.Context(), filepath.Join(r.root, r.path), r.root, plugin, env, nil)
				if err == nil {
					utilio.Close(connection)
				}
				if (err == nil) != want {
					t.Errorf("%s: plugin %q: matched: %v (%v), want %v", tc.reason, plugin, err == nil, err, want)
				}
			}
		})
	}
}
