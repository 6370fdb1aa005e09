package registry_test

import (
	"bytes"
	"cmp"
	"context"
	"crypto/x509"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"runtime"
	"runtime/debug"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/goldenarch/goldenarch/internal/images/certificate"
	"github.com/goldenarch/goldenarch/internal/images/credential"
	"github.com/goldenarch/goldenarch/internal/images/imageref"
	"github.com/goldenarch/goldenarch/internal/images/mirror"
	"github.com/goldenarch/goldenarch/internal/images/registry"
	"github.com/goldenarch/goldenarch/test/registrytest"
)

// TestHostsThatMustNotBeContacted leads goldenarch to a second registry that the
// machine does not allow, and to addresses that nobody allows.
func TestHostsThatMustNotBeContacted(t *testing.T) {
	t.Parallel()
	to := func(target string) registrytest.Wrapper { return registrytest.Redirect("https://"+target, "") }
	realm := func(target string) registrytest.Wrapper {
		return registrytest.Reply(401, http.Header{"Www-Authenticate": {`Bearer realm="https://` + target + `/token",service="r"`}})
	}
	cases := map[string]struct {
		reason string
		wrap   func(other string) registrytest.Wrapper
		mirror bool // the other one is a mirror
		flag   bool // --registry-allow lists the host
		env    func(host, other string) map[string]string
		ask    func(host, other string) string
		says   string
		kind   error
	}{
		"Reference":       {reason: "A reference names it.", ask: func(_, other string) string { return other }},
		"Redirect":        {reason: "A registry redirects there.", wrap: to},
		"Realm":           {reason: "It gives out tokens.", wrap: realm},
		"Mirror":          {reason: "It is a mirror: the source answers.", mirror: true},
		"LinkLocal":       {reason: "A redirect.", wrap: func(string) registrytest.Wrapper { return to("169.254.169.254") }, says: "link-local"},
		"LinkLocalMapped": {reason: "As IPv6.", wrap: func(string) registrytest.Wrapper { return to("[::ffff:169.254.169.254]") }, says: "link-local"},
		"LinkLocalNAT64":  {reason: "Through NAT64.", wrap: func(string) registrytest.Wrapper { return to("[64:ff9b::a9fe:a9fe]") }, says: "link-local"},
		"LinkLocalNumber": {reason: "As one number.", wrap: func(string) registrytest.Wrapper { return to("2852039166") }, says: "unusual form"},
		"RealmLinkLocal":  {reason: "A realm.", wrap: func(string) registrytest.Wrapper { return realm("[::ffff:a9fe:a9fe]") }, says: "link-local"},
		"RealmMetadata": {
			reason: "A realm by name.",
			wrap:   func(string) registrytest.Wrapper { return realm("metadata.google.internal") },
			says:   "keeps the credentials",
		},
		"ReferenceLocal": {reason: "A reference.", ask: func(string, string) string { return "169.254.169.254" }, says: "link-local"},
		"Argo": {
			reason: "Under Argo CD the machine itself is refused.", says: "under Argo CD",
			env: func(string, string) map[string]string { return map[string]string{"ARGOCD_APP_NAME": "app"} },
		},
		"Flag": {
			reason: "The flag lists hosts as well.", wrap: to, says: "--registry-allow",
			env: func(string, string) map[string]string { return nil }, flag: true,
		},
		"FlagRealm": {
			reason: "Also for token services.", wrap: realm, says: "--registry-allow",
			env: func(string, string) map[string]string { return nil }, flag: true,
		},
		"FlagAndMachine": {
			reason: "The flag does not widen the list of the machine.", says: "GOLDENARCH_ALLOWED_REGISTRIES",
			env: func(string, string) map[string]string {
				return map[string]string{"GOLDENARCH_ALLOWED_REGISTRIES": "quay.io"}
			},
			flag: true,
		},
		"BadList": {
			reason: "A list that cannot be read allows nothing.", says: "GOLDENARCH_ALLOWED_REGISTRIES",
			env: func(string, string) map[string]string {
				return map[string]string{"GOLDENARCH_ALLOWED_REGISTRIES": "https://quay.io"}
			},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			other := with(t)
			fill(t, other, 1, 0)
			var wrappers []registrytest.Wrapper
			if tc.wrap != nil {
				wrappers = append(wrappers, tc.wrap(other.Host()))
			}
			s := with(t, wrappers...)
			ref := fill(t, s, 1, 0)[0]
			values := map[string]string{
				"GOLDENARCH_ALLOWED_REGISTRIES": s.Host() +
					",169.254.169.254,[::ffff:169.254.169.254],*.google.internal,2852039166,[64:ff9b::a9fe:a9fe],[::ffff:a9fe:a9fe]",
			}
			if tc.env != nil {
				values = tc.env(s.Host(), other.Host())
			}
			if tc.ask != nil {
				ref = atHost(t, tc.ask(s.Host(), other.Host())+"/org/r0:1")
			}
			o := trusting(t)
			o.Env = func(key string) string { return values[key] }
			if tc.flag {
				o.Allow = []string{s.Host()}
			}
			c := client(t, o)
			var r registry.Resolver = c
			if tc.mirror {
				r = registry.Mirrored(c, c, mirror.New(mirror.Scope{Prefix: s.Host(), Mirrors: []mirror.Endpoint{{Location: other.Host()}}}))
			}
			image, err := resolve(t, r, ref)
			switch {
			case tc.mirror:
				if err != nil || len(image.Passed) != 1 || !errors.Is(image.Passed[0], registry.ErrForbidden) {
					t.Errorf("%s\nwant the source's answer after a refused mirror, got %v, %v", tc.reason, image.Passed, err)
				}
			case !errors.Is(err, registry.ErrForbidden) || !strings.Contains(err.Error(), tc.says):
				t.Errorf("%s\nwant a refusal that says %q, got %v", tc.reason, tc.says, err)
			}
			if n := other.Counts().Total(); n > 0 {
				t.Errorf("%s\nthe other host was asked %d times", tc.reason, n)
			}
		})
	}
}

