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
	"github.com/goldenarch/goldenarch/internal/yaml/yamlnode"
)

// treatLabels compares the labels with the images: it reports the labels that an image does not keep, and those that are missing.
// Where the configuration requests it, it writes them in place of that, and returns whether it changed anything.
func (c *operator) treatLabels() bool {
	wrong, missing := c.wrong(), c.missing()
	if !c.writes() {
		if len(wrong) > 0 && !c.labels.explicit && len(missing) > 0 {
			c.reportWrong(wrong, c.adds(missing)) // the missing label takes back the default
		} else {
			c.reportWrong(wrong, fmt.Sprintf("correct the labels, or build these images for %s", namesOf(wrong)))
			c.reportMissing(missing)
		}
		return false
	}
	if len(c.images)+len(c.unknown) == 0 {
		c.add(finding.LabelWritten, finding.Info, "metadata.labels", "goldenarch writes no label, because the ClusterServiceVersion has no deployments, "+
			"and no Deployment of the operator is beside it", "pass the kustomization that has both, or add to the labels "+
			ArchPrefix+"<architecture>: "+supported+" for each one that all images have, and "+linuxLabel)
		return false
	}
	excluded, field := c.excluded(missing)
	added := c.addLabels(missing.Minus(excluded))
	c.labels = labelsOf(c.object.Node) // with one label, OLM does not apply its default
	wrong = c.wrong()
	if len(excluded) > 0 {
		c.add(finding.LabelWritten, finding.Info, field, "goldenarch writes no label for "+namesOf(excluded)+", because the constraints of the pod exclude it", "")
	}
	if c.run.Spec.Prune && c.complete() && c.labels.explicit {
		return c.prune(wrong) || added
	}
	c.reportWrong(wrong, fmt.Sprintf("correct the labels, or build these images for %s", namesOf(wrong)))
	c.reportUnwritten()
	return added
}

func (c *operator) writes() bool {
	return c.run.Writes(c.object) && c.run.Spec.CSVLabels == v1alpha1.CSVLabelsWrite
}

// wrong returns the architectures that count as claimed, and that an image lacks.
func (c *operator) wrong() arch.Set {
	var wrong arch.Set
	if c.labels.linux {
		for _, p := range c.images {
			wrong = wrong.Union(c.labels.archs.Minus(p.Architectures))
		}
	}
	return wrong
}

// missing returns the architectures that all images have and no label names. An ignored label is reported.
func (c *operator) missing() arch.Set {
	if len(c.images) == 0 || !c.complete() {
		return nil
	}
	all := c.images[0].Architectures
	for _, p := range c.images[1:] {
		all = all.Intersect(p.Architectures)
	}
	missing := all.Minus(c.labels.archs)
	if len(missing) > 0 && !c.labels.explicit && all.Contains(arch.AMD64) {
		missing = missing.Union(arch.NewSet(arch.AMD64)) // with one label, OLM does not apply its default
	}
	for _, one := range c.labels.ignored {
		missing = missing.Minus(arch.NewSet(one.meant))
	}
	return missing
}

// excluded returns those of some architectures to whose nodes a pod of the operator may not go, and the field that says so. What the
// namespace adds is not the operator's.
func (c *operator) excluded(some arch.Set) (excluded arch.Set, field string) {
	run := c.run
	run.Selectors = nil
	admitted, field := run.Admitted(c.object, some)
	return some.Minus(admitted), field
}

// unreachable returns the architectures that count as claimed, and to whose nodes a pod may not go, with the field that says so. What
// an image lacks is reported.
func (c *operator) unreachable() (excluded arch.Set, field string) {
	if !c.labels.linux {
		return nil, ""
	}
	return c.excluded(c.labels.archs.Minus(c.wrong()))
}

// checkUnreachable reports the labels that the constraints of a pod take back.
func (c *operator) checkUnreachable() {
	excluded, constraint := c.unreachable()
	if len(excluded) == 0 {
		return
	}
	field, says := c.labels.promise(excluded)
	c.add(finding.LabelNotKept, finding.Error, field,
		fmt.Sprintf("%s, and the constraints of the pod exclude it, so that the pod stays Pending there", says),
		fmt.Sprintf("correct the labels, or add %s to the constraints (%s)%s", namesOf(excluded), constraint, c.run.Updating(c.object)))
}

// lacking describes the images that lack one of some architectures.
func (c *operator) lacking(some arch.Set) string {
	var out []string
	for _, p := range c.images {
		if len(some.Minus(p.Architectures)) > 0 {
			out = append(out, p.text())
		}
	}
	return strings.Join(out, "; ")
}

// reportWrong reports the labels that an image does not keep.
func (c *operator) reportWrong(wrong arch.Set, do string) {
	if len(wrong) == 0 {
		return
	}
	field, says := c.labels.promise(wrong)
	c.add(finding.LabelNotKept, finding.Error, field, fmt.Sprintf("%s, and not all images have it: %s", says, c.lacking(wrong)), do)
}

