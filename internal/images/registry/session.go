package registry

import (
	"context"
	"net/url"
	"sync/atomic"
)

// session is the access to one repository. Each repository has one session and so gets
// one token, however many of its tags the client resolves.
type session struct {
	endpoint   *endpoint
	repository string
	// turn is held by the goroutine that fetches a token. The others wait for that
	// token, or share the failure.
	turn   chan struct{}
	token  string
	failed atomic.Pointer[failedFetch]
	// again is the token that the service issued once more after the registry refused
	// it.
	again atomic.Pointer[string]
	// userProof is the authorization, if it is the user's own.
	userProof atomic.Pointer[userProof]
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

// proof returns the value of the Authorization header. It is "" until the registry
// sends a challenge, or if there is nothing to send. refused is an authorization that
// the registry does not accept (any more), and scope the scope that it then required.
func (s *session) proof(ctx context.Context, refused, scope string) (string, error) {
	e := s.endpoint
	e.mu.Lock()
	c, from := e.challenge, &url.URL{Scheme: e.scheme, Host: e.address}
	e.mu.Unlock()
	if c == nil {
		return "", nil
	}
	// A goroutine waits here for a credential helper, and not for its turn: so each can
	// name the helper.
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
	proof, exchanged, err := s.fetch(ctx, *c, from, scope)
	if err == nil && exchanged && proof == refused {
		// Some services still return a token that the registry no longer accepts.
		if proof, _, err = s.fetch(ctx, *c, from, scope); err == nil && proof == refused {
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

// repeated reports whether an authorization is a token that its service issues again
// although the registry refused it. The client sends it once more, because a registry
// may learn of a token late.
func (s *session) repeated(proof string) bool {
	again := s.again.Load()
	return proof != "" && again != nil && *again == proof
}

// fetch returns an authorization: the user's own, or a token from the service that the
// challenge names. exchanged reports that it is a token.
func (s *session) fetch(ctx context.Context, c challenge, from *url.URL, scope string) (proof string, exchanged bool, err error) {
	e := s.endpoint
	found, err := s.credentials(ctx, c)
	if err != nil {
		return "", false, err
	}
	switch {
	case c.scheme == "basic":
		s.userProof.Store(&userProof{found.Basic(), found})
		return found.Basic(), false, nil
	case found.RegistryToken != "":
		s.userProof.Store(&userProof{"Bearer " + found.RegistryToken, found})
		return "Bearer " + found.RegistryToken, false, nil
	case scope == "":
		scope = "repository:" + s.repository + ":pull"
	}
	t, err := e.exchange(ctx, exchange{challenge: c, scope: scope, from: from, who: found.Credential})
	if err != nil {
		return "", false, withNotes(err, found)
	}
	return "Bearer " + t, true, nil
}
