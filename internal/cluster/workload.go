package cluster

import (
	"slices"

	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/finding"
)

// workloadAnswers returns what the facts say about the workload nodes.
func workloadAnswers(facts []Facts, p Placement, single arch.Arch) []answer {
	return answers(facts,
		func(f Facts) answer {
			if f.Placed {
				return f.direct(f.Workload, false)
			}
			return f.direct(f.Workload, false).narrowedTo(p, single)
		},
		func(list []Facts) answer { return workloadOf(list, p, single) })
}

// workloadOf applies the placement to nodes and pools. It reports something unknown as
// an error only if it could change the answer.
func workloadOf(list []Facts, p Placement, single arch.Arch) answer {
	var sure []Node
	var uncertain []uncertainPool
	var by sources
	for _, f := range list {
		nodes, more := f.split(p)
		sure, uncertain = append(sure, nodes...), append(uncertain, more...)
		if len(f.Nodes)+len(f.Pools) > 0 {
			by = append(by, f.source())
		}
	}
	all := func(Node) bool { return true }
	a := answer{set: architectures(sure, all), source: by.String(), partial: len(uncertain) > 0}
	if pools := slices.ContainsFunc(list, func(f Facts) bool { return len(f.Pools) > 0 }); !pools && len(uncertain) == 0 {
		a.fallback = commonest(sure, all)
	}
	if names := clusters(list); len(names) > 1 {
		a.partial, a.problems = true, finding.List{multipleClusters(names)}
		return a
	}
	for _, f := range list {
		a.problems = append(a.problems, f.contradictedHints()...)
	}
	reported := map[finding.Object]bool{}
	for _, d := range uncertain {
		if d.matters(a.set, single) && !reported[d.object] {
			reported[d.object] = true
			a.problems = append(a.problems, d.finding())
		}
	}
	return a
}

// split applies the placement to nodes and pools. It returns the workload nodes, and
// the pools that may be workload nodes or may have any architecture.
func (f Facts) split(p Placement) (sure []Node, uncertain []uncertainPool) {
	for _, n := range f.Nodes {
		if n.Count == 0 {
			continue
		}
		// If the name of a node is not known, the value of its hostname label is not
		// known either.
		unknown := func(label string) bool { return n.Name == "" && label == hostnameLabel }
		switch v := p.judge(glimpse{n, unknown}); v.certainty {
		case yes:
			sure = append(sure, n)
		case maybe:
			uncertain = append(uncertain, uncertainPool{object: f.Object, what: "a node group of", pool: Pool{Node: n}, unknownField: v.unknownField})
		case no:
		}
	}
	for _, pool := range f.Pools {
		unknown := func(label string) bool { return !slices.Contains(pool.Lacks, label) }
		switch v := p.judge(glimpse{pool.Node, unknown}); {
		case v.certainty == yes && pool.Architecture != "":
			sure = append(sure, pool.Node)
		case v.certainty != no:
			uncertain = append(uncertain, uncertainPool{object: f.Object, what: "the worker pool", pool: pool, unknownField: v.unknownField})
		}
	}
	return sure, uncertain
}

// clusters returns the names of the clusters of the facts, sorted.
func clusters(list []Facts) []string {
	var names []string
	for _, f := range list {
		if f.Cluster != "" {
			names = append(names, f.Cluster)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}
