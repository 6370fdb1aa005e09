package registry_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/goldenarch/goldenarch/internal/images/certificate"
	"github.com/goldenarch/goldenarch/internal/images/imageref"
	"github.com/goldenarch/goldenarch/internal/images/registry"
	"github.com/goldenarch/goldenarch/test/registrytest"
)

// TestAuthorities asks a registry with a certificate of a private authority.
func TestAuthorities(t *testing.T) {
	t.Parallel()
	ca := registrytest.CertificateAuthority()
	other, _ := selfSigned(t)
	cases := map[string]struct {
		reason string
		give   func(t *testing.T, o *registry.Options, host string)
		says   string // what the error must hold; "" for none
	}{
		"None":  {"It is not trusted by itself.", func(*testing.T, *registry.Options, string) {}, "certificateAuthorities"},
		"All":   {"An authority without a host counts for all.", authority("", ca), ""},
		"Host":  {"One for the host counts for it.", authority("%s", ca), ""},
		"Other": {"One for another host does not.", authority("other.example.com", ca), "certificateAuthorities"},
		"Port":  {"Nor one for another port of it.", authority("127.0.0.1", ca), "certificateAuthorities"},
		"Two": {
			"It is added to what is trusted already.",
			func(t *testing.T, o *registry.Options, host string) {
				authority("%s", other)(t, o, host)
				o.RootCAs = x509.NewCertPool()
				o.RootCAs.AppendCertsFromPEM(ca)
			}, "",
		},
		"Directory": {"So is that of certs.d.", directory(map[string]string{"ca.crt": string(ca)}), ""},
		"DirectoryBroken": {
			"A broken file of certs.d is named.",
			directory(map[string]string{"ca.crt": "no certificate"}), "ca.crt: it holds no certificate in PEM; correct the files",
		},
		"DirectoryNoKey": {
			"So is a client certificate without its key.",
			directory(map[string]string{"ca.crt": string(ca), "client.cert": string(other)}), "missing key client.key for client certificate client.cert",
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := with(t)
			ref := fill(t, s, 1, 0)[0]
			o := trusting(t)
			o.RootCAs = x509.NewCertPool()
			tc.give(t, &o, s.Host())
			image, err := resolve(t, client(t, o), ref)
			want := outcome{platforms: "linux/amd64 linux/arm64"}
			if tc.says != "" {
				want = outcome{kind: registry.ErrUnreachable, says: []string{tc.says}}
			}
			want.check(t, tc.reason, ref, image, err)
		})
	}
}

func authority(host string, ca []byte) func(*testing.T, *registry.Options, string) {
	return func(_ *testing.T, o *registry.Options, own string) {
		if host == "%s" {
			host = own
		}
		o.Authorities = append(o.Authorities, certificate.Authority{Host: host, PEM: ca, Source: "ConfigMap ca"})
	}
}

