package kustomization

import (
	"context"
	"errors"
	"fmt"
	"log"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/kio/kioutil"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/input/manifest"
	"github.com/goldenarch/goldenarch/internal/yamlout"
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
	return l != nil && l.refused.Load() > 0 || err != nil && strings.Contains(err.Error(), "no 'git' program on path")
}

// isOutside reports whether builds must not read a file.
func (l *Library) isOutside(path string) bool {
	if l == nil || l.Root == "" {
		return false
	}
	target, err := filepath.EvalSymlinks(path)
	if err != nil {
		return false // there is no such file
	}
	below, err := filepath.Rel(l.Root, target)
	return err != nil || !filepath.IsLocal(below)
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
	files := newDisk()
	files.library, files.instead, files.locks, files.lockFile = l, request.Texts, request.ToLock, request.LockFile
	files.generates, files.generated = request.Generates, request.Generated
	build := func() (Result, error) { return files.result(request.Dir) }
	if request.Files != nil {
		build = func() (Result, error) { return inMemory(request.Files) }
	}
	var out Result
	var err error
	if limit := files.guarded(func() { out, err = build() }); limit != nil {
		return Result{}, fmt.Errorf("build %s: %w", request.Dir, limit)
	}
	if len(files.missing) > 0 {
		return Result{Missing: files.missing}, nil // an error may be about what they emit
	}
	if err != nil {
		return Result{}, fmt.Errorf("build %s: %w", request.Dir, files.withCommand(request.Dir, files.plain(request.Dir, err)))
	}
	out.Found = files.found
	if l.said != nil {
		out.Found = slices.Concat(files.found, l.said.found(request.Dir))
	}
	if request.Files == nil {
		out.Unlisted = files.unlisted(request.Dir)
	}
	return out, nil
}

// inMemory builds files that are not on a disk.
func inMemory(files map[string][]byte) (Result, error) {
	resources, err := buildInMemory(files)
	if err != nil {
		return Result{}, err
	}
	var list []built
	for _, r := range resources.Resources() {
		list = append(list, built{Resource: r})
	}
	out, err := objects(list)
	return Result{Objects: out}, err
}

// Session locates findings in the files of the directories of one repository. It reads and
// parses each file that several directories share once. Several goroutines may use a
// Session. The zero value is ready for use.
type Session struct {
	mu     sync.Mutex
	shared map[string]func() sharedSource // by path, absolute and without links
}

// sharedSource is what a file or a directory with a kustomization has.
type sharedSource struct {
	file      *sourceFile // of a file
	directory directoryOf // of a directory
}

// directoryOf is what the kustomization of a directory has.
type directoryOf struct {
	k   types.Kustomization
	own []fragment // the patches, from last to first
}

// Located does what the function [Located] does.
func (s *Session) Located(builds []Built, list finding.List) finding.List {
	out := slices.Clone(list)
	l := newLocator(s, builds)
	for i, f := range out {
		if f.Line > 0 || f.Object.File == "" {
			continue
		}
		for at, b := range builds {
			if item := l.items[at].Item(f.Object); item != nil {
				out[i] = l.locate(b, item, f)
				break
			}
		}
	}
	return out
}

// source returns what a file or a directory has. Files below the root are those of one
// cluster, which nobody shares, so source does not keep them.
func (s *Session) source(root, path string, read func() sharedSource) sharedSource {
	if below, err := filepath.Rel(root, path); err == nil && filepath.IsLocal(below) {
		return read()
	}
	s.mu.Lock()
	if s.shared == nil {
		s.shared = map[string]func() sharedSource{}
	}
	once := s.shared[path]
	if once == nil {
		once = sync.OnceValue(read)
		s.shared[path] = once
	}
	s.mu.Unlock()
	return once()
}

// Result is what a [Builder] builds from a directory, as texts: one process can pass it to
// another.
type Result struct {
	// Objects has the resources, in kustomize's order.
	Objects []Object
	// Steps are the configurations that the kustomizations list, in the order in which
	// kustomize runs them.
	Steps []Step
	// Missing are the generators that the build lacks. The result then has nothing else.
	Missing []Step
	// Metadata has the buildMetadata of the directory, and Order its sortOptions.
	Metadata []string
	Order    *types.SortOptions
	// Found has the warnings of kustomize.
	Found finding.List
	// Unlisted has the files in the directory that configure goldenarch and are not part
	// of the build.
	Unlisted []Unlisted
}

// Object is the text of an object, and the file that it came from.
type Object struct {
	File string
	Text []byte
}

// result builds a directory.
func (d *disk) result(dir string) (Result, error) {
	b, err := newBuild(d, dir)
	if err != nil {
		return Result{}, err
	}
	resources, err := b.run()
	if err != nil {
		return Result{}, err
	}
	list, err := objects(resources)
	return Result{Objects: list, Steps: slices.Concat(b.generators, b.steps), Metadata: b.metadata, Order: b.order}, err
}

// objects returns resources as kustomize writes them.
func objects(resources []built) ([]Object, error) {
	var out []Object
	for _, r := range resources {
		text, ok := yamlout.AsKustomize(r.YNode())
		if !ok {
			var err error
			if text, err = r.AsYAML(); err != nil {
				return nil, fmt.Errorf("encode %s: %w", r.CurId(), err)
			}
		}
		out = append(out, Object{File: r.file, Text: text})
	}
	return out, nil
}

// built returns a result as goldenarch reads manifests.
func (r Result) built(dir string) (Built, error) {
	out := Built{Path: dir, Steps: r.Steps, Found: r.Found, Unlisted: r.Unlisted, finish: finish{r.Metadata, r.Order}}
	var err error
	out.Items, err = readAll(r.Objects, &out.Texts)
	return out, err
}

// readAll reads built objects in the form in which goldenarch reads manifests. They have
// no line numbers, because kustomize has encoded them again.
func readAll(list []Object, texts *manifest.Texts) ([]*yaml.RNode, error) {
	var out []*yaml.RNode
	places := map[string]int{}
	for _, object := range list {
		read, err := manifest.Parse(object.File, object.Text)
		if err != nil {
			return nil, err
		}
		for _, item := range read {
			if err := asBuilt(item, places[object.File]); err != nil {
				return nil, err
			}
			texts.AddBuilt(item, object.Text)
			places[object.File]++
			out = append(out, item)
		}
	}
	return out, nil
}

// asBuilt makes an item what a build has at a place of a file.
func asBuilt(item *yaml.RNode, place int) error {
	withoutLines(item.YNode())
	notes := []yaml.Filter{yaml.SetAnnotation(kioutil.IndexAnnotation, strconv.Itoa(place))}
	if value, is := item.GetAnnotations()[wasLocal]; is {
		notes = append(notes, yaml.SetAnnotation(localConfig, value), yaml.ClearAnnotation(wasLocal))
	}
	for _, note := range notes {
		if err := item.PipeE(note); err != nil {
			return fmt.Errorf("annotate %s %q: %w", item.GetKind(), item.GetName(), err)
		}
	}
	return nil
}

func withoutLines(n *yaml.Node) {
	n.Line = 0
	for _, child := range n.Content {
		withoutLines(child)
	}
}
