package workload

import (
	"fmt"
	"strings"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/workload/podspec"
)

// knowledge says what is known of the architectures of an image.
type knowledge int

const (
	unknown knowledge = iota // nothing, so goldenarch leaves the pod as it is
	proven                   // what a registry or the configuration says of this image
	assumed                  // what the configuration says of all unresolved images
	ignored                  // the image does not count
)

// architecturesOf returns the architectures of an image, and how they are known. It reports
// an unresolved image.
func (p *pod) architecturesOf(image podspec.Image) (arch.Set, knowledge) {
	answer, asked := p.Answers[image.Reference]
	switch {
	case image.Unknown != "":
		answer = Answer{}
	case asked && !answer.Counts():
		return nil, ignored
	case asked && answer.Err == nil:
		if answer.Single {
			p.single = append(p.single, image.Reference)
		}
		return answer.Architectures, proven
	}
	severity, consequence := finding.Warning, "goldenarch leaves this pod as it is"
	var set arch.Set
	known := unknown
	switch p.Spec.Unresolved {
	case v1alpha1.UnresolvedError:
		severity, consequence = finding.Error, "goldenarch does not know where this pod can run"
	case v1alpha1.UnresolvedUse:
		set, known = arch.Named(p.Spec.Use...), assumed
		consequence = fmt.Sprintf("the image is taken to have %s, as the configuration says", listed(set))
	case v1alpha1.UnresolvedSkip:
	}
	id, why, do := answer.Unresolved(image, p.PullSecrets())
	f := p.add(id, severity, image.Path, why+"; "+consequence, do)
	f.Current = image.Reference
	if image.OfObject {
		f.Field = joined(p.Object.Path, image.Path)
	}
	return set, known
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
