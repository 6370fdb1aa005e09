package cluster

import (
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/finding"
)

// betaArchLabel is the older label for the architecture. A kubelet sets it to
// the same value as the newer one, or not at all.
const betaArchLabel = "beta." + archLabel

// Matchable splits architectures by the placement. A node of a matchable one can be a
// workload node. A node of an unmatchable one never can, whatever its name and its
// other labels are.
//
// Use it for architectures that are stated without nodes. HCO applies the placement to
// nodes before it collects their architectures (hco nodeinfo/architectures.go), so it
// never sees an unmatchable one.
func (p Placement) Matchable(stated arch.Set) (matchable, unmatchable arch.Set) {
	for _, a := range stated {
		if p.canMatch(a) {
			matchable = append(matchable, a)
		} else {
			unmatchable = append(unmatchable, a)
		}
	}
	return matchable, unmatchable
}

// canMatch reports whether a node of an architecture can be a workload node, if nothing
// else about it is known.
func (p Placement) canMatch(a arch.Arch) bool {
	unknown := func(label string) bool { return label != archLabel && label != betaArchLabel }
	newer := Node{Architecture: a, Labels: map[string]string{archLabel: string(a)}}
	older := Node{Architecture: a, Labels: map[string]string{archLabel: string(a), betaArchLabel: string(a)}}
	return p.judge(glimpse{newer, unknown}).certainty != no || p.judge(glimpse{older, unknown}).certainty != no
}

// narrowedTo returns the answer without the architectures that the placement rules out,
// and reports them. It does not report the others if a single architecture is set:
// [Decide] checks that one itself.
func (a answer) narrowedTo(p Placement, single arch.Arch) answer {
	if a.source == "" {
		return a
	}
	kept, dropped := p.Matchable(a.set)
	if single != "" {
		a.set = arch.NewSet(append(kept, a.set.Intersect(arch.NewSet(single))...)...)
		return a
	}
	if len(dropped) > 0 {
		a.problems = append(slices.Clip(a.problems), unmatchableStated(a, p, kept, dropped))
	}
	a.set = kept
	return a
}

// statedInConfig is the source name of facts from the configuration, or from a flag
// that overrides it.
const statedInConfig = "spec.cluster"

func unmatchableStated(a answer, p Placement, kept, dropped arch.Set) finding.Finding {
	f := finding.Finding{ID: finding.StatedUnmatchable, Severity: finding.Warning}
	f.Text = fmt.Sprintf("%s states that workload nodes have %s, but the workload placement of the CR%s matches no node of %s. "+
		"HCO does not count such nodes, so goldenarch counts only %s",
		a.source, a.set, p.aboutArchitectures(), dropped, kept)
	place := a.source
	if place == statedInConfig {
		place += " (or --workload-architectures)"
	}
	f.Do = fmt.Sprintf("remove %s from %s, or correct the placement", dropped, place)
	if len(kept) == 0 {
		f.Severity = finding.Error
		f.Text = fmt.Sprintf("%s states that workload nodes have %s, but the workload placement of the CR%s matches no node of these "+
			"architectures, so HCO sees no workload architecture",
			a.source, a.set, p.aboutArchitectures())
		f.Do = "correct one of them"
	}
	return f
}

// aboutArchitectures returns the placement's conditions on the architecture in
// brackets, after a blank. It returns "" if the placement has no such condition.
func (p Placement) aboutArchitectures() string {
	var list []string
	for _, key := range []string{archLabel, betaArchLabel} {
		if value, ok := p.NodeSelector[key]; ok {
			list = append(list, fmt.Sprintf("nodeSelector %s=%s", key, value))
		}
	}
	if required := p.required(); required != nil {
		for _, term := range required.NodeSelectorTerms {
			for _, e := range term.MatchExpressions {
				if e.Key == archLabel || e.Key == betaArchLabel {
					list = append(list, condition(e))
				}
			}
		}
	}
	if len(list) == 0 {
		return ""
	}
	return " (" + sources(list).String() + ")"
}

func condition(e corev1.NodeSelectorRequirement) string {
	if len(e.Values) == 0 {
		return fmt.Sprintf("%s %s", e.Key, e.Operator)
	}
	return fmt.Sprintf("%s %s [%s]", e.Key, e.Operator, strings.Join(e.Values, " "))
}
