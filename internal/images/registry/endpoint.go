package registry

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"

	"github.com/goldenarch/goldenarch/internal/console"
	"github.com/goldenarch/goldenarch/internal/images/certificate"
	"github.com/goldenarch/goldenarch/internal/images/confine"
	"github.com/goldenarch/goldenarch/internal/images/credential"
	"github.com/goldenarch/goldenarch/internal/images/imageref"
	"github.com/goldenarch/goldenarch/internal/images/transport"
)

// endpoint is one registry: its address, the authentication that it requires, and a
// token for each repository.
type endpoint struct {
	client *Client
	// host is the registry as references write it. address is where requests go.
	host    string
	address string
	// first lets one request through until the registry answers, so that the registry
	// challenges once and not for every request.
	first *gate
	// pings does the same for requests of /v2/.
	pings *gate

	mu        sync.Mutex
	challenge *challenge
	scheme    string // the one that it last answered over
	pinged    bool
	logins    map[credential.Credential]*loginCheck
	sessions  map[string]*session
}

// The first request to a registry is alone for a fifteenth of RequestTimeout, which is
// 1 s, and so are the next two. If a registry answers later, every request meets its
// challenge.
const (
	concurrencyShare = 15
	gateFailures     = 3
)

func newEndpoint(c *Client, host string) *endpoint {
	address := host
	if host == imageref.DockerHub {
		address = "registry-1.docker.io"
	}
	return &endpoint{
		client: c, host: host, address: address, scheme: "https",
		first: newGate(c.options.RequestTimeout/concurrencyShare, gateFailures), pings: newGate(c.options.RequestTimeout, 1),
		logins: map[credential.Credential]*loginCheck{}, sessions: map[string]*session{},
	}
}

// sent reports whether an answer came from the registry itself, and not from the host of
// a redirect.
func (e *endpoint) sent(resp *transport.Response) bool {
	own := &url.URL{Scheme: resp.URL.Scheme, Host: e.address}
	return own.Host == resp.URL.Host || transport.Origin(own) == transport.Origin(resp.URL)
}

// request returns a request for a path of the registry.
func (e *endpoint) request(path string, limit int64) transport.Request {
	u := &url.URL{Scheme: "https", Host: e.address, Path: "/v2/" + path}
	return transport.Request{Method: http.MethodGet, URL: u, Header: http.Header{}, Limit: limit}
}

// get sends a request about a repository, with the authentication that the registry
// requires. Any status but 200 is an error.
func (e *endpoint) get(ctx context.Context, repository string, r transport.Request) (*transport.Response, error) {
	open, leave, err := e.first.enter(ctx)
	if err != nil {
		return nil, err
	}
	defer leave()

	s := e.session(repository)
	proof, err := s.proof(ctx, "", "")
	if err != nil {
		return nil, err
	}
	// A success has no challenge: the other requests need not wait for its body.
	r.OnHeader = open
	resp, err := s.send(ctx, r, proof)
	if err != nil {
		return nil, err
	}
	scope, challenged := e.learnChallenge(ctx, repository, resp, proof)
	open()
	if challenged {
		again, err := s.proof(ctx, proof, scope)
		if err != nil {
			return nil, err
		}
		if again != proof || s.repeated(again) {
			if resp, err = s.send(ctx, r, again); err != nil {
				return nil, err
			}
		}
	}
	e.note(resp)
	if resp.Status != http.StatusOK {
		return nil, s.refusal(ctx, resp)
	}
	return resp, nil
}

// fetch fetches a part of an image. It does not check the content: the caller checks its
// type and its digest.
func (e *endpoint) fetch(ctx context.Context, p part) (fetched, error) {
	r := e.request(p.ref.Repository()+"/manifests/"+p.name, manifestLimit)
	if p.config {
		r = e.request(p.ref.Repository()+"/blobs/"+p.name, configLimit)
	} else {
		r.Header.Set("Accept", accept)
	}
	resp, err := e.get(ctx, p.ref.Repository(), r)
	if err != nil {
		return fetched{}, err
	}
	return fetched{body: resp.Body, mediaType: resp.Header.Get("Content-Type"), decoded: resp.Release}, nil
}

// note passes on what the registry reports in addition to its answer.
func (e *endpoint) note(resp *transport.Response) {
	if n, ok := noteOf(e.host, resp.Header); ok && e.client.options.Note != nil && e.sent(resp) {
		e.client.options.Note(n)
	}
}