func atHost(t *testing.T, text string) imageref.Reference {
	t.Helper()
	ref, err := imageref.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return ref
}

// TestLoginsOfTheMachine serves a registry whose authority Git names.
func TestLoginsOfTheMachine(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		reason string
		env    map[string]string
		given  bool // the login is in Git as well
		lax    bool
		system bool // the machine trusts the authority by itself
		sent   bool
		// noLogins is the option of that name, and says what its error names.
		noLogins bool
		says     string
	}{
		"Alone": {reason: "On a machine of one's own the login is sent.", sent: true},
		"Argo":  {reason: "Under Argo CD Git could read it.", env: map[string]string{"ARGOCD_APP_NAME": "app"}},
		"ArgoAllowed": {
			reason: "The administrator allows it.",
			env:    map[string]string{"ARGOCD_APP_NAME": "app", "GOLDENARCH_ALLOWED_LOGINS": "example.com"},
			sent:   true,
		},
		"ArgoOther":  {reason: "For another host.", env: map[string]string{"ARGOCD_APP_NAME": "app", "GOLDENARCH_ALLOWED_LOGINS": "*.example.com"}},
		"ArgoSystem": {reason: "Git names nothing.", env: map[string]string{"ARGOCD_APP_NAME": "app"}, system: true, sent: true},
		"ArgoGiven":  {reason: "A login of Git is Git's own.", env: map[string]string{"ARGOCD_APP_NAME": "app"}, given: true, sent: true},
		"NoLogins":   {reason: "The caller wants none of the machine.", noLogins: true, system: true, says: "no logins of this machine"},
		"NoLoginsGiven": {
			reason: "A login of Git stays Git's own.", noLogins: true, given: true, sent: true,
		},
		"ArgoLax": {reason: "Git calls it insecure.", env: map[string]string{"ARGOCD_APP_NAME": "app"}, lax: true},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var sent atomic.Int32
			s := httptest.NewTLSServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
				if r.Header.Get("Authorization") != "" {
					sent.Add(1)
				}
				rw.Header().Set("WWW-Authenticate", `Basic realm="r"`)
				rw.WriteHeader(http.StatusUnauthorized)
			}))
			t.Cleanup(s.Close)
			authority := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw})
			o := registry.Options{
				NoLogins: tc.noLogins,
				RootCAs:  x509.NewCertPool(), Env: func(key string) string { return tc.env[key] },
				AuthFile: login(t, map[string]string{"example.com": plantedUser + ":" + plantedPassword}),
				Dial: func(ctx context.Context, network, _ string) (net.Conn, error) {
					return (&net.Dialer{}).DialContext(ctx, network, s.Listener.Addr().String())
				},
			}
			switch {
			case tc.system:
				o.RootCAs.AddCert(s.Certificate())
			case tc.lax:
				o.Insecure, o.AllowInsecureCredentials = []string{"example.com"}, true
			default:
				o.Authorities = []certificate.Authority{{PEM: authority, Source: `ConfigMap "ca"`}}
			}
			if tc.given {
				o.Credentials = []credential.Credential{{Match: "example.com", Username: "u", Password: "p-of-git", Source: `Secret "s"`}}
			}
			_, err := resolve(t, client(t, o), atHost(t, "example.com/org/app:1"))
			if got := sent.Load() > 0; got != tc.sent {
				t.Errorf("%s\nwant the login sent %v, got %v (%v)", tc.reason, tc.sent, got, err)
			}
			if says := cmp.Or(tc.says, "GOLDENARCH_ALLOWED_LOGINS"); !tc.sent && !strings.Contains(err.Error(), says) {
				t.Errorf("%s\nthe error must say what allows it: %v", tc.reason, err)
			}
		})
	}
}

