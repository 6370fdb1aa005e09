package pipeline

import (
	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
)

// liveGateOn reports whether a live CR among the objects has the multi-arch gate
// on: a dump that is marked as local configuration.
func liveGateOn(list []object, release v1alpha1.Release) bool {
	for _, o := range list {
		if isCR(o) || !hyperconverged.Is(o.at.APIVersion, o.at.Kind) {
			continue
		}
		data, err := o.json()
		if err != nil {
			continue
		}
		live, _ := hyperconverged.Parse(data)
		if live == nil || !live.Dump {
			continue
		}
		if on := live.GateAt(release); on != nil && *on {
			return true
		}
	}
	return false
}

// gateOn reports whether the live CR has the multi-arch gate on.
func (l *liveCR) gateOn() bool {
	if l == nil {
		return false
	}
	on := l.CR.GateAt(l.release())
	return on != nil && *on
}
