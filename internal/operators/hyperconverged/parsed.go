package hyperconverged

import (
	"slices"
	"sync"

	"github.com/goldenarch/goldenarch/internal/finding"
)

// Parsed keeps the CRs of a run by their JSON. So goldenarch parses each CR once, although
// several steps use it. Callers share the CR that it returns, and copy it before they
// change it. A nil Parsed keeps nothing.
type Parsed struct {
	mu    sync.Mutex
	known map[string]parsed
}

type parsed struct {
	cr    *CR
	found finding.List
}

// Parse returns the result of [Parse] for a CR.
func (p *Parsed) Parse(data []byte) (*CR, finding.List) {
	if p == nil {
		return Parse(data)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	one, is := p.known[string(data)]
	if !is {
		one.cr, one.found = Parse(data)
		if p.known == nil {
			p.known = map[string]parsed{}
		}
		p.known[string(data)] = one
	}
	return one.cr, slices.Clone(one.found)
}

// Len returns how many CRs were parsed.
func (p *Parsed) Len() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.known)
}