// TestWordsOfOtherHosts makes a registry redirect to a service that is none: little
// of what that says is shown.
func TestWordsOfOtherHosts(t *testing.T) {
	t.Parallel()
	secret := strings.Repeat("0123456789", 30)
	errorBody, _ := json.Marshal(map[string]any{"errors": []map[string]string{{"code": secret, "message": secret}}})
	for _, body := range []string{secret, string(errorBody)} {
		for _, way := range []string{"redirect", "realm"} {
			other := with(t, registrytest.ReplyBody(500, "text/plain", []byte(body), nil))
			wrapper := registrytest.Redirect("https://"+other.Host(), "")
			if way == "realm" {
				wrapper = registrytest.Reply(401, http.Header{"Www-Authenticate": {`Bearer realm="https://` + other.Host() + `/token"`}})
			}
			s := with(t, wrapper)
			_, err := resolve(t, client(t, trusting(t)), fill(t, s, 1, 0)[0])
			if err == nil {
				t.Fatal("it must fail")
			}
			shown := 0
			for _, r := range err.Error() {
				if r >= '0' && r <= '9' {
					shown++
				}
			}
			if strings.Contains(err.Error(), secret[:80]) || shown > 80+40 { // ports, digests and the status
				t.Errorf("%s: too much is shown: %v", way, err)
			}
		}
	}
}

func errorOf(err error) *registry.Error {
	e, ok := errors.AsType[*registry.Error](err)
	if !ok {
		return &registry.Error{}
	}
	return e
}

// echoes are the forms in which a server may repeat a secret.
func echoes(secret string) map[string]string {
	return map[string]string{
		"plain":     secret,
		"lower":     strings.ToLower(secret),
		"base64":    base64.StdEncoding.EncodeToString([]byte(secret)),
		"base64url": base64.RawURLEncoding.EncodeToString([]byte("x" + secret)),
		"query":     url.QueryEscape(secret),
		"path":      url.PathEscape(secret),
		"hex":       hex.EncodeToString([]byte(secret)),
		"twice":     url.QueryEscape(base64.StdEncoding.EncodeToString([]byte(base64.StdEncoding.EncodeToString([]byte(secret))))),
		"cut":       strings.Repeat("y", 66) + secret,
	}
}

