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
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/goldenarch/goldenarch/internal/images/certificate"
	"github.com/goldenarch/goldenarch/internal/images/registry"
	"github.com/goldenarch/goldenarch/internal/images/transport"
	"github.com/goldenarch/goldenarch/test/filetest"
	"github.com/goldenarch/goldenarch/test/registrytest"
)

// TestHosts is about how hosts are reached: TLS, certificates, proxies, and hosts that are not
// there.
func TestHosts(t *testing.T) {
	plain, http1, wantsClient := registrytest.Options{PlainHTTP: true}, registrytest.Options{HTTP1: true}, registrytest.Options{ClientCertificates: true}
	private := registrytest.Basic(registrytest.Users{plantedUser: plantedPassword})
	ca := string(registrytest.CertificateAuthority())
	cert, key := selfSigned(t)
	own := []string{"client.cert", string(cert), "client.key", string(key)}
	// unknown is a certificate of an authority that the client does not trust by itself.
	unknown := func(name, reason string) *situation {
		return when(name, reason).client(func(w *world) { w.options.RootCAs = x509.NewCertPool() }).asked(1)
	}
	fails := func(s *situation, says ...string) *situation {
		return s.fails(registry.ErrUnreachable, 0, says...).asked(0)
	}
	given := func(host, pem string) func(*world) {
		return func(w *world) {
			w.options.Authorities = append(w.options.Authorities, certificate.Authority{Host: w.said(host), PEM: []byte(pem), Source: "ConfigMap ca"})
		}
	}
	refusing, asked := proxyThatRefuses(t)
	var dialled atomic.Int64
	login := plantedUser + ":" + plantedPassword
	behind := func(name, reason, proxy string) *situation {
		return when(name, reason).asks("registry.example/"+appImage).envs("HTTPS_PROXY", proxy)
	}
	runSituations(t,
		fails(when("http", "plain HTTP, which is never fallen back to").listens(plain), "does not use TLS", "--set registryInsecure="),
		when("http allowed", "plain HTTP").listens(plain).insecure("HOST").asked(1),
		when("http allowed for the host", "a host without port means all its ports").listens(plain).insecure("127.0.0.1").asked(1),
		fails(when("http allowed at another port", "another port is another host").listens(plain).insecure("127.0.0.1:1")),
		when("http private", "there is a login, which is not sent", private).listens(plain).insecure("HOST").fails(registry.ErrDenied, 401, notSent).
			asked(1),
		when("http private, allowed", "unless told so", private).listens(plain).insecure("HOST").allowed().asked(2).sees("HOST"),
		when("http tokens, allowed", "the same of tokens", (&registrytest.Tokens{Service: "r", Users: registrytest.Users{plantedUser: plantedPassword}}).
			Require()).
			listens(plain).insecure("HOST").allowed().asked(3).sees("HOST"),
		when("HTTP/1.1", "TLS without HTTP/2").listens(http1).asked(1),
		when("insecure and cut off", "a host that speaks TLS and fails is not asked over plain HTTP", registrytest.Reset()).listens(http1).
			insecure("HOST").fails(registry.ErrUnreachable, 0).not("over plain HTTP:").atMost(4),

		fails(unknown("unknown authority", "it is not trusted by itself"), "certificate", "SSL_CERT_FILE", "certificateAuthorities"),
		unknown("insecure", "certificates count for nothing where told so").insecure("HOST"),
		unknown("authority for all", "an authority without a host counts for all").client(given("", ca)),
		unknown("authority for the host", "one of a ConfigMap of the input").client(given("HOST", ca)),
		fails(unknown("authority for another host", "it counts there").client(given("other.example.com", ca)), "certificateAuthorities"),
		fails(unknown("authority for another port", "nor does it count here").client(given("127.0.0.1", ca)), "certificateAuthorities"),
		when("two authorities", "one is added to what is trusted already").client(given("HOST", string(cert))).asked(1),
		unknown("certs.d", "it knows the authority for this host").client(certsDir("HOST", "ca.crt", ca)),
		fails(unknown("broken certs.d", "the file is named").client(certsDir("HOST", "ca.crt", "no certificate")),
			"ca.crt: it holds no certificate in PEM; correct the files"),
		fails(unknown("certs.d without a key", "so is a client certificate without its key").
			client(certsDir("HOST", "ca.crt", ca, "client.cert", string(cert))),
			"missing key client.key for client certificate client.cert"),

		when("client certificate", "it is wanted, and certs.d has one").listens(wantsClient).client(certsDir("HOST", own...)).asked(1),
		fails(when("no client certificate", "it is wanted, and there is none").listens(wantsClient), "tls: handshake failure"),
		fails(when("insecure client certificate", "it is not shown where anybody may listen").listens(wantsClient).client(certsDir("HOST", own...)).
			insecure("HOST")),
		when("insecure client certificate, allowed", "unless the person who runs this says so").listens(wantsClient).client(certsDir("HOST", own...)).
			insecure("HOST").allowed().asked(1),
		fails(handshake("expired", "another authority does not help an old certificate",
			func(c *x509.Certificate) { c.NotAfter = time.Now().Add(-time.Minute) }),
			"renew the certificate of the host, or correct the clock of this machine, or accept any: --set registryInsecure=THIRD"),
		fails(handshake("other name", "nor one for another name", func(c *x509.Certificate) {
			c.DNSNames,
				c.IPAddresses = []string{"registry.example.com"}, nil
		}),
			"use a name of the host that its certificate has"),
		fails(handshake("certificate required", "a host that requires a certificate says so", func(*x509.Certificate) {}),
			"the host requires a client certificate: put NAME.cert and NAME.key into certs.d/THIRD"),

		when("proxy", "it connects to the registry").asks("registry.example/"+appImage).insecure("registry.example").
			client(func(w *world) { w.env["HTTPS_PROXY"] = connecting(w) }).asked(1),
		fails(when("proxy down", "it is named, without its password").asks("registry.example/"+appImage).
			client(func(w *world) { w.env["https_proxy"] = "http://" + login + "@" + nobody(w) }), "through proxy http://127.0.0.1:", "HTTPS_PROXY"),
		fails(behind("proxy that refuses", "407 is an answer: it is not asked again", strings.Replace(refusing, "//", "//"+login+"@", 1)),
			"through proxy "+refusing, "407 Proxy Authentication Required", "the proxy requires a login").also(func(w *world, _ []registry.Result) {
			if n := asked.Load(); n != 1 {
				w.Errorf("want the proxy asked once, got %d", n)
			}
		}),
		fails(behind("malformed proxy", "what is no URL is said to be none, without its password", "http://"+login+"@%zz"),
			"HTTPS_PROXY is not the URL of a proxy", "http://host:port"),
		fails(behind("proxy without a host", "also where nothing of a URL is in it", "://"+plantedPassword), "HTTPS_PROXY is not the URL of a proxy",
			"http://host:port"),

		fails(when("no such name", "it does not exist").asks(numbered("registry.invalid/org/r%d:1", 200)...), "check the name").also(oneFailure),
		fails(when("refused", "nobody listens").asks(numbered("HOST/org/r%d:1", 200)...).client(func(w *world) { w.registry.Close() }),
			"check the name and the port").also(oneFailure),
		when("hangs up", "it takes connections and ends them").asks(numbered("THIRD/org/r%d:1", 200)...).prepare(func(w *world) {
			w.third = w.start(registrytest.Options{Listen: taking(func(conn net.Conn) { dialled.Add(1); _ = conn.Close() })})
		}).fails(registry.ErrUnreachable, 0).also(oneFailure).also(func(w *world, _ []registry.Result) {
			if n := dialled.Load(); n > 50 {
				w.Errorf("a dead host was dialled %d times for 200 images", n)
			}
		}),
	)
}

