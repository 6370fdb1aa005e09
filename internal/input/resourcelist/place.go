package resourcelist

import (
	"fmt"

	"sigs.k8s.io/kustomize/kyaml/kio"
	"sigs.k8s.io/kustomize/kyaml/kio/kioutil"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// placeNew gives the items that the processor has added their place, file and
// index, in the form that the host uses: annotations of the old domain, the new
// one, or both. Those of an item that came in are the host's.
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
