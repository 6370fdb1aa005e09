package cdi

import (
	"testing"

	"k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"pgregory.net/rapid"
)

// TestPlainMetadata: what is plain is valid for the API server.
func TestPlainMetadata(t *testing.T) {
	t.Parallel()
	plain := 0
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.Custom(func(t *rapid.T) string {
			return rapid.OneOf(
				rapid.StringMatching(`[a-z0-9]{1,3}([-.]{0,2}[a-z0-9A-Z]){0,3}`), rapid.StringMatching(`[a-z/.-]{0,5}`), rapid.StringMatching(`a{60,66}`),
			).Draw(t, "text")
		})
		m := metav1.ObjectMeta{
			Name: text.Draw(t, "name"), Namespace: text.Draw(t, "namespace"),
			Labels:      rapid.MapOfN(text, text, 0, 2).Draw(t, "labels"),
			Annotations: rapid.MapOfN(text, text, 0, 2).Draw(t, "annotations"),
		}
		if !isPlain(m) {
			return
		}
		plain++
		if found := validation.ValidateObjectMeta(&m, true, validation.NameIsDNSSubdomain, field.NewPath("metadata")); len(found) > 0 {
			t.Errorf("%+v: %v", m, found)
		}
	})
	if plain == 0 {
		t.Error("nothing was plain")
	}
	usual := metav1.ObjectMeta{
		Name: "fedora-amd64", Namespace: "openshift-virtualization-os-images",
		Labels:      map[string]string{"app.kubernetes.io/part-of": "hyperconverged-cluster", "empty": ""},
		Annotations: map[string]string{"ssp.kubevirt.io/dict.architectures": "amd64, ARM"},
	}
	if !isPlain(usual) {
		t.Error("usual metadata is not plain")
	}
}
