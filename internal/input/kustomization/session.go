package kustomization

import (
	"path/filepath"
	"slices"
	"sync"

	"sigs.k8s.io/kustomize/api/types"

	"github.com/goldenarch/goldenarch/internal/finding"
)

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
