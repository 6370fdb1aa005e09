package imageref

import "sync"

// Parsed caches the parsed reference of each text of a run, so that each text is parsed
// only once. A nil Parsed caches nothing.
type Parsed struct {
	mu    sync.Mutex
	known map[string]parsed
}

type parsed struct {
	reference Reference
	err       error
}

// Parse returns the same as [Parse] for a text.
func (p *Parsed) Parse(text string) (Reference, error) {
	if p == nil {
		return Parse(text)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	one, is := p.known[text]
	if !is {
		one.reference, one.err = Parse(text)
		if p.known == nil {
			p.known = map[string]parsed{}
		}
		p.known[text] = one
	}
	return one.reference, one.err
}
