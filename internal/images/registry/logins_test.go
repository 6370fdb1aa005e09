package registry_test

import (
	"context"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/goldenarch/goldenarch/internal/images/certificate"
	"github.com/goldenarch/goldenarch/internal/images/credential"
	"github.com/goldenarch/goldenarch/internal/images/registry"
	"github.com/goldenarch/goldenarch/test/registrytest"
)

const plantedLogin = plantedUser + ":" + plantedPassword

// TestLogins are the places where logins come from, and what registries do with them.
func TestLogins(t *testing.T) {
	users := registrytest.Users{plantedUser: plantedPassword}
	private := registrytest.Basic(users)
	tokens := func() *registrytest.Tokens { return &registrytest.Tokens{Service: "r", Users: users} }
	// file has the right login in one of the files that podman and docker read.
	file := func(variable string) *situation {
		return when(variable, "the first file counts", private).client(files(variable)).asked(2).sees("HOST")
	}
	scoped := func(key string) *situation {
		return when("key "+key, "the longest key that fits counts", private).asked(2).sees("HOST").
			loggedIn("HOST", "host:wrong", "HOST/organic", "organic:wrong",
				"HOST/org/app/sub", "sub:wrong", "HOST/other", "other:wrong", key, plantedLogin)
	}
	hub := func(ref, key string) *situation {
		return when("Docker Hub's key "+key, "podman's and docker's", private).asks(ref).client(answersFor("registry-1.docker.io:443")).
			insecure("docker.io", "registry-1.docker.io").allowed().loggedIn(key, plantedLogin).asked(2).sees("HOST")
	}
	ping := func(status int) registrytest.Wrapper { return registrytest.On(registrytest.Ping, reply(status)) }
	// hidden answers 404 for what the asker may not see, and challenges only at /v2/.
	hidden := answer(func(rw http.ResponseWriter, r *http.Request, next http.Handler) {
		switch {
		case r.Header.Get("Authorization") != "":
			next.ServeHTTP(rw, r)
		case r.URL.Path == "/v2/":
			challenging(`Basic realm="r"`)(next).ServeHTTP(rw, r)
		default:
			rw.WriteHeader(http.StatusNotFound)
		}
	})
	negotiating := answer(func(rw http.ResponseWriter, r *http.Request, next http.Handler) {
		if strings.HasPrefix(r.Header.Get("Authorization"), "Basic ") {
			private(next).ServeHTTP(rw, r)
			return
		}
		challenging("Negotiate", `NTLM TlRMTVNTUAAC==, Digest realm="x", nonce="y"`, `Basic realm="r"`)(next).ServeHTTP(rw, r)
	})
	auth := func(fields string) string { return `{"auths":{"HOST":` + fields + `}}` }
	withheld := func(name, reason, fields, says string) *situation {
		return when(name, reason, registrytest.Basic(nil)).auths(auth(fields)).asked(1).fails(registry.ErrDenied, 401, says, "auth.json").
			not("it refuses the credentials", "podman login")
	}
	const gone = `{"credHelpers":{"HOST":"gone"}}`
	broken := func(w *world) {
		w.options.AuthFile, w.env["DOCKER_CONFIG"] = "", filepath.Dir(write(w, w.said(`{"auths":{"HOST":{"auth":`+plantedPassword+`}}}`), w.TempDir(),
			"config.json"))
	}
	owner := map[string]string{
		"free/image": "host", "org/image": "org", "org/app": "app", "org/app/sub": "app", "organic/image": "host",
		"other/image": "other",
	}
	owners := registrytest.Users{"host": "p0", "org": "p1", "app": "p2", "other": "p3"}
	// owned has a login for each namespace, one for the host and one for a single repository: each image
	// is asked for with its own, in each of 30 runs.
	owned := func(name string, auth ...registrytest.Wrapper) *situation {
		s := when(name, "each image is asked for with its own login", auth...).times(30).atMost(30*(1+3*len(owner))).
			loggedIn("HOST/other", "other:p3", "HOST", "host:p0", "HOST/org/app", "app:p2", "HOST/org", "org:p1").
			saw("HOST", "host:p0", "org:p1", "app:p2", "other:p3")
		for repository := range owner {
			s.serve(repository+":1", app())
		}
		return s
	}
	var ownBasic []registrytest.Wrapper
	for repository, user := range owner {
		ownBasic = append(ownBasic, registrytest.OnRepository(repository, registrytest.Basic(registrytest.Users{user: owners[user]})))
	}
	rows := []*situation{
		when("helper", "a challenge, for 20 repositories: it runs once", private).many(20, 5).asked(26).sees("HOST").
			client(helper(`{"credHelpers":{"HOST":"fake"}}`)).also(ranOnce),
		when("store", "the same of a store for all hosts", private).many(20, 5).asked(26).sees("HOST").
			client(helper(`{"credsStore":"fake","auths":{"HOST":{}}}`)).also(ranOnce),
		when("helper missing, public", "it is not needed").auths(gone).asked(1),
		when("helper missing, private", "it is", private).auths(gone).fails(registry.ErrDenied, 401, "docker-credential-gone is not in the PATH").asked(1),
		when("broken file, private", "it is named, and nothing of it repeated", private).client(broken).
			fails(registry.ErrCredentials, 0, "config.json is broken", "at byte").asked(1),
		when("broken file, public", "it is not needed").client(broken).asked(1),
		file("REGISTRY_AUTH_FILE"), file("XDG_RUNTIME_DIR"), file("XDG_CONFIG_HOME"), file("DOCKER_CONFIG"),
		scoped("HOST/org"), scoped("HOST/org/app"), hub("org/app:1", "docker.io"), hub("docker.io/org/app:1", "https://index.docker.io/v1/"),
		owned("own logins with Basic", ownBasic...),
		owned("own logins with tokens", (&registrytest.Tokens{
			Service: "r", Users: owners,
			May: func(user, of string) bool { return owner[of] == user },
		}).Require()),

		when("registry token", "it is sent as it is", answer(func(rw http.ResponseWriter, r *http.Request, next http.Handler) {
			if r.Header.Get("Authorization") == "Bearer "+plantedIdentity {
				next.ServeHTTP(rw, r)
				return
			}
			tokens().Require()(next).ServeHTTP(rw, r)
		})).auths(auth(`{"registrytoken":"` + plantedIdentity + `"}`)).asked(2),
		when("access token", "some services send only access_token", (&registrytest.Tokens{Service: "r", Users: users, AccessTokenOnly: true}).Require()).
			asked(3).sees("HOST"),
		when("identity token", "503 to the first question for a token", registrytest.On(registrytest.Token, registrytest.First(1, reply(503))),
			(&registrytest.Tokens{Service: "r", IdentityToken: plantedIdentity, Users: users}).Require()).
			auths(auth(`{"identitytoken":"` + plantedIdentity + `"}`)).asked(4),
		when("identity token once more", "a cut connection for the first: the second POST must have the whole body again").prepare(func(w *world) {
			tokens := &registrytest.Tokens{Service: "r", IdentityToken: plantedIdentity, AccessTokenOnly: true, Users: users}
			w.other = w.with(registrytest.First(1, registrytest.Reset()), tokens.Serve())
			tokens.Realm = w.other.URL() + registrytest.TokenPath
			w.faults = append(w.faults, tokens.Require())
		}).auths(auth(`{"identitytoken":"`+plantedIdentity+`"}`)).many(10, 2).byKind(registrytest.Counts{Manifest: 11, Blob: 2}).others(11).
			also(func(w *world, _ []registry.Result) {
				if n := w.other.Connections(); n > 2 {
					w.Errorf("HTTP/2 takes one connection, got %d", n)
				}
			}),
		withheld("identity token for Basic", "only a token service takes an identity token", `{"identitytoken":"`+plantedIdentity+`"}`,
			"were not sent: the registry requires Basic authentication, which accepts no identity token"),
		withheld("registry token for Basic", "a registry token is for Bearer", `{"registrytoken":"`+plantedIdentity+`"}`,
			"were not sent: the registry requires Basic authentication, which accepts no registry token"),
		withheld("no user", "Basic is a user and a password", `{"password":"`+plantedPassword+`"}`, "were not sent: they have no user name"),
		withheld("insecure", "the flag is named that sends it", `{"username":"`+plantedUser+`","password":"`+plantedPassword+`"}`, notSent).
			listens(registrytest.Options{PlainHTTP: true}).insecure("HOST"),

		when("not logged in", "the hint is to log in", tokens().Require()).anonymous().
			fails(registry.ErrDenied, 401, "token service", "401", "podman login").asked(2),
		when("hidden", "404 for what is private, and a challenge at /v2/, which is asked once", hidden).many(10, 0).asked(1 + 1 + 10).sees("HOST"),
		when("hidden, not logged in", "404 may mean private", hidden).anonymous().fails(registry.ErrNotFound, 404, "404", "log in").asked(1),
		when("hidden everywhere", "404 also at /v2/", reply(404)).fails(registry.ErrNotFound, 404, "check the repository and the tag").asked(2),
		when("403 at /v2/", "nobody need ask there", ping(403)).asked(1),
		when("404 at /v2/", "nobody need ask there", ping(404)).asked(1),
		when("several challenges", "Negotiate, Bearer", tokens().Require()).asked(3).sees("HOST"),
		when("several headers", "Basic is the last", negotiating).asked(2).sees("HOST"),
	}
	runSituations(t, slices.Concat(rows, wrongLogins(), handedRows())...)
}

