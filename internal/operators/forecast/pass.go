package forecast

import (
	"maps"
	"slices"

	"github.com/goldenarch/goldenarch/internal/operators/expansion"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
)

// Pass is what one pass of SSP's data-sources operand makes of a cluster.
type Pass struct {
	// Stopped is why the pass changes nothing; "" if it does its work. If CDI refuses a cron,
	// the pass stops in the middle, and what it does until then differs from run to run.
	Stopped string
	// Crons are the DataImportCrons that SSP wants. It deletes its other ones.
	Crons []*expansion.Cron
	// DataSources are those that SSP wants, with all labels and the source that they have
	// after the pass. It deletes its other ones in [Input.Namespace].
	DataSources []expansion.Object
	Namespace   string
}

// SSPPass predicts one pass of SSP on the objects of [Input.Existing]. Unlike the forecast, it
// has all DataSources of SSP's bundle, also those that no template fills.
func SSPPass(in Input) Pass {
	in = in.withDefaults()
	out := Pass{Namespace: in.Namespace}
	if out.Stopped = in.noImagesBecause(); out.Stopped != "" {
		return out
	}
	if in.CR.Unconvertible != nil {
		out.Stopped = "HCO cannot convert the CR: " + in.CR.Unconvertible.Error()
		return out
	}
	if out.Stopped = in.sspUnknownBecause(); out.Stopped != "" {
		return out
	}
	merged, err := hyperconverged.Merge(in.CR, in.Table, in.Cluster.Workload)
	if err != nil {
		out.Stopped = "HCO fails: " + err.Error()
		return out
	}
	s := in.sspOf(merged)
	if rejected := s.rejected(); rejected != "" {
		out.Stopped = "SSP's webhook refuses the SSP CR: " + rejected
		return out
	}
	m := s.reconcile()
	switch d, invalid := s.invalidSource(m); {
	case invalid != "":
		out.Stopped = d.stops()
	case m.crons.SameName() != "":
		out.Stopped = "two DataImportCrons have the name " + m.crons.SameName() + ": SSP's result differs between runs"
	default:
		out.Stopped = m.refusedCrons()
	}
	if out.Stopped != "" {
		return out
	}
	out.Crons = m.crons.Sorted()
	for _, name := range slices.Sorted(maps.Keys(m.sources)) {
		out.DataSources = append(out.DataSources, m.sources[name].object())
	}
	return out
}
