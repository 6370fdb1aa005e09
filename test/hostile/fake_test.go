//go:build unix

package hostile

import (
	"runtime"
	"testing"
)

// fake is a test that notes that it failed.
type fake struct {
	testing.TB

	failed bool
}

func (f *fake) Errorf(string, ...any) { f.failed = true }

func (f *fake) Fatalf(string, ...any) {
	f.failed = true
	runtime.Goexit()
}

func (f *fake) Failed() bool { return f.failed }
