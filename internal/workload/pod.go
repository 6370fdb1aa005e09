package workload

import (
	"fmt"
	"strings"

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
	// sure has the architectures that all images have of which something is proven. It
	// differs from proven if assumed: the configuration says what to assume of the others.
	sure    arch.Set
	assumed bool
	// decided says that the node affinity is what the images need now.
	decided bool
	// images describes the architectures of each image.
	images []string
	// counted are the images whose architectures count, with these.
	counted []countedImage
	// single are the images that are not an index.
	single []string
	found  finding.List
}

// countedImage is an image with its architectures, and the field that names it.
type countedImage struct {
	path string
	has  arch.Set
}

// causedBy makes a finding show the line of the first image that lacks one of the
// architectures: a patch may set it, and the pod is elsewhere.
func (p *pod) causedBy(f *finding.Finding, lacking arch.Set) {
	for _, image := range p.counted {
		if len(lacking.Minus(image.has)) > 0 {
			f.Cause = image.path
			return
		}
	}
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
	var counted, sure []arch.Set
	complete := true
	first := len(p.found)
	for _, image := range p.Place.Images() {
		if image.Ephemeral {
			p.add(finding.EphemeralImage, finding.Info, image.Path,
				fmt.Sprintf("the image %q of an ephemeral container does not count: Kubernetes adds such a container to a pod that already has its node", image.Reference),
				"")
			continue
		}
		set, known := p.architecturesOf(image)
		if known == proven || known == assumed {
			path := joined(p.Object.Path, p.Path, image.Path)
			if image.OfObject {
				path = joined(p.Object.Path, image.Path)
			}
			p.counted = append(p.counted, countedImage{path, set})
		}
		switch known {
		case proven:
			counted, sure = append(counted, set), append(sure, set)
			p.images = append(p.images, fmt.Sprintf("%s has %s", image.Reference, listed(set)))
		case assumed:
			counted, p.assumed = append(counted, set), true
			p.images = append(p.images, fmt.Sprintf("%s is taken to have %s", image.Reference, listed(set)))
		case unknown:
			complete = false
		case ignored:
		}
	}
	if len(sure) == 0 && !p.assumed {
		p.failCheck(p.found[first:])
	}
	p.sure = common(sure)
	p.intersect(counted, complete)
}

// common returns the architectures that all sets have.
func common(sets []arch.Set) arch.Set {
	if len(sets) == 0 {
		return nil
	}
	out := sets[0]
	for _, set := range sets[1:] {
		out = out.Intersect(set)
	}
	return out
}

// failCheck makes a check fail because of images of which nothing is proven, unless the
// configuration says to skip such pods.
func (p *pod) failCheck(found finding.List) {
	if p.Spec.Unresolved != "" {
		return
	}
	for i, f := range found {
		if f.ID == finding.PodUnresolved {
			found[i].Unchanged.Severity = finding.Error
		}
	}
}

// allKnown says that the architectures of all images are known.
const allKnown = true

// intersect combines what is known about the images.
func (p *pod) intersect(counted []arch.Set, complete bool) {
	if len(counted) == 0 {
		return
	}
	p.proven = common(counted)
	if !complete && len(p.proven) > 0 {
		return
	}
	p.wanted = p.limited(p.proven)
	// If images have no architecture in common, further images do not change that.
	p.resolved = true
	switch {
	case len(p.proven) == 0 && len(p.sure) > 0:
		p.resolved = false // what is written would rest on an assumption that cannot be true
		p.add(finding.NoCommonArch, finding.Warning, "",
			"the images of this pod have no architecture in common, if those of which nothing is proven have what spec.use says: "+
				strings.Join(distinct(p.images), "; "), "correct spec.use, or state the architectures with imageArchitectures")
	case len(p.proven) == 0:
		f := p.add(finding.NoCommonArch, finding.Error, "",
			"no node can run this pod, because its images have no architecture in common: "+strings.Join(distinct(p.images), "; "),
			"use images that have an architecture in common")
		if len(p.counted) > 0 {
			p.causedBy(f, p.counted[0].has)
		}
	case len(p.wanted) == 0:
		p.add(finding.NoCommonArch, finding.Error, "",
			fmt.Sprintf("the images have %s in common, and limitTo or restrictToCluster excludes all of it: %s", listed(p.proven),
				strings.Join(distinct(p.images), "; ")),
			"correct the configuration, or use other images")
	}
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
