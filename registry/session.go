package registry

import (
	"context"

	"github.com/goldenarch/goldenarch/registry/internal/credential"
)

// session is the right to read one repository. There is one for each
// repository, so each gets one token, however many tags of it are asked for.
type session struct {
	endpoint   *endpoint
	repository string
	// turn is held by who fetches a token; the others wait for that token.
	turn  chan struct{}
	token string
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
	select {
	case s.turn <- struct{}{}:
		defer func() { <-s.turn }()
	case <-ctx.Done():
		return "", context.Cause(ctx)
	}
	if s.token != "" && s.token != refused {
		return s.token, nil
	}
	found, err := s.credentials(ctx, *c)
	if err != nil {
		return "", err
	}
	if c.scheme == "basic" {
		s.token = found.Basic()
		return s.token, nil
	}
	if found.RegistryToken != "" {
		s.token = "Bearer " + found.RegistryToken
		return s.token, nil
	}
	if scope == "" {
		scope = "repository:" + s.repository + ":pull"
	}
	t, err := e.exchange(ctx, exchange{challenge: *c, scope: scope, from: e.url(plain), who: found.Credential})
	if err != nil {
		return "", withNotes(err, found)
	}
	s.token = "Bearer " + t
	return s.token, nil
}

// credentials returns the user's credentials for the repository, if they may
// be sent where the challenge sends them.
func (s *session) credentials(ctx context.Context, c challenge) (credential.Found, error) {
	e := s.endpoint
	found, err := e.client.keyring.Find(ctx, e.host, s.repository)
	if err != nil {
		if ctx.Err() != nil {
			return found, context.Cause(ctx)
		}
		return found, &contentError{kind: ErrCredentials, text: "wants to know who is asking, and " + err.Error()}
	}
	if !found.Anonymous() && !e.trusted(c) {
		found.Notes = append(found.Notes, "the "+found.String()+" were not sent, because the registry is insecure")
		found.Credential = credential.Credential{}
	}
	return found, nil
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