// oneFailure: what is the same for all images is one error for all.
func oneFailure(w *world, results []registry.Result) {
	dead := map[error]bool{}
	for _, r := range results {
		e := errorOf(r.Err)
		if h, ok := e.Err.(*transport.HostError); ok && h.GivenUp {
			dead[e.Err] = true
		}
	}
	if len(dead) != 1 {
		w.Errorf("want one failure for all images, got %v", dead)
	}
}

// taking wraps a listener so that its connections get to do, and to no server.
func taking(do func(net.Conn)) func(net.Listener) net.Listener {
	return func(l net.Listener) net.Listener { return taker{l, do} }
}

type taker struct {
	net.Listener
	do func(net.Conn)
}

func (t taker) Accept() (net.Conn, error) {
	for {
		conn, err := t.Listener.Accept()
		if err != nil {
			return nil, err
		}
		t.do(conn)
	}
}

// certsDir writes a directory certs.d with files for a host: name, text, name, text.
func certsDir(host string, files ...string) func(*world) {
	return func(w *world) {
		dir := w.TempDir()
		for file := range slices.Chunk(files, 2) {
			write(w, file[1], dir, "containers", "certs.d", w.said(host), file[0])
		}
		w.env["XDG_CONFIG_HOME"] = dir
	}
}

