package cli

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"github.com/goldenarch/goldenarch/test/filetest"
	"github.com/goldenarch/goldenarch/test/kustomizationtest"
)

// TestKustomizationsOpenNoSocket builds kustomizations that name something remote
// where the kernel kills what opens a socket, or where that is not permitted, in a network
// namespace without an interface: each ends with an error of goldenarch's own. See
// TestRequireOpensNoSocket for the fences.
func TestKustomizationsOpenNoSocket(t *testing.T) {
	t.Parallel()
	permitted := 0
	for name, text := range kustomizationtest.Vectors() {
		dir := filetest.New(t, kustomizationtest.Files(text, "http://127.0.0.1:9"))
		for _, fence := range []string{"NoSockets", "NoInterfaces"} {
			child := goldenarch(t, "render", "--offline", filepath.Join(dir, "top"))
			var out, errs bytes.Buffer
			child.Stdout, child.Stderr = &out, &errs
			fences[fence](t, child)
			err := child.Run()
			if child.ProcessState == nil || child.ProcessState.ExitCode() == notPermitted {
				t.Logf("%s is not permitted here: %v", fence, err)
				continue
			}
			permitted++
			if status := child.ProcessState.ExitCode(); status != statusFailed || out.Len() > 0 || strings.Contains(errs.String(), "dial") {
				t.Errorf("%s, %s: want an error before any connection, got %v\n%s", name, fence, err, errs.String())
			}
			break // what opens no socket needs no interface
		}
	}
	if permitted == 0 {
		t.Error("this system permits neither seccomp filters nor network namespaces: run the test where it does")
	}
}
