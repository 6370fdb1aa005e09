package repo

import (
	"path/filepath"
	"slices"

	"sigs.k8s.io/kustomize/api/konfig"

	"github.com/goldenarch/goldenarch/internal/input/manifest"
)

// pods finds the directories with objects that may have pods, among the files that are in
// no place yet: below a plain file with a WorkloadArchitectures, and all of them if the
// run is about pods.
func (s *scan) pods() {
	s.out.Pods = s.Pods
	taken := map[string]bool{}
	take := func(places ...Place) {
		for _, place := range places {
			for _, file := range place.Files {
				taken[s.real[file]] = true
			}
		}
	}
	take(s.out.Places...)
	for _, file := range s.aboutPods {
		if !taken[s.real[file]] {
			place := s.placeOf(file)
			take(place)
			s.out.Places = append(s.out.Places, place)
		}
	}
	if !s.Pods {
		return
	}
	for _, dir := range s.dirs {
		owned := s.isOwned(&dir)
		for _, file := range dir.Files {
			target := s.real[file]
			if t := s.texts[target]; t == nil || !t.pods || taken[target] || slices.Contains(s.Named, target) || s.named[target] {
				continue
			}
			if !owned {
				place := s.placeOf(file)
				take(place)
				s.out.Places = append(s.out.Places, place)
			} else if dir.Kustomized && !slices.Contains(konfig.RecognizedKustomizationFileNames(), filepath.Base(file)) {
				s.out.Unlisted = append(s.out.Unlisted, filepath.ToSlash(file))
			}
		}
	}
}

// placeOf returns the place of a plain file about pods: what an Application applies, or
// else the directory of the file with those below it.
func (s *scan) placeOf(file string) Place {
	dir := s.appliedAbove(file)
	if app, is := s.apps[s.real[dir]]; is {
		return Place{Path: dir, Kind: Directory, Files: s.appliedFiles(dir, app)}
	}
	others := map[string][]string{}
	for _, place := range s.out.Places {
		if place.Kind == Directory {
			others[place.Path] = place.Files
		}
	}
	return Place{Path: dir, Kind: Directory, Files: s.filesBelow(dir, others)}
}

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
