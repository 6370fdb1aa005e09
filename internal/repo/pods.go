package repo

import (
	"path/filepath"
	"slices"

	"sigs.k8s.io/kustomize/api/konfig"
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
