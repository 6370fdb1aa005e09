package kustomize

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/api/konfig"
	"sigs.k8s.io/kustomize/api/resource"
	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/resid"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

const origin = "config.kubernetes.io/origin"

// Finish does to the output of goldenarch what kustomize does after its last transformer (kustomize
// krusty/kustomizer.go): it sorts all items, and adds to new items what buildMetadata asks for. read has the
// input of goldenarch, and added the index of the step that added an item. Items from
// outside the build stay unchanged, and keep their places. If the kustomization does not
// list goldenarch, Finish changes nothing, because the build is already complete.
func (b Built) Finish(items, read []*yaml.RNode, added map[*yaml.RNode]int) ([]*yaml.RNode, error) {
	if len(b.Steps) == 0 {
		return items, nil
	}
	ofBuild := map[*yaml.RNode]bool{} // false for what was read beside the build; goldenarch added what is missing
	for _, item := range read {
		ofBuild[item] = false
	}
	for _, item := range b.Items {
		ofBuild[item] = true
	}
	steps := make([]*resource.Origin, len(b.Steps)) // what kustomize notes of each
	for i, step := range b.Steps {
		var err error
		if steps[i], err = step.origin(); err != nil {
			return nil, err
		}
	}
	var described []*yaml.RNode
	var places []int // of described
	fresh := 0
	for i, item := range items {
		built, before := ofBuild[item]
		if before && !built || item.GetName() == "" {
			continue
		}
		described, places = append(described, item), append(places, i)
		var by *resource.Origin
		after := 0
		if !before {
			fresh++
			by, after = steps[added[item]], added[item]+1
		}
		if err := b.describe(item, by, steps[after:]); err != nil {
			return nil, fmt.Errorf("annotate %s %q: %w", item.GetKind(), item.GetName(), err)
		}
	}
	if fresh == 0 || b.Order != nil && b.Order.Order == types.FIFOSortOrder {
		return items, nil // the items are already sorted
	}
	out := slices.Clone(items)
	for i, item := range b.sorted(described) {
		out[places[i]] = item
	}
	return out, nil
}

// describe adds to an item what buildMetadata asks for. by is the step that added the item,
// and after are the steps that have run since. An item of the build already has the rest.
func (r Result) describe(item *yaml.RNode, by *resource.Origin, after []*resource.Origin) error {
	if by != nil && slices.Contains(r.Metadata, types.OriginAnnotations) {
		text, err := by.String()
		if err != nil {
			return err
		}
		if err := set(item, yaml.AnnotationsField, origin, text); err != nil {
			return err
		}
	}
	if len(after) > 0 && slices.Contains(r.Metadata, types.TransformerAnnotations) {
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
	if !slices.Contains(r.Metadata, types.ManagedByLabelOption) {
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

// The order of kinds where the kustomization states none, which kustomize never changes (kustomize
// api internal/builtins/SortOrderTransformer.go, whose package nobody can import).
var (
	orderFirst = []string{
		"Namespace", "ResourceQuota", "StorageClass", "CustomResourceDefinition", "ServiceAccount", "PodSecurityPolicy", "Role", "ClusterRole",
		"RoleBinding", "ClusterRoleBinding", "ConfigMap", "Secret", "Endpoints", "Service", "LimitRange", "PriorityClass", "PersistentVolume",
		"PersistentVolumeClaim", "Deployment", "StatefulSet", "CronJob", "PodDisruptionBudget",
	}
	orderLast = []string{"MutatingWebhookConfiguration", "ValidatingWebhookConfiguration"}
)

// sorted returns items in the order that kustomize gives them: that of their kinds, then by API
// version and kind, then by namespace and name.
func (r Result) sorted(items []*yaml.RNode) []*yaml.RNode {
	first, last := orderFirst, orderLast
	if r.Order != nil && r.Order.LegacySortOptions != nil {
		first, last = r.Order.LegacySortOptions.OrderFirst, r.Order.LegacySortOptions.OrderLast
	}
	rank := map[string]int{}
	for i, kind := range first {
		rank[kind] = i - len(first)
	}
	for i, kind := range last {
		rank[kind] = i + 1
	}
	type key struct {
		rank           int
		gvk, namespace string
		name           string
		isNamespace    bool
	}
	keys := make(map[*yaml.RNode]key, len(items))
	for _, item := range items {
		gvk := resid.GvkFromNode(item)
		keys[item] = key{
			rank: rank[gvk.Kind], gvk: strings.Join([]string{cmp.Or(gvk.Group, "~G"), cmp.Or(gvk.Version, "~V"), gvk.Kind}, "_"),
			namespace: cmp.Or(item.GetNamespace(), "~X"), name: item.GetName(), isNamespace: gvk.Kind == types.NamespaceKind,
		}
	}
	out := slices.Clone(items)
	slices.SortStableFunc(out, func(a, b *yaml.RNode) int {
		x, y := keys[a], keys[b]
		byGvk := strings.Compare(x.gvk, y.gvk)
		// Kubernetes' own come before those of other groups. Without a rank, kustomize compares them so with each other and not with
		// other kinds, which is no order; goldenarch has one.
		if x.isNamespace && y.isNamespace && x.rank != 0 && (strings.HasPrefix(x.gvk, "~G_") || strings.HasPrefix(y.gvk, "~G_")) {
			byGvk = -byGvk
		}
		return cmp.Or(cmp.Compare(x.rank, y.rank), byGvk, strings.Compare(x.namespace+"|"+x.name, y.namespace+"|"+y.name))
	})
	return out
}
