package olm

import (
	"fmt"
	"strings"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/workload"
	"github.com/goldenarch/goldenarch/internal/workload/podspec"
)

// treats reports whether the labels of an object count.
func treats(run workload.Run, o podspec.Object) bool {
	return isCSV(o) && run.Spec.CSVLabels != v1alpha1.CSVLabelsOff
}

func isCSV(o podspec.Object) bool {
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

type proof struct {
	image
	has arch.Set
	// single says that the reference names the manifest of one image, and no index.
	single bool
}

// Treat checks the labels of a ClusterServiceVersion against its images. It adds missing
// labels if the configuration requests that, and returns whether it changed anything.
func Treat(run workload.Run, o podspec.Object) (workload.Outcome, finding.List) {
	if !treats(run, o) {
		return workload.Outcome{Decided: true}, nil
	}
	c := &csv{run: run, object: o, labels: labelsOf(o.Node), complete: true}
	for _, i := range imagesOf(run, o) {
		answer, known := run.Answers[i.reference]
		switch {
		case i.unknown == "" && known && !answer.Counts():
		case i.unknown == "" && known && answer.Err == nil:
			c.images = append(c.images, proof{image: i, has: answer.Architectures, single: answer.Single})
		default:
			c.complete = false
			c.unresolved(i, answer)
		}
	}
	c.checkIgnored()
	wrong := c.checkKept()
	c.checkSingle()
	return workload.Outcome{Changed: c.write(c.missing(), wrong), Decided: c.complete}, c.found
}

func (c *csv) add(id finding.ID, severity finding.Severity, field, text, do string) {
	c.found = append(c.found, finding.Finding{
		ID: id, Severity: severity, Field: strings.TrimPrefix(c.object.Path+"."+field, "."), Text: text, Do: do,
		Object: finding.Object{APIVersion: c.object.APIVersion, Kind: c.object.Kind, Namespace: c.object.Namespace, Name: c.object.Name},
	})
}

// unchanged adds to the last finding what to say if the run changes nothing.
func (c *csv) unchanged(advice finding.Advice) { c.found[len(c.found)-1].Unchanged = advice }

// unresolved reports a related image whose architectures are unknown. The check of the pods
// reports the images of deployments.
func (c *csv) unresolved(i image, answer workload.Answer) {
	if !strings.HasPrefix(i.field, "spec.relatedImages") {
		return
	}
	id, why, do := answer.Unresolved(podspec.Image{Reference: i.reference, Unknown: i.unknown}, nil)
	severity := finding.Warning
	if c.run.Spec.Unresolved == v1alpha1.UnresolvedError {
		severity = finding.Error
	}
	c.add(id, severity, i.field, why+"; goldenarch does not know which labels this image keeps", do)
}

func (c *csv) checkIgnored() {
	for _, one := range c.labels.ignored {
		c.add(finding.LabelIgnored, finding.Warning, "metadata.labels["+one.key+"]",
			fmt.Sprintf("OLM ignores the label %s: %s, because %s", one.key, one.value, one.why), one.do)
	}
	for _, system := range c.labels.systems {
		c.add(finding.LabelNotKept, finding.Warning, "metadata.labels["+osPrefix+system+"]",
			fmt.Sprintf("the label says that the operator runs on %s; goldenarch asks for Linux images only and cannot prove that", system), "")
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
			if !p.has.Contains(a) {
				lacking = append(lacking, fmt.Sprintf("%s has %s", p.reference, names(p.has)))
			}
		}
		if len(lacking) == 0 {
			continue
		}
		wrong = wrong.Union(arch.NewSet(a))
		field, says := "metadata.labels["+archPrefix+string(a)+"]", fmt.Sprintf("the label says that the operator runs on %s", a)
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
		if lacking := c.labels.archs.Minus(p.has); p.single && len(lacking) > 0 {
			c.add(finding.NotAnIndex, finding.Warning, p.field,
				fmt.Sprintf("the labels promise %s, but %q is the image of one architecture and not an index", names(c.labels.archs), p.reference),
				"push an index that has all of them")
		}
	}
}
