package registrytest

import (
	"maps"
	"net"
	"net/http"
	"slices"
	"sync"
)

// Counts is how many requests of each kind came in.
type Counts struct {
	Ping, Token, Manifest, Blob, Other int
	// Head is how many of them were HEAD requests.
	Head int
}

// Total is how many requests came in.
func (c Counts) Total() int { return c.Ping + c.Token + c.Manifest + c.Blob + c.Other }

func (c *Counts) add(r *http.Request, kind Kind) {
	switch kind {
	case Ping:
		c.Ping++
	case Token:
		c.Token++
	case Manifest:
		c.Manifest++
	case Blob:
		c.Blob++
	case Other:
		c.Other++
	}
	if r.Method == http.MethodHead {
		c.Head++
	}
}

// recorder counts what a server is asked.
type recorder struct {
	mu          sync.Mutex
	counts      Counts
	credentials map[string]int
	connections int
	open        map[net.Conn]bool
	inFlight    int
	maxInFlight int
}

func newRecorder() *recorder {
	return &recorder{credentials: map[string]int{}, open: map[net.Conn]bool{}}
}

func (rec *recorder) wrap(next http.Handler) http.Handler {
	return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		rec.begin(r)
		defer rec.end()
		next.ServeHTTP(rw, r)
	})
}

func (rec *recorder) begin(r *http.Request) {
	rec.mu.Lock()
	defer rec.mu.Unlock()
	rec.counts.add(r, parse(r).kind)
	if value := r.Header.Get("Authorization"); value != "" {
		rec.credentials[value]++
	}
	rec.inFlight++
	rec.maxInFlight = max(rec.maxInFlight, rec.inFlight)
}

func (rec *recorder) end() {
	rec.mu.Lock()
	defer rec.mu.Unlock()
	rec.inFlight--
}

func (rec *recorder) connState(conn net.Conn, state http.ConnState) {
	rec.mu.Lock()
	defer rec.mu.Unlock()
	switch state {
	case http.StateNew:
		rec.connections++
		rec.open[conn] = true
	case http.StateClosed, http.StateHijacked:
		delete(rec.open, conn)
	case http.StateActive, http.StateIdle:
	}
}

// Counts returns how many requests of each kind came in so far.
func (s *Server) Counts() Counts {
	s.recorder.mu.Lock()
	defer s.recorder.mu.Unlock()
	return s.recorder.counts
}

// Connections returns how many connections were opened.
func (s *Server) Connections() int {
	s.recorder.mu.Lock()
	defer s.recorder.mu.Unlock()
	return s.recorder.connections
}

// OpenConnections returns how many connections are open now.
func (s *Server) OpenConnections() int {
	s.recorder.mu.Lock()
	defer s.recorder.mu.Unlock()
	return len(s.recorder.open)
}

// MaxInFlight returns how many requests were in flight at most.
func (s *Server) MaxInFlight() int {
	s.recorder.mu.Lock()
	defer s.recorder.mu.Unlock()
	return s.recorder.maxInFlight
}

// Credentials returns the values of the header Authorization that came in,
// sorted, each once: the proof that none reached a host that it was not for.
func (s *Server) Credentials() []string {
	s.recorder.mu.Lock()
	defer s.recorder.mu.Unlock()
	return slices.Sorted(maps.Keys(s.recorder.credentials))
}
