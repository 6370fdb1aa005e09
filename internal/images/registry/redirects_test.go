package registry_test

import (
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/goldenarch/goldenarch/internal/images/registry"
	"github.com/goldenarch/goldenarch/test/registrytest"
)

// TestElsewhere has registries that send their clients elsewhere: to other hosts, to token
// services, and to where goldenarch must not go.
func TestElsewhere(t *testing.T) {
	planted := registrytest.Users{plantedUser: plantedPassword}
	private := registrytest.Basic(planted)
	single := registrytest.Image("linux/arm64")
	loop := registrytest.RedirectLoop()
	// to sends questions of a kind to the other host, with a signature, and needs a login before.
	to := func(kind registrytest.Kind, other func(w *world) *registrytest.Server) func(*world) {
		return func(w *world) {
			if other != nil {
				w.other = other(w)
			}
			w.faults = append(w.faults, private, registrytest.On(kind, registrytest.Redirect(w.other.URL(), "X-Signature="+plantedSignature)))
		}
	}
	being := func(faults ...registrytest.Wrapper) func(w *world) *registrytest.Server {
		return func(w *world) *registrytest.Server { return w.with(faults...) }
	}
	plain := func(w *world) *registrytest.Server { return w.start(registrytest.Options{PlainHTTP: true}) }
	signed := answer(func(rw http.ResponseWriter, r *http.Request, next http.Handler) {
		if r.URL.RawQuery != "X-Signature="+plantedSignature || r.Header.Get("Authorization") != "" {
			rw.WriteHeader(http.StatusTeapot)
			return
		}
		next.ServeHTTP(rw, r)
	})
	expired := registrytest.ReplyBody(403, "application/xml", []byte("<Error>https://store/x?sig="+plantedSignature+" has expired</Error>"), nil)
	const many = "more than 10 redirects"
	runSituations(t,
		when("redirect to itself", "307 to where it was asked, for ever", loop).fails(registry.ErrUnreachable, 0, many).asked(11),
		when("config redirected to itself", "the same in place of the config", registrytest.On(registrytest.Blob, loop)).serves(single).
			fails(registry.ErrUnreachable, 0, many).asked(1+11),
		when("token redirected to itself", "the same in place of a token", onToken(loop)...).fails(registry.ErrUnreachable, 0, many).asked(1+11).
			sees("HOST"),
		when("two hosts", "they redirect to each other").prepare(func(w *world) {
			w.other = w.with(answer(func(rw http.ResponseWriter, r *http.Request, next http.Handler) {
				registrytest.Redirect(w.registry.URL(), "")(next).ServeHTTP(rw, r)
			}))
		}).redirects("https://OTHER").fails(registry.ErrUnreachable, 0, "redirects").asked(6).others(5),
		when("redirect", "307 for the manifest, to a host that serves it to anybody").prepare(to(registrytest.Manifest, nil)).
			asked(2).others(1).sees("HOST"),
		when("redirect to tokens", "307 to a host that wants a token, which anybody gets").
			prepare(to(registrytest.Manifest, being((&registrytest.Tokens{Service: "s"}).Require()))).asked(2).others(3).sees("HOST"),
		when("redirect behind a token", "the request that carries the token is redirected to a host that wants one of its own").prepare(func(w *world) {
			w.other = w.with((&registrytest.Tokens{Service: "s"}).Require())
			w.faults = append(w.faults, (&registrytest.Tokens{Service: "r"}).
				Require(), registrytest.On(registrytest.Manifest, registrytest.Redirect(w.other.URL(), "")))
		}).anonymous().asked(3).others(3),
		when("redirect to a login", "307 to a host that wants a password, for which there is a login").prepare(to(registrytest.Manifest, being(private))).
			fails(registry.ErrDenied, 401, "redirected to").asked(2).others(1).sees("HOST"),
		when("storage", "307 for the config, to a store that wants the signature and no login").serves(single).
			prepare(to(registrytest.Blob, being(signed))).finds("linux/arm64").asked(3).others(1).sees("HOST"),
		when("storage that expired", "a store that says no, and repeats the signature").serves(single).prepare(to(registrytest.Blob, being(expired))).
			fails(registry.ErrDenied, 403, "redirected to", "expired").asked(3).others(1).sees("HOST"),
		when("storage without TLS", "a redirect away from TLS is not followed").serves(single).prepare(to(registrytest.Blob, plain)).
			fails(registry.ErrUnreachable, 0, "plain HTTP", "OTHER").asked(3).sees("HOST"),
		when("storage that resets", "the error says which host it was").serves(single).prepare(to(registrytest.Blob, being(registrytest.Reset()))).
			fails(registry.ErrUnreachable, 0, "OTHER").atMost(4).mostElsewhere(2).sees("HOST"),

		when("realm at a private address", "a token service at another port of 127.0.0.1 gets the password, the registry the token").
			prepare(tokensAt(registrytest.Options{}, planted)).asked(2).others(1).sees("OTHER"),
		when("realm over http", "a challenge over TLS that names a token service without").
			prepare(tokensAt(registrytest.Options{PlainHTTP: true}, planted)).fails(registry.ErrContent, 0, "plain HTTP", "goldenarch refuses").asked(1),
		when("insecure realm over http", "nor where the user lists it as insecure").prepare(tokensAt(registrytest.Options{PlainHTTP: true}, planted)).
			insecure("HOST", "OTHER").fails(registry.ErrContent, 0, "plain HTTP", "goldenarch refuses").asked(1),
		when("all over http", "who asks over plain HTTP sends no password").prepare(tokensAt(registrytest.Options{PlainHTTP: true}, planted)).
			listens(registrytest.Options{PlainHTTP: true}).insecure("HOST", "OTHER").
			fails(registry.ErrDenied, 401, notSent).asked(1).others(1),
		when("registry over http", "nor may it lead to a safe service with it").prepare(tokensAt(registrytest.Options{}, planted)).
			listens(registrytest.Options{PlainHTTP: true}).insecure("HOST").
			fails(registry.ErrDenied, 401, notSent).asked(1).others(1),
		when("realm that is no URL", "a path").challenges(`Bearer realm="token"`).fails(registry.ErrContent, 0, "not an http or https URL").asked(1),
		when("long realm", "what names no host is shown in part").challenges(`Bearer realm="https://`+strings.Repeat("a", 30_000)+`/token"`).
			fails(registry.ErrContent, 0, `("https://`+strings.Repeat("a", 67)+`...")`).asked(1),
	)
}

