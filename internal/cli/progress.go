package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"

	"github.com/goldenarch/goldenarch/internal/images/imageref"
	"github.com/goldenarch/goldenarch/internal/images/registry"
)

// progress shows on a terminal how many of the images have been resolved.
type progress struct {
	to io.Writer

	mu          sync.Mutex
	asked, done int
	shown       string
}

// width is how many signs the bar has.
const width = 30

// before puts the bar before a Resolver. A nil bar, which is one without a
// terminal, shows nothing.
func (p *progress) before(r registry.Resolver) registry.Resolver {
	if p == nil {
		return r
	}
	return counted{next: r, bar: p}
}

type counted struct {
	next registry.Resolver
	bar  *progress
}

// Resolve implements registry.Resolver.
func (c counted) Resolve(ctx context.Context, ref imageref.Reference) (registry.Image, error) {
	c.bar.add(1, 0)
	defer c.bar.add(0, 1)
	return c.next.Resolve(ctx, ref)
}

func (p *progress) add(asked, done int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.asked, p.done = p.asked+asked, p.done+done
	full := width * p.done / p.asked
	bar := fmt.Sprintf("[%s%s] %d of %d images", strings.Repeat("#", full), strings.Repeat(".", width-full), p.done, p.asked)
	if bar != p.shown {
		fmt.Fprint(p.to, "\r"+bar)
		p.shown = bar
	}
}

// clear takes the bar away.
func (p *progress) clear() {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.shown != "" {
		fmt.Fprint(p.to, "\r"+strings.Repeat(" ", len(p.shown))+"\r")
		p.shown = ""
	}
}

// newProgress returns a bar if the writer is a terminal that can show one.
func newProgress(w io.Writer) *progress {
	to := w
	if o, ok := w.(*output); ok {
		to = o.to
	}
	file, ok := to.(*os.File)
	if !ok || !isTerminal(file) || os.Getenv("TERM") == "dumb" {
		return nil
	}
	return &progress{to: w}
}