// wrongLogins are logins that registries refuse. Directories lock a user out after a few of them.
func wrongLogins() []*situation {
	const wrong = "user:wrong"
	users := registrytest.Users{"user": "right", "other": "right"}
	slow := registrytest.Latency(5 * time.Millisecond)
	tokens := func() registrytest.Wrapper { return (&registrytest.Tokens{Service: "r", Users: users}).Require() }
	refused := func(name, reason string, status, most int, faults ...registrytest.Wrapper) *situation {
		return when("wrong login, "+name, reason, append([]registrytest.Wrapper{slow}, faults...)...).timed().many(200, 50).loggedIn("HOST", wrong).
			sends(wrong, most).
			fails(registry.ErrDenied, status, "it refuses the credentials from ").atMost(1000)
	}
	each := func(name string, auth registrytest.Wrapper) *situation {
		s := when("two logins, "+name, "each is judged for itself", slow, auth).loggedIn("HOST", "user:right", "HOST/other", "other:wrong").
			sends("other:wrong", 2).sends("user:right", 100).atMost(200).first(20).fails(registry.ErrDenied, 401)
		for _, tag := range append(numbered("other/image%d:1", 20), numbered("org/image%d:1", 20)...) {
			s.serve(tag, app())
		}
		return s
	}
	failing := func(n int) *situation {
		return when(fmt.Sprint("token service fails ", n, " times"), "it judges no login, and makes images wait for each other three times at most",
			registrytest.Latency(20*time.Millisecond), registrytest.On(registrytest.Token, registrytest.First(n, refusing(400))), tokens()).timed().
			many(20, 0).loggedIn("HOST", "user:right").saw("HOST", "user:right").some(n).fails(registry.ErrServer, 400).atOnce(20/5, 100).atMost(100)
	}
	// echo repeats what it is sent, with a status.
	echo := func(status int) registrytest.Wrapper {
		return answer(func(rw http.ResponseWriter, r *http.Request, _ http.Handler) {
			rw.WriteHeader(status)
			user, password, _ := r.BasicAuth()
			_, _ = fmt.Fprintf(rw, `{"errors":[{"code":"DENIED","message":"https://%s:%s@r.example/v2/?token=%s Authorization: %s"}]}`,
				user, password, plantedSignature, r.Header.Get("Authorization"))
		})
	}
	repeated := func(name, reason string, status int, faults ...registrytest.Wrapper) *situation {
		return when(name, reason, faults...).fails(registry.ErrDenied, status, "DENIED", "auth.json").sees("HOST").atMost(8)
	}
	wants := (&registrytest.Tokens{Service: "r"}).Require
	return []*situation{
		refused("Bearer", "the token service says 401: that is about the login", 401, 1, tokens()),
		refused("Bearer with 403", "403 may be about the repository: the token service is asked once more, for none", 403, 2,
			registrytest.On(registrytest.Token, refusing(403)), tokens()),
		refused("Basic", "401 may be about the repository: /v2/ is asked once more", 401, 2, registrytest.Basic(users)),
		refused("Basic with 403", "the same where a registry says 403", 403, 2, refusing(403), registrytest.Basic(users)),
		refused("open /v2/", "where /v2/ is open to all it proves nothing, and 401 is believed", 401, 2,
			registrytest.On(registrytest.Manifest, registrytest.Basic(users))),
		when("wrong password", "the refusal names the file, not the password", tokens()).fails(registry.ErrDenied, 401,
			"401", "UNAUTHORIZED: authentication required", "auth.json", "podman login").asked(2).sees("HOST"),
		each("Basic", registrytest.Basic(users)), each("Bearer", tokens()), failing(2), failing(20),
		repeated("registry that repeats the password", "with 403", 403, registrytest.First(1, registrytest.Basic(nil)), echo(403)),
		repeated("token service that repeats it", "with 401", 401, registrytest.On(registrytest.Token, echo(401)), wants()),
		repeated("registry that repeats the token", "with 403", 403, registrytest.On(registrytest.Manifest, registrytest.After(1, echo(403))), wants()),
	}
}

