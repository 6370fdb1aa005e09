package cli

import (
	"strings"
	"testing"

	"github.com/goldenarch/goldenarch/test/filetest"
)

// TestGeneratorWithoutInputs: kustomize passes a generator no resources, so one without spec.inputs sees
// no CR, and says so (kubernetes-sigs/kustomize#5502).
func TestGeneratorWithoutInputs(t *testing.T) {
	t.Parallel()
	_, out, errs := runFed(t, "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nfunctionConfig: &c\n  "+
		strings.ReplaceAll(strings.TrimSpace(imagesConfig), "\n", "\n  ")+"\nitems: [*c]\n")
	if !strings.Contains(out+errs, "is listed under generators") {
		t.Errorf("as a function of kustomize:\n%s%s", out, errs)
	}
}

// TestEmptyBuild: where kustomize builds nothing, render writes nothing.
func TestEmptyBuild(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	filetest.Write(t, dir, map[string]string{
		"kustomization.yaml": "resources: [a.yaml]\n",
		"a.yaml":             "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, annotations: {config.kubernetes.io/local-config: 'true'}}\n",
	})
	if out, errs, status := runIn(t, dir, "render", ".", "--offline"); status != 0 || out != "" {
		t.Errorf("status %d\n%s%s", status, out, errs)
	}
}
