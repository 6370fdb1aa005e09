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
	// decided says that the node affinity is what the images need now.
	decided bool
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
				fmt.Sprintf("the image %q of an ephemeral container does not count: Kubernetes adds such a container to a pod that already has its node", image.Reference),
				"")
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

// allKnown says that the architectures of all images are known.
const allKnown = true

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