// handedRows are credentials out of the items of a run, with basic authentication and with tokens.
// Each login may read the repository of its name.
func handedRows() []*situation {
	users := registrytest.Users{"pull": "p1", "template": "p2", "file": "p3"}
	const user, anyOther = "file:p3", "other.example.com"
	handed := func(match, name string, only bool) credential.Credential {
		return credential.Credential{Match: match, Only: only, Username: name, Password: users[name], Source: "Secret " + name}
	}
	pull, template := handed("HOST", "pull", false), handed("HOST/org/app", "template", true)
	var rows []*situation
	for auth, wrapper := range map[string]registrytest.Wrapper{
		"Basic":  registrytest.Basic(users),
		"Bearer": (&registrytest.Tokens{Service: "r", Users: users}).Require(),
	} {
		asked := map[string]int{"Basic": 2, "Bearer": 3}[auth]
		given := func(reason, want string, given ...credential.Credential) *situation {
			return when("handed, "+reason+", "+auth, reason, wrapper).loggedIn(anyOther, "x:y").client(hand(given...)).asked(asked).saw("HOST", want)
		}
		fromFile := func(s *situation) *situation { return s.loggedIn("HOST", user) }
		rows = append(rows,
			given("a pull secret is used", "pull:p1", pull),
			given("it wins over the template's", "pull:p1", template, pull),
			fromFile(given("and over the user's files", "pull:p1", handed("HOST/org", "pull", false))),
			given("its key may be a glob", "pull:p1", handed("127.0.*.1:PORT", "pull", false)),
			fromFile(given("the template's wins over the user's files", "template:p2", template)),
			fromFile(given("and is for its own image only", user, handed("HOST/org", "template", true))),
			fromFile(given("what is for another host is not sent", user, handed(anyOther, "pull", false))),
			fromFile(given("an empty login is none", user, handed("HOST", "", false))),
		)
	}
	secret := credential.Credential{Match: "HOST", Username: plantedUser, Password: plantedPassword, Source: "Secret s"}
	plain := registrytest.Options{PlainHTTP: true}
	private := registrytest.Basic(registrytest.Users{plantedUser: plantedPassword})
	leaky := secret
	leaky.IdentityToken, leaky.RegistryToken, leaky.Source = plantedIdentity, plantedSignature, `Secret "pull"`
	return append(rows,
		when("handed, insecure", "they are not sent where anybody listens", private).listens(plain).insecure("HOST").anonymous().client(hand(secret)).
			fails(registry.ErrDenied, 401, notSent).asked(1),
		when("handed, insecure and allowed", "unless told so", private).listens(plain).insecure("HOST").anonymous().client(hand(secret)).allowed().
			asked(2).sees("HOST"),
		when("handed and refused", "it is named by its Secret", registrytest.Basic(nil)).anonymous().client(hand(leaky)).
			fails(registry.ErrDenied, 401, `credentials from Secret "pull"`).atMost(4).sees("HOST"),
	)
}

