package argocd

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/argoproj/argo-cd/v3/util/app/discovery"
	utilio "github.com/argoproj/argo-cd/v3/util/io"
)

// TestSidecar runs the example's containers as they are restricted there: the
// sidecar with the image of goldenarch, and that of plugin-copied, which has
// goldenarch from an init container alone.
func TestSidecar(t *testing.T) {
	p := newPod(t)
	p.copy(t, "argocd-cmp-server", "root/var/run/argocd/argocd-cmp-server")
	t.Run("Image", func(t *testing.T) {
		p.renders(t, "--env=PATH=/usr/local/bin") // as the Dockerfile says
	})
	t.Run("Copied", func(t *testing.T) {
		copier := []string{"/usr/local/bin/goldenarch", "copy-to", "/goldenarch"}
		if said := p.run(t, nil, copier...); said == "" {
			t.Error("the root can be written: this proves nothing")
		}
		if said := p.run(t, []string{p.volume("goldenarch", "/goldenarch")}, copier...); said != "" {
			t.Fatalf("the init container: %s", said)
		}
		if err := os.Remove(filepath.Join(p.dir, "root/usr/local/bin/goldenarch")); err != nil {
			t.Fatal(err)
		}
		p.renders(t, p.volume("goldenarch", "/goldenarch:ro"), "--env=PATH=/goldenarch")
	})
}

// renders runs the sidecar with more options, finds it by the content of the
// example's directory, and has it render that.
func (p pod) renders(t *testing.T, more ...string) {
	t.Helper()
	sidecar := p.command(t, slices.Concat(more, []string{
		p.volume("plugins", "/home/argocd/cmp-server/plugins"), p.volume("tmp", "/tmp"),
		"--volume=" + example("plugin/plugin.yaml") + ":/home/argocd/cmp-server/config/plugin.yaml:ro", "--name=goldenarch",
	}), "/var/run/argocd/argocd-cmp-server")
	var said lockedBuffer
	sidecar.Stdout, sidecar.Stderr = &said, &said
	if err := sidecar.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		// SIGTERM would not stop the server.
		remove := exec.Command("podman", "rm", "--force", "--time=0", "goldenarch")
		remove.Env = p.env
		if out, err := remove.CombinedOutput(); err != nil {
			t.Errorf("stop the sidecar: %v\n%s", err, out)
			_ = sidecar.Process.Kill()
		}
		_ = sidecar.Wait()
		if t.Failed() {
			t.Log(last(said.String()))
		}
	})
	socket := filepath.Join(p.dir, "plugins/goldenarch.sock")
	if err := answers(socket, sidecar.Process); err != nil {
		t.Fatal(err)
	}
	t.Setenv(socketsVariable, filepath.Dir(socket))
	r := newRepo(t, nil)
	connection, _, err := discovery.DetectConfigManagementPlugin(t.Context(), filepath.Join(r.root, r.path), r.root, "", []string{"ARGOCD_APP_NAME=x"}, nil)
	if err != nil {
		t.Fatalf("the sidecar is not found: %v", err)
	}
	utilio.Close(connection)
	objects, err := r.generate(t.Context(), named())
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(claims(t, one(t, objects, "HyperConverged")), " "); got != "amd64,arm64,s390x amd64" {
		t.Errorf("the claims are %q", got)
	}
}
