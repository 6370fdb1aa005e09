package admission

import (
	"fmt"
	"slices"
	"strings"

	"github.com/goldenarch/goldenarch/internal/near"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
)

// highBurst is a tuning policy that HCO no longer supports.
const highBurst = "highBurst"

// warnPolicy warns about the tuning policy in v1beta1. In v1 the mutating webhook has
// removed it.
func (r request) warnPolicy() []string {
	if r.version == hyperconverged.V1beta1 && text(r.spec(), "tuningPolicy") == highBurst && r.release.Since(firstGate) {
		return []string{"spec.tuningPolicy: the highBurst profile is deprecated as of v1.16.0 and will be removed in a future release"}
	}
	return nil
}

// The feature gates of v1, by HCO's message about them. HCO does not know a name that is in
// neither list (hco featuregatedetails/feature-gates.json).
var (
	deprecatedGates = []string{"disableMDevConfiguration", "persistentReservation", hyperconverged.GateName}
	currentGates    = []string{
		"alignCPUs", "containerPathVolumes", "decentralizedLiveMigration", "declarativeHotplugVolumes", "deployKubeSecondaryDNS",
		"downwardMetrics", "incrementalBackup", "objectGraph", "template", "videoConfig",
	}
)

// The list of v1 in HCO 1.18 (hco pkg/featuregatedetails, validator.go: movedFGs).
var (
	currentGates118 = []string{
		"alignCPUs", "containerPathVolumes", "decentralizedLiveMigration", "declarativeHotplugVolumes", "deployKubeSecondaryDNS", "disableMDevConfiguration",
		"downwardMetrics", hyperconverged.GateName, "incrementalBackup", "objectGraph", "persistentReservation", "videoConfig",
	}
	deprecatedGates118 = []string{
		"autoResourceLimits", "deployKubevirtIpamController", "deployTektonTaskResources", "enableManagedTenantQuota", "nonRoot",
		"primaryUserDefinedNetworkBinding", "withHostPassthroughCPU",
	}
	movedGates118 = map[string]string{
		"enableApplicationAwareQuota": "spec.enableApplicationAwareQuota", "enableCommonBootImageImport": "spec.enableCommonBootImageImport",
		"deployVmConsoleProxy": "spec.deployVmConsoleProxy",
	}
)

// ignoredGates are the feature gates of v1beta1 that HCO ignores, in the order of its
// warnings. A moved gate is now a field of spec (hco v1beta1_validator.go).
var ignoredGates = []struct {
	name  string
	moved bool
}{
	{name: "withHostPassthroughCPU"},
	{name: "deployTektonTaskResources"},
	{name: "nonRoot"},
	{name: "enableManagedTenantQuota"},
	{name: "enableApplicationAwareQuota", moved: true},
	{name: "enableCommonBootImageImport", moved: true},
	{name: "deployVmConsoleProxy", moved: true},
}

func (r request) warnFeatureGates(cr *hyperconverged.CR) []string {
	if r.version == hyperconverged.V1 {
		return r.warnListed(cr)
	}
	var warnings []string
	for _, gate := range ignoredGates {
		switch path := "spec.featureGates." + gate.name; {
		case r.spec("featureGates", gate.name) == nil:
		case gate.moved:
			warnings = append(warnings, fmt.Sprintf("%s is deprecated and ignored. It will removed in a future version; use spec.%s instead", path, gate.name))
		default:
			warnings = append(warnings, path+" is deprecated and ignored. It will be removed in a future version;")
		}
	}
	if cr.Gate.Field != nil && r.release.Since(firstField) {
		warnings = append(warnings,
			fmt.Sprintf("spec.featureGates.%[1]s is deprecated. Use spec.workloadSources.%[1]s in the v1 API instead; it will be removed in a future version.",
				hyperconverged.GateName))
	}
	return warnings
}

// NearFeatureGate returns the feature gate of v1 whose name is nearest to name; "" if no
// gate is near.
func NearFeatureGate(name string) string {
	return near.Word(name, slices.Concat(currentGates, deprecatedGates))
}

// warnListed warns about the entries of the v1 list, once for each name, as written. HCO's
// own order is random; goldenarch uses the order of the list. HCO 1.18 compares names
// case-sensitively, and has a list of its own.
func (r request) warnListed(cr *hyperconverged.CR) []string {
	if !r.release.Since(firstField) {
		return warnListed118(cr)
	}
	var warnings, seen []string
	for _, gate := range cr.FeatureGates {
		is := func(name string) bool { return strings.EqualFold(name, gate.Name) }
		switch {
		case slices.Contains(seen, gate.Name), slices.ContainsFunc(currentGates, is):
		case slices.ContainsFunc(deprecatedGates, is):
			warnings = append(warnings, fmt.Sprintf("the %s featureGate is deprecated and will be removed in a future release.", gate.Name))
		default:
			warnings = append(warnings, fmt.Sprintf("the %s featureGate is unknown and ignored.", gate.Name))
		}
		seen = append(seen, gate.Name)
	}
	return warnings
}

// warnListed118 warns as the webhook of HCO 1.18 does.
func warnListed118(cr *hyperconverged.CR) []string {
	var warnings, seen []string
	for _, gate := range cr.FeatureGates {
		name := gate.Name
		switch {
		case slices.Contains(seen, name), slices.Contains(currentGates118, name):
		case movedGates118[name] != "":
			warnings = append(warnings, fmt.Sprintf("the %s featureGate is deprecated and ignored. use %s field instead", name, movedGates118[name]))
		case slices.Contains(deprecatedGates118, name):
			warnings = append(warnings, fmt.Sprintf("the %s featureGate deprecated and ignored.", name))
		default:
			warnings = append(warnings, fmt.Sprintf("the %s featureGate is unknown and ignored.", name))
		}
		seen = append(seen, name)
	}
	return warnings
}