// echoPlaces are the places of an answer in which a server may repeat what it was
// sent.
func echoPlaces() map[string]func(s string) registrytest.Wrapper {
	reply := func(status int, contentType, body string, header http.Header) registrytest.Wrapper {
		return registrytest.ReplyBody(status, contentType, []byte(body), header)
	}
	quoted := func(s string) string { b, _ := json.Marshal(s); return string(b) }
	return map[string]func(s string) registrytest.Wrapper{
		"body":   func(s string) registrytest.Wrapper { return reply(500, "text/plain", s, nil) },
		"denied": func(s string) registrytest.Wrapper { return reply(403, "text/plain", "no: "+s, nil) },
		"message": func(s string) registrytest.Wrapper {
			return reply(404, "application/json", `{"errors":[{"code":"X","message":`+quoted(s)+`}]}`, nil)
		},
		"code": func(s string) registrytest.Wrapper {
			return reply(404, "application/json", `{"errors":[{"code":`+quoted(s)+`}]}`, nil)
		},
		"header": func(s string) registrytest.Wrapper { return reply(200, "application/"+s, "{}", nil) },
		"type":   func(s string) registrytest.Wrapper { return reply(200, "", `{"mediaType":`+quoted(s)+`}`, nil) },
		"config": func(s string) registrytest.Wrapper {
			return reply(200, "", `{"config":{"mediaType":`+quoted(s)+`}}`, nil)
		},
		"digest": func(s string) registrytest.Wrapper {
			return reply(200, ociIndexType, `{"manifests":[{"digest":`+quoted(s)+`,"size":1}]}`, nil)
		},
		"architecture": func(s string) registrytest.Wrapper {
			return reply(200, ociIndexType,
				`{"manifests":[{"digest":"sha256:`+strings.Repeat("0", 64)+`","size":1,"platform":{"os":"linux","architecture":`+quoted(s)+`,"variant":`+quoted(s)+`}}]}`,
				nil)
		},
		"unbelieved": func(s string) registrytest.Wrapper {
			return reply(200, ociIndexType,
				`{"manifests":[{"digest":"sha256:`+strings.Repeat("0", 64)+
					`","size":1,"platform":{"os":"linux","architecture":"amd64"}},{"platform":{"os":"","architecture":`+quoted(s)+
					`}},{"platform":{"os":"linux","architecture":"arm64","variant":`+quoted(s)+`}}]}`,
				nil)
		},
		"field": func(s string) registrytest.Wrapper {
			return reply(200, ociIndexType, `{"manifests":[{"size":`+quoted(s)+`}]}`, nil)
		},
		"retry-after": func(s string) registrytest.Wrapper { return reply(503, "", "", http.Header{"Retry-After": {s}}) },
		"location": func(s string) registrytest.Wrapper {
			return reply(307, "", "", http.Header{"Location": {"https://" + s + "/" + s}})
		},
		"realm": func(s string) registrytest.Wrapper {
			return reply(401, "", "", http.Header{"Www-Authenticate": {`Bearer realm="ftp://` + s + `"`}})
		},
		"challenge": func(s string) registrytest.Wrapper {
			return reply(401, "", "", http.Header{"Www-Authenticate": {`Bearer realm="https://127.0.0.1:1/` + s + `",service="` + s + `"`}})
		},
	}
}

// TestEchoedCredentials makes a registry repeat what it was sent, in every place of
// an answer and in every form.
func TestEchoedCredentials(t *testing.T) {
	t.Parallel()
	const password = "Pa55-w0rd/of+Someone=Else?"
	basic := base64.StdEncoding.EncodeToString([]byte(plantedUser + ":" + password))
	forms := echoes(password)
	forms["basic"], forms["twice"] = basic, url.QueryEscape(base64.StdEncoding.EncodeToString([]byte(basic)))
	for place, send := range echoPlaces() {
		t.Run(place, func(t *testing.T) {
			t.Parallel()
			for form, text := range forms {
				users := registrytest.Users{plantedUser: password}
				s := with(t, registrytest.Basic(users), send(text))
				ref := fill(t, s, 1, 0)[0]
				o := trusting(t)
				o.AuthFile = login(t, map[string]string{s.Host(): plantedUser + ":" + password})
				image, err := resolve(t, client(t, o), ref)
				shown := fmt.Sprintf("%v\n%+v", err, image)
				if e := errorOf(err); err != nil {
					shown += fmt.Sprintf("\n%v %v", e.Hint, e.Err)
				}
				for _, leak := range []string{password, strings.ToLower(password), text, strings.ToLower(text), password[:9], strings.ToLower(password[:9]), basic[:16]} {
					if form != "cut" || leak != text && leak != strings.ToLower(text) {
						if strings.Contains(shown, leak) {
							t.Errorf("%s in the %s: %q is shown: %s", form, place, leak, shown)
						}
					}
				}
			}
		})
	}
}

// handing is a token service that always hands out the same token, and a registry
// that wants it.
func handing(secret string) registrytest.Wrapper {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
			switch {
			case r.URL.Path == registrytest.TokenPath:
				_, _ = rw.Write([]byte(`{"access_token":"` + secret + `"}`))
			case r.Header.Get("Authorization") != "Bearer "+secret:
				rw.Header().Set("WWW-Authenticate", `Bearer realm="https://`+r.Host+registrytest.TokenPath+`",service="r"`)
				rw.WriteHeader(http.StatusUnauthorized)
			default:
				next.ServeHTTP(rw, r)
			}
		})
	}
}

