//go:build unix

package credential

import (
	"context"
	"io"
	"os"
	"strings"
	"syscall"
	"testing"
)

// pipe makes a named pipe DIR/name, by which a test knows what a helper does.
func pipe(t *testing.T, k *Keyring, name string) string {
	t.Helper()
	name = k.Env(name)
	if err := syscall.Mkfifo(name, 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// TestHelperDoesNotOutliveTheRun: a helper, and what it has started, are gone
// once nobody waits for them.
func TestHelperDoesNotOutliveTheRun(t *testing.T) {
	t.Parallel()
	k := keyring(t, map[string]string{
		"f":                          `{"credsStore":"hang"}`,
		"bin/docker-credential-hang": "#!/bin/sh\nexec 3>DIR/alive\n/bin/sleep 300 &\nwait\n",
	}, map[string]string{"REGISTRY_AUTH_FILE": "DIR/f", "PATH": "DIR/bin", "ALIVE": "DIR/alive"})
	alive := pipe(t, k, "ALIVE")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	found := make(chan error, 1)
	go func() {
		_, err := k.Find(ctx, "quay.io", "a")
		found <- err
	}()
	f, err := os.Open(alive) // waits for the helper
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	cancel()
	if err := <-found; err == nil || !strings.Contains(err.Error(), "docker-credential-hang") {
		t.Errorf("want an error that names the helper, got %v", err)
	}
	// The end comes when the last one that can write is gone.
	if _, err := io.ReadAll(f); err != nil {
		t.Error(err)
	}
}

// TestHelperIsLeftToTheOthers: one who gives up does not end it for another.
func TestHelperIsLeftToTheOthers(t *testing.T) {
	t.Parallel()
	k := keyring(t, map[string]string{
		"f":                          `{"credsStore":"slow"}`,
		"bin/docker-credential-slow": "#!/bin/sh\nread answer <DIR/go\necho \"$answer\"\n",
	}, map[string]string{"REGISTRY_AUTH_FILE": "DIR/f", "PATH": "DIR/bin", "GO": "DIR/go"})
	answer := pipe(t, k, "GO")
	other := k.begin(t.Context(), question{"slow", "quay.io"})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := k.Find(ctx, "quay.io", "a"); err == nil {
		t.Error("want an error for the one who gave up")
	}
	if err := os.WriteFile(answer, []byte(`{"Username":"u","Secret":"s"}`+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	<-other.done
	if other.err != nil || other.credential.Username != "u" {
		t.Errorf("want the login for the other one, got %v, %v", other.credential, other.err)
	}
}