// hand hands credentials over.
func hand(list ...credential.Credential) func(*world) {
	return func(w *world) {
		for _, c := range list {
			_, port, _ := strings.Cut(w.registry.Host(), ":")
			c.Match = strings.ReplaceAll(w.said(c.Match), "PORT", port)
			w.options.Credentials = append(w.options.Credentials, c)
		}
	}
}

// TestCredentialsArePrintedNowhere prints one in every way.
func TestCredentialsArePrintedNowhere(t *testing.T) {
	t.Parallel()
	c := credential.Credential{
		Match: "r.example.com", Username: plantedUser, Password: plantedPassword,
		IdentityToken: plantedIdentity, RegistryToken: plantedSignature, Source: `Secret "pull"`,
	}
	encoded, _ := json.Marshal(c)
	for _, text := range []string{
		c.String(), fmt.Sprintf("%v %+v %#v %s", c, c, c, c), fmt.Sprintf("%+v %#v", []credential.Credential{c}, &c),
		string(encoded),
	} {
		for _, secret := range []string{plantedPassword, plantedIdentity, plantedSignature, plantedUser} {
			if strings.Contains(text, secret) {
				t.Errorf("%q is in %q", secret, text)
			}
		}
	}
}

// TestLoginsOfTheMachine has a registry whose authority Git names.
func TestLoginsOfTheMachine(t *testing.T) {
	private := registrytest.Basic(registrytest.Users{plantedUser: plantedPassword, "u": "p-of-git"})
	const variable = "GOLDENARCH_ALLOWED_LOGINS"
	named := func(w *world) {
		w.options.RootCAs = x509.NewCertPool()
		w.options.Authorities = []certificate.Authority{{PEM: registrytest.CertificateAuthority(), Source: `ConfigMap "ca"`}}
	}
	// machine is a registry whose authority Git names with named, and the machine's own without it.
	machine := func(name, reason string, set ...func(*world)) *situation {
		s := when(name, reason, private).asks("example.com/"+appImage).client(answersFor("example.com:443")).loggedIn("example.com", plantedLogin).
			asked(2).sees("HOST")
		for _, do := range set {
			s.client(do)
		}
		return s
	}
	argo := func(s *situation) *situation { return s.envs("ARGOCD_APP_NAME", "app") }
	withheld := func(s *situation, says string) *situation {
		s.logins = map[string][]string{}
		return s.fails(registry.ErrDenied, 401, says).asked(1)
	}
	git := hand(credential.Credential{Match: "example.com", Username: "u", Password: "p-of-git", Source: `Secret "s"`})
	given := func(s *situation) *situation { return s.saw("HOST", "u:p-of-git") }
	noLogins := func(w *world) { w.options.NoLogins = true }
	runSituations(t,
		machine("alone", "on a machine of one's own the login is sent", named),
		withheld(argo(machine("Argo CD", "Git could read it", named)), variable),
		argo(machine("Argo CD, allowed", "the administrator allows it", named)).envs(variable, "example.com"),
		withheld(argo(machine("Argo CD, another host allowed", "it is not for this one", named)).envs(variable, "*.example.com"), variable),
		argo(machine("Argo CD, system's authority", "Git names nothing")),
		given(argo(machine("Argo CD, login of Git", "it is Git's own", named, git))),
		withheld(argo(machine("Argo CD, insecure", "Git calls it insecure")).insecure("example.com").allowed(), variable),
		withheld(machine("no logins", "the caller wants none of the machine", noLogins), "no logins of this machine"),
		given(machine("no logins but of Git", "a login of Git stays Git's own", noLogins, named, git)),
	)
}

