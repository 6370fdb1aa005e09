package v1alpha1

import "time"

// The methods below parse values that Validate has accepted, so they cannot fail.

// ParsedRelease returns the release that the user declared.
func (s *GoldenImagesSpec) ParsedRelease() Release {
	release, _ := ParseRelease(s.Release)
	return release
}

// RunTimeout returns how long a run may query registries in total.
func (r RegistrySpec) RunTimeout() time.Duration { return duration(r.Timeout) }

// OneRequestTimeout returns how long one request may take.
func (r RegistrySpec) OneRequestTimeout() time.Duration { return duration(r.RequestTimeout) }

func duration(s string) time.Duration {
	d, _ := time.ParseDuration(s)
	return d
}
