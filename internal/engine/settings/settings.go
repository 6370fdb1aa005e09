// Package settings carries the configuration of a run with its words as types, each read
// once. The steps of a run take [Settings] in place of the spec that a user writes.
//
// The package is pure: no network, no files, no clock, no environment.
package settings

import "github.com/goldenarch/goldenarch/api/v1alpha1"

// Settings is the configuration of a run.
type Settings struct {
	*v1alpha1.GoldenImagesSpec
	// Release is the release of the configuration, or else that of the live CR. It hides
	// the text of the spec.
	Release v1alpha1.Release
	// Images are those whose architectures a person states, in the configuration or with a flag.
	Images Images
}

// Of returns the settings of a valid spec, without stated images.
func Of(spec *v1alpha1.GoldenImagesSpec) *Settings {
	return &Settings{GoldenImagesSpec: spec, Release: spec.ParsedRelease()}
}

// WithRelease returns the settings with another release.
func (s *Settings) WithRelease(release v1alpha1.Release) *Settings {
	out := *s
	out.Release = release
	return &out
}
