package repo

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/goldenarch/goldenarch/internal/console"
	"github.com/goldenarch/goldenarch/internal/kustomize/edit"
	"github.com/goldenarch/goldenarch/internal/pattern"
)

// Applied returns which directories of a tree Argo CD and Flux apply, and by which file below
// the tree. What cannot be read applies nothing.
func Applied(tree string) []edit.Applied {
	out := applied(tree)
	top := console.Escape(filepath.ToSlash(tree)) + "/"
	for i := range out {
		out[i].By = strings.TrimPrefix(out[i].By, top)
	}
	return out
}

func applied(tree string) []edit.Applied {
	s := newScan(tree, Options{IgnoreFrom: func(string) string { return "" }})
	var out []edit.Applied
	if err := s.read(); err != nil {
		for target := range s.refs {
			out = append(out, edit.Applied{Dir: target, Maybe: true, By: "goldenarch cannot look for Applications: " + err.Error()})
		}
		return out
	}
	s.follow()
	for _, dir := range s.dirs {
		target := s.real[dir.Path]
		app, by := s.apps[target], slices.Clone(s.flux[target])
		for _, r := range app {
			by = append(by, r.By)
		}
		for _, name := range slices.Compact(slices.Sorted(slices.Values(by))) {
			one := edit.Applied{Dir: target, By: name}
			switch {
			case dir.Kustomized:
			case !slices.Contains(s.flux[target], name):
				one.Files = s.realFiles(s.appliedFiles(dir.Path, app))
			default:
				one.Files = s.realFiles(dir.Files)
			}
			out = append(out, one)
		}
	}
	return append(out, s.mayApply()...)
}

// realFiles returns the paths of files without links.
func (s *scan) realFiles(files []string) []string {
	out := make([]string, len(files))
	for i, file := range files {
		out[i] = s.real[file]
	}
	return out
}

// unknownPart matches what only Argo CD fills in.
var unknownPart = pattern.Of(`\{\{.*?\}\}`)

// mayApply returns the kustomizations that an ApplicationSet may apply whose directories only
// Argo CD knows.
func (s *scan) mayApply() []edit.Applied {
	var out []edit.Applied
	for _, one := range s.unfollowed {
		parts := unknownPart().Split(filepath.ToSlash(filepath.Clean(one.path)), -1)
		for i := range parts {
			parts[i] = regexp.QuoteMeta(parts[i])
		}
		matches, err := regexp.Compile("^" + strings.Join(parts, ".*") + "$")
		if err != nil {
			continue
		}
		for target := range s.refs {
			if below, err := filepath.Rel(s.repository.top, target); err == nil && matches.MatchString(filepath.ToSlash(below)) {
				out = append(out, edit.Applied{Dir: target, Maybe: true, By: one.by + " may apply it"})
			}
		}
	}
	return out
}
