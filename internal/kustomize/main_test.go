package kustomize

import (
	"context"
	"fmt"
	"os"
	"testing"
)

// library is that of this process, which is confined as a worker is.
var library *Library

func TestMain(m *testing.M) {
	var err error
	if library, err = Confine(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(m.Run())
}

func buildRequested(request Request) (Built, error) {
	return Build(context.Background(), library, request)
}

func buildDir(dir string) (Built, error) { return buildRequested(Request{Dir: dir}) }
