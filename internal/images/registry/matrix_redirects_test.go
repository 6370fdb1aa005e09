package registry_test

import (
	"net/http"
	"strings"

	"github.com/goldenarch/goldenarch/internal/images/registry"
	"github.com/goldenarch/goldenarch/test/registrytest"
)

// redirectRows are registries that send their clients elsewhere: to other hosts,
// and to token services.
func redirectRows() []matrixRow {
	right := outcome{platforms: appFound}
	users := registrytest.Users{plantedUser: plantedPassword}
	single := func(w *world) {
		w.registry.Push(appImage, registrytest.Image("linux/arm64"))
		w.other.Push(appImage, registrytest.Image("linux/arm64"))
	}
	toOther := func(kind registrytest.Kind) func(w *world) []registrytest.Wrapper {
		return func(w *world) []registrytest.Wrapper {
			return []registrytest.Wrapper{
				registrytest.Basic(users),
				registrytest.On(kind, registrytest.Redirect(w.other.URL(), "X-Signature="+plantedSignature)),
			}
		}
	}
	realm := func(set func(w *world, tokens *registrytest.Tokens)) func(w *world) []registrytest.Wrapper {
		return func(w *world) []registrytest.Wrapper {
			tokens := &registrytest.Tokens{Service: "r", Users: users}
			set(w, tokens)
			return []registrytest.Wrapper{tokens.Require()}
		}
	}
	ping := func(status int) func(*world) []registrytest.Wrapper {
		return fault(registrytest.On(registrytest.Ping, registrytest.Reply(status, nil)))
	}
	return []matrixRow{
		{
			row: "redirect to itself", variant: "manifest", sent: "307 to where it was asked, for ever", wrap: fault(registrytest.RedirectLoop()),
			want: outcome{kind: registry.ErrUnreachable, says: []string{"more than 10 redirects"}}, requests: exactly(11),
		},
		{
			row: "redirect to itself", variant: "config", sent: "307 for ever in place of the config", push: single,
			wrap: fault(registrytest.On(registrytest.Blob, registrytest.RedirectLoop())),
			want: outcome{kind: registry.ErrUnreachable, says: []string{"more than 10 redirects"}}, requests: exactly(1 + 11),
		},
		{
			row: "redirect to itself", variant: "token", sent: "307 for ever in place of a token",
			wrap: fault(registrytest.On(registrytest.Token, registrytest.RedirectLoop()), (&registrytest.Tokens{Service: "r", Users: users}).Require()),
			want: outcome{kind: registry.ErrUnreachable, says: []string{"more than 10 redirects"}}, requests: exactly(1 + 11), login: "registry",
		},
		{
			row: "redirect to another host", variant: "open", sent: "307 for the manifest, to a host that serves it to anybody",
			wrap: toOther(registrytest.Manifest), want: right, requests: exactly(2), otherRequests: exactly(1), login: "registry",
		},
		{
			row: "redirect to another host", variant: "token", sent: "307 to a host that wants a token, which anybody gets",
			wrap: func(w *world) []registrytest.Wrapper {
				w.other = with(w.T, (&registrytest.Tokens{Service: "s"}).Require())
				return toOther(registrytest.Manifest)(w)
			},
			want: right, requests: exactly(2), otherRequests: exactly(3), login: "registry",
		},
		{
			row: "redirect to another host", variant: "private", sent: "307 to a host that wants a password, for which there is a login",
			wrap: func(w *world) []registrytest.Wrapper {
				w.other = with(w.T, registrytest.Basic(users))
				return toOther(registrytest.Manifest)(w)
			},
			want:     outcome{kind: registry.ErrDenied, status: 401, says: []string{"redirected to"}},
			requests: exactly(2), otherRequests: exactly(1), login: "registry",
		},
		{
			row: "redirect of blobs to storage", sent: "307 for the config, to a store with a signature", push: single,
			wrap: toOther(registrytest.Blob), want: outcome{platforms: "linux/arm64"}, requests: exactly(3), otherRequests: exactly(1), login: "registry",
		},
		{
			row: "redirect of blobs to storage", variant: "expired", sent: "a store that says no, and repeats the signature", push: single,
			wrap: func(w *world) []registrytest.Wrapper {
				said := "<Error>https://store/x?sig=" + plantedSignature + " has expired</Error>"
				w.other = with(w.T, registrytest.ReplyBody(http.StatusForbidden, "application/xml", []byte(said), nil))
				return toOther(registrytest.Blob)(w)
			},
			want:     outcome{kind: registry.ErrDenied, status: 403, says: []string{"redirected to", "expired"}},
			requests: exactly(3), otherRequests: exactly(1), login: "registry",
		},
		{
			row: "redirect to a link-local address", sent: "307 to where clouds keep credentials",
			wrap: fault(registrytest.Redirect("https://169.254.169.254", "")),
			want: outcome{kind: registry.ErrUnreachable, says: []string{"169.254.169.254 is a link-local address"}}, requests: exactly(1),
		},
		{
			row: "realm at a private address", sent: "a challenge that names a token service at another port of 127.0.0.1",
			wrap: realm(func(w *world, tokens *registrytest.Tokens) {
				w.other = with(w.T, tokens.Serve())
				tokens.Realm = w.other.URL() + registrytest.TokenPath
			}),
			want: right, requests: exactly(2), otherRequests: exactly(1), login: "other",
		},
		{
			row: "realm at a private address", variant: "link-local", sent: "a challenge that names 169.254.169.254",
			wrap: realm(func(_ *world, tokens *registrytest.Tokens) { tokens.Realm = "https://169.254.169.254/token" }),
			want: outcome{kind: registry.ErrContent, says: []string{"link-local"}}, requests: exactly(1),
		},
		{
			row: "realm over http", sent: "a challenge over TLS that names a token service without",
			wrap: realm(func(w *world, tokens *registrytest.Tokens) {
				w.other = start(w.T, registrytest.Options{PlainHTTP: true, Wrappers: []registrytest.Wrapper{tokens.Serve()}})
				tokens.Realm = w.other.URL() + registrytest.TokenPath
			}),
			want: outcome{kind: registry.ErrContent, says: []string{"plain HTTP", "goldenarch refuses"}}, requests: exactly(1),
		},
		{row: "GET /v2/ answers 403 or 404", variant: "403", sent: "403 at /v2/, which nobody need ask", wrap: ping(403), want: right, requests: exactly(1)},
		{row: "GET /v2/ answers 403 or 404", variant: "404", sent: "404 at /v2/", wrap: ping(404), want: right, requests: exactly(1)},
		{
			row: "GET /v2/ answers 403 or 404", variant: "hidden", sent: "404 for a private repository without a challenge, and 404 at /v2/",
			wrap: fault(registrytest.Reply(404, nil)), requests: exactly(2),
			want: outcome{kind: registry.ErrNotFound, status: 404, says: []string{"check the repository and the tag"}},
		},
		{
			row: "several challenges, Negotiate first", variant: "bearer", sent: "WWW-Authenticate: Negotiate, Bearer …",
			wrap: realm(func(*world, *registrytest.Tokens) {}), want: right, requests: exactly(3), login: "registry",
		},
		{
			row: "several challenges, Negotiate first", variant: "basic", sent: "three headers, of which Basic is the last",
			wrap: fault(negotiating(registrytest.Basic(users))), want: right, requests: exactly(2), login: "registry",
		},
	}
}

// negotiating puts challenges that cannot be met before one that can.
func negotiating(auth registrytest.Wrapper) registrytest.Wrapper {
	return func(next http.Handler) http.Handler {
		inner := auth(next)
		return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
			if !strings.HasPrefix(r.Header.Get("Authorization"), "Basic ") {
				rw.Header().Add("WWW-Authenticate", "Negotiate")
				rw.Header().Add("WWW-Authenticate", `NTLM TlRMTVNTUAAC==, Digest realm="x", nonce="y"`)
				rw.Header().Add("WWW-Authenticate", `Basic realm="r"`)
				rw.WriteHeader(http.StatusUnauthorized)
				return
			}
			inner.ServeHTTP(rw, r)
		})
	}
}
