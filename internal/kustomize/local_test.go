package kustomize

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestLocalConfigOfABuild: goldenarch reads what kustomize drops as local configuration.
// What kustomize keeps has the text that kustomize writes.
func TestLocalConfigOfABuild(t *testing.T) {
	t.Parallel()
	object := func(name, annotations string) string {
		return "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: " + name + ", annotations: {" + annotations + "}}\n"
	}
	top := written(t, map[string]string{
		"top/kustomization.yaml": "resources: [a.yaml]",
		"top/a.yaml": object("text", `config.kubernetes.io/local-config: "true"`) + object("boolean", "config.kubernetes.io/local-config: true") +
			object("other", `config.kubernetes.io/local-config: "yes", x: y`) + object("nothing", "config.kubernetes.io/local-config: ") +
			object("not-local", `config.kubernetes.io/local-config: "false"`) + object("none", "x: y") +
			object("ours", `goldenarch.dev/local-config: "true"`),
	})
	built, err := buildDir(top)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, item := range built.Items {
		got[item.GetName()] = item.GetAnnotations()[localConfig]
		if _, ok := item.GetAnnotations()[wasLocal]; ok {
			t.Errorf("%s has an annotation of goldenarch's", item.GetName())
		}
	}
	want := map[string]string{"text": "true", "boolean": "true", "other": "true", "nothing": "true", "not-local": "false", "none": "", "ours": ""}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	for _, item := range built.Items {
		if item.GetName() != "not-local" {
			continue
		}
		const text = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  annotations:\n    config.kubernetes.io/local-config: \"false\"\n  name: not-local\n"
		if body, _, err := built.Texts.Body(item); err != nil || body != text {
			t.Errorf("want kustomize's text, got %q, %v", body, err)
		}
	}
}
