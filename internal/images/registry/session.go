package registry

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"

	"github.com/goldenarch/goldenarch/internal/images/certificate"
	"github.com/goldenarch/goldenarch/internal/images/confine"
	"github.com/goldenarch/goldenarch/internal/images/credential"
)

// session is the right to read one repository. There is one for each
// repository, so each gets one token, however many tags of it are asked for.
type session struct {
	endpoint   *endpoint
	repository string
	// turn is held by who fetches a token; the others wait for that token, or
	// share the failure.
	turn   chan struct{}
	token  string
	failed atomic.Pointer[failedFetch]
	// again is the token that the service gave once more after the registry
	// had refused it.
	again atomic.Pointer[string]
	// own is the proof if it is the user's own.
	own atomic.Pointer[own]
}

// failedFetch is why a token could not be fetched.
type failedFetch struct{ err error }

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

// proof returns what to send as Authorization: "" as long as the registry has
// not challenged, or where there is nothing to send. refused is a proof that
// the registry does not take (any more), and scope what it asked for then.
func (s *session) proof(ctx context.Context, refused, scope string) (string, error) {
	e := s.endpoint
	e.mu.Lock()
	c, plain := e.challenge, e.plain
	e.mu.Unlock()
	if c == nil {
		return "", nil
	}
	// Who waits for a credential helper waits here and not for its turn: so
	// each can name it.
	if _, err := e.client.keyring.Find(ctx, e.host, s.repository); err != nil && ctx.Err() != nil {
		return "", err
	}
	before := s.failed.Load()
	select {
	case s.turn <- struct{}{}:
		defer func() { <-s.turn }()
	case <-ctx.Done():
		return "", context.Cause(ctx)
	}
	if s.token != "" && s.token != refused {
		return s.token, nil
	}
	if now := s.failed.Load(); now != before {
		return "", now.err
	}
	if s.token != "" && s.repeated(refused) {
		return refused, nil
	}
	proof, exchanged, err := s.fetch(ctx, *c, plain, scope)
	if err == nil && exchanged && proof == refused {
		// Some services keep a token that the registry has dropped already.
		if proof, _, err = s.fetch(ctx, *c, plain, scope); err == nil && proof == refused {
			s.again.Store(&proof)
		}
	}
	switch {
	case err == nil:
		s.token = proof
	case ctx.Err() == nil:
		s.failed.Store(&failedFetch{err})
	}
	return proof, err
}

// repeated reports whether a proof is a token that its service hands out
// again, although the registry refused it. It is sent once more, for a registry
// may learn of a token late.
func (s *session) repeated(proof string) bool {
	again := s.again.Load()
	return proof != "" && again != nil && *again == proof
}

// fetch gets a proof: the user's own, or a token from the service that the
// challenge names; exchanged says that it is the latter.
func (s *session) fetch(ctx context.Context, c challenge, plain bool, scope string) (proof string, exchanged bool, err error) {
	e := s.endpoint
	found, err := s.credentials(ctx, c)
	if err != nil {
		return "", false, err
	}
	switch {
	case c.scheme == "basic":
		s.own.Store(&own{found.Basic(), found})
		return found.Basic(), false, nil
	case found.RegistryToken != "":
		s.own.Store(&own{"Bearer " + found.RegistryToken, found})
		return "Bearer " + found.RegistryToken, false, nil
	case scope == "":
		scope = "repository:" + s.repository + ":pull"
	}
	t, err := e.exchange(ctx, exchange{challenge: c, scope: scope, from: e.url(plain), who: found.Credential})
	if err != nil {
		return "", false, withNotes(err, found)
	}
	return "Bearer " + t, true, nil
}

// credentials returns the user's credentials for the repository, if they may
// be sent where the challenge sends them.
func (s *session) credentials(ctx context.Context, c challenge) (credential.Found, error) {
	e := s.endpoint
	found, err := e.client.keyring.Find(ctx, e.host, s.repository)
	if err != nil {
		if ctx.Err() != nil {
			return found, err
		}
		return found, &contentError{kind: ErrCredentials, text: "wants to know who is asking, and " + err.Error()}
	}
	why := e.withheld(c, found.Credential)
	if why == "" && found.Machine {
		why = e.untrusting()
	}
	if why != "" {
		found.Withheld = "the " + found.String() + " were not sent: " + why
		found.Credential = credential.Credential{}
	}
	_, basic, _ := strings.Cut(found.Basic(), " ")
	e.client.sent(ctx, found.Password, found.IdentityToken, found.RegistryToken, basic)
	return found, nil
}

// withheld is why credentials cannot answer a challenge, or "". It says what to
// do about it.
func (e *endpoint) withheld(c challenge, who credential.Credential) string {
	switch {
	case who.Anonymous():
		return ""
	case !e.trusted(c):
		return "the registry is insecure; --allow-insecure-credentials sends them"
	case c.scheme != "basic" || who.Basic() != "":
		return ""
	case who.IdentityToken != "":
		return "an identity token cannot answer Basic, for which the registry asks; log in with a user and a password"
	case who.RegistryToken != "":
		return "a registry token cannot answer Basic, for which the registry asks; log in with a user and a password"
	}
	return "they have no user name, for which the registry asks"
}

// untrusting is why the machine's own logins do not go to the registry, or "".
// Under Argo CD whoever writes Git could name an authority of their own, and read
// the logins of all tenants.
func (e *endpoint) untrusting() string {
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
	return fmt.Sprintf("Git %s, and under Argo CD such a registry gets no logins of the machine; list it in %s to allow that", named, confine.AllowedLogins)
}

// trusted reports whether credentials may follow a challenge: both the host
// that gave it and the one it leads to prove who they are.
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
