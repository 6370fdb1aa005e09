package cdi_test

import (
	"strings"
	"testing"

	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/operators/cdi"
)

func TestImportOf(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		reason       string
		image        arch.Set
		single       bool
		nodes        arch.Set
		want, failOn string
	}{
		{"a node imports its own", arch.Named("amd64", "arm64", "s390x"), false, arch.Named("amd64", "arm64"), "amd64,arm64", ""},
		{"any node imports a manifest", arch.Named("arm64"), true, arch.Named("amd64"), "arm64", ""},
		{"an index of one is imported on its nodes", arch.Named("arm64"), false, arch.Named("amd64", "arm64"), "arm64", "amd64"},
		{"an index of one has nothing for other nodes", arch.Named("arm64"), false, arch.Named("amd64"), "", "amd64"},
		{"a node has none of several", arch.Named("amd64", "arm64"), false, arch.Named("amd64", "s390x"), "amd64", "s390x"},
		{"no node has one of them", arch.Named("arm64", "s390x"), false, arch.Named("amd64"), "", "amd64"},
		{"the nodes are unknown", arch.Named("arm64", "s390x"), false, nil, "arm64,s390x", ""},
		{"the image is unknown", nil, false, arch.Named("amd64"), "", ""},
	} {
		got := cdi.ImportOf(tc.image, tc.single, tc.nodes)
		if got.Architectures.String() != tc.want || (got.Fails != "") != (tc.failOn != "") || !strings.Contains(got.Fails, "on "+tc.failOn) && tc.failOn != "" {
			t.Errorf("%s: want %q that fails on %q, got %q that fails: %s", tc.reason, tc.want, tc.failOn, got.Architectures, got.Fails)
		}
	}
}
