package workload

import (
	"fmt"
	"strings"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/workload/podspec"
)

// pod is a PodSpec with what its images prove.
type pod struct {
	Run
	podspec.Place
	// proven has the architectures of all images, and wanted those of them that goldenarch
	// may write. They are valid only if resolved.
	proven, wanted arch.Set
	resolved       bool
	// images describes the architectures of each image.
	images []string
	// single are the images that are not an index.
	single []string
	found  finding.List
}

// add adds a finding about a field of the PodSpec.
func (p *pod) add(id finding.ID, severity finding.Severity, field, text, do string) *finding.Finding {
	p.found = append(p.found, finding.Finding{
		ID: id, Severity: severity, Field: joined(p.Object.Path, p.Path, field), Text: text, Do: do,
		Object: finding.Object{APIVersion: p.Object.APIVersion, Kind: p.Object.Kind, Namespace: p.Object.Namespace, Name: p.Object.Name},
	})
	return &p.found[len(p.found)-1]
}

// prove computes the architectures that all images have, or that the operator has.
func (p *pod) prove() {
	if p.Package != "" {
		p.proveOperator()
		return
	}
	var counted []arch.Set
	complete := true
	for _, image := range p.Place.Images() {
		if image.Ephemeral {
			p.add(finding.EphemeralImage, finding.Info, image.Path,
				fmt.Sprintf("the image %q of an ephemeral container does not count: Kubernetes adds such a container to a pod that already has its node", image.Reference), "")
			continue
		}
		set, counts, ok := p.architecturesOf(image)
		complete = complete && ok
		if counts && ok {
			counted = append(counted, set)
			p.images = append(p.images, fmt.Sprintf("%s has %s", image.Reference, listed(set)))
		}
	}
	p.intersect(counted, complete)
}

// intersect combines what is known about the images.
func (p *pod) intersect(counted []arch.Set, complete bool) {
	if len(counted) == 0 {
		return
	}
	p.proven = counted[0]
	for _, set := range counted[1:] {
		p.proven = p.proven.Intersect(set)
	}
	if !complete && len(p.proven) > 0 {
		return
	}
	p.wanted = p.limited(p.proven)
	// If images have no architecture in common, further images do not change that.
	p.resolved = true
	switch {
	case len(p.proven) == 0:
		p.add(finding.NoCommonArch, finding.Error, "",
			"no node can run this pod, because its images have no architecture in common: "+strings.Join(distinct(p.images), "; "),
			"use images that have an architecture in common")
	case len(p.wanted) == 0:
		p.add(finding.NoCommonArch, finding.Error, "",
			fmt.Sprintf("the images have %s in common, and limitTo or restrictToCluster excludes all of it: %s", listed(p.proven), strings.Join(distinct(p.images), "; ")),
			"correct the configuration, or use other images")
	}
}

// architecturesOf returns the architectures of an image. counts says whether the image
// counts, and ok says whether anything is known about it.
func (p *pod) architecturesOf(image podspec.Image) (set arch.Set, counts, ok bool) {
	answer, asked := p.Answers[image.Reference]
	why, do := image.Unknown, "state its architectures with imageArchitectures, or skip it with ignoreImages"
	switch {
	case why == "" && asked && answer.Ignored:
		return nil, false, true
	case why == "" && asked && answer.Err == nil:
		if answer.Single {
			p.single = append(p.single, image.Reference)
		}
		return answer.Architectures, true, true
	case why == "" && asked:
		why = answer.Err.Error()
		if answer.Do != "" {
			do = answer.Do
		}
	case why == "":
		why = fmt.Sprintf("nothing is known of the image %q", image.Reference)
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
	f := p.add(finding.PodUnresolved, severity, image.Path, why+"; "+consequence, do)
	f.Current = image.Reference
	if image.OfObject {
		f.Field = joined(p.Object.Path, image.Path)
	}
	return set, true, ok
}

// listed returns architectures as a list for a sentence.
func listed(set arch.Set) string {
	if len(set) == 0 {
		return "no known architecture"
	}
	return strings.Join(set.Strings(), ", ")
}

// distinct returns the texts in their order, without duplicates.
func distinct(list []string) []string {
	var out []string
	seen := map[string]bool{}
	for _, one := range list {
		if !seen[one] {
			seen[one] = true
			out = append(out, one)
		}
	}
	return out
}
