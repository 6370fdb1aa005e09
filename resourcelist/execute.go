package resourcelist

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"sigs.k8s.io/kustomize/kyaml/fn/framework"
	"sigs.k8s.io/kustomize/kyaml/kio"
)

// ErrKind is the error of input that is no ResourceList.
var ErrKind = errors.New("the input is no ResourceList")

// Execute reads a ResourceList, has it processed, and writes it. Where the
// processor fails, what it left is written all the same, as kyaml's
// framework.Execute does, and its error returned. Other errors are [ErrKind],
// text that is no YAML, and a stream that cannot be read or written.
func Execute(processor framework.ResourceListProcessor, in io.Reader, out io.Writer) error {
	text, err := io.ReadAll(in)
	if err != nil {
		return fmt.Errorf("read the ResourceList: %w", err)
	}
	if l, ok := read(text); ok {
		return l.execute(processor, out)
	}
	return whole(processor, bytes.NewReader(text), out)
}

// whole is kyaml's own way, in which every item is encoded.
func whole(processor framework.ResourceListProcessor, in io.Reader, out io.Writer) error {
	source := &kio.ByteReadWriter{Reader: in, Writer: out, KeepReaderAnnotations: true}
	return framework.Execute(framework.ResourceListProcessorFunc(func(rl *framework.ResourceList) error { //nolint:wrapcheck // kyaml says what it did
		if source.WrappingKind != kio.ResourceListKind {
			return ErrKind
		}
		return processor.Process(rl) //nolint:wrapcheck // it is the processor's own
	}), source)
}

// execute processes a list that was cut into its items.
func (l *list) execute(processor framework.ResourceListProcessor, out io.Writer) error {
	rl := &framework.ResourceList{FunctionConfig: l.functionConfig}
	for _, i := range l.items {
		rl.Items = append(rl.Items, i.node)
	}
	failed := processor.Process(rl)
	text, err := l.written(rl)
	if err != nil {
		return err
	}
	if _, err := out.Write(text); err != nil {
		return fmt.Errorf("write the ResourceList: %w", err)
	}
	return failed //nolint:wrapcheck // it is the processor's own
}
