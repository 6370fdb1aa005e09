package resourcelist

import (
	"fmt"

	"sigs.k8s.io/kustomize/kyaml/kio"
	"sigs.k8s.io/kustomize/kyaml/kio/kioutil"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// placeNew sets the file and the index of the items that the processor has added. It uses
// the host's form of the annotations: the old domain, the new domain, or both. The host
// sets the annotations of the items in the input.
func (c *cut) placeNew(nodes []*yaml.RNode) error {
	var added []*yaml.RNode
	places := map[string]map[string]string{}
	for i, node := range nodes {
		if _, is := c.known[node]; !is {
			added = append(added, node)
			continue
		}
		places[fmt.Sprint(i)] = kioutil.GetInternalAnnotations(node)
	}
	if len(added) == 0 {
		return nil
	}
	if err := kio.ReconcileInternalAnnotations(added, places); err != nil {
		return fmt.Errorf("place the new items: %w", err)
	}
	return nil
}
