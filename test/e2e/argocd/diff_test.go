package argocd

import (
	"encoding/json"
	"testing"

	"github.com/argoproj/argo-cd/v3/pkg/apis/application/v1alpha1"
	"github.com/argoproj/argo-cd/v3/util/argo/diff"
	"github.com/argoproj/argo-cd/v3/util/argo/normalizers"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// live returns a CR as HCO leaves it on the cluster: its webhook adds to each
// template, and HCO writes it back through its Go types.
func live(t *testing.T, git *unstructured.Unstructured) *unstructured.Unstructured {
	t.Helper()
	out := git.DeepCopy()
	applied, err := json.Marshal(git)
	if err != nil {
		t.Fatal(err)
	}
	notes := out.GetAnnotations()
	notes["kubectl.kubernetes.io/last-applied-configuration"] = string(applied)
	out.SetAnnotations(notes)
	out.SetFinalizers([]string{"kubevirt.io/hyperconverged"})
	out.SetLabels(map[string]string{"app": "kubevirt-hyperconverged"})
	list := templates(t, out)
	for _, template := range list {
		template := template.(map[string]any)
		missing(t, template, "true", "metadata", "annotations", "cdi.kubevirt.io/storage.bind.immediate.requested")
		missing(t, template, "None", "spec", "retentionPolicy")
		missing(t, template, int64(1), "spec", "importsToKeep")
		missing(t, template, map[string]any{}, "spec", "template", "metadata")
		missing(t, template, map[string]any{}, "spec", "template", "status")
	}
	set(t, out.Object, list, "spec", "dataImportCronTemplates")
	set(t, out.Object, "External", "spec", "evictionStrategy")
	set(t, out.Object, []any{map[string]any{"type": "Available", "status": "True"}}, "status", "conditions")
	return out
}

func missing(t *testing.T, object map[string]any, value any, fields ...string) {
	t.Helper()
	if _, found, err := unstructured.NestedFieldNoCopy(object, fields...); err != nil {
		t.Fatal(err)
	} else if !found {
		set(t, object, value, fields...)
	}
}

func set(t *testing.T, object map[string]any, value any, fields ...string) {
	t.Helper()
	if err := unstructured.SetNestedField(object, value, fields...); err != nil {
		t.Fatal(err)
	}
}

// compare is a way in which Argo CD compares.
type compare string

// By default Argo CD compares as kubectl apply would, and with the sync option
// ServerSideApply=true by structured merge (argo-cd controller/state.go).
const (
	clientSide compare = "ClientSide"
	serverSide compare = "ServerSide"
)

// outOfSync reports what Argo CD makes of an object in Git and on the cluster.
func outOfSync(t *testing.T, how compare, git, cluster *unstructured.Unstructured, ignored []v1alpha1.ResourceIgnoreDifferences) bool {
	t.Helper()
	builder := diff.NewDiffConfigBuilder().WithDiffSettings(ignored, nil, true, normalizers.IgnoreNormalizerOpts{}).
		WithTracking("app.kubernetes.io/instance", string(v1alpha1.TrackingMethodAnnotation)).WithNoCache()
	if how == serverSide {
		builder = builder.WithStructuredMergeDiff(true).WithManager("argocd-controller").WithGVKParser(schemas(t))
	}
	config, err := builder.Build()
	if err != nil {
		t.Fatal(err)
	}
	result, err := diff.StateDiff(cluster.DeepCopy(), git.DeepCopy(), config)
	if err != nil {
		t.Fatal(err)
	}
	return result.Modified
}

// TestDrift: with the settings of the example Git and the cluster are the same for
// Argo CD, however it compares; and what is needed for which.
func TestDrift(t *testing.T) {
	t.Parallel()
	r := newRepo(t, nil)
	render := func(parameters ...v1alpha1.ApplicationSourcePluginParameter) *unstructured.Unstructured {
		objects, err := r.generate(t.Context(), named(parameters...))
		if err != nil {
			t.Fatal(err)
		}
		return one(t, objects, "HyperConverged")
	}
	ignored := application(t).Spec.IgnoreDifferences
	written, kept := render(), render(text("defaults", "Keep"))
	if !log.waitFor(0, has("info GA422 HyperConverged/")) {
		t.Error("defaults: Keep was not told of in the log of the sidecar")
	}
	moved := written.DeepCopy()
	list := templates(t, moved)
	set(t, list[0].(map[string]any), "0 1 * * *", "spec", "schedule")
	set(t, moved.Object, list, "spec", "dataImportCronTemplates")
	for name, tc := range map[string]struct {
		reason         string
		git, live      *unstructured.Unstructured
		ignored        []v1alpha1.ResourceIgnoreDifferences
		client, server bool // OutOfSync
	}{
		"Example":  {"the example settles", written, live(t, written), ignored, false, false},
		"Keep":     {"GA422: a list is owned as a whole, so what the webhook adds to its elements differs", kept, live(t, kept), ignored, false, true},
		"NoIgnore": {"defaults: Write has HCO's empty objects as well, so nothing need be ignored", written, live(t, written), nil, false, false},
		"Changed":  {"a change in Git is still seen", moved, live(t, written), ignored, true, true},
	} {
		for how, want := range map[compare]bool{clientSide: tc.client, serverSide: tc.server} {
			t.Run(name+"/"+string(how), func(t *testing.T) {
				t.Parallel()
				if got := outOfSync(t, how, tc.git, tc.live, tc.ignored); got != want {
					t.Errorf("%s: OutOfSync: %v, want %v", tc.reason, got, want)
				}
			})
		}
	}
}

// TestDataSourceDrift: CDI fills in the image that was imported last, and Argo CD
// sees neither that nor CDI's labels; but it sees where a reference points.
func TestDataSourceDrift(t *testing.T) {
	t.Parallel()
	objects, err := newRepo(t, nil).generate(t.Context(), named(text("expand", "Emit")))
	if err != nil {
		t.Fatal(err)
	}
	ignored := application(t).Spec.IgnoreDifferences
	filled, pointing := 0, 0
	for _, git := range objects {
		if git.GetKind() != "DataSource" {
			continue
		}
		cluster := git.DeepCopy()
		_, points, err := unstructured.NestedMap(git.Object, "spec", "source", "dataSource")
		if err != nil {
			t.Fatal(err)
		}
		if points {
			pointing++
			set(t, cluster.Object, "elsewhere", "spec", "source", "dataSource", "name")
		} else {
			filled++
			set(t, cluster.Object, map[string]any{"name": "fedora-0123", "namespace": git.GetNamespace()}, "spec", "source", "pvc")
			labels := cluster.GetLabels()
			labels["cdi.kubevirt.io/dataImportCron.cleanup"] = "true"
			cluster.SetLabels(labels)
		}
		if !points && !outOfSync(t, serverSide, withPVC(t, git, "another"), cluster, nil) {
			t.Error("what Git says of spec.source.pvc is compared, so the example ignores it")
		}
		for _, how := range []compare{clientSide, serverSide} {
			if got := outOfSync(t, how, git, cluster, ignored); got != points {
				t.Errorf("%s: DataSource %s is OutOfSync: %v, want %v", how, git.GetName(), got, points)
			}
		}
	}
	if filled == 0 || pointing == 0 {
		t.Errorf("%d DataSources with an image and %d that point at one: this proves nothing", filled, pointing)
	}
}