// notSent is what the error says of a login that an insecure host does not get.
const notSent = "were not sent: the registry is insecure; --allow-insecure-credentials sends them"

// tokensAt has the other host give out the tokens.
func tokensAt(o registrytest.Options, users registrytest.Users) func(*world) {
	return func(w *world) {
		tokens := &registrytest.Tokens{Service: "r", Users: users}
		o.Wrappers = []registrytest.Wrapper{tokens.Serve()}
		w.other = w.start(o)
		tokens.Realm = w.other.URL() + registrytest.TokenPath
		w.faults = append(w.faults, tokens.Require())
	}
}

// TestHostsThatMustNotBeContacted leads goldenarch to a second registry that the machine does not
// allow, and to addresses that nobody allows.
func TestHostsThatMustNotBeContacted(t *testing.T) {
	const list = "HOST,169.254.169.254,[::ffff:169.254.169.254],*.google.internal,2852039166,[64:ff9b::a9fe:a9fe],[::ffff:a9fe:a9fe]"
	refused := func(name, says string, set func(*situation) *situation) *situation {
		s := when(name, name).envs("GOLDENARCH_ALLOWED_REGISTRIES", list).fails(registry.ErrForbidden, 0, says)
		s.asked(1)
		return set(s)
	}
	to := func(target string) func(*situation) *situation {
		return func(s *situation) *situation { return s.redirects("https://" + target) }
	}
	realm := func(target string) func(*situation) *situation {
		return func(s *situation) *situation {
			return s.challenges(`Bearer realm="https://` + target + `/token",service="r"`)
		}
	}
	asks := func(host string) func(*situation) *situation {
		return func(s *situation) *situation { return s.asks(host + "/org/app:1").asked(0) }
	}
	flag := func(list string, set func(*situation) *situation) func(*situation) *situation {
		return func(s *situation) *situation {
			return set(s).envs("GOLDENARCH_ALLOWED_REGISTRIES", list).client(func(w *world) { w.options.Allow = []string{w.registry.Host()} })
		}
	}
	env := func(name, value string) func(*situation) *situation {
		return func(s *situation) *situation {
			return s.envs("GOLDENARCH_ALLOWED_REGISTRIES", "", name, value).asked(0)
		}
	}
	runSituations(t,
		refused("a reference names it", "", asks("OTHER")),
		refused("a registry redirects there", "", to("OTHER")),
		refused("it gives out tokens", "", realm("OTHER")),
		refused("a redirect to a link-local address", "link-local", to("169.254.169.254")),
		refused("a redirect to one as IPv6", "link-local", to("[::ffff:169.254.169.254]")),
		refused("a redirect to one through NAT64", "link-local", to("[64:ff9b::a9fe:a9fe]")),
		refused("a redirect to one as a number", "unusual form", to("2852039166")),
		refused("a realm at one", "link-local", realm("[::ffff:a9fe:a9fe]")),
		refused("a realm by name", "keeps the credentials", realm("metadata.google.internal")),
		refused("a reference to one", "link-local", asks("169.254.169.254")),
		refused("the machine itself under Argo CD", "under Argo CD", env("ARGOCD_APP_NAME", "app")),
		refused("the flag lists hosts as well", "--registry-allow", flag("", to("OTHER"))),
		refused("also for token services", "--registry-allow", flag("", realm("OTHER"))),
		refused("the flag does not widen the list of the machine", "GOLDENARCH_ALLOWED_REGISTRIES", func(s *situation) *situation {
			return flag("quay.io", func(s *situation) *situation { return s })(s).asked(0)
		}),
		refused("a list that cannot be read allows nothing", "GOLDENARCH_ALLOWED_REGISTRIES", env("GOLDENARCH_ALLOWED_REGISTRIES", "https://quay.io")),
		when("a mirror: the source answers", "it is not on the list").envs("GOLDENARCH_ALLOWED_REGISTRIES", list).
			mirrors(conf("[[registry]]\nlocation='HOST'\n[[registry.mirror]]\nlocation='OTHER'\n")).past("GOLDENARCH_ALLOWED_REGISTRIES").asked(1),
		when("link-local without a list", "307 to where clouds keep credentials").redirects("https://169.254.169.254").
			fails(registry.ErrUnreachable, 0, "169.254.169.254 is a link-local address").asked(1),
		when("link-local realm without a list", "a challenge that names it").challenges(`Bearer realm="https://169.254.169.254/token"`).
			fails(registry.ErrContent, 0, "link-local").asked(1),
	)
}

