package kustomization

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"sigs.k8s.io/kustomize/api/konfig"
	"sigs.k8s.io/kustomize/api/resource"
	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/yaml"
	k8syaml "sigs.k8s.io/yaml"
)

const origin = "config.kubernetes.io/origin"

// finish is what the root asks kustomize to do to all resources after the last transformer
// (kustomize krusty/kustomizer.go).
type finish struct {
	metadata []string
	order    *types.SortOptions
}

// Finish does to the output of goldenarch what kustomize does after its last transformer:
// it sorts all items, and adds to new items what buildMetadata asks for. read has the
// input of goldenarch, and added the index of the step that added an item. Items from
// outside the build stay unchanged, and keep their places. If the kustomization does not
// list goldenarch, Finish changes nothing, because the build is already complete.
func (b Built) Finish(items, read []*yaml.RNode, added map[*yaml.RNode]int) ([]*yaml.RNode, error) {
	if len(b.Steps) == 0 {
		return items, nil
	}
	of := map[*yaml.RNode]origins{}
	for _, item := range read {
		of[item] = beside
	}
	for _, item := range b.Items {
		of[item] = ofBuild
	}
	steps, err := b.origins()
	if err != nil {
		return nil, err
	}
	var built []*yaml.RNode
	fresh := 0
	for _, item := range items {
		if of[item] == beside || item.GetName() == "" {
			continue
		}
		built = append(built, item)
		var by *resource.Origin
		after := 0
		if of[item] == ofGoldenarch {
			fresh++
			by, after = steps[added[item]], added[item]+1
		}
		// A validator leaves no trace (kustomize target/kusttarget.go: runValidators).
		transforming := slices.DeleteFunc(slices.Clone(steps[after:]), func(o *resource.Origin) bool { return o == nil })
		if err := b.finish.describe(item, by, transforming); err != nil {
			return nil, fmt.Errorf("annotate %s %q: %w", item.GetKind(), item.GetName(), err)
		}
	}
	if fresh == 0 || b.finish.order != nil && b.finish.order.Order == types.FIFOSortOrder {
		return items, nil // the items are already sorted
	}
	sorted, err := b.sorted(built)
	if err != nil {
		return nil, err
	}
	out := slices.Clone(items)
	for i, item := range out {
		if of[item] != beside && item.GetName() != "" {
			out[i], sorted = sorted[0], sorted[1:]
		}
	}
	return out, nil
}

// origins returns what kustomize notes of each step; nil of a validator.
func (b Built) origins() ([]*resource.Origin, error) {
	out := make([]*resource.Origin, len(b.Steps))
	for i, step := range b.Steps {
		if step.Field != Transformers {
			continue
		}
		var err error
		if out[i], err = step.origin(); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// origins says where an item of the output comes from.
type origins int

const (
	ofGoldenarch origins = iota
	ofBuild
	beside
)

// describe adds to an item what buildMetadata asks for. by is the step that added the item,
// and after are the steps that have run since. An item of the build already has the rest.
func (f finish) describe(item *yaml.RNode, by *resource.Origin, after []*resource.Origin) error {
	if by != nil && slices.Contains(f.metadata, types.OriginAnnotations) {
		text, err := by.String()
		if err != nil {
			return err
		}
		if err := set(item, yaml.AnnotationsField, origin, text); err != nil {
			return err
		}
	}
	if len(after) > 0 && slices.Contains(f.metadata, types.TransformerAnnotations) {
		var steps resource.Transformations
		if err := yaml.Unmarshal([]byte(item.GetAnnotations()[transformations]), &steps); err != nil {
			return err
		}
		steps = append(steps, after...)
		text, err := steps.String()
		if err != nil {
			return err
		}
		if err := set(item, yaml.AnnotationsField, transformations, text); err != nil {
			return err
		}
	}
	if !slices.Contains(f.metadata, types.ManagedByLabelOption) {
		return nil
	}
	return set(item, yaml.LabelsField, konfig.ManagedbyLabelKey, "kustomize-"+kustomizeRelease)
}

// set sets a label or an annotation, and sorts the fields as kustomize does.
func set(item *yaml.RNode, field, key, value string) error {
	metadata, err := item.Pipe(yaml.LookupCreate(yaml.MappingNode, yaml.MetadataField))
	if err != nil {
		return err
	}
	notes, err := metadata.Pipe(yaml.LookupCreate(yaml.MappingNode, field))
	if err != nil {
		return err
	}
	if err := notes.PipeE(yaml.SetField(key, yaml.NewStringRNode(value))); err != nil {
		return err
	}
	sortFields(metadata.YNode())
	sortFields(notes.YNode())
	return nil
}

func sortFields(mapping *yaml.Node) {
	fields := slices.Collect(slices.Chunk(mapping.Content, 2)) // pairs of key and value
	slices.SortStableFunc(fields, func(a, b []*yaml.Node) int { return strings.Compare(a[0].Value, b[0].Value) })
	mapping.Content = slices.Concat(fields...)
}

// place is an annotation with the index of an item before sorting.
const place = "internal.goldenarch.dev/place"

// sorted sorts items. It lets kustomize sort objects that have only the names of the
// items.
func (b Built) sorted(items []*yaml.RNode) ([]*yaml.RNode, error) {
	var names []byte
	for i, item := range items {
		name, err := k8syaml.Marshal(map[string]any{
			"apiVersion": item.GetApiVersion(), "kind": item.GetKind(), "metadata": map[string]any{
				"name": item.GetName(), "namespace": item.GetNamespace(), "annotations": map[string]any{place: strconv.Itoa(i)},
			},
		})
		if err != nil {
			return nil, fmt.Errorf("encode a name: %w", err)
		}
		names = append(append(names, "---\n"...), name...)
	}
	k, err := k8syaml.Marshal(types.Kustomization{Resources: []string{"names.yaml"}, SortOptions: b.finish.order})
	if err != nil {
		return nil, fmt.Errorf("encode a kustomization: %w", err)
	}
	result, err := b.build(Request{Dir: ".", Files: map[string][]byte{"names.yaml": names, konfig.DefaultKustomizationFileName(): k}})
	if err != nil {
		return nil, fmt.Errorf("sort what was built and what goldenarch emits: %w", err)
	}
	sorted, err := readAll(result.Objects)
	if err != nil || len(sorted) != len(items) {
		return nil, fmt.Errorf("sort what was built and what goldenarch emits: %d of %d objects came back: %w", len(sorted), len(items), err)
	}
	out := make([]*yaml.RNode, 0, len(items))
	for _, name := range sorted {
		i, err := strconv.Atoi(name.GetAnnotations()[place])
		if err != nil || i < 0 || i >= len(items) {
			return nil, fmt.Errorf("sort %s %q: %w", name.GetKind(), name.GetName(), err)
		}
		out = append(out, items[i])
	}
	return out, nil
}
