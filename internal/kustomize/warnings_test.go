package kustomize

import (
	"bytes"
	"log"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestWarnings: what kustomize's library prints by itself is reported in our way, once.
func TestWarnings(t *testing.T) {
	t.Parallel()
	const deprecated = "commonLabels: {a: b}\nvars: [{name: V, objref: {kind: ConfigMap, name: c, apiVersion: v1}, fieldref: {fieldpath: data.a}}]\n"
	top := written(t, map[string]string{
		"top/kustomization.yaml":  "resources: [../base]\npatchesStrategicMerge: [cm.yaml]\n",
		"top/cm.yaml":             "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata: {a: c}\n",
		"base/kustomization.yaml": "resources: [cm.yaml]\n" + deprecated,
		"base/cm.yaml":            "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata: {a: b}\n",
	})
	built, err := buildDir(top)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range built.Found {
		got = append(got, f.Text)
	}
	want := []string{
		"kustomize never replaced these vars: V",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestLogged: what is known is a warning and has no values; the rest goes on, for it
// may be the last word.
func TestLogged(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	l := &logged{to: &out}
	logger := log.New(l, "", 0)
	logger.Printf("MakePrimitiveReplacer: bad replacement type=%T val=%v", []string{planted}, []string{planted})
	logger.Printf("MakePrimitiveReplacer: bad replacement type=%T val=%v", []string{planted}, []string{planted})
	logger.Print("unable to make loader")
	if diff := cmp.Diff("unable to make loader\n", out.String()); diff != "" {
		t.Errorf("passed on (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"kustomize did not replace a var, because its value is an object or a list"}, l.texts); diff != "" {
		t.Errorf("warnings (-want +got):\n%s", diff)
	}
}
