package kustomization

import (
	"bytes"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/api/konfig"
	"sigs.k8s.io/kustomize/api/types"
)

// evaluation follows the replacements of a build in the order in which kustomize applies
// them.
type evaluation struct {
	first  sizes
	done   map[*layer]grown // of the bases
	most   float64          // the most that a value has grown
	fields int
	met    map[*layer]bool
	again  int // how often the evaluation has reached a layer again
}

func newEvaluation(first sizes) *evaluation {
	return &evaluation{first: first, done: map[*layer]grown{}, met: map[*layer]bool{}}
}

// of returns how much the values of a layer's objects grow.
func (e *evaluation) of(l *layer) grown {
	if l == nil {
		return nil
	}
	if known, is := e.done[l]; is {
		return known
	}
	out := grown{}
	e.into(l, out)
	e.done[l] = out
	return out
}

// into applies a layer to objects. A component changes the objects of the layer above it.
// If a build repeats layers too often, the evaluation stops; kustomize's library stops
// even earlier.
func (e *evaluation) into(l *layer, objects grown) {
	if l == nil || e.again > maxAgain || e.fields > maxFields {
		return
	}
	if e.met[l] {
		e.again++
	}
	e.met[l] = true
	for _, base := range l.bases {
		objects.merge(e.of(base))
	}
	for _, component := range l.components {
		e.into(component, objects)
	}
	for _, c := range l.copies {
		if e.fields++; e.fields > maxFields {
			return
		}
		objects.apply(c, e.first)
		if by := objects[strings.Join(c.to, "\x00")].by; by > e.most {
			e.most = by
		}
		if e.most > tooMany {
			return
		}
	}
}

// tooMany is above every limit, so it stops an evaluation.
const tooMany = 1 << 40

// measured returns the sizes of the values of a build's objects, by the last key of their
// path.
func (b *build) measured(top *layer) sizes {
	m := measure{byKey: map[string]int{}}
	for _, l := range top.all(nil) {
		for _, file := range l.files {
			data := b.read(file.path)
			m.byKey[file.key] = max(m.byKey[file.key], len(data))
			for line := range bytes.Lines(data) { // of literals and of env files
				m.longest = max(m.longest, len(line))
			}
			for _, document := range documents(data) {
				m.tree(document)
			}
		}
	}
	return func(path []string) float64 {
		for _, step := range slices.Backward(path) {
			if step == "*" || selects(step) {
				continue
			}
			if size, is := m.byKey[step]; is {
				return float64(size)
			}
			break
		}
		return float64(m.longest)
	}
}

// measure has the sizes of values.
type measure struct {
	byKey   map[string]int
	longest int // the longest single value
}

// tree returns the approximate size of a value as text, and records those of its parts.
func (m *measure) tree(tree any) int {
	const node = 8 // the size of a value in addition to its text
	size := node
	switch tree := tree.(type) {
	case map[string]any:
		for key, value := range tree {
			inner := m.tree(value)
			m.byKey[key] = max(m.byKey[key], inner)
			size += inner + len(key)
		}
	case []any:
		for _, value := range tree {
			size += m.tree(value)
		}
	case string:
		size += len(tree)
		m.longest = max(m.longest, size)
	}
	return size
}

// read returns a file, or the kustomization of a directory. It returns nil if that fails.
func (b *build) read(path string) []byte {
	if !b.IsDir(path) {
		data, _ := b.FileSystem.ReadFile(path) // kustomize says what is wrong
		return data
	}
	for _, name := range konfig.RecognizedKustomizationFileNames() {
		if at, isDir := b.placeOf(path, name); at != "" && !isDir {
			data, _ := b.FileSystem.ReadFile(at)
			return data
		}
	}
	return nil
}

func secretsAsMaps(list []types.SecretArgs) []types.ConfigMapArgs {
	out := make([]types.ConfigMapArgs, len(list))
	for i, s := range list {
		out[i].GeneratorArgs = s.GeneratorArgs
	}
	return out
}
