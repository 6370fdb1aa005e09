package v1alpha1

import (
	"cmp"
	"time"

	"github.com/goldenarch/goldenarch/internal/spelling"
)

// DecodeGoldenImages reads the configuration of a run from decoded JSON: a
// GoldenImages, or a ConfigMap whose data has the keys of [Scalars]. A nil object gives
// the default configuration. The result has its defaults and is valid.
//
// If the object is invalid, the error is an [Errors] that lists every problem.
func DecodeGoldenImages(object map[string]any) (*GoldenImages, error) {
	apiVersion, kind := typeOf(object)
	g := &GoldenImages{}
	g.Spec.Registry.defaultNumbers()
	var errs Errors
	fromData := kind == configMapKind && apiVersion == "v1"
	switch {
	case object == nil:
	case fromData:
		errs = decodeConfigMap(object, &g.Spec)
	default:
		if errs = wrongType(object, GoldenImagesKind, configMapKind); len(errs) > 0 {
			return nil, errs
		}
		errs = decodeStrict(object, g)
	}
	g.Spec.defaultWords()
	invalid := g.Spec.check()
	if fromData {
		invalid = invalid.inData()
	}
	errs = errs.with(invalid)
	if len(errs) > 0 {
		return nil, errs
	}
	return g, nil
}

// DecodeClusterArchitectures reads node facts that a user states, from decoded JSON. If
// the object is invalid, the error is an [Errors] that lists every problem.
func DecodeClusterArchitectures(object map[string]any) (*ClusterArchitectures, error) {
	return decode(object, new(ClusterArchitectures), ClusterArchitecturesKind, func(c *ClusterArchitectures) Errors { return c.Spec.check() })
}

// decode reads an object of a kind into one that has the defaults that it needs before. The
// error is an [Errors].
func decode[T any](object map[string]any, out *T, kind string, check func(*T) Errors) (*T, error) {
	if errs := wrongType(object, kind); len(errs) > 0 {
		return nil, errs
	}
	errs := decodeStrict(object, out)
	errs = errs.with(check(out))
	if len(errs) > 0 {
		return nil, errs
	}
	return out, nil
}

// wrongType returns an error if an object is not of the expected kind in this group and
// version. The error also names the other kinds.
func wrongType(object map[string]any, expected string, others ...string) Errors {
	var errs Errors
	apiVersion, kind := typeOf(object)
	switch {
	case kind != expected && len(others) == 0:
		errs.add("kind", "is %q, expected %q of %s", kind, expected, APIVersion)
	case kind != expected && kind != configMapKind:
		errs.add("kind", "is %q, expected %q of %s or %q of v1%s", kind, expected, APIVersion, configMapKind,
			spelling.DidYouMean(kind, append(others, expected)))
	case kind == configMapKind:
		errs.add("apiVersion", "of a ConfigMap is %q, expected \"v1\"", apiVersion)
	case apiVersion != APIVersion:
		errs.add("apiVersion", "is %q, expected %q", apiVersion, APIVersion)
	}
	return errs
}

func typeOf(object map[string]any) (apiVersion, kind string) {
	apiVersion, _ = object["apiVersion"].(string)
	kind, _ = object["kind"].(string)
	return apiVersion, kind
}

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
	s.Registry.defaultNumbers()
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
	s.Registry.defaultWords()
}

func (r *RegistrySpec) defaultWords() {
	r.Timeout = cmp.Or(r.Timeout, "2m")
	r.Verify = cmp.Or(r.Verify, VerifyIndex)
	r.RequestTimeout = cmp.Or(r.RequestTimeout, DefaultRequestTimeout.String())
}

// defaultNumbers sets the options that are numbers. Decoding calls it before it reads
// the document, because a 0 that a user wrote is not the same as nothing.
func (r *RegistrySpec) defaultNumbers() {
	r.Concurrency = cmp.Or(r.Concurrency, DefaultConcurrency)
	if r.Retries == nil {
		r.Retries = new(DefaultRetries)
	}
}
