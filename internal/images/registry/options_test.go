package registry

import (
	"testing"
)

func TestInsecureHosts(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		reason, listed, host string
		want                 bool
	}{
		{"A host is itself.", "r.example.com", "r.example.com", true},
		{"Names have no case.", "R.example.com", "r.example.com", true},
		{"A host is all its ports.", "r.example.com", "r.example.com:5000", true},
		{"A port is that port.", "r.example.com:5000", "r.example.com:5000", true},
		{"And no other.", "r.example.com:5000", "r.example.com:5001", false},
		{"Nor none.", "r.example.com:5000", "r.example.com", false},
		{"443 is the port of no port.", "r.example.com:443", "r.example.com", true},
		{"And not of another one.", "r.example.com:443", "r.example.com:5000", false},
		{"An address in brackets may have a port too.", "[::1]", "[::1]:5000", true},
		{"A longer name is another one.", "example.com", "r.example.com", false},
	} {
		if got := (Options{Insecure: []string{tc.listed}}).insecure(tc.host); got != tc.want {
			t.Errorf("%s\n%q listed, %q asked: want %v, got %v", tc.reason, tc.listed, tc.host, tc.want, got)
		}
	}
}
