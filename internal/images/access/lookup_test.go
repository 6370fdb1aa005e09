package access

import (
	"testing"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/manifest/object"
)

// TestSecretValues: of several mistakes, each run reports the same one.
func TestSecretValues(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ reason, fields, want string }{
		{"of two keys, the first by name", `data: {b: "?", a: "?", c: "?", d: "?"}`, `cannot be read: data["a"] is not base64`},
		{"whatever is wrong with the others", `data: {b: "ENC[x]", a: "?", c: "<x>", d: "?"}`, `cannot be read: data["a"] is not base64`},
		{"none", `data: {b: eA==, a: ""}`, ""},
	} {
		secret := object.New(yaml.MustParse("apiVersion: v1\nkind: Secret\nmetadata: {name: s}\n" + tc.fields + "\n"))
		for range 20 {
			got := ""
			if _, err := secretValues(secret); err != nil {
				got = err.Error()
			}
			if got != tc.want {
				t.Fatalf("%s: want %q, got %q", tc.reason, tc.want, got)
			}
		}
	}
}
