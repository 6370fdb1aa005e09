package resourcelist

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"

	"sigs.k8s.io/kustomize/kyaml/fn/framework"
	"sigs.k8s.io/kustomize/kyaml/kio"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/yamlout"
)

// selfContained returns a list in which no part has an alias of another part's anchor.
// kyaml annotates the items that it reads, and an alias would repeat the annotations.
func selfContained(text []byte) ([]byte, error) {
	if bytes.IndexByte(text, '&') < 0 {
		return text, nil
	}
	var out bytes.Buffer
	source := &kio.ByteReadWriter{Reader: bytes.NewReader(text), Writer: &out, KeepReaderAnnotations: true}
	items, err := source.Read()
	switch {
	case err != nil:
		return nil, fmt.Errorf("read the ResourceList: %w", err)
	case source.WrappingKind != kio.ResourceListKind:
		return nil, ErrKind
	}
	parts := append(slices.Clone(items), source.FunctionConfig, source.Results)
	budget := maxExpanded
	if err := boundWithin(&budget, parts); err != nil {
		return nil, fmt.Errorf("read the ResourceList: %w", err)
	}
	if budget == maxExpanded {
		return text, nil // nothing was expanded
	}
	for _, node := range parts {
		if !node.IsNil() {
			yamlout.Safe(node.YNode())
		}
	}
	if err := source.Write(items); err != nil {
		return nil, fmt.Errorf("read the ResourceList: %w", err)
	}
	return out.Bytes(), nil
}

// whole processes a list as kyaml does: it encodes every item.
func (l *Lazy) whole(p framework.ResourceListProcessor, in io.Reader, out io.Writer) error {
	var text bytes.Buffer
	g := &guarded{next: p, lazy: l, source: &kio.ByteReadWriter{Reader: in, Writer: &text, KeepReaderAnnotations: true}}
	err := framework.Execute(g, g.source)
	switch {
	case !g.called && err != nil:
		return fmt.Errorf("read the ResourceList: %w", cmp.Or(errors.Unwrap(err), err)) // without kyaml's prefix
	case g.refused != nil:
		return g.refused
	case err != nil && !errors.Is(err, g.failed):
		return fmt.Errorf("write the ResourceList: %w", err)
	}
	if _, err := out.Write(text.Bytes()); err != nil {
		return fmt.Errorf("write the ResourceList: %w", err)
	}
	return g.failed
}

// guarded is a processor that accepts only lists that kyaml can write again. It also makes
// the output safe to encode.
type guarded struct {
	next   framework.ResourceListProcessor
	lazy   *Lazy
	source *kio.ByteReadWriter
	called bool
	// refused is why there is no output, and failed is the processor's own error.
	refused, failed error
}

// Process implements [framework.ResourceListProcessor].
func (g *guarded) Process(rl *framework.ResourceList) error {
	g.called = true
	if g.source.WrappingKind != kio.ResourceListKind {
		g.refused = ErrKind
		return g.refused
	}
	g.failed = g.next.Process(rl)
	var items []*yaml.RNode
	for _, item := range rl.Items {
		items = slices.AppendSeq(items, g.lazy.expand(item))
	}
	rl.Items = items
	written := append(slices.Clone(rl.Items), g.source.FunctionConfig, g.source.Results)
	if err := boundEach(written); err != nil {
		g.refused = fmt.Errorf("write the ResourceList: %w", err)
		return g.refused
	}
	for _, node := range written {
		if !node.IsNil() {
			yamlout.Safe(node.YNode())
		}
	}
	return g.failed
}
