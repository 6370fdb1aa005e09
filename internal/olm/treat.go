package olm

import (
	"fmt"
	"slices"
	"strings"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/workload"
	"github.com/goldenarch/goldenarch/internal/workload/podspec"
	"github.com/goldenarch/goldenarch/internal/yaml/fieldpath"
)

// operator is an operator with what its images prove.
type operator struct {
	run    workload.Run
	object podspec.Object
	labels labels
	images []proof
	// unknown are the images of which nothing is known.
	unknown []image
	found   finding.List
}

// proof is an image with what a registry, a lock or a person says of it.
type proof struct {
	image
	workload.Answer
}

// Treat says which architectures an operator supports, and checks the labels of a ClusterServiceVersion against its images. It adds
// missing labels if the configuration requests that, and returns whether it changed anything.
func Treat(run workload.Run, o podspec.Object) (workload.Outcome, finding.List) {
	if !run.IsOperator(o) {
		return workload.Outcome{Decided: true}, nil
	}
	c := &operator{run: run, object: o, labels: labelsOf(o.Node)}
	images := imagesOf(run, o)
	for _, i := range images {
		answer, known := run.Answers[i.reference]
		switch {
		case i.unknown == "" && known && (!answer.Counts() || i.isVolume && answer.IsForAnyNode()):
		case i.unknown == "" && known && answer.Err == nil:
			c.images = append(c.images, proof{i, answer})
		default:
			c.unknown = append(c.unknown, i)
			c.unresolved(i, answer)
		}
	}
	out := workload.Outcome{Decided: c.complete()}
	if c.hasLabels() {
		c.checkIgnored()
		if !run.IsBase(o) { // the tool that makes the bundle adds the related images
			c.checkRelated(images)
		}
		c.checkSystems()
		out.Changed = c.treatLabels()
		c.checkUnreachable()
	}
	out.Support = c.support()
	c.checkRequired(*out.Support)
	c.checkOperands(*out.Support)
	return out, c.found
}

// complete reports whether the architectures of all images are known.
func (c *operator) complete() bool { return len(c.unknown) == 0 }

// hasLabels reports whether the labels of the object count.
func (c *operator) hasLabels() bool {
	return c.object.IsCSV() && c.run.Spec.CSVLabels != v1alpha1.CSVLabelsOff
}

func (c *operator) add(id finding.ID, severity finding.Severity, field, text, do string) *finding.Finding {
	c.put(finding.Finding{ID: id, Severity: severity, Field: field, Text: text, Do: do})
	return &c.found[len(c.found)-1]
}

// put adds a finding about a field of the object.
func (c *operator) put(f finding.Finding) {
	f.Field = fieldpath.Below(c.object.Path, f.Field)
	f.Object = finding.Object{APIVersion: c.object.APIVersion, Kind: c.object.Kind, Namespace: c.object.Namespace, Name: c.object.Name}
	c.found = append(c.found, f)
}

// unresolved reports an image whose architectures are unknown. The check of the pods reports
// the images of deployments, unless a label promises an architecture whose manifest is
// missing: then the label is wrong.
func (c *operator) unresolved(i image, answer workload.Answer) {
	severity := finding.Warning
	id, why, do := answer.Unresolved(podspec.Image{Reference: i.reference, Unknown: i.unknown}, nil)
	consequence := "goldenarch does not know what the operator supports with this image"
	switch promised := answer.Missing.Intersect(c.labels.archs); {
	case len(promised) > 0 && c.hasLabels() && c.labels.linux:
		severity = finding.Error
		consequence = "the labels say that the operator runs on " + namesOf(promised)
	case i.ofPod || i.ofBeside:
		return
	case c.run.Spec.Unresolved == v1alpha1.UnresolvedError || c.run.Spec.Unresolved == "" && len(c.run.Required) > 0:
		severity = finding.Error
	}
	c.add(id, severity, i.field, why+"; "+consequence, do).Current = i.reference
}