// TestEchoedTokens does the same with a bearer token that the registry's own service
// handed out, and with one that the user was given.
func TestEchoedTokens(t *testing.T) {
	t.Parallel()
	const token = "eyJhbGciOi.T0ken-0f_Someone.Else~and+more/here="
	for place, send := range echoPlaces() {
		t.Run(place, func(t *testing.T) {
			t.Parallel()
			for form, text := range echoes(token) {
				for _, own := range []bool{false, true} {
					s := with(t, handing(token), send(text))
					ref := fill(t, s, 1, 0)[0]
					o := trusting(t)
					if own {
						o.AuthFile = authFile(t, map[string]any{"auths": map[string]any{s.Host(): map[string]string{"registrytoken": token}}})
					}
					image, err := resolve(t, client(t, o), ref)
					shown := fmt.Sprintf("%v\n%+v", err, image)
					if e := errorOf(err); err != nil {
						shown += fmt.Sprintf("\n%v %v", e.Hint, e.Err)
					}
					for _, leak := range []string{token, strings.ToLower(token), text, strings.ToLower(text), token[:12], strings.ToLower(token[:12])} {
						if form == "cut" && strings.EqualFold(leak, text) {
							continue
						}
						if strings.Contains(shown, leak) {
							t.Errorf("%s in the %s (the user's own: %v): %q is shown: %s", form, place, own, leak, shown)
						}
					}
				}
			}
		})
	}
}

// TestIndexOfManyEntries resolves images whose indexes are of the dearest kinds:
// none is believed, and together they cost little.
func TestIndexOfManyEntries(t *testing.T) {
	const images = 6 // more than are decoded at once
	size := 4<<20 - 100
	var (
		most  uint64
		worst string // the body that allocates most: many of it at once fit, too
	)
	for name, body := range map[string]string{
		"Empty":       `{"manifests":[` + strings.Repeat("{},", size/3) + `{}]}`,
		"Platforms":   `{"manifests":[` + strings.Repeat(`{"platform":{}},`, size/16) + `{}]}`,
		"URLs":        `{"manifests":[{"urls":[` + strings.Repeat(`"",`, size/3-20) + `""]}]}`,
		"Annotations": `{"manifests":[{"annotations":{` + strings.Repeat(`"a":"",`, size/7-20) + `"b":""}}]}`,
		"Distinct":    `{"manifests":[{"annotations":{` + distinct(size) + `"b":""}}]}`,
		"Nested":      `{"manifests":` + strings.Repeat("[", size) + `}`,
		"Layers":      `{"layers":[` + strings.Repeat("{},", size/3-20) + `{}]}`,
	} {
		t.Run(name, func(t *testing.T) {
			total, _ := decoded(t, body, 1)
			// All that was ever asked for: the body is read, and decoded piece by piece.
			if total > 60<<20 {
				t.Errorf("an image took %d MiB", total>>20)
			}
			if total > most {
				most, worst = total, body
			}
		})
	}
	if _, grown := decoded(t, worst, images); grown > 256<<20 {
		t.Errorf("the heap grew by %d MiB", grown>>20)
	}
}

// decoded asks for so many images whose index is the body, and returns what that allocated
// in all, and by how much the heap grew.
func decoded(t *testing.T, body string, images int) (total uint64, grown int64) {
	t.Helper()
	s := with(t)
	var refs []imageref.Reference
	for i := range images {
		repository := fmt.Sprintf("org/r%d:1", i)
		s.Push(repository, registrytest.Raw(ociIndexType, []byte(body)))
		refs = append(refs, reference(t, s, repository))
	}
	runtime.GC()
	defer debug.SetGCPercent(debug.SetGCPercent(20))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for _, result := range registry.ResolveAll(t.Context(), client(t, unhurried(t)), refs) {
		if result.Err == nil {
			t.Errorf("%s has no image", result.Reference)
		}
	}
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc, int64(after.HeapSys) - int64(before.HeapSys)
}

// distinct are annotations with names of their own.
func distinct(size int) string {
	var b strings.Builder
	for i := 0; b.Len() < size-100; i++ {
		fmt.Fprintf(&b, `"%x":"",`, i)
	}
	return b.String()
}

// TestLongTokens: a token that no server would take is not kept.
func TestLongTokens(t *testing.T) {
	t.Parallel()
	body := append(append([]byte(`{"token":"`), bytes.Repeat([]byte("a"), 100<<10)...), []byte(`"}`)...)
	other := with(t, registrytest.ReplyBody(200, "application/json", body, nil))
	s := with(t, registrytest.Reply(401, http.Header{"Www-Authenticate": {`Bearer realm="https://` + other.Host() + `/token"`}}))
	_, err := resolve(t, client(t, trusting(t)), fill(t, s, 1, 0)[0])
	if err == nil || !strings.Contains(err.Error(), "longer than 64 KiB") {
		t.Errorf("want the token refused, got %v", err)
	}
}
