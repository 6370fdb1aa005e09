package v1alpha1

import (
	"time"

	"github.com/goldenarch/goldenarch/internal/arch"
)

// The methods below read what Validate has found valid, so they cannot fail.

// ParsedRelease returns the release that the user declared.
func (s *GoldenImagesSpec) ParsedRelease() Release {
	release, _ := ParseRelease(s.Release)
	return release
}

// AllowSet returns the only architectures ever claimed; empty allows all.
func (s *GoldenImagesSpec) AllowSet() arch.Set { return set(s.Allow) }

// Single returns the architecture that workloads are restricted to, "" for
// none.
func (s *GoldenImagesSpec) Single() arch.Arch {
	if s.SingleArchitecture == "" {
		return ""
	}
	single, _ := arch.Parse(s.SingleArchitecture)
	return single
}

// Workload returns the stated workload architectures; empty says nothing.
func (c ClusterSpec) Workload() arch.Set { return set(c.WorkloadArchitectures) }

// ControlPlane returns the stated control-plane architectures; empty says
// nothing.
func (c ClusterSpec) ControlPlane() arch.Set { return set(c.ControlPlaneArchitectures) }

// Set returns the architectures that are believed.
func (o Override) Set() arch.Set { return set(o.Architectures) }

// Set returns the built-in claim, empty if there is none.
func (p PredefinedTemplate) Set() arch.Set { return set(p.Architectures) }

// RunTimeout returns the bound on all asking of a run.
func (r RegistrySpec) RunTimeout() time.Duration { return duration(r.Timeout) }

// OneRequestTimeout returns the bound on one request.
func (r RegistrySpec) OneRequestTimeout() time.Duration { return duration(r.RequestTimeout) }

func set(list []string) arch.Set {
	s, _ := arch.ParseAll(list)
	return s
}

func duration(s string) time.Duration {
	d, _ := time.ParseDuration(s)
	return d
}
