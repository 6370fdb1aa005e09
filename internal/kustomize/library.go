package kustomize

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	"sigs.k8s.io/kustomize/kyaml/resid"

	"github.com/goldenarch/goldenarch/internal/files"
	"github.com/goldenarch/goldenarch/internal/finding"
)

// Library is a [Builder] that uses kustomize's library in this process. The library shares
// state within a process, writes to standard error, and can neither be stopped nor be kept
// from the network in another way than [Confine]. So only a process that does nothing else
// may use it: a worker (package worker), or a test.
type Library struct {
	// Read is called with the number of bytes that a build has read so far, if it is not
	// nil.
	Read func(bytes int64)
	// Root is the only directory that builds read files below, "" for no restriction.
	Root string

	mu      sync.Mutex // one build at a time
	said    *logged
	refused atomic.Int64 // the connections that the build has tried to open
	// ids are those of the objects in the texts of all builds, by the hash of the text.
	ids map[uint64][]resid.ResId
}

// errRefused is the error that kustomize's library gets for each connection.
var errRefused = errors.New("goldenarch opens no connection while it builds a kustomization")

// maxCopied is how many bytes the copy operations of one JSON patch may add.
const maxCopied = 1 << 20

// Confine turns this process into one that builds kustomizations and does nothing else. It
// cannot be undone. kustomize's library uses [http.DefaultTransport] (kustomize
// internal/loader/fileloader.go: httpClientGetContent) and the git of PATH
// (internal/git/gitrunner.go): the transport then refuses each connection, and PATH is
// empty. The library writes its warnings to standard error, which is discarded, and to the
// standard logger, from which [Library.Build] takes them.
func Confine() (*Library, error) {
	l := &Library{}
	http.DefaultTransport = &http.Transport{
		DialContext: func(context.Context, string, string) (net.Conn, error) {
			l.refused.Add(1)
			return nil, errRefused
		},
	}
	// A patch that copies a value into itself doubles the value with each line.
	jsonpatch.AccumulatedCopySizeLimit = maxCopied
	os.Clearenv()
	if err := os.Setenv("PATH", ""); err != nil {
		return nil, fmt.Errorf("empty PATH: %w", err)
	}
	l.said = &logged{to: log.Writer()}
	log.SetOutput(l.said)
	log.SetFlags(0)
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		return nil, err
	}
	os.Stderr = null // the runtime still writes to the descriptor
	return l, nil
}

// refusedOf reports whether the confinement has made a build fail with an error.
func (l *Library) refusedOf(err error) bool {
	return l.refused.Load() > 0 || err != nil && strings.Contains(err.Error(), "no 'git' program on path")
}

// isOutside reports whether builds must not read a file.
func (l *Library) isOutside(path string) bool {
	if l.Root == "" {
		return false
	}
	target, err := filepath.EvalSymlinks(path)
	return err == nil && !files.Within(target, l.Root) // with an error there is no such file
}

var errOutside = errors.New("goldenarch builds a kustomization from files of its Git repository only")

// Build implements [Builder]. After [ErrMemory] the build goes on until the process ends,
// because kustomize's library cannot be stopped.
func (l *Library) Build(_ context.Context, request Request) (Result, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.refused.Store(0)
	if l.said != nil {
		l.said.texts = nil
	}
	files := newDisk(l, request)
	var out Result
	var err error
	limit := files.guarded(func() {
		var b *build
		if b, err = newBuild(files, request.Dir); err == nil {
			out, err = b.run()
		}
	})
	switch {
	case limit != nil:
		return Result{}, fmt.Errorf("build %s: %w", request.Dir, limit)
	case err != nil:
		return Result{}, fmt.Errorf("build %s: %w", request.Dir, files.withCommand(files.plain(err)))
	}
	if l.said != nil {
		for _, text := range l.said.texts {
			of := finding.Object{File: request.Dir}
			out.Found = append(out.Found, finding.Finding{ID: finding.KustomizeWarns, Severity: finding.Warning, Object: of, Text: text})
		}
	}
	out.Unlisted = files.unlisted()
	return out, nil
}

// logged receives what is written to the standard logger.
type logged struct {
	to    io.Writer
	texts []string // each once
}

// warnings are the lines that kustomize logs in a build that continues, and how goldenarch
// reports them.
var warnings = []struct {
	begins, text string
	rest         bool // report the rest of the line, too
}{
	{"well-defined vars that were never replaced: ", "kustomize never replaced these vars: ", true}, // internal/accumulator/resaccumulator.go
	{"MakePrimitiveReplacer: ", "kustomize did not replace a var, because its value is an object or a list", false},
	{"ParseInt failed for value ", "a label selector compares a value that is not a number", false}, // kyaml labels/selector.go
	{"Invalid values count ", "a label selector compares with more than one value", false},
}

// Write implements [io.Writer]. It passes unknown lines on to the original writer: such a
// line may be the last message of a process that ends.
func (l *logged) Write(line []byte) (int, error) {
	for _, w := range warnings {
		if rest, ok := bytes.CutPrefix(line, []byte(w.begins)); ok {
			text := w.text
			if w.rest {
				text += strings.ReplaceAll(strings.TrimSpace(string(rest)), ",", ", ")
			}
			if !slices.Contains(l.texts, text) {
				l.texts = append(l.texts, text)
			}
			return len(line), nil
		}
	}
	return l.to.Write(line)
}
