package engine_test

import (
	"bytes"
	"strings"
	"testing"

	"sigs.k8s.io/kustomize/kyaml/kio"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

func readItems(t *testing.T, text string) []*yaml.RNode {
	t.Helper()
	items, err := (&kio.ByteReader{Reader: strings.NewReader(text), OmitReaderAnnotations: true, DisableUnwrapping: true}).Read()
	if err != nil {
		t.Fatal(err)
	}
	return items
}

func writeItems(t *testing.T, items []*yaml.RNode) string {
	t.Helper()
	var out bytes.Buffer
	if err := (kio.ByteWriter{Writer: &out, KeepReaderAnnotations: true}).Write(items); err != nil {
		t.Fatal(err)
	}
	return out.String()
}
