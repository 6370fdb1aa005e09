package cluster

import (
	"fmt"

	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/finding"
)

// sspArchitectures are the only architectures that SSP knows (ssp-operator
// internal/architecture/architecture.go).
var sspArchitectures = arch.NewSet(arch.AMD64, arch.ARM64, arch.S390X)

// Refused reports architectures that make SSP refuse the whole SSP CR, so that SSP
// creates and updates no golden image. Call it for OpenShift only, where SSP runs.
func Refused(a Architectures) finding.List {
	var found finding.List
	for _, one := range a.SSP() {
		if sspArchitectures.Contains(one) {
			continue
		}
		do := "exclude these nodes from the workload placement"
		if a.ControlPlane.Contains(one) {
			do = "move the control plane to other nodes: a placement does not exclude it"
		}
		found = append(found, finding.Finding{
			ID: finding.ArchitectureRefused, Severity: finding.Warning, Do: do,
			Text: fmt.Sprintf("SSP supports only %s and refuses a cluster with %s nodes: it creates and updates no golden image", sspArchitectures, one),
		})
	}
	return found
}
