package worker

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/goldenarch/goldenarch/internal/files"
	"github.com/goldenarch/goldenarch/internal/kustomize"
)

// Pool builds kustomizations in workers. It starts a worker when all others are busy, and
// keeps it for the next build. Several goroutines may use it. The zero value starts this
// program.
type Pool struct {
	// Program is the program to start, "" for this one.
	Program string
	// MaxProcesses is how many workers run at once, 0 for one for each processor.
	MaxProcesses int
	// Deadline is how long one build may take, 0 for the usual.
	Deadline time.Duration
	// Memory returns how much memory all workers together should take; nil, or 0, for any.
	Memory func() int64

	once  sync.Once
	slots chan struct{} // one for each worker that is busy

	mu   sync.Mutex
	idle []*process
}

const (
	// maxTime is how long one build may take. kustomize takes minutes for thousands of
	// resources with a name prefix.
	maxTime = 10 * time.Minute
	// maxWorkers is how many workers are useful at once: each has its own memory.
	maxWorkers = 8
	// places is for how many trees idle workers wait: a commit, and the one that it is compared with.
	places = 2
)

func (p *Pool) maxProcesses() int {
	return cmp.Or(p.MaxProcesses, min(runtime.GOMAXPROCS(0), maxWorkers))
}

// Build implements [kustomize.Builder].
func (p *Pool) Build(ctx context.Context, request kustomize.Request) (kustomize.Result, error) {
	p.once.Do(func() { p.slots = make(chan struct{}, p.maxProcesses()) })
	select {
	case p.slots <- struct{}{}:
		defer func() { <-p.slots }()
	case <-ctx.Done():
		return kustomize.Result{}, fmt.Errorf("build %s: %w", request.Dir, context.Cause(ctx))
	}
	at, err := placeOf(request)
	if err != nil {
		return kustomize.Result{}, fmt.Errorf("build %s: %w", request.Dir, err)
	}
	w, err := p.take(at) //nolint:contextcheck // a worker outlives the build that starts it
	if err != nil {
		return kustomize.Result{}, fmt.Errorf("build %s: %w", request.Dir, err)
	}
	result, err := w.build(ctx, request, cmp.Or(p.Deadline, maxTime))
	if w.broken || w.hasEnded() {
		w.end()
	} else {
		p.give(w)
	}
	if _, ok := errors.AsType[*kustomize.Failure](err); err != nil && !ok {
		err = fmt.Errorf("build %s: %w", request.Dir, err)
	}
	return result, err
}

// take returns a worker for a place.
func (p *Pool) take(at directories) (*process, error) {
	p.mu.Lock()
	p.idle = slices.DeleteFunc(p.idle, func(w *process) bool { return w.hasEnded() })
	i := slices.IndexFunc(p.idle, func(w *process) bool { return w.directories == at })
	if i >= 0 {
		w := p.idle[i]
		p.idle = slices.Delete(p.idle, i, i+1)
		p.mu.Unlock()
		return w, nil
	}
	if len(p.idle) > 0 && len(p.idle)+len(p.slots) > places*p.maxProcesses() { // all for other places
		p.idle[0].end()
		p.idle = slices.Delete(p.idle, 0, 1)
	}
	p.mu.Unlock()
	memory := int64(0)
	if p.Memory != nil {
		memory = p.Memory() / int64(p.maxProcesses())
	}
	return start(p.Program, at, memory)
}

func (p *Pool) give(w *process) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.idle = append(p.idle, w)
}

// Close ends the workers that are not busy.
func (p *Pool) Close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, w := range p.idle {
		w.end()
	}
	p.idle = nil
}

// directories is what a worker keeps from its start to its end.
type directories struct {
	working string // the directory that relative paths start at
	root    string // the root of the Git repository that it reads from, "" for no restriction
}

func placeOf(request kustomize.Request) (directories, error) {
	working, err := os.Getwd()
	if err != nil {
		return directories{}, err
	}
	dir := request.Dir
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(working, dir)
	}
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		return directories{working: working}, nil //nolint:nilerr // the build says what is wrong
	}
	return directories{working: working, root: files.GitRoot(dir)}, nil
}
