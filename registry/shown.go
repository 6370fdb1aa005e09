package registry

import (
	"bytes"
	"sync"
)

// shownSecrets is what registries and token services have been sent to prove who is
// asking. A nil one notes nothing.
type shownSecrets struct {
	mu    sync.Mutex
	known map[string]bool
}

// shortestSecret is how long a word is that stands nowhere by chance.
const shortestSecret = 8

// sent notes secrets.
func (s *shownSecrets) sent(list ...string) {
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, secret := range list {
		if len(secret) >= shortestSecret {
			s.known[secret] = true
		}
	}
}

// in reports whether content repeats one of them.
func (s *shownSecrets) in(content []byte) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for secret := range s.known {
		if bytes.Contains(content, []byte(secret)) {
			return true
		}
	}
	return false
}
