package workload

import (
	"fmt"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/object"
	"github.com/goldenarch/goldenarch/internal/workload/affinity"
	"github.com/goldenarch/goldenarch/internal/workload/podspec"
	"github.com/goldenarch/goldenarch/internal/wrapper"
	"github.com/goldenarch/goldenarch/internal/yamlnode"
)

// RecordAnnotation records what goldenarch wrote into the pods of an object. It is on the
// object and never in the pod template, where a change would restart the pods.
const RecordAnnotation = "goldenarch.dev/node-affinity"

// Objects returns the objects of an item as those that can have pods, each with the object
// that it is, in the same order. A wrapper itself has no pods: the objects in it follow it.
func Objects(all []object.Object) (list []podspec.Object, of []object.Object) {
	for _, o := range all {
		if o.Node.YNode().Kind != yaml.MappingNode || wrapper.Is(o.At.APIVersion, o.At.Kind) {
			continue
		}
		of = append(of, o)
		list = append(list, podspec.Object{
			Node: o.Node.YNode(), APIVersion: o.At.APIVersion, Kind: o.At.Kind, Namespace: o.At.Namespace, Name: o.At.Name, Path: o.Path,
		})
	}
	return list, of
}

// Outcome says what a run did with an object.
type Outcome struct {
	Changed bool
	// Decided says that the run wrote all that it has to write into the object. Otherwise
	// what an earlier run wrote counts.
	Decided bool
}

// Treat processes the pods of an object. It writes their node affinity into the object,
// unless the run only checks. If a finding is an error, the caller discards the object that
// it passed.
func (r Run) Treat(o podspec.Object) (Outcome, finding.List) {
	if !r.Selects(o) {
		return Outcome{}, nil
	}
	mode, wrong := r.mode(o)
	if mode == v1alpha1.WorkloadsNone || len(wrong) > 0 {
		return Outcome{}, wrong
	}
	r.Spec.Mode = mode
	had := affinity.ParseRecords(o.Annotation(RecordAnnotation))
	wrote := affinity.Records{}
	out := Outcome{Decided: true}
	var found finding.List
	for _, place := range podspec.Places(o, r.Options()) {
		p := &pod{Run: r, Place: place}
		record, did := p.treat(had[place.Key])
		wrote[place.Key] = record
		out.Changed, out.Decided = out.Changed || did, out.Decided && p.decided
		found = append(found, p.found...)
	}
	if r.writes() && wrote.String() != o.Annotation(RecordAnnotation) {
		record(o.Node, wrote.String())
		out.Changed = true
	}
	return out, found
}

// Options returns where to look for PodSpecs.
func (r Run) Options() podspec.Options {
	options := podspec.Options{Discover: r.Spec.Discover}
	for _, p := range r.Spec.AdditionalPaths {
		options.Additional = append(options.Additional, podspec.Path{Group: p.Group, Kind: p.Kind, Path: p.Path, Shape: podspec.Shape(p.Shape)})
	}
	return options
}

// record writes the annotation, or removes it.
func record(on *yaml.Node, text string) {
	if text != "" {
		yamlnode.SetString(yamlnode.Mapping(on, "metadata", "annotations"), RecordAnnotation, text, 0)
		return
	}
	metadata := yamlnode.Get(on, "metadata")
	annotations := yamlnode.Get(metadata, "annotations")
	yamlnode.Remove(annotations, RecordAnnotation)
	if annotations != nil && len(annotations.Content) == 0 {
		yamlnode.Remove(metadata, "annotations")
	}
}

// treat processes one pod and returns what goldenarch wrote into it, now or in an earlier
// run.
func (p *pod) treat(had affinity.Record) (affinity.Record, bool) {
	if why := p.skipped(); why != "" {
		p.add(finding.PodSkipped, finding.Info, "", why, "")
		return had, false
	}
	before, faults := affinity.Read(p.Node)
	for _, f := range faults {
		text := f.Text
		if strings.HasPrefix(text, "is ") {
			text = "it " + text
		}
		p.add(finding.PodUnreadable, finding.Error, f.Path, "Kubernetes does not accept this constraint: "+text, "correct the field")
	}
	if len(faults) > 0 {
		return had, false
	}
	before = p.asOLMReads(before)
	p.prove()
	p.checkTerms(before)
	if p.Package != "" && !p.replacesAffinity() && !p.writesAnew() {
		p.check(before, had)
		return had, false // nothing to add to: the operator's own affinity counts
	}
	if !p.writes() || !p.resolved || p.found.Failed() || before.NodeName != "" {
		p.check(before, had)
		return had, false
	}
	p.decided = true
	text := p.text()
	want := p.want(p.wanted, p.Object.Kind)
	wrote, replaced := affinity.Write(p.Node, want, had)
	changed := p.text() != text
	if changed {
		p.Attach()
	}
	if after, faults := affinity.Read(p.Node); len(faults) == 0 {
		p.check(p.asOLMReads(after), wrote)
	}
	if !p.found.Failed() {
		p.told(changed, replaced)
	}
	return wrote, changed
}

// text returns what the PodSpec says about its node, to compare it with what it says after
// an edit.
func (p *pod) text() string {
	var b strings.Builder
	for _, key := range []string{"nodeSelector", "affinity"} {
		writeTree(&b, yamlnode.Get(p.Node, key))
	}
	return b.String()
}

// writeTree writes the values of a tree, so that two trees with other values have other
// texts.
func writeTree(b *strings.Builder, n *yaml.Node) {
	if n == nil {
		b.WriteString("-")
		return
	}
	fmt.Fprintf(b, "%d%q%q(", n.Kind, n.Tag, n.Value)
	for _, child := range n.Content {
		writeTree(b, child)
	}
	b.WriteString(")")
}

// This method reports what goldenarch wrote.
func (p *pod) told(changed bool, replaced []string) {
	for _, one := range replaced {
		p.add(finding.ConstraintReplaced, finding.Warning, "", fmt.Sprintf("goldenarch replaces %q, because overwrite is true", one), "").Unchanged = finding.Advice{
			Text: fmt.Sprintf("this pod has %q, which goldenarch replaces because overwrite is true", one), Do: "remove it",
		}
	}
	if !changed {
		return
	}
	f := p.add(finding.AffinityWritten, finding.Info, affinity.RequiredPath,
		fmt.Sprintf("goldenarch restricts this pod to nodes with %s: %s", listed(p.wanted), strings.Join(distinct(p.images), "; ")), "")
	f.Proposed = p.wanted.String()
	f.Unchanged = finding.Advice{
		Text: fmt.Sprintf("the node affinity of this pod is not what its images need, which is nodes with %s: %s", listed(p.wanted),
			strings.Join(distinct(p.images), "; ")),
		Do: fmt.Sprintf("restrict it to nodes with %s", listed(p.wanted)),
	}
	if p.Object.Group() == "serving.knative.dev" {
		p.add(finding.FeatureNeeded, finding.Info, affinity.RequiredPath,
			"Knative refuses an affinity unless its feature kubernetes.podspec-affinity is enabled",
			"enable kubernetes.podspec-affinity in the ConfigMap config-features of Knative")
	}
	if p.Fixed && !p.Object.IsRecreated() {
		p.add(finding.PodFixed, finding.Info, affinity.RequiredPath,
			fmt.Sprintf("the API server refuses a change of the node affinity of a %s that exists", p.Object.Kind),
			"delete the object in the cluster before you apply it again")
	}
}
