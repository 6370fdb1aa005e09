package registry_test

import (
	"crypto/x509"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"time"

	"github.com/goldenarch/goldenarch/internal/images/registry"
	"github.com/goldenarch/goldenarch/test/registrytest"
)

// hostRows are about the way to a host: TLS, certificates, proxies, and hosts
// that are not there.
func hostRows() []matrixRow {
	right := outcome{platforms: appFound}
	plain := registrytest.Options{PlainHTTP: true}
	distrust := func(w *world) { w.options.RootCAs = x509.NewCertPool() }
	deadNames := []string{}
	singles := []string{}
	for i := range 20 {
		deadNames = append(deadNames, fmt.Sprintf("registry.invalid/org/r%d:1", i))
		singles = append(singles, fmt.Sprintf("HOST/org/s%d:1", i))
	}
	return []matrixRow{
		{
			row: "http registry", variant: "not allowed", sent: "plain HTTP, which is never fallen back to", listen: plain,
			want: outcome{kind: registry.ErrUnreachable, says: []string{"does not use TLS", "--set registryInsecure="}}, requests: exactly(0),
		},
		{row: "http registry", variant: "allowed", sent: "plain HTTP", listen: plain, client: insecurely, want: right, requests: exactly(1)},
		{
			row:      "http registry",
			variant:  "private",
			sent:     "plain HTTP and a challenge: there is a login, which is not sent",
			listen:   plain,
			client:   insecurely,
			wrap:     fault(registrytest.Basic(registrytest.Users{plantedUser: plantedPassword})),
			want:     outcome{kind: registry.ErrDenied, status: 401, says: []string{"not sent: the registry is insecure; --allow-insecure-credentials sends them"}},
			requests: exactly(1),
		},
		{
			row: "unknown CA", sent: "a certificate of an unknown authority", client: distrust,
			want: outcome{kind: registry.ErrUnreachable, says: []string{"certificate", "SSL_CERT_FILE"}}, requests: exactly(0),
		},
		{
			row: "unknown CA", variant: "certs.d", sent: "one that certs.d knows for this host", want: right, requests: exactly(1),
			client: func(w *world) {
				distrust(w)
				directory(map[string]string{"ca.crt": string(ownCA(w))})(w.T, &w.options, w.registry.Host())
			},
		},
		{
			row: "unknown CA", variant: "ConfigMap", sent: "one that a ConfigMap of the input holds", want: right, requests: exactly(1),
			client: func(w *world) {
				distrust(w)
				authority("%s", ownCA(w))(w.T, &w.options, w.registry.Host())
			},
		},
		{
			row: "client certificates", variant: "shown", sent: "a request for a certificate, and certs.d has one",
			listen: registrytest.Options{ClientCertificates: true}, want: right, requests: exactly(1),
			client: func(w *world) {
				certificate, key := selfSigned(w.T)
				directory(map[string]string{"client.cert": string(certificate), "client.key": string(key)})(w.T, &w.options, w.registry.Host())
			},
		},
		{
			row: "client certificates", variant: "none", sent: "a request for a certificate, and there is none",
			listen: registrytest.Options{ClientCertificates: true}, requests: exactly(0),
			want: outcome{kind: registry.ErrUnreachable, says: []string{"tls: handshake failure"}},
		},
		{
			row: "proxy", variant: "used", sent: "an image, behind a proxy", ask: []string{"registry.example/" + appImage}, want: right, requests: exactly(1),
			client: func(w *world) { behindProxy(w, "registry.example") },
		},
		{
			row: "proxy", variant: "down", sent: "nothing: the proxy is down, and has a password", ask: []string{"registry.example/" + appImage},
			client: func(w *world) {
				w.options.Env = only("HTTPS_PROXY", "http://"+plantedUser+":"+plantedPassword+"@"+nobody(w))
			},
			want: outcome{kind: registry.ErrUnreachable, says: []string{"through proxy http://127.0.0.1:", "HTTPS_PROXY"}}, requests: exactly(0),
		},
		{
			row: "DNS failure, refused", variant: "DNS", sent: "nothing: the name does not exist", ask: deadNames,
			want: outcome{kind: registry.ErrUnreachable, says: []string{"check the name"}}, requests: exactly(0), also: oneFailure,
		},
		{
			row: "DNS failure, refused", variant: "refused", sent: "nothing: nobody listens", ask: []string{"HOST/org/a:1", "HOST/org/b:1"},
			client: func(w *world) { w.registry.Close() },
			want:   outcome{kind: registry.ErrUnreachable, says: []string{"check the name and the port"}}, requests: exactly(0), also: oneFailure,
		},
		{
			row:  "jobs",
			sent: "configs, of which 20 must be asked for at once to get any",
			ask:  singles,
			wrap: fault(registrytest.On(registrytest.Blob, joinFaults(20))),
			push: func(w *world) {
				for i := range 20 {
					w.registry.Push(fmt.Sprintf("org/s%d:1", i), registrytest.Image("linux/arm64"))
				}
			},
			want:     outcome{platforms: "linux/arm64"},
			requests: exactly(40),
		},
	}
}

// oneFailure: what is the same for all images is one error for all.
func oneFailure(w *world, results []registry.Result) {
	for _, r := range results {
		first, _ := results[0].Err.(*registry.Error)
		own, _ := r.Err.(*registry.Error)
		if first == nil || own == nil || first.Err != own.Err {
			w.Errorf("want one failure for all images, got %v and %v", results[0].Err, r.Err)
		}
	}
}

// together holds requests back until n of them are there; before that time is up
// it fails.
func joinFaults(n int64) registrytest.Wrapper {
	var there atomic.Int64
	all := make(chan struct{})
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
			if there.Add(1) == n {
				close(all)
			}
			select {
			case <-all:
				next.ServeHTTP(rw, r)
			case <-time.After(deadline / 4):
				rw.WriteHeader(http.StatusConflict)
			}
		})
	}
}

func ownCA(w *world) []byte {
	w.Helper()
	ca := registrytest.CertificateAuthority()
	return ca
}

// only is an environment of one variable.
func only(name, value string) func(string) string {
	return func(key string) string {
		if key == name {
			return value
		}
		return ""
	}
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

// behindProxy has the registry answer for other hosts: a proxy connects to it,
// whoever is asked for. Its certificate is for none of them.
func behindProxy(w *world, hosts ...string) {
	w.Helper()
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
	w.options.Env = only("HTTPS_PROXY", proxy.URL)
	w.options.Insecure, w.options.AllowInsecureCredentials = hosts, true
}
