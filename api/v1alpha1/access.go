package v1alpha1

import "time"

// The methods below read what Validate has found valid, so they cannot fail.

// ParsedRelease returns the release that the user declared.
func (s *GoldenImagesSpec) ParsedRelease() Release {
	release, _ := ParseRelease(s.Release)
	return release
}

// RunTimeout returns the bound on all asking of a run.
func (r RegistrySpec) RunTimeout() time.Duration { return duration(r.Timeout) }

// OneRequestTimeout returns the bound on one request.
func (r RegistrySpec) OneRequestTimeout() time.Duration { return duration(r.RequestTimeout) }

func duration(s string) time.Duration {
	d, _ := time.ParseDuration(s)
	return d
}
