package olm

import (
	"fmt"
	"slices"
	"strings"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/fieldpath"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/workload"
	"github.com/goldenarch/goldenarch/internal/workload/podspec"
)

// treats reports whether the labels of an object count.
func treats(run workload.Run, o podspec.Object) bool {
	return IsCSV(o) && run.Spec.CSVLabels != v1alpha1.CSVLabelsOff
}

// IsCSV reports whether an object is a ClusterServiceVersion.
func IsCSV(o podspec.Object) bool {
	return o.Kind == "ClusterServiceVersion" && o.Group() == "operators.coreos.com"
}

// csv is a ClusterServiceVersion with what its images prove.
type csv struct {
	run    workload.Run
	object podspec.Object
	labels labels
	images []proof
	// complete says that the architectures of all images are known.
	complete bool
	found    finding.List
}

// proof is an image with what a registry, a lock or a person says of it.
type proof struct {
	image
	workload.Answer
}

// Treat checks the labels of a ClusterServiceVersion against its images. It adds missing
// labels if the configuration requests that, and returns whether it changed anything.
func Treat(run workload.Run, o podspec.Object) (workload.Outcome, finding.List) {
	if !treats(run, o) {
		return workload.Outcome{Decided: true}, nil
	}
	c := &csv{run: run, object: o, labels: labelsOf(o.Node), complete: true}
	images := imagesOf(run, o)
	for _, i := range images {
		answer, known := run.Answers[i.reference]
		switch {
		case i.unknown == "" && known && !answer.Counts():
		case i.unknown == "" && known && answer.Err == nil:
			c.images = append(c.images, proof{i, answer})
		default:
			c.complete = false
			c.unresolved(i, answer)
		}
	}
	c.checkIgnored()
	c.checkRelated(images)
	c.checkSystems()
	wrong := c.checkKept()
	c.checkSingle()
	return workload.Outcome{Changed: c.write(c.missing(), wrong), Decided: c.complete}, c.found
}

func (c *csv) add(id finding.ID, severity finding.Severity, field, text, do string) {
	c.found = append(c.found, finding.Finding{
		ID: id, Severity: severity, Field: fieldpath.Below(c.object.Path, field), Text: text, Do: do,
		Object: finding.Object{APIVersion: c.object.APIVersion, Kind: c.object.Kind, Namespace: c.object.Namespace, Name: c.object.Name},
	})
}

// unchanged adds to the last finding what to say if the run changes nothing.
func (c *csv) unchanged(advice finding.Advice) { c.found[len(c.found)-1].Unchanged = advice }

// unresolved reports an image whose architectures are unknown. The check of the pods reports
// the images of deployments, unless a label promises an architecture whose manifest is
// missing: then the label is wrong.
func (c *csv) unresolved(i image, answer workload.Answer) {
	severity := finding.Warning
	id, why, do := answer.Unresolved(podspec.Image{Reference: i.reference, Unknown: i.unknown}, nil)
	consequence := "goldenarch does not know which labels this image keeps"
	switch promised := answer.Missing.Intersect(c.labels.archs); {
	case len(promised) > 0 && c.labels.linux:
		severity = finding.Error
		consequence = "the labels say that the operator runs on " + namesOf(promised)
	case i.ofPod:
		return
	case c.run.Spec.Unresolved == v1alpha1.UnresolvedError:
		severity = finding.Error
	}
	c.add(id, severity, i.field, why+"; "+consequence, do)
	c.found[len(c.found)-1].Current = i.reference
}

