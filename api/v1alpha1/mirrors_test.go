package v1alpha1

import (
	"errors"
	"strings"
	"testing"
)

func TestMirrors(t *testing.T) {
	t.Parallel()
	entry := func(source string, mirrors ...any) map[string]any {
		return map[string]any{"source": source, "mirrors": mirrors}
	}
	cases := map[string]struct {
		reason  string
		mirrors []any
		want    []string // the errors
	}{
		"Registry":   {reason: "a whole registry", mirrors: []any{entry("quay.io", "m.io:5000/quay")}},
		"Repository": {reason: "a repository, and another one", mirrors: []any{entry("quay.io/a/b", "m.io/x"), entry("quay.io/a", "m.io/y")}},
		"Domain":     {reason: "all registries below a domain", mirrors: []any{entry("*.example.com", "m.io")}},
		"Repeated":   {reason: "the source may stand among its mirrors", mirrors: []any{entry("quay.io", "quay.io", "m.io")}},
		"NoSource": {
			reason:  "a source is required",
			mirrors: []any{map[string]any{"mirrors": []any{"m.io"}}},
			want:    []string{`spec.registry.mirrors[0].source: is ""`},
		},
		"NoMirrors": {
			reason:  "an entry without a mirror does nothing, and OpenShift would not say so",
			mirrors: []any{map[string]any{"source": "quay.io", "neverContactSource": true}},
			want:    []string{"spec.registry.mirrors[0].mirrors: has no mirror"},
		},
		"OnlySource": {
			reason:  "nor does one whose mirrors are the source",
			mirrors: []any{entry("quay.io", "quay.io")},
			want:    []string{"spec.registry.mirrors[0].mirrors: has no mirror"},
		},
		"Twice": {
			reason:  "which of two counts?",
			mirrors: []any{entry("quay.io", "m.io"), entry("quay.io", "n.io")},
			want:    []string{`spec.registry.mirrors[1].source: duplicate source "quay.io": spec.registry.mirrors[0] has it too`},
		},
		"Scheme": {
			reason:  "a place has no scheme",
			mirrors: []any{entry("docker://quay.io", "https://m.io")},
			want:    []string{`spec.registry.mirrors[0].source: is "docker://quay.io": expected no scheme`, `spec.registry.mirrors[0].mirrors[0]: is "https://m.io"`},
		},
		"Tag": {reason: "nor a tag", mirrors: []any{entry("quay.io/a:1", "m.io")}, want: []string{`spec.registry.mirrors[0].source: is "quay.io/a:1"`}},
		"NoHost": {
			reason:  "a mirror begins with a registry, or it is one of Docker Hub",
			mirrors: []any{entry("quay.io", "mirror/quay")},
			want:    []string{`spec.registry.mirrors[0].mirrors[0]: is "mirror/quay": does not begin with a registry`},
		},
		"WildMirror": {
			reason:  "a mirror is one place",
			mirrors: []any{entry("quay.io", "*.m.io")},
			want:    []string{`spec.registry.mirrors[0].mirrors[0]: is "*.m.io"`},
		},
		"Unknown": {
			reason:  "insecure is for a flag and spec.registry.insecure to say",
			mirrors: []any{map[string]any{"source": "quay.io", "mirrors": []any{"m.io"}, "insecure": true}},
			want:    []string{`spec.registry.mirrors[0].insecure: unknown field`},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := DecodeGoldenImages(map[string]any{
				"apiVersion": APIVersion, "kind": GoldenImagesKind, "metadata": map[string]any{"name": "x"},
				"spec": map[string]any{"registry": map[string]any{"mirrors": tc.mirrors}},
			})
			var list Errors
			errors.As(err, &list)
			if len(list) != len(tc.want) {
				t.Fatalf("%s: want %d errors, got %v", tc.reason, len(tc.want), err)
			}
			for i, want := range tc.want {
				if got := list[i].Path + ": " + list[i].Text; !strings.HasPrefix(got, want) {
					t.Errorf("%s\nwant %s\ngot  %s", tc.reason, want, got)
				}
			}
		})
	}
}

func TestCheckMirror(t *testing.T) {
	t.Parallel()
	good := []string{"quay.io", "quay.io:443", "localhost", "localhost/a", "registry:5000/a/b", "quay.io/a_b/c-d.e", "[::1]:5000/a", "Quay.IO/a", "10.0.0.1:5000"}
	bad := []string{
		"", "mirror", "mirror/a", "https://quay.io", "quay.io/", "quay.io//a", "quay.io/A", "quay.io/a:1", "quay.io/a@sha256:0",
		"quay.io/a b", "quay.io:", "quay.io:123456", "-a.io", "a.io-", ".io", "quay..io", "quay.io/a\n", "user@quay.io/a", "quay.io?x=1",
	}
	for _, text := range good {
		if why := CheckMirror(text); why != "" || CheckMirrorSource(text) != "" {
			t.Errorf("%q can be a mirror and a source, got %q", text, why)
		}
	}
	for _, text := range bad {
		if CheckMirror(text) == "" || CheckMirrorSource(text) == "" {
			t.Errorf("%q can be neither a mirror nor a source", text)
		}
	}
	if CheckMirrorSource("*.example.com") != "" || CheckMirror("*.example.com") == "" {
		t.Error("*.example.com can be a source and no mirror")
	}
	for _, text := range []string{"*", "*.", "*example.com", "*.example.com/a", "*.example.com:5000", "a.*.com", "**.com"} {
		if CheckMirrorSource(text) == "" {
			t.Errorf("%q is no wildcard that containers/image knows", text)
		}
	}
}
