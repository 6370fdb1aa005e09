package pipeline

import (
	"github.com/goldenarch/goldenarch/internal/finding"
)

// onlySSP reports that an input without a HyperConverged has an SSP CR, which the
// function does not change.
func onlySSP() finding.Finding {
	return finding.Finding{
		ID: finding.NoCR, Severity: finding.Info,
		Text: "the input has an SSP CR and no HyperConverged CR: render changes nothing, and check predicts what SSP and CDI do",
		Do:   "if the cluster runs HCO, pass the HyperConverged: HCO writes the SSP CR",
	}
}