// send sends a request with an authorization; "" sends none.
func (e *endpoint) send(ctx context.Context, r transport.Request, proof string) (*transport.Response, error) {
	if proof != "" {
		r.Header = r.Header.Clone()
		r.Header.Set("Authorization", proof)
		_, secret, _ := strings.Cut(proof, " ")
		e.client.secrets.add(secret)
	}
	r.ShortTimeout = queryOf(ctx).shortTimeout
	return e.client.transport.Do(ctx, r)
}

// root requests /v2/. It returns nil if the registry itself does not answer.
func (e *endpoint) root(ctx context.Context, proof string) *transport.Response {
	resp, err := e.send(ctx, e.request("", tokenLimit), proof)
	if err != nil {
		return nil
	}
	resp.Release()
	if !e.sent(resp) {
		return nil
	}
	return resp
}

// challenge is the authentication that a registry requires: the header WWW-Authenticate
// (RFC 9110, 11.6.1; distribution spec/auth/token).
type challenge struct {
	// scheme is "basic" or "bearer".
	scheme  string
	realm   string
	service string
	scope   string
}

// challengeOf returns the challenge of an answer that goldenarch can meet: a registry
// may offer Negotiate first.
func challengeOf(h http.Header) (challenge, bool) {
	for _, value := range h.Values("WWW-Authenticate") {
		for value != "" {
			var c challenge
			c, value = nextChallenge(value)
			if c.scheme == "basic" || c.scheme == "bearer" && c.realm != "" {
				return c, true
			}
		}
	}
	return challenge{}, false
}

// nextChallenge reads one challenge and returns the rest of the header.
func nextChallenge(s string) (challenge, string) {
	s = strings.TrimLeft(s, " \t,")
	word, rest := token(s)
	if word == "" {
		return challenge{}, ""
	}
	c := challenge{scheme: strings.ToLower(word)}
	for {
		s = strings.TrimLeft(rest, " \t,")
		key, after := token(s)
		after = strings.TrimLeft(after, " \t")
		if key == "" || !strings.HasPrefix(after, "=") {
			// Not a parameter: the next challenge, or a token68.
			if s == rest && key == "" {
				_, s, _ = strings.Cut(s, ",")
			}
			return c, s
		}
		var value string
		value, rest = parameter(strings.TrimLeft(after[1:], " \t"))
		switch strings.ToLower(key) {
		case "realm":
			c.realm = value
		case "service":
			c.service = value
		case "scope":
			c.scope = value
		}
	}
}

// token reads a word up to a blank, a comma, or an equals sign.
func token(s string) (word, rest string) {
	if i := strings.IndexAny(s, " \t,=\""); i >= 0 {
		return s[:i], s[i:]
	}
	return s, ""
}

// parameter reads a quoted text or a word. Quotes may contain a comma
// (scope="repository:a:pull,push").
func parameter(s string) (value, rest string) {
	if !strings.HasPrefix(s, `"`) {
		if i := strings.IndexAny(s, " \t,"); i >= 0 {
			return s[:i], s[i:]
		}
		return s, ""
	}
	var b strings.Builder
	for i := 1; i < len(s); i++ {
		switch {
		case s[i] == '"':
			return b.String(), s[i+1:]
		case s[i] == '\\' && i+1 < len(s):
			i++
		}
		b.WriteByte(s[i])
	}
	return b.String(), ""
}

// parseRealm returns the URL of the token service that a challenge names.
func parseRealm(realm string) (*url.URL, error) {
	u, err := url.Parse(realm)
	if err != nil || u.Host == "" || len(u.Host) > transport.LongestHost || u.Scheme != "https" && u.Scheme != "http" {
		return nil, invalidRealm(realm)
	}
	u.User, u.Fragment = nil, ""
	return u, nil
}

func invalidRealm(realm string) error {
	return badContent(ErrContent, "names a token service that is not an http or https URL (%q)", cut(console.Redact(realm), shownWords))
}

// checkRealm refuses a token service that is less safe than the registry that
// names it, or that must not be contacted.
func (e *endpoint) checkRealm(from, realm *url.URL) error {
	if realm.Scheme == "http" && from.Scheme != "http" {
		return badContent(ErrContent, "names a token service over plain HTTP (%s), although the registry itself uses TLS; goldenarch refuses that", realm.Host)
	}
	if err := e.client.confine.Host(realm.Host); err != nil {
		return &contentError{kind: errForbiddenRealm, text: fmt.Sprintf("names the token service %s: %v", realm.Host, err), hint: confine.Advice(err)}
	}
	return nil
}

