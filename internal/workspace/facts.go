package workspace

import (
	"fmt"
	"io"

	"sigs.k8s.io/kustomize/kyaml/yaml"
	k8syaml "sigs.k8s.io/yaml"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/engine/prediction"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/machine/facts"
	"github.com/goldenarch/goldenarch/internal/manifest"
	"github.com/goldenarch/goldenarch/internal/manifest/kinds"
	"github.com/goldenarch/goldenarch/internal/manifest/object"
	"github.com/goldenarch/goldenarch/internal/operators/forecast"
	"github.com/goldenarch/goldenarch/internal/yaml/yamlnode"
)

// withPublished adds the facts that ConfigMaps have as texts.
func withPublished(items []*yaml.RNode) []*yaml.RNode {
	out := append([]*yaml.RNode{}, items...)
	for _, item := range items {
		if at := object.Ref(item); at.Kind != "ConfigMap" || at.APIVersion != "v1" {
			continue
		}
		data := object.NodeAt(item, "data")
		if data == nil {
			continue
		}
		file, _ := object.Place(item)
		for _, text := range yamlnode.Fields(data) {
			parsed, err := manifest.Parse(file, []byte(text.Value))
			if err != nil {
				continue // a text for something else
			}
			for _, one := range parsed {
				if kinds.IsGoldenarch(object.Ref(one), v1alpha1.ClusterFactsKind) {
					out = append(out, one)
				}
			}
		}
	}
	return out
}

// WriteFacts writes the facts about the cluster of the CR as YAML, with the digests of the locks
// among the items. Facts are those of one cluster, so several CRs are an error.
func WriteFacts(w io.Writer, list []forecast.Prediction, items []*yaml.RNode) error {
	list = prediction.OfClusters(list)
	if len(list) > 1 {
		var names []string
		for _, one := range list {
			names = append(names, one.Object.String()+" in "+one.Object.File)
		}
		return fmt.Errorf("facts are those of one cluster, and the input has %d CRs: %s; pass the files of one", len(list), finding.FirstOf(names))
	}
	locked, err := lockedImages(items)
	if err != nil {
		return err
	}
	if len(list) == 0 {
		return nil // the forecast says why
	}
	one := list[0]
	f := v1alpha1.ClusterFacts{Spec: facts.WithLock(facts.Of(one), one.Forecast, locked)}
	f.APIVersion, f.Kind, f.Name = v1alpha1.APIVersion, v1alpha1.ClusterFactsKind, one.Object.Name
	f.Annotations = map[string]string{object.LocalConfig: "true"}
	data, err := k8syaml.Marshal(f)
	if err != nil {
		return fmt.Errorf("encode the facts: %w", err)
	}
	_, err = fmt.Fprintf(w, "# %s\n%s", object.SkipComment, data)
	return err
}

// lockedImages returns the images of the locks among the items.
func lockedImages(items []*yaml.RNode) ([]v1alpha1.LockedImage, error) {
	var out []v1alpha1.LockedImage
	for _, o := range object.All(items) {
		if !kinds.IsGoldenarch(o.At, v1alpha1.ArchitectureLockKind) {
			continue
		}
		if err := yamlnode.ParseListAsText(o.Node.YNode()); err != nil {
			return nil, fmt.Errorf("%s: %w", o.At.File, err)
		}
		tree, err := o.Tree()
		if err != nil {
			return nil, err
		}
		lock, err := v1alpha1.DecodeArchitectureLock(tree)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", o.At.File, err)
		}
		out = append(out, lock.Images...)
	}
	return out, nil
}
