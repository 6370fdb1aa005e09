package cli

import (
	"bytes"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/goldenarch/goldenarch/internal/images/imageref"
)

// TestStoppedNamesWhatItWaitsFor: a host kills a run that waits for a registry, and
// the user must read for which.
func TestStoppedNamesWhatItWaitsFor(t *testing.T) {
	t.Parallel()
	silent, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	dir, host := t.TempDir(), silent.Addr().String()
	cr := `apiVersion: hco.kubevirt.io/v1beta1
kind: HyperConverged
metadata: {name: kubevirt-hyperconverged, namespace: kubevirt-hyperconverged}
spec:
  dataImportCronTemplates:
  - metadata: {name: one}
    spec:
      managedDataSource: one
      schedule: "0 0 * * *"
      template:
        spec:
          source: {registry: {url: "docker://HOST/disks/one:1"}}
          storage: {resources: {requests: {storage: 10Gi}}}
`
	if err := os.WriteFile(filepath.Join(dir, "hco.yaml"), []byte(strings.ReplaceAll(cr, "HOST", host)), 0o600); err != nil {
		t.Fatal(err)
	}
	var errs bytes.Buffer
	child := goldenarch(t, "render", dir, "--set", "predefined=none", "--workload-architectures", "amd64", "--set", "registryInsecure="+host,
		"--set", "registryRequestTimeout=1m")
	child.Stderr = &errs
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	asked, err := silent.Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer asked.Close()
	if err := child.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	_ = child.Wait()
	want := "goldenarch: stopped by a signal, nothing was written; no answer yet from " + host + " about " + host + "/disks/one:1\n"
	if errs.String() != want {
		t.Errorf("want the registry and the image, got %q", errs.String())
	}
}

func TestWaiting(t *testing.T) {
	t.Parallel()
	_, w := withWaiting(t.Context())
	if got := w.String(); got != "" {
		t.Errorf("want nothing, got %q", got)
	}
	for _, name := range []string{"b.example/6", "a.example/5", "a.example/4", "a.example/3", "a.example/2", "a.example/1", "a.example/1"} {
		ref, err := imageref.Parse(name)
		if err != nil {
			t.Fatal(err)
		}
		w.add(ref, 1)
	}
	const all = "no answer yet from a.example, b.example about a.example/1:latest, a.example/2:latest, a.example/3:latest, " +
		"a.example/4:latest, a.example/5:latest and 1 more"
	if got := w.String(); got != all {
		t.Errorf("want %q, got %q", all, got)
	}
}
