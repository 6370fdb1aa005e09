package cli

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestKustomizeWarns: nothing but findings is on standard error, without the time.
func TestKustomizeWarns(t *testing.T) {
	written(t, map[string]string{
		"kustomization.yaml": kustomized +
			"resources: [cm.yaml]\ncommonLabels: {a: b}\nvars: [{name: V, objref: {kind: ConfigMap, name: c, apiVersion: v1}, fieldref: {fieldpath: data.a}}]\n",
		"cm.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata: {a: b}\n",
	}, ".")
	child := goldenarch(t, "render", ".")
	var stderr bytes.Buffer
	child.Stderr = &stderr
	if err := child.Run(); err != nil {
		t.Fatalf("%v\n%s", err, stderr.String())
	}
	const want = "warning GA423 (.): kustomize never replaced these vars: V\n" +
		"warning GA003: the input has no HyperConverged CR, so goldenarch changes nothing. Pass the file or directory that has the CR\n"
	if diff := cmp.Diff(want, stderr.String()); diff != "" {
		t.Errorf("standard error (-want +got):\n%s", diff)
	}
}