// checkRelated reports the operands that are not among the related images. Tools that mirror
// an operator to a disconnected registry read the related images alone.
func (c *csv) checkRelated(images []image) {
	related := relatedImages(c.object)
	for _, i := range images {
		if i.ofPod {
			related = append(related, i.reference) // opm adds them (operator-registry alpha/action: render)
		}
	}
	var missing, field []string
	for _, operand := range operandsOf(c.run, c.object) {
		if operand.unknown == "" && !slices.Contains(related, operand.reference) && !slices.Contains(missing, operand.reference) {
			missing, field = append(missing, operand.reference), append(field, operand.field)
		}
	}
	if len(missing) == 0 {
		return
	}
	c.add(finding.OperandNotRelated, finding.Warning, field[0],
		fmt.Sprintf("the deployments name images in their environment that spec.relatedImages lacks: %s. Tools that mirror the operator do not copy them, "+
			"so it fails on a disconnected cluster", strings.Join(missing, ", ")), "add them to spec.relatedImages")
}

func (c *csv) checkIgnored() {
	severity := finding.Warning
	if c.run.Bundle {
		severity = finding.Error // who publishes it promises something that nobody sees
	}
	for _, one := range c.labels.ignored {
		c.add(finding.LabelIgnored, severity, "metadata.labels["+one.key+"]",
			fmt.Sprintf("OLM ignores the label %s: %s, because %s", one.key, one.value, one.why), one.do)
	}
}

// checkSystems reports the labels for other systems than Linux that an image does not keep.
// OLM combines each system with each architecture.
func (c *csv) checkSystems() {
	for _, system := range c.labels.systems {
		field, says := "metadata.labels["+osPrefix+system+"]", "the label says that the operator runs on "+system
		var lacking []string
		unknown := ""
		for _, p := range c.images {
			switch {
			case !p.Systems:
				unknown = p.reference
			case len(c.labels.archs.Minus(p.Others[system])) > 0:
				lacking = append(lacking, fmt.Sprintf("%s has %s for it", p.reference, namesOf(p.Others[system])))
			}
		}
		switch {
		case len(lacking) > 0:
			c.add(finding.LabelNotKept, finding.Error, field,
				fmt.Sprintf("%s with %s, and not all images have it: %s", says, namesOf(c.labels.archs), strings.Join(lacking, "; ")),
				"remove the label, or build these images for "+system)
		case unknown != "":
			c.add(finding.LabelNotKept, finding.Warning, field,
				fmt.Sprintf("%s; a lock and stated architectures are about Linux, so nothing proves it of %s", says, unknown), "check it without them: --set lock=Ignore")
		}
	}
}

// checkKept reports the labels whose architectures an image lacks, and returns these
// architectures.
func (c *csv) checkKept() arch.Set {
	if !c.labels.linux {
		return nil
	}
	var wrong arch.Set
	for _, a := range c.labels.archs {
		var lacking []string
		for _, p := range c.images {
			if !p.Architectures.Contains(a) {
				lacking = append(lacking, fmt.Sprintf("%s has %s", p.reference, namesOf(p.Architectures)))
			}
		}
		if len(lacking) == 0 {
			continue
		}
		wrong = wrong.Union(arch.NewSet(a))
		field, says := "metadata.labels["+ArchPrefix+string(a)+"]", fmt.Sprintf("the label says that the operator runs on %s", a)
		if !c.labels.explicit {
			field, says = "metadata.labels", "without a label for an architecture OLM takes amd64"
		}
		if c.prunes() && c.labels.explicit {
			continue
		}
		c.add(finding.LabelNotKept, finding.Error, field, fmt.Sprintf("%s, and not all images have it: %s", says, strings.Join(lacking, "; ")),
			fmt.Sprintf("correct the labels, or build these images for %s", a))
	}
	return wrong
}

// checkSingle reports the images that are not an index, where labels promise several
// architectures and the image lacks some of them.
func (c *csv) checkSingle() {
	if !c.labels.linux || len(c.labels.archs) < 2 {
		return
	}
	for _, p := range c.images {
		if lacking := c.labels.archs.Minus(p.Architectures); p.Single && len(lacking) > 0 {
			c.add(finding.NotAnIndex, finding.Warning, p.field,
				fmt.Sprintf("the labels promise %s, but %q is the image of one architecture and not an index", namesOf(c.labels.archs), p.reference),
				"push an index that has all of them")
		}
	}
}