func write(w *world, text string, parts ...string) string {
	w.Helper()
	name := filepath.Join(parts...)
	filetest.File(w, name, text)
	return name
}

// handshake asks a host with a certificate of its own that requires one of the client. It completes
// no handshake, and reads on until the client hangs up: an answer may be lost with a connection
// that is closed earlier.
func handshake(name, reason string, edit func(*x509.Certificate)) *situation {
	return when(name, reason).asks("THIRD/" + appImage).prepare(func(w *world) {
		cert, key := selfSigned(w.T, func(c *x509.Certificate) { c.IPAddresses = []net.IP{net.IPv4(127, 0, 0, 1)} }, edit)
		pair, err := tls.X509KeyPair(cert, key)
		if err != nil {
			w.Fatal(err)
		}
		config := &tls.Config{Certificates: []tls.Certificate{pair}, ClientAuth: tls.RequireAnyClientCert, MinVersion: tls.VersionTLS13}
		w.options.RootCAs.AppendCertsFromPEM(cert)
		w.third = w.start(registrytest.Options{Listen: taking(func(conn net.Conn) {
			go func() {
				_ = tls.Server(conn, config).HandshakeContext(w.Context())
				_, _ = io.Copy(io.Discard, conn)
				_ = conn.Close()
			}()
		})})
	})
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

// nobody is an address where nobody listens.
func nobody(w *world) string {
	w.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		w.Fatal(err)
	}
	_ = listener.Close()
	return listener.Addr().String()
}

// proxyThatRefuses wants to know who asks.
func proxyThatRefuses(t *testing.T) (url string, asked *atomic.Int32) {
	t.Helper()
	asked = new(atomic.Int32)
	proxy := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, _ *http.Request) {
		asked.Add(1)
		rw.WriteHeader(http.StatusProxyAuthRequired)
	}))
	t.Cleanup(proxy.Close)
	return proxy.URL, asked
}

// connecting is a proxy that connects to the registry, whoever is asked for.
func connecting(w *world) string {
	proxy := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		to, err := net.Dial("tcp", w.registry.Host())
		if err != nil || r.Method != http.MethodConnect {
			rw.WriteHeader(http.StatusBadGateway)
			return
		}
		defer to.Close()
		from, _, err := http.NewResponseController(rw).Hijack()
		if err != nil {
			return
		}
		defer from.Close()
		// Not before: the server would read ahead into what follows.
		if _, err := io.WriteString(from, "HTTP/1.1 200 OK\r\n\r\n"); err != nil {
			return
		}
		go func() {
			defer to.Close()
			_, _ = io.Copy(to, from)
		}()
		_, _ = io.Copy(from, to)
	}))
	w.Cleanup(proxy.Close)
	return proxy.URL
}
