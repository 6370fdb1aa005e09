package pipeline

import (
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/images/imageref"
	"github.com/goldenarch/goldenarch/internal/input"
)

// podImages adds the images of pods to those of the CRs.
func (f Function) podImages(images *Images, items []*yaml.RNode, in input.Input) finding.List {
	list, run, found := f.pods.find(items, nil, in, images.spec)
	if found.Failed() {
		return found
	}
	q := questionsOf(list.Images(), run.Spec)
	found = append(found, f.pods.locate(q.found)...)
	severity := finding.Warning // a run also leaves such a pod unchanged
	if run.Spec.Unresolved == v1alpha1.UnresolvedError {
		severity = finding.Error
	}
	add := func(into *[]imageref.Reference, ref imageref.Reference) {
		if _, known := images.at[ref]; known {
			return
		}
		images.at[ref] = finding.Finding{ID: finding.PodUnresolved, Severity: severity, Current: ref.String()}
		*into = append(*into, ref)
	}
	for _, ref := range q.stated {
		add(&images.Stated, ref)
	}
	for _, ref := range q.refs {
		add(&images.ToQuery, ref)
	}
	images.Pods = list.Places()
	operators, installed := list.Operators()
	images.operators = f.newOperators(operators, installed, q)
	return found
}
