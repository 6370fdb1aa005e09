package edit

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/goldenarch/goldenarch/internal/kustomize"
	"github.com/goldenarch/goldenarch/test/filetest"
)

// library is that of this process, which is confined as a worker is.
var library *kustomize.Library

func TestMain(m *testing.M) {
	var err error
	if library, err = kustomize.Confine(); err != nil {
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

func build(request kustomize.Request) (kustomize.Built, error) {
	return kustomize.Build(context.Background(), library, request)
}

func buildDir(dir string) (kustomize.Built, error) {
	return build(kustomize.Request{Dir: dir})
}

func buildWithoutPatch(dir string) (kustomize.Built, error) {
	request, err := WithoutPatch(dir)
	if err != nil {
		return kustomize.Built{}, err
	}
	return build(request)
}
