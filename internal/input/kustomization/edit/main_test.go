package edit

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/goldenarch/goldenarch/internal/input/kustomization"
	"github.com/goldenarch/goldenarch/test/filetest"
)

// library is that of this process, which is confined as a worker is.
var library *kustomization.Library

func TestMain(m *testing.M) {
	var err error
	if library, err = kustomization.Confine(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(m.Run())
}

const (
	cr     = "apiVersion: hco.kubevirt.io/v1beta1\nkind: HyperConverged\nmetadata: {name: cr, namespace: ns}\n"
	config = "apiVersion: goldenarch.dev/v1alpha1\nkind: GoldenImages\nmetadata: {name: config}\n"
)

// written makes a directory of files and returns the one named "top" in it.
func written(t *testing.T, files map[string]string) string {
	t.Helper()
	return filepath.Join(filetest.New(t, files), "top")
}

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	filetest.File(t, filepath.Join(dir, name), text)
}

func build(request kustomization.Request) (kustomization.Built, error) {
	return kustomization.Build(context.Background(), library, request)
}

func buildDir(dir string) (kustomization.Built, error) {
	return build(kustomization.Request{Dir: dir})
}

func buildWithoutPatch(dir string) (kustomization.Built, error) {
	request, err := WithoutPatch(dir)
	if err != nil {
		return kustomization.Built{}, err
	}
	return build(request)
}
