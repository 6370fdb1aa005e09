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
	places := c.places(nodes)
	for _, node := range nodes {
		if _, is := c.known[node]; is || len(node.YNode().Content) == 0 { // an item that represents others has no place
			continue
		}
		if err := placeLike(node, places); err != nil {
			return err
		}
	}
	return nil
}

// places returns the annotations with the places of the items that the input has.
func (c *cut) places(nodes []*yaml.RNode) map[string]map[string]string {
	out := map[string]map[string]string{}
	for i, node := range nodes {
		if _, is := c.known[node]; is {
			out[fmt.Sprint(i)] = kioutil.GetInternalAnnotations(node)
		}
	}
	return out
}

// placeLike gives a new item annotations in the form of those of other items.
func placeLike(node *yaml.RNode, places map[string]map[string]string) error {
	if err := kio.ReconcileInternalAnnotations([]*yaml.RNode{node}, places); err != nil {
		return fmt.Errorf("place the new items: %w", err)
	}
	return nil
}
