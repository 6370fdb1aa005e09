package v1alpha1

import (
	"cmp"

	"github.com/goldenarch/goldenarch/internal/images/defaults"
)

// Default sets the options that a user left out.
func (s *GoldenImagesSpec) Default() {
	s.defaultWords()
	s.defaultNumbers()
}

// defaultWords sets the options that are words. An empty word counts as left out.
func (s *GoldenImagesSpec) defaultWords() {
	s.Mode = cmp.Or(s.Mode, ModeWrite)
	s.Platform = cmp.Or(s.Platform, OpenShift)
	s.Predefined = cmp.Or(s.Predefined, PredefinedAuto)
	s.Existing = cmp.Or(s.Existing, ExistingNarrow)
	s.Unsupported = cmp.Or(s.Unsupported, UnsupportedDisable)
	s.Unresolved = cmp.Or(s.Unresolved, UnresolvedFail)
	s.Gate = cmp.Or(s.Gate, GateAuto)
	s.Defaults = cmp.Or(s.Defaults, DefaultsKeep)
	s.Expand.Mode = cmp.Or(s.Expand.Mode, ExpandNone)
	s.Expand.DataSources = cmp.Or(s.Expand.DataSources, DataSourcesAll)
	s.Lock.Mode = cmp.Or(s.Lock.Mode, LockPrefer)
	s.Registry.Timeout = cmp.Or(s.Registry.Timeout, "2m")
	s.Registry.Verify = cmp.Or(s.Registry.Verify, VerifyIndex)
	s.Registry.RequestTimeout = cmp.Or(s.Registry.RequestTimeout, defaults.RequestTimeout.String())
}

// defaultNumbers sets the options that are numbers. Decoding calls it before it reads
// the document, because a 0 that a user wrote is not the same as nothing.
func (s *GoldenImagesSpec) defaultNumbers() {
	s.Registry.Concurrency = cmp.Or(s.Registry.Concurrency, defaults.Concurrency)
	if s.Registry.Retries == nil {
		retries := defaults.Retries
		s.Registry.Retries = &retries
	}
}