// reportMissing reports the labels that are missing.
func (c *operator) reportMissing(missing arch.Set) {
	if len(missing) == 0 {
		return
	}
	severity := finding.Warning
	if len(missing.Intersect(c.run.Required)) > 0 {
		severity = finding.Error
	}
	text := fmt.Sprintf("all images have %s, and OLM does not offer the operator there, because no label says so", namesOf(missing.Minus(c.labels.archs)))
	if len(missing.Intersect(c.labels.archs)) > 0 {
		text += ". With a label for it, amd64 needs one as well"
	}
	c.add(finding.LabelMissing, severity, "metadata.labels", text, c.adds(missing))
}

// linuxLabel is the label of Linux with its value.
const linuxLabel = osPrefix + "linux: " + supported

// Unlabelled says that no label is written, because none of the objects with pods is a ClusterServiceVersion. supports is what they support.
func Unlabelled(run workload.Run, objects []podspec.Object, supports []workload.Support) finding.List {
	isCSV := func(o podspec.Object) bool { return o.IsCSV() }
	if run.Spec.CSVLabels != v1alpha1.CSVLabelsWrite || len(objects) == 0 || !run.Writes(objects[0]) || slices.ContainsFunc(objects, isCSV) {
		return nil
	}
	f := finding.Finding{
		ID: finding.LabelWritten, Severity: finding.Info,
		Text: "goldenarch writes no label, because none of the objects that it reads is a ClusterServiceVersion",
		Do:   "pass the bundle, or the kustomization with the base of the ClusterServiceVersion",
	}
	if len(supports) > 0 {
		all := supports[0].Supported(workload.Yes)
		for _, s := range supports[1:] {
			all = all.Intersect(s.Supported(workload.Yes))
		}
		f.Object = supports[0].Object
		f.Do += ", or add to its labels " + strings.Join(append(labelsFor(all), linuxLabel), ", ")
	}
	return finding.List{f}
}

// adds says which labels to add, and which constraint of a pod takes back what they say.
func (c *operator) adds(missing arch.Set) string {
	do := "add to the labels " + strings.Join(labelsFor(missing), ", ")
	switch excluded, field := c.excluded(missing); {
	case len(excluded) > 0:
		do += fmt.Sprintf(", and %s to the constraints (%s)", namesOf(excluded), field)
	case c.run.MayWrite(c.object):
		do += ", or let goldenarch fix write them: --set csvLabels=Write"
	}
	return do
}

// labelsFor returns the labels of architectures with their value.
func labelsFor(set arch.Set) []string {
	var out []string
	for _, a := range set {
		out = append(out, ArchPrefix+string(a)+": "+supported)
	}
	return out
}

// reportUnwritten says why goldenarch does not write the label of an architecture that only some images have.
func (c *operator) reportUnwritten() {
	var some arch.Set
	for _, p := range c.images {
		some = some.Union(p.Architectures.Intersect(workload.Usual()))
	}
	some = some.Minus(c.labels.archs)
	var none arch.Set
	for _, p := range c.images {
		none = none.Union(some.Minus(p.Architectures))
	}
	if len(none) > 0 {
		c.add(finding.LabelWritten, finding.Info, "metadata.labels",
			fmt.Sprintf("goldenarch writes no label for %s, because not all images have it: %s", namesOf(none), c.lacking(none)), "")
	}
}

// addLabels adds the labels of architectures, and returns whether there are any.
func (c *operator) addLabels(missing arch.Set) bool {
	if len(missing) == 0 {
		return false
	}
	all := labelsFor(missing)
	if !c.labels.hasOS {
		all = append(all, linuxLabel)
	}
	for _, label := range all {
		key, value, _ := strings.Cut(label, ": ")
		yamlnode.SetString(yamlnode.Mapping(c.object.Node, "metadata", "labels"), key, value, 0)
	}
	c.add(finding.LabelWritten, finding.Info, "metadata.labels", "goldenarch adds to the labels "+strings.Join(all, ", "), "").Unchanged = finding.Advice{
		Text: "labels are missing: all images have " + namesOf(missing), Do: "add to the labels " + strings.Join(all, ", "),
	}
	return true
}

// prune removes the labels of architectures, and returns whether there are any.
func (c *operator) prune(wrong arch.Set) bool {
	if len(wrong) == 0 {
		return false
	}
	for _, a := range wrong {
		yamlnode.Remove(yamlnode.Get(c.object.Node, "metadata", "labels"), ArchPrefix+string(a))
	}
	names := strings.Join(labelsFor(wrong), ", ")
	c.add(finding.LabelWritten, finding.Warning, "metadata.labels",
		fmt.Sprintf("goldenarch removes from the labels %s, because not all images have %s: %s", names, namesOf(wrong), c.lacking(wrong)), "").Unchanged = finding.Advice{
		Text: fmt.Sprintf("not all images have %s, but the ClusterServiceVersion has labels for it", namesOf(wrong)), Do: "remove from the labels " + names,
	}
	return true
}

func namesOf(set arch.Set) string {
	if len(set) == 0 {
		return "none"
	}
	return strings.Join(set.Strings(), ", ")
}