// answersFor has the registry answer for another address.
func answersFor(address string) func(*world) {
	return func(w *world) {
		w.options.Dial = func(ctx context.Context, network, asked string) (net.Conn, error) {
			if asked != address {
				return nil, fmt.Errorf("want %s dialled, got %s", address, asked)
			}
			return (&net.Dialer{}).DialContext(ctx, network, w.registry.Host())
		}
	}
}

// helper writes a credential helper that notes its runs and what it is asked for, and an auth file
// that names it.
func helper(auths string) func(*world) {
	return func(w *world) {
		dir := w.TempDir()
		program(w.T, dir, "docker-credential-fake", fmt.Sprintf(
			"echo run >> %[1]s/runs\ncat > %[1]s/asked\necho '{\"ServerURL\":\"x\",\"Username\":%[2]q,\"Secret\":%[3]q}'\n", dir, plantedUser,
			plantedPassword))
		w.options.AuthFile, w.env["PATH"] = write(w, w.said(auths), w.TempDir(), "auth.json"), dir
	}
}

// program writes a script that can be run.
func program(t *testing.T, dir, name, script string) {
	t.Helper()
	// A program that is open for writing in a fork cannot be run (ETXTBSY).
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"+script), 0o700); err != nil {
		t.Fatal(err)
	}
}

func ranOnce(w *world, _ []registry.Result) {
	runs, _ := os.ReadFile(filepath.Join(w.env["PATH"], "runs"))
	asked, _ := os.ReadFile(filepath.Join(w.env["PATH"], "asked"))
	if string(runs) != "run\n" || w.words(string(asked)) != "HOST" {
		w.Errorf("want one run of the helper for the registry, got %q for %q", runs, asked)
	}
}

// files writes an auth file at each of the places in podman's order, the right login at one, and
// wrong ones at those that come after it.
func files(right string) func(*world) {
	return func(w *world) {
		dir := w.TempDir()
		for _, p := range []struct{ variable, value, file string }{
			{"REGISTRY_AUTH_FILE", "named.json", "named.json"},
			{"XDG_RUNTIME_DIR", "run", "run/containers/auth.json"},
			{"XDG_CONFIG_HOME", "config", "config/containers/auth.json"},
			{"DOCKER_CONFIG", "docker", "docker/config.json"},
		} {
			proof := "wrong:wrong"
			if p.variable == right {
				proof = plantedLogin
			} else if len(w.env) == 0 {
				continue // before the right one there is none
			}
			write(w, w.said(`{"auths":{"HOST":{"auth":"`+base64.StdEncoding.EncodeToString([]byte(proof))+`"}}}`), dir, p.file)
			w.env[p.variable] = filepath.Join(dir, p.value)
		}
		w.options.AuthFile = ""
	}
}
