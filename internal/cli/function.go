package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"sigs.k8s.io/kustomize/kyaml/fn/framework"

	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/input/resourcelist"
	"github.com/goldenarch/goldenarch/internal/pipeline"
	"github.com/goldenarch/goldenarch/internal/regular"
)

// runFunction is the KRM function: it reads a ResourceList and writes one. On error
// findings it writes the items unchanged, with the results, and the status is 1.
func runFunction(ctx context.Context, streams Streams, flags *configFlags) error {
	collectLate()
	function, err := flags.function()
	if err != nil {
		return err
	}
	function.WorkDir = ""
	var out bytes.Buffer
	found, err := process(ctx, function, streams.In, &out)
	if err := flags.registry.end(); err != nil {
		return err
	}
	if err != nil && !errors.Is(err, pipeline.ErrFindings) {
		return err
	}
	if _, err := streams.Out.Write(out.Bytes()); err != nil {
		return fmt.Errorf("write the ResourceList: %w", err)
	}
	// Hosts such as kustomize drop the results, so this also reports them here.
	fmt.Fprint(streams.Err, found)
	if err != nil {
		return errSilent
	}
	return nil
}

// process reads a ResourceList, runs the function and writes the list.
func process(ctx context.Context, function pipeline.Function, in io.Reader, out io.Writer) (finding.List, error) {
	var found finding.List
	processor := framework.ResourceListProcessorFunc(func(rl *framework.ResourceList) (err error) {
		found, err = function.Process(ctx, rl)
		return err
	})
	lazy := resourcelist.Lazy{Needed: pipeline.NeededBeside}
	function.Named = lazy.Named
	err := lazy.Execute(processor, regular.Reader(in), out)
	if errors.Is(err, resourcelist.ErrKind) {
		err = errNoResourceList
	}
	return found, err
}

var errNoResourceList = errors.New("standard input is not a ResourceList: for plain manifests use 'goldenarch render -'")
