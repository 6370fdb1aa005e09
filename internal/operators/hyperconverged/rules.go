package hyperconverged

import "github.com/goldenarch/goldenarch/api/v1alpha1"

// Rule is what the operators of one release do and those of another do not.
type Rule struct {
	// What says what they do, and Source where in their code.
	What, Source string
	// Since is the minor number of the first HCO that comes with it. Each later HCO has it.
	Since int
}

// In reports whether the operators of a release do it. An undeclared release counts as the newest one.
func (r Rule) In(release v1alpha1.Release) bool { return release.Since(r.Since) }

// Surely reports whether a release is declared whose operators do it.
func (r Rule) Surely(release v1alpha1.Release) bool { return release.AtLeast(r.Since) }

// The rules that differ between the releases from 1.6 on. What KubeVirt does with a machine depends on KubeVirt's own version
// (package kubevirt), and the fields of the CR on the CRD of the release (package admission).
var (
	BindsAtOnce      = Rule{"a predefined template requests immediate binding", "hco assets/dataImportCronTemplates", 8}
	HasGate          = Rule{"the gate, declared architectures, and the alerts about them", "hco golden_images.go", 16}
	WarnsOfHighBurst = Rule{"the webhook warns of the tuning policy highBurst", "hco v1beta1_validator.go", 17}
	FillsKSM         = Rule{"the webhook fills in ksmConfiguration", "hco hyperConvergedMutator.go", 17}
	ServesV1         = Rule{"the API server has v1 of the CR", "hco config/crd", 18}
	SetsRetention    = Rule{"HCO sets retentionPolicy None and importsToKeep 1 where a template has none", "hco golden_images.go, hyperConvergedMutator.go", 18}
	// From here on no machine depends on the node on which virt-operator runs.
	WritesDefault = Rule{"HCO writes the default architecture into the KubeVirt CR", "hco controllers/handlers/kubevirt.go: getArchConfiguration", 18}
	PassesAccount = Rule{"SSP passes on serviceAccountName of a template, and never that of its DataVolume", "ssp go.mod: containerized-data-importer-api", 18}
	// In 1.18 it is an entry of spec.featureGates.
	GateIsField = Rule{"the gate of v1 is spec.workloadSources.enableMultiArchBootImageImport", "hco golden_images.go, mutator/fg_to_fields.go", 19}
	// Before, HCO works on v1beta1, and a warning about a feature gate ends the validation.
	WorksOnV1        = Rule{"HCO converts a v1beta1 CR to v1, and validates all of it", "hco api/v1beta1/conversion.go, webhooks/validator/validator.go", 19}
	IgnoresHighBurst = Rule{"HCO ignores the tuning policy highBurst", "hco api/v1beta1/conversion.go", 19}
	StatesDefault    = Rule{"status.nodeInfo has defaultWorkloadArchitecture", "hco nodeinfo.go", 19}
	// Of older releases the common templates of SSP and the content of the predefined templates can differ.
	IsExact          = Rule{"the prediction is compared with the operators' own answers in each field", "test/oracle", 19}
	FreesDataSources = Rule{"SSP removes the cleanup label of a DataSource that no cron fills", "ssp-operator#1883", 20}
)

// Rules returns all rules, the oldest first.
func Rules() []Rule {
	return []Rule{
		BindsAtOnce, HasGate, WarnsOfHighBurst, FillsKSM, ServesV1, SetsRetention, WritesDefault, PassesAccount, GateIsField, WorksOnV1,
		IgnoresHighBurst, StatesDefault, IsExact, FreesDataSources,
	}
}
