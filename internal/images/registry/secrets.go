package registry

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"maps"
	"slices"
	"sync"
)

// sentSecrets are the secrets that the client sent to registries and token services to
// authenticate. A nil value records nothing.
type sentSecrets struct {
	mu    sync.Mutex
	known map[string]bool
}

const (
	// shortestSecret is the length from which a word does not occur by chance.
	shortestSecret = 8
	// shortestShown is the length from which messages hide a secret: hiding a shorter
	// one would remove letters from unrelated words.
	shortestShown = 4
)

// add records secrets.
func (s *sentSecrets) add(list ...string) {
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.known == nil {
		s.known = map[string]bool{}
	}
	for _, secret := range list {
		if len(secret) >= shortestShown {
			s.known[secret] = true
		}
	}
}

// all returns the secrets, the longest first.
func (s *sentSecrets) all() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.SortedFunc(maps.Keys(s.known), func(a, b string) int { return cmp.Or(len(b)-len(a), cmp.Compare(a, b)) })
}

// repeatedIn reports whether content repeats one of them, as it was sent or in base64.
func (s *sentSecrets) repeatedIn(content []byte) bool {
	for _, secret := range s.all() {
		if len(secret) < shortestSecret {
			continue
		}
		for _, form := range []string{secret, base64.RawStdEncoding.EncodeToString([]byte(secret)), base64.RawURLEncoding.EncodeToString([]byte(secret))} {
			if bytes.Contains(content, []byte(form)) {
				return true
			}
		}
	}
	return false
}
