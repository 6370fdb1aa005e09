package configuration

import (
	"fmt"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/input/livecr"
	"github.com/goldenarch/goldenarch/internal/settings"
)

// unverified reports a release newer than the newest one that goldenarch is verified with.
func (s Source) unverified(release v1alpha1.Release) finding.List {
	if release.Verified() {
		return nil
	}
	out := finding.Finding{
		ID: finding.ReleaseNewer, Severity: finding.Warning, Field: "spec.release",
		Text: fmt.Sprintf("goldenarch does not know HCO %s and treats it as HCO %s, the newest release that it knows", release, v1alpha1.NewestVerified()),
		Do:   "try the result on a test cluster first",
	}
	if s.Strict {
		out.Severity = finding.Error
	}
	return finding.List{out}
}

// WithReleaseOf returns the configuration with the release of the live CR, if it has no
// release itself, and the findings about that release.
func (s Source) WithReleaseOf(live *livecr.CR, spec *settings.Settings) (*settings.Settings, finding.List) {
	out, found := live.WithRelease(spec)
	if spec.Release.Declared() || !out.Release.Declared() {
		return out, found
	}
	newer := s.unverified(out.Release)
	for i := range newer {
		newer[i].Object, newer[i].Field = live.At, "status.versions"
	}
	return out, append(found, newer...)
}
