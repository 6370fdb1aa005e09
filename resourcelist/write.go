package resourcelist

import (
	"bytes"
	"fmt"

	"sigs.k8s.io/kustomize/kyaml/fn/framework"
	"sigs.k8s.io/kustomize/kyaml/kio"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// written returns the text of a list after it was processed. Its parts are in
// kyaml's order.
func (l *list) written(rl *framework.ResourceList) ([]byte, error) {
	var out bytes.Buffer
	head := []*yaml.Node{scalar("apiVersion"), scalar(l.apiVersion), scalar("kind"), scalar(kio.ResourceListKind)}
	if err := encode(&out, &yaml.Node{Kind: yaml.MappingNode, Content: head}); err != nil {
		return nil, err
	}
	if err := l.writeItems(&out, rl.Items); err != nil {
		return nil, err
	}
	var rest []*yaml.Node
	if rl.FunctionConfig != nil {
		rest = append(rest, scalar("functionConfig"), rl.FunctionConfig.YNode())
	}
	results, err := l.resultsOf(rl)
	if err != nil {
		return nil, err
	}
	if results != nil {
		rest = append(rest, scalar("results"), results.YNode())
	}
	if len(rest) > 0 {
		err = encode(&out, &yaml.Node{Kind: yaml.MappingNode, Content: rest})
	}
	return out.Bytes(), err
}

// writeItems writes what the processor left alone as it came, and the rest anew.
func (l *list) writeItems(out *bytes.Buffer, nodes []*yaml.RNode) error {
	if len(nodes) == 0 {
		out.WriteString("items: []\n")
		return nil
	}
	known := map[*yaml.RNode]item{}
	for _, i := range l.items {
		known[i.node] = i
	}
	if err := l.placeNew(nodes, known); err != nil {
		return err
	}
	out.WriteString("items:\n")
	for _, node := range nodes {
		was, is := known[node]
		out.Write(was.before)
		if is && markOf(node.YNode()) == was.mark {
			out.Write(was.text)
			continue
		}
		if err := l.writeItem(out, node); err != nil {
			return err
		}
	}
	out.Write(l.after)
	return nil
}

// writeItem encodes an item, as far from the left as the others.
func (l *list) writeItem(out *bytes.Buffer, node *yaml.RNode) error {
	if err := yaml.ClearEmptyAnnotations(node); err != nil {
		return fmt.Errorf("encode an item: %w", err)
	}
	var text bytes.Buffer
	if err := encode(&text, &yaml.Node{Kind: yaml.SequenceNode, Content: []*yaml.Node{node.YNode()}}); err != nil {
		return err
	}
	indent := bytes.Repeat([]byte(" "), l.indent)
	for line := range bytes.Lines(text.Bytes()) {
		if len(line) > 1 {
			out.Write(indent)
		}
		out.Write(line)
	}
	return nil
}

// resultsOf returns the results: the processor's, or else those that came in.
func (l *list) resultsOf(rl *framework.ResourceList) (*yaml.RNode, error) {
	if len(rl.Results) == 0 {
		return l.results, nil
	}
	text, err := yaml.Marshal(rl.Results)
	if err != nil {
		return nil, fmt.Errorf("encode the results: %w", err)
	}
	results, err := yaml.Parse(string(text))
	if err != nil {
		return nil, fmt.Errorf("read the results: %w", err)
	}
	return results, nil
}

func encode(out *bytes.Buffer, node *yaml.Node) error {
	encoder := yaml.NewEncoder(out)
	if err := encoder.Encode(node); err != nil {
		return fmt.Errorf("encode the ResourceList: %w", err)
	}
	if err := encoder.Close(); err != nil {
		return fmt.Errorf("encode the ResourceList: %w", err)
	}
	return nil
}

func scalar(text string) *yaml.Node { return &yaml.Node{Kind: yaml.ScalarNode, Value: text} }