// onToken has a token service with a fault, and a registry that wants its tokens.
func onToken(fault registrytest.Wrapper) []registrytest.Wrapper {
	tokens := &registrytest.Tokens{Service: "r", Users: registrytest.Users{plantedUser: plantedPassword}}
	return []registrytest.Wrapper{registrytest.On(registrytest.Token, fault), tokens.Require()}
}

// TestTokenService asks for images whose token service misbehaves.
func TestTokenService(t *testing.T) {
	once := func(w registrytest.Wrapper) registrytest.Wrapper { return registrytest.First(1, w) }
	json := func(body string) registrytest.Wrapper {
		return registrytest.ReplyBody(200, "application/json", []byte(body), nil)
	}
	service := func(name, reason string, fault registrytest.Wrapper, tokens int) *situation {
		return when(name, reason, onToken(fault)...).timed().sees("HOST").byKind(registrytest.Counts{Manifest: 1, Token: tokens})
	}
	answers := func(name, reason string, fault registrytest.Wrapper) *situation {
		return service(name, reason, fault, 2).byKind(registrytest.Counts{Manifest: 2, Token: 2})
	}
	noToken := func(name, reason string, fault registrytest.Wrapper, says ...string) *situation {
		return service(name, reason, fault, 1).fails(registry.ErrContent, 0, append(says, "without a token")...)
	}
	runSituations(t,
		answers("503 once", "it is tried again like all else", once(reply(503))),
		answers("500 once", "at 500 too", once(reply(500))),
		answers("429 once", "and when it is busy", once(registrytest.Reply(429, registrytest.RetryAfter(1)))),
		service("500 for ever", "the error keeps the status and the words, and names the service", reply(500), 2).
			fails(registry.ErrServer, 500, "token service", "500", "UNKNOWN: Internal Server Error"),
		service("503 for ever", "also where it seems overloaded", reply(503), 2).
			fails(registry.ErrServer, 503, "token service", "503", "UNKNOWN: Service Unavailable"),
		service("403", "a refusal is an answer. The second request, for no repository, tells whether it was about the login", reply(403), 2).
			fails(registry.ErrDenied, 403, "token service", "DENIED"),
		noToken("page", "a captive portal", registrytest.HTMLPage(), "web page"),
		noToken("empty", "nothing", json("")),
		noToken("no token", "an object without a token", json(`{"expires_in":300}`)),
		noToken("wrong type", "a number, and the error speaks JSON, not Go", json(`{"token":17}`)),
		noToken("not printable", "a token with a line break would be a header of its own", json(`{"token":"a\nX-Evil: 1"}`)),
		noToken("long", "a token that no server would take is not kept", json(`{"token":"`+strings.Repeat("a", 100<<10)+`"}`), "longer than 64 KiB"),
		service("too large", "2 MiB are no token", json(`{"token":"`+strings.Repeat("a", 2<<20)+`"}`), 1).fails(registry.ErrContent, 0, "too large"),
		when("shared failure", "500 for the token of a repository, which many of its tags share", onToken(reply(500))...).timed().sees("HOST").
			asks(numbered("HOST/org/app:%d", 20)...).fails(registry.ErrServer, 500, "token service").atMost(20+2*2).
			also(func(w *world, _ []registry.Result) {
				if n := w.registry.Counts().Token; n > 2*2 {
					w.Errorf("20 tags of one repository asked %d times for its token", n)
				}
			}),
	)
}

