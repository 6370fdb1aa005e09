package kustomization

import (
	"bytes"
	"hash/maphash"
	"sync"

	"github.com/goldenarch/goldenarch/internal/input/manifest"
	"github.com/goldenarch/goldenarch/internal/parallel"
)

// Objects keeps the objects that several builds of one repository have. Several goroutines may use it.
// The zero value is ready for use.
type Objects struct {
	mu sync.Mutex
	// parsed has the objects that were built more than once, by their hash, and nil for those
	// that were built once: most are, and would only take memory.
	parsed map[uint64]*parsedObject
}

// parseObjects parses built objects.
func (s *Objects) parseObjects(list []Object) ([]parsedObject, error) {
	return parallel.Map(len(list), func(i int) (parsedObject, error) { return s.parse(list[i]) })
}

func parseObject(o Object) (parsedObject, error) {
	items, err := manifest.Parse(o.File, o.Text)
	return parsedObject{o, items}, err
}

// parse parses a built object, or copies the one that other builds had.
func (s *Objects) parse(o Object) (parsedObject, error) {
	if s == nil {
		return parseObject(o)
	}
	var hashed maphash.Hash
	hashed.SetSeed(seed)
	_, _ = hashed.WriteString(o.File)
	_, _ = hashed.Write(o.Text)
	hash := hashed.Sum64()
	s.mu.Lock()
	known, again := s.parsed[hash]
	s.mu.Unlock()
	if known != nil && known.File == o.File && bytes.Equal(known.Text, o.Text) {
		return known.copied(), nil
	}
	out, err := parseObject(o)
	if err == nil && known == nil {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.parsed == nil {
			s.parsed = map[uint64]*parsedObject{}
		}
		if again {
			kept := out.copied()
			s.parsed[hash] = &kept
		} else if _, met := s.parsed[hash]; !met {
			s.parsed[hash] = nil
		}
	}
	return out, err
}

var seed = maphash.MakeSeed()

// copied returns an object with items of its own, which a run may change.
func (o parsedObject) copied() parsedObject {
	out := parsedObject{Object: o.Object}
	for _, item := range o.items {
		out.items = append(out.items, item.Copy())
	}
	return out
}
