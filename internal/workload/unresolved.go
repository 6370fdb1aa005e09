package workload

import (
	"fmt"
	"strings"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/workload/podspec"
)

// architecturesOf returns the architectures of an image. counts says whether the image
// counts, and ok says whether anything is known about it.
func (p *pod) architecturesOf(image podspec.Image) (set arch.Set, counts, ok bool) {
	answer, asked := p.Answers[image.Reference]
	switch {
	case image.Unknown != "":
		answer = Answer{}
	case asked && !answer.Counts():
		return nil, false, true
	case asked && answer.Err == nil:
		if answer.Single {
			p.single = append(p.single, image.Reference)
		}
		return answer.Architectures, true, true
	}
	severity, consequence := finding.Warning, "goldenarch leaves this pod as it is"
	switch p.Spec.Unresolved {
	case v1alpha1.UnresolvedError:
		severity, consequence = finding.Error, "goldenarch does not know where this pod can run"
	case v1alpha1.UnresolvedUse:
		consequence = fmt.Sprintf("goldenarch takes %s, as the configuration says", listed(arch.Named(p.Spec.Use...)))
		set, ok = arch.Named(p.Spec.Use...), true
	case v1alpha1.UnresolvedSkip:
	}
	id, why, do := answer.Unresolved(image, p.PullSecrets())
	f := p.add(id, severity, image.Path, why+"; "+consequence, do)
	f.Current = image.Reference
	if image.OfObject {
		f.Field = joined(p.Object.Path, image.Path)
	}
	return set, true, ok
}

// Unresolved returns the finding about an image whose architectures are unknown: its id,
// the cause, and a fix. secrets are the pull secrets of the pod.
func (a Answer) Unresolved(image podspec.Image, secrets []string) (id finding.ID, why, do string) {
	id, do = finding.PodUnresolved, "state its architectures with imageArchitectures, or skip it with ignoreImages"
	switch {
	case image.Unknown != "":
		return id, image.Unknown, do
	case a.Err == nil:
		return id, fmt.Sprintf("nothing is known of the image %q", image.Reference), do
	case len(a.Missing) > 0:
		return finding.ManifestMissing,
			fmt.Sprintf("the index of %q lists %s, and the registry lacks the manifest: a node with this architecture cannot pull the image",
				image.Reference, listed(a.Missing)),
			"push or mirror the image again, with all its architectures"
	case a.LogIn != "" && len(secrets) > 0:
		do = fmt.Sprintf("log in where goldenarch runs: podman login %s. Or add the pull secret of the pod (%s) to the input, "+
			"and name it in spec.registry.pullSecrets",
			a.LogIn, strings.Join(secrets, ", "))
	}
	if a.Do != "" {
		do = a.Do
	}
	return id, a.Err.Error(), do
}
