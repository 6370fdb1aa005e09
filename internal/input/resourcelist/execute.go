package resourcelist

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"

	"sigs.k8s.io/kustomize/kyaml/kio"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/yamlout"
)

// ErrKind is the error of input that is no ResourceList.
var ErrKind = errors.New("the input is no ResourceList")

// Execute reads a ResourceList, has it processed, and writes it. It returns the
// processor's error. Other errors are [ErrKind], [ErrShape], [ErrAnchors], text that
// is not YAML, and a stream that cannot be read or written.
func Execute(process Processor, in io.Reader, out io.Writer) error {
	text, err := io.ReadAll(in)
	if err != nil {
		return fmt.Errorf("read the ResourceList: %w", err)
	}
	if c, ok := read(text); ok {
		return c.execute(process, out)
	}
	if err := shaped(text); err != nil {
		return err
	}
	return whole(process, bytes.NewReader(text), out)
}

// execute processes a list that was cut into its items.
func (c *cut) execute(process Processor, out io.Writer) error {
	l := &List{FunctionConfig: c.functionConfig}
	for _, i := range c.items {
		l.Items = append(l.Items, i.node)
	}
	failed := process(l)
	text, err := c.written(l)
	if err != nil {
		return err
	}
	if _, err := out.Write(text); err != nil {
		return fmt.Errorf("write the ResourceList: %w", err)
	}
	return failed
}

// whole is kyaml's own way, in which every item is encoded (kyaml
// framework.Execute).
func whole(process Processor, in io.Reader, out io.Writer) error {
	source := &kio.ByteReadWriter{Reader: in, Writer: out, KeepReaderAnnotations: true}
	items, err := source.Read()
	if err != nil {
		return fmt.Errorf("read the ResourceList: %w", err)
	}
	if source.WrappingKind != kio.ResourceListKind {
		return ErrKind
	}
	if err := boundEach(append(slices.Clone(items), source.FunctionConfig, source.Results)); err != nil {
		return fmt.Errorf("read the ResourceList: %w", err)
	}
	places, err := kio.PreprocessResourcesForInternalAnnotationMigration(items)
	if err != nil {
		return fmt.Errorf("read the ResourceList: %w", err)
	}
	l := &List{FunctionConfig: source.FunctionConfig, Items: items}
	failed := process(l)
	if err := kio.ReconcileInternalAnnotations(l.Items, places); err != nil {
		return fmt.Errorf("write the ResourceList: %w", err)
	}
	if source.Results, err = resultsOf(l, source.Results); err != nil {
		return err
	}
	written := append(slices.Clone(l.Items), source.FunctionConfig, source.Results)
	if err := boundEach(written); err != nil {
		return fmt.Errorf("write the ResourceList: %w", err)
	}
	for _, node := range written {
		if !node.IsNil() {
			yamlout.Safe(node.YNode())
		}
	}
	if err := source.Write(l.Items); err != nil {
		return fmt.Errorf("write the ResourceList: %w", err)
	}
	return failed
}

// resultsOf returns the results of a list, or else those that came in.
func resultsOf(l *List, before *yaml.RNode) (*yaml.RNode, error) {
	if len(l.Results) == 0 {
		return before, nil
	}
	text, err := yaml.Marshal(l.Results)
	if err != nil {
		return nil, fmt.Errorf("encode the results: %w", err)
	}
	results, err := yaml.Parse(string(text))
	if err != nil {
		return nil, fmt.Errorf("read the results: %w", err)
	}
	return results, nil
}
