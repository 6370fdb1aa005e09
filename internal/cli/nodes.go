package cli

import (
	"fmt"

	"github.com/spf13/cobra"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/input/kinds"
	"github.com/goldenarch/goldenarch/internal/input/manifest"
	"github.com/goldenarch/goldenarch/internal/object"
)

// addNodes adds the flag for Nodes that goldenarch uses for their facts only.
func (r *render) addNodes(cmd *cobra.Command) {
	cmd.Flags().StringArrayVar(&r.nodes, "nodes", nil,
		"file with the cluster's Nodes, from 'kubectl get nodes -o yaml' (may be repeated)")
}

// givenNodes reads the files of --nodes; nil without the flag. It reads a directory
// recursively, and "-" is standard input.
func (r *render) givenNodes() ([]*yaml.RNode, error) {
	if len(r.nodes) == 0 {
		return nil, nil
	}
	items := []*yaml.RNode{}
	wrong := 0 // documents that hold no Nodes: a few of them are enough for an error
	for _, path := range r.nodes {
		read, err := r.readFacts(path, func(item *yaml.RNode) bool { return mayHoldNodes(item) || first(&wrong) })
		if err != nil {
			return nil, fmt.Errorf("--nodes: %w", err)
		}
		items = append(items, read...)
	}
	return items, nil
}

// mayHoldNodes reports whether an item is a Node or a list.
func mayHoldNodes(item *yaml.RNode) bool {
	at := object.Ref(item)
	_, isList := object.ElementKind(at.Kind)
	return isList || kinds.IsNode(at)
}

// first counts a call, and reports whether it is one of the first.
func first(calls *int) bool {
	*calls++
	return *calls <= 10
}

// readFacts reads those items of a path that the run needs, because a dump of a cluster
// can have many other documents.
func (r *render) readFacts(path string, needed func(*yaml.RNode) bool) ([]*yaml.RNode, error) {
	reader := manifest.Reader{Needed: needed, Drop: true}
	if path == manifest.Stdin {
		return reader.Stream("stdin", r.streams.In)
	}
	read, err := reader.Paths([]string{path})
	if err != nil {
		return nil, err
	}
	if len(read.Templated) > 0 {
		return nil, fmt.Errorf("%s: %w", read.Templated[0], manifest.ErrTemplated)
	}
	if len(read.Charts) > 0 {
		return nil, fmt.Errorf("%s: it is a Helm chart, and only helm can render it", read.Charts[0])
	}
	return read.Items, nil
}
