package cli

import (
	"strings"
	"testing"
)

// TestRegistryAllow: the flag is valid by itself or a misuse, before anything is read.
func TestRegistryAllow(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		reason, value string
		says          string
	}{
		{"a URL is not a host", "https://quay.io", "--registry-allow"},
		{"an empty element", "quay.io,", "empty element"},
		{"an empty list would mean all hosts", "", "the value is empty"},
		{"so would one without a host", ",", "name hosts"},
		{"a host that is not the one of the image", "ghcr.io", "--registry-allow does not list the host"},
	} {
		status, out, messages := runFed(t, "", "resolve", "--registry-allow", tc.value, "quay.example/a/b:1")
		if got := out + messages; status == statusOK || !strings.Contains(got, tc.says) {
			t.Errorf("%s: want an error with %q, got status %d and %s", tc.reason, tc.says, status, got)
		}
	}
}
