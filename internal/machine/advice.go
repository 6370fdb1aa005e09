package machine

import (
	"fmt"
	"slices"

	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/manifest/object"
	"github.com/goldenarch/goldenarch/internal/operators/kubevirt"
	"github.com/goldenarch/goldenarch/internal/spelling"
	"github.com/goldenarch/goldenarch/internal/yaml/fieldpath"
)

// gatesField is where a KubeVirt CR has its feature gates.
const gatesField = "spec.configuration.developerConfiguration.featureGates"

// readGates notes where a KubeVirt CR misspells a feature gate that machines need: KubeVirt compares the names exactly.
func (k *Known) readGates(o object.Object) {
	k.misspelled = map[string]string{}
	for i, name := range k.config.FeatureGates {
		gate := spelling.Word(name, []string{kubevirt.MultiArchitectureGate, kubevirt.CrossArchitectureGate})
		if gate == "" || slices.Contains(k.config.FeatureGates, gate) {
			continue
		}
		field := fieldpath.Element(gatesField, i)
		place := fmt.Sprintf("%q in %s of %s", name, field, o.At)
		if o.At.File != "" {
			place += fmt.Sprintf(" (%s:%d)", o.At.File, o.Line(field))
		}
		k.misspelled[gate] = fmt.Sprintf("write %s for %s: KubeVirt compares the names of feature gates exactly", gate, place)
	}
}

// fixOfGate returns how to turn on the feature gate MultiArchitecture.
func (k *Known) fixOfGate() string {
	const upgrade = "upgrade to KubeVirt 1.8, or "
	switch {
	case k.misspelled[kubevirt.MultiArchitectureGate] != "":
		return k.misspelled[kubevirt.MultiArchitectureGate]
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
