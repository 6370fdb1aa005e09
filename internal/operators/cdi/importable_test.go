package cdi_test

import (
	"testing"

	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/operators/cdi"
)

func TestImportable(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		reason       string
		image, nodes arch.Set
		want         string
	}{
		{"a node imports its own", arch.Named("amd64", "arm64", "s390x"), arch.Named("amd64", "arm64"), "amd64,arm64"},
		{"an image of one is imported on any node", arch.Named("arm64"), arch.Named("amd64"), "arm64"},
		{"no node has one of them", arch.Named("arm64", "s390x"), arch.Named("amd64"), ""},
		{"the nodes are unknown", arch.Named("arm64", "s390x"), nil, "arm64,s390x"},
		{"the image is unknown", nil, arch.Named("amd64"), ""},
	} {
		if got := cdi.Importable(tc.image, tc.nodes).String(); got != tc.want {
			t.Errorf("%s: want %q, got %q", tc.reason, tc.want, got)
		}
	}
}
