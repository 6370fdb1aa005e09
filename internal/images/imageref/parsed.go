package imageref

import "sync"

// Parsed keeps what each text of a run was parsed to, so that it is parsed once
// however many steps look at it. A nil Parsed keeps nothing.
type Parsed struct {
	mu    sync.Mutex
	known map[string]parsed
}

type parsed struct {
	reference Reference
	err       error
}

// Parse returns what [Parse] makes of a text.
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
