package v1alpha1

import (
	"cmp"
	"time"
)

// The limits for queries to registries, where the user sets none.
const (
	// DefaultRequestTimeout limits the time of one request.
	DefaultRequestTimeout = 15 * time.Second
	// DefaultRetries is how often goldenarch retries a failed request.
	DefaultRetries = 4
	// DefaultConcurrency is the limit of simultaneous requests to one registry. It is
	// the smallest number that HTTP/2 servers should allow on one connection (RFC 9113,
	// 6.5.2). For more, Go opens further connections to a server that allows no more.
	DefaultConcurrency = 100
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
	s.Registry.RequestTimeout = cmp.Or(s.Registry.RequestTimeout, DefaultRequestTimeout.String())
}

// defaultNumbers sets the options that are numbers. Decoding calls it before it reads
// the document, because a 0 that a user wrote is not the same as nothing.
func (s *GoldenImagesSpec) defaultNumbers() {
	s.Registry.Concurrency = cmp.Or(s.Registry.Concurrency, DefaultConcurrency)
	if s.Registry.Retries == nil {
		retries := DefaultRetries
		s.Registry.Retries = &retries
	}
}