// support says what the operator supports, with its labels as they are now.
func (c *operator) support() *workload.Support {
	var images []workload.SupportedImage
	for _, p := range c.images {
		images = append(images, workload.SupportedImage{Reference: p.reference, NamedBy: p.namedBy, Has: p.Architectures})
	}
	for _, i := range c.unknown {
		images = append(images, workload.SupportedImage{Reference: i.reference, NamedBy: i.namedBy, Unknown: true})
	}
	var claimed arch.Set
	if c.hasLabels() {
		claimed = labelsOf(c.object.Node).archs
	}
	out := c.run.Support(c.object, images, claimed)
	out.Labelled = c.hasLabels()
	return &out
}

// checkRequired reports the required architectures that the operator does not support, for each cause, unless an error says it
// already: a label promises what an image or a constraint takes back, or is missing although all images have the architecture.
func (c *operator) checkRequired(s workload.Support) {
	rest := c.run.Required.Intersect(s.Supported(workload.No))
	if s.Labelled {
		excluded, _ := c.unreachable()
		rest = rest.Minus(excluded)
	}
	if s.Labelled && !c.writes() {
		rest = rest.Minus(c.wrong()).Minus(c.missing())
	}
	var lacking arch.Set
	for _, p := range c.images {
		if missing := rest.Minus(p.Architectures); len(missing) > 0 {
			f := c.run.Lacks("the operator", missing, p.text())
			f.Field = p.field
			c.put(f)
			lacking = lacking.Union(missing)
		}
	}
	rest = rest.Minus(lacking)
	for _, one := range c.labels.ignored {
		rest = rest.Minus(arch.NewSet(one.meant))
	}
	if unlabelled := rest.Minus(s.Labels); s.Labelled && len(unlabelled) > 0 {
		c.add(finding.LabelMissing, finding.Error, "metadata.labels",
			fmt.Sprintf("no label of the ClusterServiceVersion names %s, which --require names, so OLM does not offer the operator there", namesOf(unlabelled)),
			"add the labels once all images have "+namesOf(unlabelled)+": "+strings.Join(labelsFor(unlabelled.Union(s.Labels)), ", "))
	}
	if excluded := rest.Minus(s.Admitted); len(excluded) > 0 {
		c.add(finding.ConstraintNarrow, finding.Error, s.Constraint,
			fmt.Sprintf("the constraints of the pod exclude %s, which --require names", namesOf(excluded)),
			fmt.Sprintf("add %s to the constraints%s", namesOf(excluded), c.run.Updating(c.object)))
	}
}

// checkOperands reports the images that lack an architecture to whose nodes the pod of the operator may go: the pods that it makes
// of them are in no file.
func (c *operator) checkOperands(s workload.Support) {
	runs := s.Admitted
	if nodes := c.run.Nodes.All(); len(nodes) > 0 {
		runs = runs.Intersect(nodes)
	}
	hasPod := false
	for _, p := range c.images {
		if p.ofPod {
			runs, hasPod = runs.Intersect(p.Architectures), true
		}
	}
	for _, p := range c.images {
		if lacking := runs.Minus(p.Architectures); hasPod && len(lacking) > 0 && !p.ofPod && !p.ofBeside {
			c.add(finding.OperandUnrestricted, finding.Info, p.field,
				fmt.Sprintf("goldenarch does not restrict the pods that the operator makes of %s, which has %s; the operator's own pod may run on %s as well",
					p.reference, namesOf(p.Architectures), namesOf(lacking)), "set their node affinity in the code of the operator")
		}
	}
}

// checkRelated reports the operands that are not among the related images. Tools that mirror
// an operator to a disconnected registry read the related images alone.
func (c *operator) checkRelated(images []image) {
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

func (c *operator) checkIgnored() {
	for _, one := range c.labels.ignored {
		severity := finding.Warning
		if c.run.Bundle || c.run.Required.Contains(one.meant) {
			severity = finding.Error // who publishes it promises something that nobody sees
		}
		c.add(finding.LabelIgnored, severity, "metadata.labels["+one.key+"]",
			fmt.Sprintf("OLM ignores the label %s: %s, because %s", one.key, one.value, one.why), one.do)
	}
}

// checkSystems reports the labels for other systems than Linux that an image does not keep.
// OLM combines each system with each architecture.
func (c *operator) checkSystems() {
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

// text says what an image has.
func (p proof) text() string {
	out := fmt.Sprintf("%s has %s", p.reference, namesOf(p.Architectures))
	if p.Single {
		out += " (not an index)"
	}
	return out
}
