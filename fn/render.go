package fn

import (
	"context"
	"fmt"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/finding"
)

// Render runs the function on items that were read from files, with the
// configuration given or found among them, and returns those that go to the
// cluster. The findings have the lines of the files.
func (f Function) Render(ctx context.Context, items []*yaml.RNode, given *yaml.RNode) ([]*yaml.RNode, finding.List) {
	config, found := f.config(given, items)
	if found.Failed() {
		return nil, found
	}
	extra, list := f.inputs(config.Spec.Inputs)
	if found = append(found, list...); found.Failed() {
		return nil, found
	}
	items = append(items, extra...)
	if list := notKubernetes(items); list.Failed() {
		return nil, append(found, list...)
	}
	found = append(found, f.Run(ctx, items, &config.Spec)...)
	return Product(items), found
}

// notKubernetes tells of items that no cluster takes, such as a values file.
func notKubernetes(items []*yaml.RNode) finding.List {
	var found finding.List
	for _, item := range items {
		if item.GetKind() != "" && item.GetApiVersion() != "" {
			continue
		}
		at := refer(item)
		at.File, at.Index = place(item)
		found = append(found, finding.Finding{
			ID: finding.Unreadable, Severity: finding.Error, Object: at, Line: lineOf(item.YNode(), ""),
			Text: fmt.Sprintf("a document without apiVersion and kind (it has %q and %q) is no Kubernetes object", at.APIVersion, at.Kind),
			Do:   "correct it, or name the file in .krmignore",
		})
	}
	return found
}
