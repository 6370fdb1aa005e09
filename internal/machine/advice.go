package machine

import (
	"fmt"
	"slices"
	"strings"

	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/fieldpath"
	"github.com/goldenarch/goldenarch/internal/object"
	"github.com/goldenarch/goldenarch/internal/operators/kubevirt"
)

// gatesField is where a KubeVirt CR has its feature gates.
const gatesField = "spec.configuration.developerConfiguration.featureGates"

// readGate notes where a KubeVirt CR misspells the feature gate MultiArchitecture: KubeVirt compares
// the names exactly.
func (k *Known) readGate(o object.Object) {
	k.gate = ""
	for i, name := range k.config.FeatureGates {
		if name != kubevirt.MultiArchitectureGate && strings.EqualFold(name, kubevirt.MultiArchitectureGate) && !k.config.MultiArchitecture {
			field := fieldpath.Element(gatesField, i)
			k.gate = fmt.Sprintf("%q in %s of %s", name, field, o.At)
			if o.At.File != "" {
				k.gate += fmt.Sprintf(" (%s:%d)", o.At.File, o.Line(field))
			}
		}
	}
}

// fixOfGate returns how to turn on the feature gate MultiArchitecture.
func (k *Known) fixOfGate() string {
	const upgrade = "upgrade to KubeVirt 1.8, or "
	switch {
	case k.gate != "":
		return fmt.Sprintf("write %s for %s: KubeVirt compares the names of feature gates exactly", kubevirt.MultiArchitectureGate, k.gate)
	case k.Facts != nil && !k.Stated && k.Facts.Source.Kind == "HyperConverged":
		return upgrade + "turn on the multi-arch gate of the HyperConverged CR"
	case k.config != nil:
		return upgrade + "add MultiArchitecture to " + gatesField + " of the KubeVirt CR"
	default:
		return upgrade + "turn on its feature gate MultiArchitecture"
	}
}

// hasNodes reports whether nodes of an architecture may run machines, as far as anything is known
// about the nodes. What no node has is no advice.
func (k *Known) hasNodes(a arch.Arch) bool {
	if w := k.workload(); len(w) > 0 && !w.Contains(a) {
		return false
	}
	if all := k.Nodes.All(); len(all) > 0 {
		return all.Contains(a)
	}
	return true
}

// lacking returns those of some architectures that no node has.
func (k *Known) lacking(set arch.Set) arch.Set {
	return slices.DeleteFunc(slices.Clone(set), k.hasNodes)
}
