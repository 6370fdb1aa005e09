package certificate

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/goldenarch/goldenarch/test/filetest"
)

// made is a certificate of a name, and its key, in PEM.
func made(t *testing.T, name string) (certificate, key string) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber:          big.NewInt(1),
		Subject:               pkix.Name{CommonName: name},
		NotAfter:              time.Now().Add(time.Hour),
		IsCA:                  true,
		BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, private.Public(), private)
	if err != nil {
		t.Fatal(err)
	}
	encoded, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	return string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})), string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: encoded}))
}

func TestParse(t *testing.T) {
	t.Parallel()
	one, key := made(t, "one")
	two, _ := made(t, "two")
	cases := map[string]struct {
		reason, text string
		count        int
		err          string
	}{
		"One":     {"A certificate is one.", one, 1, ""},
		"Many":    {"A bundle is many, with words between.", "# one\n" + one + "# two\n" + two, 2, ""},
		"Beside":  {"A key beside it is passed over.", key + one, 1, ""},
		"Key":     {"A key alone is none, and not repeated.", key, 0, "it holds no certificate in PEM"},
		"Nothing": {"Nothing is none.", "", 0, "it holds no certificate in PEM"},
		"Broken": {
			reason: "One that is broken makes all doubtful.",
			text:   one + "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n",
			err:    "certificate 2 cannot be read",
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			list, err := Parse([]byte(tc.text))
			if len(list) != tc.count || (err != nil) != (tc.err != "") || err != nil && !strings.HasPrefix(err.Error(), tc.err) {
				t.Errorf("%s\nwant %d and %q, got %d and %v", tc.reason, tc.count, tc.err, len(list), err)
			}
		})
	}
}

func TestFor(t *testing.T) {
	t.Parallel()
	one, _ := made(t, "one")
	two, _ := made(t, "two")
	client, key := made(t, "client")
	cases := map[string]struct {
		reason  string
		given   []Authority
		files   map[string]string // below the directories a and b
		host    string
		trusted string // names that are trusted, comma-separated
		clients int
		only    bool // AuthoritiesOnly
		err     string
	}{
		"Nothing":   {reason: "Most hosts have nothing of their own.", host: "r"},
		"All":       {reason: "No host is all hosts.", given: []Authority{{PEM: []byte(one)}}, host: "r", trusted: "one"},
		"Port":      {reason: "443 is the port of no port.", given: []Authority{{Host: "r:443", PEM: []byte(one)}}, host: "R", trusted: "one"},
		"OtherPort": {reason: "Another port is another host.", given: []Authority{{Host: "r", PEM: []byte(one)}}, host: "r:5000"},
		"Hub": {
			reason:  "Docker Hub has an address of another name.",
			given:   []Authority{{Host: "docker.io", PEM: []byte(one)}},
			host:    "registry-1.docker.io",
			trusted: "one",
		},
		"Both": {
			reason:  "What is given and what is found add up.",
			given:   []Authority{{Host: "r", PEM: []byte(one)}},
			files:   map[string]string{"a/r/ca.crt": two},
			host:    "r",
			trusted: "one,two",
		},
		"First": {reason: "The first directory counts.", files: map[string]string{"a/r/ca.crt": one, "b/r/ca.crt": two}, host: "r", trusted: "one"},
		"Second": {
			reason:  "The second where the first has none for the host.",
			files:   map[string]string{"a/x/ca.crt": one, "b/r/ca.crt": two},
			host:    "r",
			trusted: "two",
		},
		"WithPort": {reason: "A directory has the port in its name.", files: map[string]string{"a/r:5000/ca.crt": one}, host: "r:5000", trusted: "one"},
		"HubFile": {
			reason:  "Docker Hub is named as references do.",
			files:   map[string]string{"a/docker.io/ca.crt": one},
			host:    "registry-1.docker.io",
			trusted: "one",
		},
		"Client": {
			reason:  "A client certificate has its key beside it.",
			files:   map[string]string{"a/r/x.cert": client, "a/r/x.key": key},
			host:    "r",
			clients: 1,
		},
		"AuthoritiesOnly": {
			reason: "Of an untrusted input only the authorities count: not even a broken client certificate is read.",
			files:  map[string]string{"a/r/ca.crt": one, "a/r/x.cert": "x"}, only: true,
			host: "r", trusted: "one",
		},
		"AuthoritiesOnlyClient": {
			reason: "Nor is a good one.", files: map[string]string{"a/r/x.cert": client, "a/r/x.key": key}, only: true, host: "r",
		},
		"Others": {reason: "Other files do not count.", files: map[string]string{"a/r/readme.txt": "x", "a/r/ca.pem": one}, host: "r"},
		"NoKey": {
			reason: "One without its key is named.",
			files:  map[string]string{"a/r/x.cert": client},
			host:   "r",
			err:    "missing key x.key for client certificate x.cert",
		},
		"NoCert": {reason: "So is a key alone.", files: map[string]string{"a/r/x.key": key}, host: "r", err: "missing client certificate x.cert for key x.key"},
		"OtherKey": {
			reason: "And a key of another certificate.",
			files:  map[string]string{"a/r/x.cert": one, "a/r/x.key": key},
			host:   "r",
			err:    "private key does not match public key",
		},
		"Broken":      {reason: "And a file that holds none.", files: map[string]string{"a/r/ca.crt": "x"}, host: "r", err: "ca.crt: it holds no certificate in PEM"},
		"Up":          {reason: "A redirect to a host of that name leads to no directory.", files: map[string]string{"ca.crt": "x"}, host: ".."},
		"NoDirectory": {reason: "A file in its place is told.", files: map[string]string{"a/r": "x"}, host: "r", err: "read the certificates of the host: "},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			root := filetest.New(t, tc.files)
			base := x509.NewCertPool()
			s := &Store{Base: base, Given: tc.given, AuthoritiesOnly: tc.only, Dirs: []string{filepath.Join(root, "a"), filepath.Join(root, "b")}}
			pool, clients, err := s.For(tc.host)
			if (err != nil) != (tc.err != "") || err != nil && !strings.Contains(err.Error(), tc.err) || len(clients) != tc.clients {
				t.Fatalf("%s\nwant %d client certificates and %q, got %d and %v", tc.reason, tc.clients, tc.err, len(clients), err)
			}
			if (pool != nil) != (tc.trusted != "") || !base.Equal(x509.NewCertPool()) {
				t.Fatalf("%s\nwant authorities of its own: %v; and those of all hosts as they were", tc.reason, tc.trusted != "")
			}
			for name, text := range map[string]string{"one": one, "two": two} {
				list, err := Parse([]byte(text))
				if err != nil {
					t.Fatal(err)
				}
				trusted := false
				if pool != nil {
					_, err := list[0].Verify(x509.VerifyOptions{Roots: pool})
					trusted = err == nil
				}
				if want := strings.Contains(tc.trusted, name); trusted != want {
					t.Errorf("%s\n%s: want trusted %v, got %v", tc.reason, name, want, trusted)
				}
			}
		})
	}
}
