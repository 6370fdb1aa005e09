package repo

import (
	"path/filepath"
	"slices"

	"github.com/goldenarch/goldenarch/internal/input/kustomization"
)

// kustomizations sorts the kustomizations of the tree: what kustomize builds for a
// cluster, and what others include.
func (s *scan) kustomizations() {
	for _, target := range sortedPaths(s.refs) {
		refs, dir := s.refs[target], s.byPath[target]
		_, applied := s.apps[target]
		applied = applied || len(s.flux[target]) > 0 || s.Stated != nil && s.Stated(dir.Path)
		shown := filepath.ToSlash(dir.Path)
		if (s.named[target] || refs.Component) && !applied {
			s.out.Shared = append(s.out.Shared, shown)
			continue
		}
		r := s.reach(target)
		switch {
		case r.mentions, s.Pods && r.pods && r.unseen == "":
			s.out.Places = append(s.out.Places, Place{Path: dir.Path, Kind: Kustomization})
		case r.unseen != "":
			s.out.Unseen = append(s.out.Unseen, Unseen{Path: shown, Because: r.unseen})
		default:
			s.out.Without = append(s.out.Without, shown)
		}
	}
}

// reached is what a kustomization has in its files, and in those that it includes.
type reached struct {
	mentions, pods bool
	unseen         string
}

// reach follows what a kustomization refers to. What cannot be read is left to kustomize.
func (s *scan) reach(top string) reached {
	var out reached
	visited := map[string]bool{}
	var visit func(string)
	visit = func(path string) {
		if visited[path] {
			return
		}
		visited[path] = true
		refs, is := s.refs[path]
		if !is && s.byPath[path] == nil && kustomization.In(path) { // outside of the tree
			refs, is = s.aboveTree(path), true
		}
		if !is {
			out.add(s.text(path))
			return
		}
		out.add(newText(refs.Data))
		switch {
		case refs.Broken:
			out.unseen = "kustomize cannot read it"
			out.mentions = out.mentions || s.mentionsBelow(path)
		case refs.Remote != "":
			out.unseen = "it names " + refs.Remote + ", which is remote"
		case refs.Charts:
			out.unseen = "it inflates a Helm chart"
		}
		for _, next := range refs.Local {
			// A PolicyGenerator names the CR that it wraps, and has none.
			if !slices.Contains(refs.Generators, next) || !s.policiesOf(next).only {
				visit(next)
			}
		}
	}
	visit(top)
	return out
}

func (r *reached) add(t *text) {
	r.mentions, r.pods = r.mentions || t.mentions, r.pods || t.pods
}

// aboveTree returns what a kustomization outside of the tree refers to.
func (s *scan) aboveTree(path string) kustomization.References {
	if _, known := s.above[path]; !known {
		s.above[path] = kustomization.ReferencesOf(path)
	}
	return s.above[path]
}

// text returns what a file mentions. A file is read once.
func (s *scan) text(path string) *text {
	if t := s.texts[path]; t != nil {
		return t
	}
	data, err := s.budget.Read(path)
	if err != nil {
		data = nil // kustomize says what is wrong
	}
	s.texts[path] = newText(data)
	return s.texts[path]
}
