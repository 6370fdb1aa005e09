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

// Execute reads a ResourceList, runs the processor on it, and writes it. It returns the
// processor's error, [ErrKind], [ErrShape] or [ErrAnchors]. It also fails for values that
// are nested too deep, text that is not YAML, and a stream that it cannot read or write.
func Execute(p framework.ResourceListProcessor, in io.Reader, out io.Writer) error {
	return new(Lazy).Execute(p, in, out)
}

// Execute does what the function [Execute] does. The processor gets one item without
// fields in place of each run of items that it does not need. If the processor leaves that
// item in the list, Execute writes the items of the run as it read them.
func (l *Lazy) Execute(p framework.ResourceListProcessor, in io.Reader, out io.Writer) error {
	text, err := io.ReadAll(in)
	if err != nil {
		return fmt.Errorf("read the ResourceList: %w", err)
	}
	if c, ok := l.read(text); ok {
		l.list = c
		return c.execute(l, p, out)
	}
	if err := shaped(text); err != nil {
		return err
	}
	if text, err = selfContained(text); err != nil {
		return err
	}
	return l.whole(p, bytes.NewReader(text), out)
}

// execute runs the processor on a list that goldenarch has cut into its items.
func (c *cut) execute(l *Lazy, p framework.ResourceListProcessor, out io.Writer) error {
	rl := &framework.ResourceList{FunctionConfig: c.functionConfig, Items: c.nodes()}
	failed := p.Process(rl)
	text, err := c.written(l, rl)
	if err != nil {
		return err
	}
	if _, err := out.Write(text); err != nil {
		return fmt.Errorf("write the ResourceList: %w", err)
	}
	return failed
}

// resultsOf returns the results of a list, or the results of the input if it has none. If
// each text has one line, the results are already encoded: a run with many findings would
// otherwise encode each of them twice.
func resultsOf(rl *framework.ResourceList, before *yaml.RNode) (results *yaml.RNode, encoded []byte, err error) {
	if len(rl.Results) == 0 {
		return before, nil, nil
	}
	text, err := yaml.Marshal(rl.Results)
	if err != nil {
		return nil, nil, fmt.Errorf("encode the results: %w", err)
	}
	if !hasBlock(text) {
		return nil, text, nil
	}
	if results, err = yaml.Parse(string(text)); err != nil {
		return nil, nil, fmt.Errorf("read the results: %w", err)
	}
	return results, nil, nil
}

// hasBlock reports whether YAML may have a text of several lines.
func hasBlock(text []byte) bool {
	for _, sign := range []string{": |", ": >", "- |", "- >"} {
		if bytes.Contains(text, []byte(sign)) {
			return true
		}
	}
	return false
}
