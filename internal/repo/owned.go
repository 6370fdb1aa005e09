package repo

import (
	"path/filepath"
	"slices"

	"github.com/goldenarch/goldenarch/internal/input/manifest"
)

// isOwned reports whether the files of a directory are those of a kustomization: it has
// one, or it is below one that has, and a kustomization names something in it.
func (s *scan) isOwned(dir *manifest.Dir) bool {
	target := s.real[dir.Path]
	if _, applied := s.apps[target]; applied || dir.Kustomized {
		return dir.Kustomized
	}
	below := false
	for at := filepath.Dir(target); isBelow(at, s.real[s.root]); at = filepath.Dir(at) {
		if _, is := s.refs[at]; is {
			below = true
			break
		}
	}
	return below && slices.ContainsFunc(dir.Files, func(file string) bool { return s.named[s.real[file]] })
}

// leaveOutBundles removes the directories of bundles, whose files are those of OLM. A run
// about pods checks each by itself.
func (s *scan) leaveOutBundles() {
	kept, bundles := s.dirs[:0], []string(nil)
	for _, dir := range s.dirs {
		if slices.ContainsFunc(bundles, func(bundle string) bool { return isBelow(dir.Path, bundle) }) {
			continue
		}
		if s.IsBundle != nil && dir.Path != s.root && s.IsBundle(dir.Path) {
			bundles = append(bundles, dir.Path)
			continue
		}
		kept = append(kept, dir)
	}
	s.dirs = kept
	for _, path := range bundles {
		if s.Pods {
			s.out.Places = append(s.out.Places, Place{Path: path, Kind: Bundle})
		} else {
			s.out.Bundles = append(s.out.Bundles, filepath.ToSlash(path))
		}
	}
}
