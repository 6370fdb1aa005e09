package emit

import (
	"fmt"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/generators"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/object"
	"github.com/goldenarch/goldenarch/internal/operators/expansion"
	"github.com/goldenarch/goldenarch/internal/plan"
	"github.com/goldenarch/goldenarch/internal/settings"
	"github.com/goldenarch/goldenarch/internal/subject"
)

// Merge adds the objects that the plans expand to, and removes those that an earlier
// run emitted and that no plan expands to any more. It does not change the given items,
// and returns them on an error.
func Merge(items []*yaml.RNode, list []subject.Subject, plans []plan.Plan, spec *settings.Settings) ([]*yaml.RNode, finding.List) {
	var wanted []expansion.Object
	var found finding.List
	for i, s := range list {
		if plans[i].Expansion == nil {
			continue
		}
		for _, o := range generators.Objects(generatorInput(plans[i].Expansion, spec.Expand)) {
			wanted = append(wanted, o)
		}
		found = append(found, s.Locate(missingNamespace(items, plans[i], spec))...)
	}
	out, list2 := upsert(items, wanted)
	found = append(found, list2...)
	if found.Failed() {
		return items, found
	}
	return out, found
}

// generatorInput returns the expansion of a plan as input for the generators.
func generatorInput(e *plan.Expansion, stated v1alpha1.ExpandSpec) generators.Input {
	in := generators.Input{
		Namespace: e.SSP.Namespace, DataSources: stated.DataSources, ReplaceOnChange: stated.ReplaceOnChange, Support: stated.Support,
	}
	for _, a := range e.SSP.Order {
		in.Architectures = append(in.Architectures, string(a))
	}
	for _, t := range e.Templates {
		in.Templates = append(in.Templates, generators.Template{
			Name: t.Metadata.Name, Namespace: t.Metadata.Namespace, Labels: t.Metadata.Labels, Annotations: t.Metadata.Annotations, Spec: t.Spec,
		})
	}
	return in
}

// missingNamespace reports a golden images namespace that nothing creates: without SSP,
// only the objects in Git do.
func missingNamespace(items []*yaml.RNode, p plan.Plan, spec *settings.Settings) finding.List {
	if spec.Expand.Support || len(p.Expansion.Templates) == 0 || spec.Expand.Mode != v1alpha1.ExpandEmit {
		return nil
	}
	name := p.Expansion.SSP.Namespace
	for _, o := range object.All(items) {
		if o.At.APIVersion == "v1" && o.At.Kind == NamespaceKind && o.At.Name == name {
			return nil
		}
	}
	return finding.List{{
		ID: finding.NamespaceMissing, Severity: finding.Warning,
		Text: fmt.Sprintf("the input has no Namespace %q: without SSP, nothing creates it, nor the permissions to clone golden images from it", name),
		Do:   "set spec.expand.support: true",
	}}
}