// learnChallenge reads the challenge of an answer, with the missing scope. Some
// registries hide a private repository behind 403 or 404 and send no challenge. If
// there are credentials, the client then queries /v2/ once for the challenge.
func (e *endpoint) learnChallenge(ctx context.Context, repository string, resp *transport.Response, proof string) (scope string, challenged bool) {
	e.mu.Lock()
	if e.sent(resp) {
		e.scheme = resp.URL.Scheme
	}
	known := e.challenge != nil
	e.mu.Unlock()

	switch resp.Status {
	case http.StatusUnauthorized:
		if c := e.learn(resp); c != nil {
			return c.scope, true
		}
	case http.StatusForbidden, http.StatusNotFound:
		found, err := e.client.keyring.Find(ctx, e.host, repository)
		if err != nil || found.Anonymous() {
			return "", false
		}
	default:
		return "", false
	}
	if proof != "" {
		return "", false
	}
	if !known {
		e.ping(ctx)
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	return "", e.challenge != nil
}

// ping requests /v2/ once, which sends a challenge where a manifest does not. Its
// failure means nothing: registries also answer it with 403 and 404.
func (e *endpoint) ping(ctx context.Context) {
	_, leave, err := e.pings.enter(ctx)
	if err != nil {
		return
	}
	defer leave()
	e.mu.Lock()
	pinged := e.pinged
	e.pinged = true
	e.mu.Unlock()
	if pinged {
		return
	}
	if resp := e.root(ctx, ""); resp != nil && resp.Status == http.StatusUnauthorized {
		e.learn(resp)
	}
}

// learn keeps the challenge of an answer that goldenarch can meet, and returns it, or nil.
func (e *endpoint) learn(resp *transport.Response) *challenge {
	c, ok := challengeOf(resp.Header)
	if !ok {
		return nil
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.challenge = &c
	return &c
}

// withheldReason returns why the client does not send the credentials for a challenge and
// what the user can do about it, or "".
func (e *endpoint) withheldReason(c challenge, who credential.Credential) string {
	switch {
	case who.Anonymous():
		return ""
	case !e.trusted(c):
		return "the registry is insecure; --allow-insecure-credentials sends them"
	case c.scheme != "basic" || who.Basic() != "":
		return ""
	case who.IdentityToken != "":
		return "the registry requires Basic authentication, which accepts no identity token; log in with a user and a password"
	case who.RegistryToken != "":
		return "the registry requires Basic authentication, which accepts no registry token; log in with a user and a password"
	}
	return "they have no user name, which the registry requires"
}

// noLoginsReason returns why the machine's own logins do not go to the registry, or "".
// Under Argo CD anyone who writes to Git could name their own certificate authority and
// read the logins of all tenants.
func (e *endpoint) noLoginsReason() string {
	o := e.client.options
	if e.client.confine.Logins(e.address) || e.client.confine.Logins(e.host) {
		return ""
	}
	named := ""
	if o.insecure(e.address) {
		named = "calls the registry insecure"
	}
	for _, a := range o.Authorities {
		if a.Host == "" || certificate.Same(a.Host, e.address) {
			named = "names its certificate authority (" + a.Source + ")"
		}
	}
	if named == "" {
		return ""
	}
	return fmt.Sprintf("Git %s. Under Argo CD goldenarch sends no logins of the machine to such a registry; list it in %s to allow that",
		named, confine.AllowedLogins)
}

// trusted reports whether the client may send credentials for a challenge. The host
// that sent it and the host that it names must both authenticate themselves.
func (e *endpoint) trusted(c challenge) bool {
	if e.client.options.AllowInsecureCredentials {
		return true
	}
	if e.client.options.insecure(e.address) {
		return false
	}
	if c.scheme == "basic" {
		return true
	}
	realm, err := parseRealm(c.realm)
	return err == nil && realm.Scheme == "https" && !e.client.options.insecure(realm.Host)
}

// access returns the source of the login that the registry got for a repository, "" for none, and whether it answers over
// plain HTTP.
func (e *endpoint) access(repository string) (login string, plain bool) {
	if source := e.session(repository).login.Load(); source != nil {
		login = *source
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	return login, e.scheme == "http"
}

func (e *endpoint) session(repository string) *session {
	e.mu.Lock()
	defer e.mu.Unlock()
	s := e.sessions[repository]
	if s == nil {
		s = &session{endpoint: e, repository: repository, turn: make(chan struct{}, 1)}
		e.sessions[repository] = s
	}
	return s
}
