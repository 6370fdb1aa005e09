package resourcelist

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"sigs.k8s.io/kustomize/kyaml/fn/framework"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// ErrKind is the error of input that is not a ResourceList.
var ErrKind = errors.New("the input is no ResourceList")

// Execute reads a ResourceList, has it processed, and writes it. It returns the
// processor's error. Other errors are [ErrKind], [ErrShape], [ErrAnchors], values
// that are nested too deep, text that is not YAML, and a stream that cannot be read
// or written.
func Execute(p framework.ResourceListProcessor, in io.Reader, out io.Writer) error {
	return new(Lazy).Execute(p, in, out)
}

// Execute does what the function [Execute] does. In the place of items that follow
// each other and are not needed, the processor gets one without fields, and what it
// leaves in the list goes out as it came in.
func (l *Lazy) Execute(p framework.ResourceListProcessor, in io.Reader, out io.Writer) error {
	text, err := io.ReadAll(in)
	if err != nil {
		return fmt.Errorf("read the ResourceList: %w", err)
	}
	if c, ok := l.read(text); ok {
		l.list = c
		return c.execute(p, out)
	}
	if err := shaped(text); err != nil {
		return err
	}
	if text, err = selfContained(text); err != nil {
		return err
	}
	return whole(p, bytes.NewReader(text), out)
}

// execute processes a list that was cut into its items.
func (c *cut) execute(p framework.ResourceListProcessor, out io.Writer) error {
	rl := &framework.ResourceList{FunctionConfig: c.functionConfig, Items: c.nodes()}
	failed := p.Process(rl)
	text, err := c.written(rl)
	if err != nil {
		return err
	}
	if _, err := out.Write(text); err != nil {
		return fmt.Errorf("write the ResourceList: %w", err)
	}
	return failed
}

// resultsOf returns the results of a list, or else those that came in.
func resultsOf(rl *framework.ResourceList, before *yaml.RNode) (*yaml.RNode, error) {
	if len(rl.Results) == 0 {
		return before, nil
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
