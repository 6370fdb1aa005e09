package input

import (
	"github.com/goldenarch/goldenarch/internal/cluster"
	"github.com/goldenarch/goldenarch/internal/images/imagestream"
	"github.com/goldenarch/goldenarch/internal/input/livecr"
	"github.com/goldenarch/goldenarch/internal/object"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
)

// Input is what a run reads from its items.
type Input struct {
	CRs     []Resource
	Facts   []cluster.Facts
	Streams imagestream.Streams
	Locks   []object.Object
	Objects []object.Object
	Nodes   Nodes
	Live    *livecr.CR
	// Parsed has the CRs that the run has parsed. If it is nil, Input does not keep them.
	Parsed *hyperconverged.Parsed
}

// Resource is a HyperConverged CR of the input.
type Resource struct {
	object.Object
	Data  []byte
	Model *hyperconverged.CR
}

// CRObjects returns the objects that are CRs.
func (in Input) CRObjects() []object.Object {
	out := make([]object.Object, len(in.CRs))
	for i, cr := range in.CRs {
		out[i] = cr.Object
	}
	return out
}
