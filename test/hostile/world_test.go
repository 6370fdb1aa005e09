//go:build unix

package hostile

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/goldenarch/goldenarch/test/filetest"
	"github.com/goldenarch/goldenarch/test/registrytest"
)

// crOf returns a CR with one template for each image.
func crOf(images ...string) string {
	text := "apiVersion: hco.kubevirt.io/v1beta1\nkind: HyperConverged\n" +
		"metadata: {name: kubevirt-hyperconverged, namespace: kubevirt-hyperconverged}\nspec:\n  dataImportCronTemplates:\n"
	for i, image := range images {
		text += fmt.Sprintf("  - metadata: {name: t%d}\n    spec:\n      managedDataSource: t%d\n      schedule: \"0 1 * * *\"\n"+
			"      template: {spec: {source: {registry: {url: %q}}, storage: {resources: {requests: {storage: 30Gi}}}}}\n", i, i, "docker://"+image)
	}
	return text
}

// secured returns a registry over TLS, and the environment that trusts it.
func secured(t *testing.T, wrappers ...registrytest.Wrapper) (s *registrytest.Server, env []string) {
	t.Helper()
	s, err := registrytest.Start(registrytest.Options{Wrappers: wrappers})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s, []string{"SSL_CERT_FILE=" + put(t, "ca.pem", string(authority(t)))}
}

// authority returns the certificate authority of all registries over TLS.
func authority(t *testing.T) []byte {
	t.Helper()
	ca := registrytest.CertificateAuthority()
	return ca
}

// put writes a file into a directory of its own and returns its path.
func put(t *testing.T, name, text string) string {
	t.Helper()
	return filepath.Join(filetest.New(t, map[string]string{name: text}), name)
}

// logins returns the environment that names an auth file with a login for a host.
func logins(t *testing.T, host, user, password string) string {
	t.Helper()
	auth := base64.StdEncoding.EncodeToString([]byte(user + ":" + password))
	data, err := json.Marshal(map[string]any{"auths": map[string]any{host: map[string]string{"auth": auth}}})
	if err != nil {
		t.Fatal(err)
	}
	return "REGISTRY_AUTH_FILE=" + put(t, "auth.json", string(data))
}

// read returns the text of a file, or "".
func read(path string) string {
	data, err := os.ReadFile(path)
	if err != nil {
		return ""
	}
	return string(data)
}

// without fails the test for each of the texts that a run shows.
func without(t *testing.T, got Result, texts ...string) {
	t.Helper()
	for _, text := range texts {
		if shown := got.Stdout + "\n" + got.Stderr; strings.Contains(shown, text) {
			t.Errorf("%q is shown:\n%.3000s", text, shown)
		}
	}
}
