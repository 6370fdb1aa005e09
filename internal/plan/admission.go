package plan

import (
	"fmt"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
	"github.com/goldenarch/goldenarch/internal/settings"
)

// checkRelease reports an API version that the release does not serve.
func checkRelease(s Subject, release v1alpha1.Release) finding.List {
	if s.CR.Version != hyperconverged.V1 || release.Since(firstV1) {
		return nil
	}
	return finding.List{{
		ID: finding.ReleaseUnserved, Severity: finding.Error, Field: "apiVersion", Current: hyperconverged.Group + "/v1",
		Text: fmt.Sprintf("HCO %s does not serve %s/v1", s.Spec.Release, hyperconverged.Group),
		Do:   "use apiVersion " + hyperconverged.Group + "/v1beta1, or correct spec.release",
	}}
}

// checkKeptGate reports what HCO's mutating webhook refuses about a gate that goldenarch
// leaves as it is (hco hyperConvergedMutator.go, from 1.19 on).
func checkKeptGate(s Subject, release v1alpha1.Release) finding.List {
	gate := s.CR.Gate
	if s.CR.Version != hyperconverged.V1 || release.Minor() == firstV1 {
		return nil
	}
	field := s.CR.Version.Paths().FeatureGates.String()
	switch {
	case gate.Contradicts():
		return finding.List{{
			ID: finding.GateContradicts, Severity: finding.Error, Field: field,
			Text: fmt.Sprintf("the deprecated feature gate %s and the field spec.workloadSources.%s contradict each other: HCO refuses the CR",
				hyperconverged.GateName, hyperconverged.GateName),
			Do: "remove the feature gate",
		}}
	case gate.List != nil && gate.Field == nil && !s.CR.HasWorkloadSources && release.AtLeast(firstField):
		return finding.List{{
			ID: finding.GateUnpatchable, Severity: finding.Error, Field: field,
			Text: "HCO moves the feature gate to spec.workloadSources, which the CR does not have: HCO's patch fails, and the API server rejects the CR",
			Do:   fmt.Sprintf("set spec.workloadSources.%s instead of the feature gate", hyperconverged.GateName),
		}}
	default:
		return nil
	}
}

// decideDefaults decides which of the webhook's defaults to write.
func decideDefaults(spec *settings.Settings) (Defaults, finding.List) {
	if spec.Defaults != v1alpha1.DefaultsWrite {
		return Defaults{}, nil
	}
	release := spec.Release
	if !release.Declared() {
		return Defaults{}, finding.List{{
			ID: finding.ReleaseNeeded, Severity: finding.Error,
			Text: "spec.defaults is Write, and the release is not declared: HCO's webhook adds retentionPolicy and importsToKeep only in 1.18 and later",
			Do:   `declare it: spec.release: "1.19" (or the release of OpenShift Virtualization, "4.23")`,
		}}
	}
	return Defaults{Bind: true, Retention: release.AtLeast(18)}, nil
}
