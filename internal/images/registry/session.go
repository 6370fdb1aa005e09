package registry

import (
	"context"
	"sync/atomic"
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
	// userProof is the proof if it is the user's own.
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
		s.userProof.Store(&userProof{found.Basic(), found})
		return found.Basic(), false, nil
	case found.RegistryToken != "":
		s.userProof.Store(&userProof{"Bearer " + found.RegistryToken, found})
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
