package cli

import (
	"fmt"

	"github.com/spf13/cobra"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/input/manifest"
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
	for _, path := range r.nodes {
		read, err := r.nodesOf(path)
		if err != nil {
			return nil, fmt.Errorf("--nodes: %w", err)
		}
		items = append(items, read...)
	}
	return items, nil
}

func (r *render) nodesOf(path string) ([]*yaml.RNode, error) {
	if path == manifest.Stdin {
		return manifest.ReadStream("stdin", r.streams.In)
	}
	read, err := manifest.ReadPaths([]string{path})
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
