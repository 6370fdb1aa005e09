package generators

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/operators/expansion"
)

const (
	bind = "cdi.kubevirt.io/storage.bind.immediate.requested"
	when = "dataimportcrontemplate.kubevirt.io/enable"
)

// TestAnnotations: what is about the template, and what says that SSP owns an
// object, is not the cron's.
func TestAnnotations(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		reason      string
		given, want map[string]string
	}{
		{"HCO's own comes where it is missing", nil, map[string]string{bind: "true"}},
		{"and does not win over a person's", map[string]string{bind: "false"}, map[string]string{bind: "false"}},
		{
			reason: "goldenarch's are about the template",
			given:  map[string]string{"goldenarch.dev/claim": "amd64", "goldenarch.dev/disabled-because": "taken-over"},
			want:   map[string]string{bind: "true"},
		},
		{
			reason: "a domain that only ends alike is another",
			given:  map[string]string{"my-goldenarch.dev/x": "y", "goldenarch.dev.example/x": "y"},
			want:   map[string]string{bind: "true", "my-goldenarch.dev/x": "y", "goldenarch.dev.example/x": "y"},
		},
		{
			reason: "SSP would delete what it thinks it owns",
			given:  map[string]string{"operator-sdk/primary-resource": "kubevirt/ssp", "operator-sdk/primary-resource-type": "SSP.ssp.kubevirt.io"},
			want:   map[string]string{bind: "true"},
		},
		{"SSP copies the switch as well", map[string]string{when: "true"}, map[string]string{bind: "true", when: "true"}},
	} {
		if diff := cmp.Diff(tc.want, annotations(tc.given)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
		}
	}
}

func TestLabels(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		reason      string
		given, want map[string]string
	}{
		{"none stay none", nil, nil},
		{
			reason: "SSP's are not ours to put on",
			given: map[string]string{
				"app.kubernetes.io/managed-by": "ssp-operator",
				"app.kubernetes.io/name":       "data-sources",
				"app.kubernetes.io/component":  "templating",
			},
			want: map[string]string{},
		},
		{
			reason: "a person's stay, of the same keys too",
			given:  map[string]string{"app.kubernetes.io/managed-by": "argocd", "app.kubernetes.io/part-of": "images"},
			want:   map[string]string{"app.kubernetes.io/managed-by": "argocd", "app.kubernetes.io/part-of": "images"},
		},
		{"an empty value is none of SSP's", map[string]string{"acme.io/x": ""}, map[string]string{"acme.io/x": ""}},
	} {
		if diff := cmp.Diff(tc.want, labels(tc.given)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
		}
	}
}

func TestLetReplace(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ reason, given, want string }{
		{"alone", "", "Force=true,Replace=true"},
		{"a person's options stay", "Prune=false", "Prune=false,Force=true,Replace=true"},
		{"what says otherwise is said anew, once", "Replace=false, Force=true,Delete=false", "Delete=false,Force=true,Replace=true"},
		{"a key that only begins alike is another", "ForceConflicts=true", "ForceConflicts=true,Force=true,Replace=true"},
	} {
		got := map[string]string{syncOptions: tc.given}
		letReplace(got)
		if diff := cmp.Diff(map[string]string{syncOptions: tc.want, fluxForce: "enabled"}, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
		}
	}
}

// TestTemplatesAreNotChanged: the plan goes on using them.
func TestTemplatesAreNotChanged(t *testing.T) {
	t.Parallel()
	given := func() []expansion.Template {
		one := template("app", "disk", "amd64,arm64")
		one.Metadata.Labels = map[string]string{"app.kubernetes.io/managed-by": "ssp-operator"}
		one.Metadata.Annotations["goldenarch.dev/claim"] = "amd64,arm64"
		one.Metadata.Annotations[syncOptions] = "Prune=false"
		return []expansion.Template{one}
	}
	templates := given()
	objects(input{Templates: templates, SSP: ssp("amd64", "arm64"), DataSources: v1alpha1.DataSourcesAll, ReplaceOnChange: true, Support: true})
	if diff := cmp.Diff(given(), templates); diff != "" {
		t.Errorf("(-before +after):\n%s", diff)
	}
}
