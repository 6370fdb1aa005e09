package livecr

import (
	"fmt"
	"strings"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/settings"
)

// KnownRelease returns the release of the HCO that wrote the status, or the zero value if
// it is unknown.
func (l *CR) KnownRelease() v1alpha1.Release {
	if l == nil {
		return v1alpha1.Release{}
	}
	return l.release
}

// releaseOf returns the release of an HCO that states its version, or the zero value if
// goldenarch does not know the version.
func releaseOf(version string) v1alpha1.Release {
	release, err := v1alpha1.ParseRelease(withoutBuild(version))
	if err != nil {
		return v1alpha1.Release{}
	}
	return release
}

// withoutBuild returns a version without a build suffix, such as in 1.18.0-unstable.
func withoutBuild(version string) string {
	if i := strings.IndexAny(version, "-+"); i >= 0 {
		return version[:i]
	}
	return version
}

// WithRelease returns the configuration with the release of the live CR, unless the
// configuration itself states a release. The release that the user states takes
// precedence.
func (l *CR) WithRelease(spec *settings.Settings) (*settings.Settings, finding.List) {
	if l == nil || l.Release == "" {
		return spec, nil
	}
	live := l.KnownRelease()
	f := finding.Finding{ID: finding.ReleaseDiffers, Severity: finding.Warning, Object: l.At, Field: "status.versions", Current: l.Release}
	switch {
	case !live.Declared() && !spec.Release.Declared():
		f.Text = fmt.Sprintf("the live CR has the release %q, which goldenarch does not know", l.Release)
		f.Do = `state the release: --release 1.19 (or the release of OpenShift Virtualization, 4.23)`
		return spec, finding.List{f}
	case !live.Declared() || spec.Release.Same(live):
		return spec, nil
	case spec.Release.Declared():
		f.Text = fmt.Sprintf("spec.release is %q, but the live CR has HCO %q: goldenarch uses spec.release", spec.GoldenImagesSpec.Release, l.Release)
		f.Do = "correct spec.release, unless you are upgrading to it"
		return spec, finding.List{f}
	}
	return spec.WithRelease(live), nil
}
