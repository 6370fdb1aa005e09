package v1alpha1

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/goldenarch/goldenarch/internal/fieldpath"
)

// DecodeWorkloadArchitectures reads the configuration for pods from decoded JSON. The
// result has its defaults and is valid. If the object is invalid, the error is an
// [Errors] that lists every problem.
func DecodeWorkloadArchitectures(object map[string]any) (*WorkloadArchitectures, error) {
	if errs := wrongType(object, WorkloadArchitecturesKind); len(errs) > 0 {
		return nil, errs
	}
	w := &WorkloadArchitectures{}
	held := GoldenImagesSpec{}
	held.defaultNumbers()
	w.Spec.Registry = held.Registry
	errs := decodeStrict(object, w)
	w.Spec.defaultWords()
	errs = errs.with(w.Spec.check())
	if len(errs) > 0 {
		return nil, errs
	}
	return w, nil
}

// Default sets the options that a user left out.
func (s *WorkloadArchitecturesSpec) Default() {
	held := s.golden()
	held.defaultNumbers()
	s.Registry = held.Registry
	s.defaultWords()
}

func (s *WorkloadArchitecturesSpec) defaultWords() {
	s.Mode = cmp.Or(s.Mode, WorkloadsAffinity)
	s.OS = cmp.Or(s.OS, OSAuto)
	s.CSVLabels = cmp.Or(s.CSVLabels, CSVLabelsCheck)
	for i := range s.AdditionalPaths {
		s.AdditionalPaths[i].Shape = cmp.Or(s.AdditionalPaths[i].Shape, ShapePodSpec)
	}
	held := s.golden()
	held.defaultWords()
	s.Registry, s.Lock = held.Registry, held.Lock
}

// golden returns a GoldenImages configuration with the options that both kinds have.
func (s *WorkloadArchitecturesSpec) golden() GoldenImagesSpec {
	return GoldenImagesSpec{Inputs: s.Inputs, Registry: s.Registry, Lock: s.Lock}
}

// Golden returns a complete GoldenImages configuration with the options that both kinds
// have.
func (s *WorkloadArchitecturesSpec) Golden() GoldenImagesSpec {
	out := s.golden()
	out.Default()
	return out
}

// Validate returns the problems of a spec that has its defaults, as [Errors].
func (s *WorkloadArchitecturesSpec) Validate() error { return s.check().orNil() }

func (s *WorkloadArchitecturesSpec) check() Errors {
	var errs Errors
	checkWord(&errs, "spec.mode", "mode", s.Mode, WorkloadsAffinity, WorkloadsCheck, WorkloadsNone)
	checkArchitectures(&errs, "spec.clusterArchitectures", s.ClusterArchitectures)
	checkArchitectures(&errs, "spec.limitTo", s.LimitTo)
	if s.Unresolved != "" { // it is left out: a run skips the pod, and a check fails
		checkWord(&errs, "spec.unresolved", "value", s.Unresolved, UnresolvedSkip, UnresolvedError, UnresolvedUse)
	}
	checkArchitectures(&errs, "spec.use", s.Use)
	switch {
	case s.Unresolved == UnresolvedUse && len(s.Use) == 0:
		errs.add("spec.use", "is empty, expected the architectures for images of which nothing is known, because spec.unresolved is Use")
	case s.Unresolved != UnresolvedUse && len(s.Use) > 0:
		errs.add("spec.use", "has no effect while spec.unresolved is %q, expected \"Use\"", cmp.Or(s.Unresolved, UnresolvedSkip))
	}
	for i, image := range s.IgnoreImages {
		if strings.TrimSpace(image) == "" {
			errs.add(fmt.Sprintf("spec.ignoreImages[%d]", i), "is empty, expected a reference or a repository")
		}
	}
	for _, image := range sortedKeys(s.ImageArchitectures) {
		at := fieldpath.Join("spec.imageArchitectures", image)
		if len(s.ImageArchitectures[image]) == 0 {
			errs.add(at, "is empty, expected the architectures of the image")
		}
		checkArchitectures(&errs, at, s.ImageArchitectures[image])
	}
	checkPreferred(&errs, s.Preferred)
	checkWord(&errs, "spec.os", "value", s.OS, OSAuto, OSAlways, OSNever)
	checkPaths(&errs, s.AdditionalPaths)
	checkWord(&errs, "spec.csvLabels", "value", s.CSVLabels, CSVLabelsOff, CSVLabelsCheck, CSVLabelsWrite)
	for _, name := range sortedKeys(s.Operators) {
		at := fieldpath.Join("spec.operators", name)
		if len(s.Operators[name]) == 0 {
			errs.add(at, "is empty, expected the architectures of the operator")
		}
		checkArchitectures(&errs, at, s.Operators[name])
	}
	checkInputs(&errs, s.Inputs)
	checkFindings(&errs, s.Findings)
	checkRegistry(&errs, s.Registry)
	checkWord(&errs, "spec.lock.mode", "mode", s.Lock.Mode, LockPrefer, LockRequire, LockIgnore)
	return errs
}

func checkPreferred(errs *Errors, list []PreferredArchitecture) {
	var seen []string
	for i, p := range list {
		at := fmt.Sprintf("spec.preferred[%d]", i)
		checkArchitectures(errs, at+".architecture", []string{p.Architecture})
		if p.Weight < 1 || p.Weight > 100 {
			errs.add(at+".weight", "is %d, expected 1 to 100", p.Weight)
		}
		if slices.Contains(seen, p.Architecture) {
			errs.add(at+".architecture", "duplicate name %q", p.Architecture)
		}
		seen = append(seen, p.Architecture)
	}
}

func checkPaths(errs *Errors, list []AdditionalPath) {
	for i, p := range list {
		at := fmt.Sprintf("spec.additionalPaths[%d]", i)
		if p.Kind == "" {
			errs.add(at+".kind", "is empty, expected the kind of objects, such as Rollout")
		}
		if strings.Contains(p.Group, "/") {
			errs.add(at+".group", "is %q, expected the group without a version", p.Group)
		}
		for step := range strings.SplitSeq(p.Path, ".") {
			if key, _ := strings.CutSuffix(step, "[]"); key == "" || strings.ContainsAny(key, "[]/ ") {
				errs.add(at+".path", "is %q, expected fields separated by dots, with [] behind a list: spec.jobs[].template.spec", p.Path)
				break
			}
		}
		checkWord(errs, at+".shape", "shape", p.Shape, ShapePodSpec, ShapePlacement)
	}
}