// TestTokensThatEnd has tokens that were right once.
func TestTokensThatEnd(t *testing.T) {
	ending := &registrytest.Tokens{Service: "r"}
	// forgetful has a token service with one token only, which the registry refuses so often.
	forgetful := func(name, reason string, times int) *situation {
		const token = "registrytest-the-only-one"
		refusals := 0
		var mu sync.Mutex
		must := answer(func(rw http.ResponseWriter, r *http.Request, next http.Handler) {
			mu.Lock()
			defer mu.Unlock()
			if r.Header.Get("Authorization") == "Bearer "+token {
				if refusals--; refusals < 0 {
					next.ServeHTTP(rw, r)
					return
				}
			}
			challenging(`Bearer realm="https://`+r.Host+registrytest.TokenPath+`",service="r"`)(next).ServeHTTP(rw, r)
		})
		service := registrytest.ReplyBody(200, "application/json", []byte(`{"token":"`+token+`"}`), nil)
		return when(name, reason, registrytest.On(registrytest.Token, service), registrytest.On(registrytest.Manifest, must)).anonymous().
			byKind(registrytest.Counts{Manifest: 4, Token: 3}).
			twice(func(*world) { mu.Lock(); defer mu.Unlock(); refusals = times })
	}
	denied := []string{"its token service issued the same token again, and the registry refuses it"}
	runSituations(t,
		when("revoked", "all tokens are revoked between two questions", ending.Require()).anonymous().many(10, 5).twice(func(*world) { ending.Revoke() }).
			byKind(registrytest.Counts{Manifest: 11 + 20, Blob: 10, Token: 20}),
		forgetful("late", "a registry that knows the token again is asked once more", 1),
		forgetful("never", "once: then it is denied, and the error says why", 1000).fails(registry.ErrDenied, 401, denied...),
		forgetful("never for many tags", "the tags of a repository share the knowledge that the token is the same", 1000).
			serve("org/app:a", app()).serve("org/app:b", app()).serve("org/app:c", app()).serve("org/app:d", app()).serve("org/app:e", app()).
			fails(registry.ErrDenied, 401, denied...).atMost(6+2*5+3).also(func(w *world, _ []registry.Result) {
			if n := w.registry.Counts().Token; n != 3 {
				w.Errorf("want 3 requests for a token, got %d", n)
			}
		}),
	)
}

// TestWhatATokenServiceIsAsked: the query is what the realm and the challenge say, and nothing
// that neither says.
func TestWhatATokenServiceIsAsked(t *testing.T) {
	asked := func(name, reason, realm, challenge string, want url.Values) *situation {
		var mu sync.Mutex
		var got url.Values
		return when(name, reason, answer(func(rw http.ResponseWriter, r *http.Request, next http.Handler) {
			switch {
			case r.URL.Path == registrytest.TokenPath:
				mu.Lock()
				got = r.URL.Query()
				mu.Unlock()
				_, _ = rw.Write([]byte(`{"token":"t","expires_in":"300","refresh_token":7}`))
			case r.Header.Get("Authorization") == "Bearer t":
				next.ServeHTTP(rw, r)
			default:
				challenging(`Bearer realm="https://`+r.Host+realm+`"`+challenge)(next).ServeHTTP(rw, r)
			}
		})).anonymous().asked(3).also(func(w *world, _ []registry.Result) {
			mu.Lock()
			defer mu.Unlock()
			if diff := cmp.Diff(want, got); diff != "" {
				w.Errorf("%s\n-want, +got:\n%s", reason, diff)
			}
		})
	}
	pull := []string{"repository:org/app:pull"}
	runSituations(t,
		asked("service", "the usual one", "/token", `,service="r"`, url.Values{"service": {"r"}, "scope": pull}),
		asked("no service", "a service without a name is not asked by an empty one", "/token", "", url.Values{"scope": pull}),
		asked("own query", "what the realm asks stays", "/token?account=a&service=s", "", url.Values{"account": {"a"}, "service": {"s"}, "scope": pull}),
		asked("both", "the challenge wins", "/token?service=s", `,service="r"`, url.Values{"service": {"r"}, "scope": pull}),
		asked("scope", "as does its scope", "/token", `,scope="repository:org/app:pull,push"`, url.Values{"scope": {"repository:org/app:pull,push"}}),
	)
}
