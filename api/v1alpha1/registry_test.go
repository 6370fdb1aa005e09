package v1alpha1

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const (
	somePEM = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"
	keyPEM  = "-----BEGIN PRIVATE KEY-----\ncGw0bnRlZA==\n-----END PRIVATE KEY-----\n"
)

// Nothing of spec.registry names a file, and no error repeats what may be a
// secret.
func TestRegistryNamesItemsOnly(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		reason string
		yaml   map[string]any // spec.registry
		want   []string       // paths of the errors
	}{
		"Names": {
			reason: "A name may have its namespace.",
			yaml:   map[string]any{"pullSecrets": []any{"pull", "images/pull.two"}, "certificateAuthorities": []any{"ca", "images/ca", somePEM, keyPEM + somePEM}},
		},
		"Absolute": {"No absolute path.", map[string]any{"pullSecrets": []any{"/etc/containers/auth.json"}}, []string{"spec.registry.pullSecrets[0]"}},
		"Relative": {
			reason: "No relative one.",
			yaml:   map[string]any{"pullSecrets": []any{"../auth.json", "./a", "a/b/c", "~/a"}},
			want:   []string{"spec.registry.pullSecrets[0]", "spec.registry.pullSecrets[1]", "spec.registry.pullSecrets[2]", "spec.registry.pullSecrets[3]"},
		},
		"URL": {"No URL.", map[string]any{"certificateAuthorities": []any{"file:///etc/ssl/ca.crt"}}, []string{"spec.registry.certificateAuthorities[0]"}},
		"Empty": {
			reason: "A name says something.",
			yaml:   map[string]any{"pullSecrets": []any{""}, "certificateAuthorities": []any{"a/"}},
			want:   []string{"spec.registry.pullSecrets[0]", "spec.registry.certificateAuthorities[0]"},
		},
		"Key": {
			reason: "A private key is no authority, and not repeated.",
			yaml:   map[string]any{"certificateAuthorities": []any{keyPEM}},
			want:   []string{"spec.registry.certificateAuthorities[0]"},
		},
		"Content": {
			reason: "A Secret's content is not a name, and not repeated.",
			yaml:   map[string]any{"pullSecrets": []any{`{"auths":{"quay.io":{"auth":"cGw0bnRlZA==", "password": "pl4nted"}}, "x": "pl4nted"}`}},
			want:   []string{"spec.registry.pullSecrets[0]"},
		},
		"Object": {
			reason: "An object is not a name, and its values are not repeated.",
			yaml:   map[string]any{"pullSecrets": []any{map[string]any{"password": "pl4nted"}}},
			want:   []string{"spec.registry.pullSecrets[0]"},
		},
		"AuthFile": {"There is no field for an auth file.", map[string]any{"authFile": "/etc/pl4nted"}, []string{"spec.registry.authFile"}},
		"Password": {"Nor for a password.", map[string]any{"password": "pl4nted"}, []string{"spec.registry.password"}},
		"Allow": {
			reason: "Nor for what only the person who runs it may allow.",
			yaml:   map[string]any{"allowInsecureCredentials": true},
			want:   []string{"spec.registry.allowInsecureCredentials"},
		},
		"RateBelow":   {"A rate is not negative.", map[string]any{"requestsPerSecond": -1}, []string{"spec.registry.requestsPerSecond"}},
		"RateAbove":   {"Nor one that no registry serves.", map[string]any{"requestsPerSecond": 1001}, []string{"spec.registry.requestsPerSecond"}},
		"RateNothing": {"0 is no bound.", map[string]any{"requestsPerSecond": 0}, nil},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := DecodeGoldenImages(map[string]any{
				"apiVersion": APIVersion, "kind": GoldenImagesKind, "metadata": map[string]any{"name": "x"},
				"spec": map[string]any{"registry": tc.yaml},
			})
			var got []string
			if list, ok := err.(Errors); ok {
				for _, one := range list {
					got = append(got, one.Path)
				}
			} else if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("%s\npaths (-want +got):\n%s", tc.reason, diff)
			}
			if err != nil && (strings.Contains(err.Error(), "pl4nted") || strings.Contains(err.Error(), "cGw0bnRlZA")) {
				t.Errorf("%s\nthe error repeats a secret: %v", tc.reason, err)
			}
		})
	}
}