// directory writes a directory certs.d with files for the host.
func directory(files map[string]string) func(*testing.T, *registry.Options, string) {
	return func(t *testing.T, o *registry.Options, host string) {
		t.Helper()
		config := t.TempDir()
		dir := filepath.Join(config, "containers", "certs.d", host)
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		for name, text := range files {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		o.Env = func(key string) string {
			if key == "XDG_CONFIG_HOME" {
				return config
			}
			return ""
		}
	}
}

// TestClientCertificate asks a registry that wants one, and one that is listed
// as insecure.
func TestClientCertificate(t *testing.T) {
	t.Parallel()
	certificate, key := selfSigned(t)
	cases := map[string]struct {
		reason   string
		insecure bool
		allowed  bool
		shown    int
	}{
		"Secure":   {"The client certificate of certs.d is shown to its host.", false, false, 1},
		"Insecure": {"But not where anybody may listen.", true, false, 0},
		"Allowed":  {"Unless the person who runs this says so.", true, true, 1},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			shown := make(chan int, 1)
			server := httptest.NewUnstartedServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
				select {
				case shown <- len(r.TLS.PeerCertificates):
				default:
				}
				rw.WriteHeader(http.StatusNotFound)
			}))
			server.TLS = &tls.Config{ClientAuth: tls.RequestClientCert, MinVersion: tls.VersionTLS12}
			server.Config.ErrorLog = log.New(io.Discard, "", 0)
			server.StartTLS()
			t.Cleanup(server.Close)
			host := server.Listener.Addr().String()
			o := trusting(t)
			directory(map[string]string{"client.cert": string(certificate), "client.key": string(key)})(t, &o, host)
			o.RootCAs = x509.NewCertPool()
			o.RootCAs.AddCert(server.Certificate())
			if tc.insecure {
				o.Insecure = []string{host}
			}
			o.AllowInsecureCredentials = tc.allowed
			ref, err := imageref.Parse(host + "/a:1")
			if err != nil {
				t.Fatal(err)
			}
			if _, err := resolve(t, client(t, o), ref); err == nil {
				t.Error("there is no image")
			}
			if got := <-shown; got != tc.shown {
				t.Errorf("%s\nwant %d client certificates, got %d", tc.reason, tc.shown, got)
			}
		})
	}
}

// TestRefusedHandshake: the advice is about what is wrong with a certificate, or that there is
// none.
func TestRefusedHandshake(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		reason      string
		certificate func(*x509.Certificate)
		says        string
	}{
		"Expired": {
			"Another authority does not help an old certificate.",
			func(c *x509.Certificate) { c.NotAfter = time.Now().Add(-time.Minute) },
			"renew the certificate of the host, or correct the clock of this machine, or accept any: --set registryInsecure=HOST",
		},
		"Name": {
			"Nor one for another name.",
			func(c *x509.Certificate) { c.DNSNames, c.IPAddresses = []string{"registry.example.com"}, nil },
			"use a name of the host that its certificate has",
		},
		"Client": {
			"A host that requires a certificate says so.",
			func(*x509.Certificate) {},
			"the host requires a client certificate: put NAME.cert and NAME.key into certs.d/HOST",
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			own, key := selfSigned(t, func(c *x509.Certificate) { c.IPAddresses = []net.IP{net.IPv4(127, 0, 0, 1)} }, tc.certificate)
			pair, err := tls.X509KeyPair(own, key)
			if err != nil {
				t.Fatal(err)
			}
			host := noHandshake(t, &tls.Config{Certificates: []tls.Certificate{pair}, ClientAuth: tls.RequireAnyClientCert, MinVersion: tls.VersionTLS13})
			o := trusting(t)
			o.RootCAs = x509.NewCertPool()
			o.RootCAs.AppendCertsFromPEM(own)
			ref, err := imageref.Parse(host + "/a:1")
			if err != nil {
				t.Fatal(err)
			}
			image, err := resolve(t, client(t, o), ref)
			outcome{kind: registry.ErrUnreachable, says: []string{strings.ReplaceAll(tc.says, "HOST", host)}}.check(t, tc.reason, ref, image, err)
		})
	}
}

// noHandshake returns the address of a host that completes no handshake. It reads on until the
// client hangs up: an answer may be lost with a connection that is closed earlier.
func noHandshake(t *testing.T, config *tls.Config) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go func() {
				_ = tls.Server(conn, config).HandshakeContext(t.Context())
				_, _ = io.Copy(io.Discard, conn)
				_ = conn.Close()
			}()
		}
	}()
	return listener.Addr().String()
}

func selfSigned(t *testing.T, edits ...func(*x509.Certificate)) (certificate, key []byte) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber:          big.NewInt(3),
		Subject:               pkix.Name{CommonName: "test"},
		NotAfter:              time.Now().Add(time.Hour),
		IsCA:                  true,
		BasicConstraintsValid: true,
	}
	for _, edit := range edits {
		edit(template)
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, private.Public(), private)
	if err != nil {
		t.Fatal(err)
	}
	encoded, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: encoded})
}
