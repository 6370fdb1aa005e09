package v1alpha1

// Platform is the kind of cluster.
type Platform string

// On plain kubernetes HCO makes no golden images, because there is no SSP.
const (
	OpenShift  Platform = "openshift"
	Kubernetes Platform = "kubernetes"
)

// Mode says whether a run writes.
type Mode string

// Check makes the function a validator.
const (
	ModeWrite Mode = "Write"
	ModeCheck Mode = "Check"
)

// FindingSeverity is the severity that a configuration gives the findings of an id.
type FindingSeverity string

// Ignore omits the findings, and counts them in the summary of a check.
const (
	SeverityIgnore  FindingSeverity = "Ignore"
	SeverityInfo    FindingSeverity = "Info"
	SeverityWarning FindingSeverity = "Warning"
	SeverityError   FindingSeverity = "Error"
)

// Predefined names a table of built-in templates.
type Predefined string

// Auto is openshift for a CR in the namespace openshift-cnv, or for a CR without a namespace
// if the release is one of CNV, else upstream.
const (
	PredefinedAuto      Predefined = "Auto"
	PredefinedUpstream  Predefined = "upstream"
	PredefinedOpenShift Predefined = "openshift"
	PredefinedNone      Predefined = "none"
)

// Existing says what goldenarch does with declared architectures that a user wrote.
type Existing string

// Narrow keeps those that the image has. Replace writes all that the image has. Keep only
// reports what is wrong.
const (
	ExistingNarrow  Existing = "Narrow"
	ExistingReplace Existing = "Replace"
	ExistingKeep    Existing = "Keep"
)

// Unsupported says what goldenarch does with a template that fits no workload node.
type Unsupported string

// Disable disables it. Fail is an error. Keep leaves it on, and accepts HCO's alert about it.
const (
	UnsupportedDisable Unsupported = "Disable"
	UnsupportedFail    Unsupported = "Fail"
	UnsupportedKeep    Unsupported = "Keep"
)

// Unresolved says what goldenarch does with a template if it cannot find out which
// platforms the image has.
type Unresolved string

// Fail is an error. Keep leaves it as it is with a warning, and accepts HCO's alert that it declares
// nothing.
const (
	UnresolvedFail Unresolved = "Fail"
	UnresolvedKeep Unresolved = "Keep"
)

// Gate says what goldenarch does with enableMultiArchBootImageImport.
type Gate string

// Auto turns it on for two or more workload architectures, but keeps an explicit false of a
// person.
const (
	GateAuto    Gate = "Auto"
	GateEnable  Gate = "Enable"
	GateDisable Gate = "Disable"
	GateKeep    Gate = "Keep"
)

// Defaults says whether goldenarch writes what HCO's webhook would add.
type Defaults string

// Write adds it, so that Git and the live object do not differ.
const (
	DefaultsKeep  Defaults = "Keep"
	DefaultsWrite Defaults = "Write"
)

// ExpandMode says whether goldenarch emits DataImportCrons and DataSources.
type ExpandMode string

// Emit emits them beside the CR. TakeOver also disables the expanded templates in it.
const (
	ExpandNone     ExpandMode = "None"
	ExpandEmit     ExpandMode = "Emit"
	ExpandTakeOver ExpandMode = "TakeOver"
)

// ExpandDataSources says which DataSources goldenarch emits.
type ExpandDataSources string

// All emits that of each DataImportCron and the reference, Reference only the reference.
const (
	DataSourcesAll       ExpandDataSources = "All"
	DataSourcesReference ExpandDataSources = "Reference"
	DataSourcesNone      ExpandDataSources = "None"
)

// Verify says how much of an image's index goldenarch verifies.
type Verify string

// VerifyHelp is the help of the flag.
const VerifyHelp = "how to verify an image's index: index (trust it), children (its manifests exist), config (their architecture is right)"

// Index trusts it. Children checks that the manifest of each platform exists. Config also
// checks the architecture of each image.
const (
	VerifyIndex    Verify = "index"
	VerifyChildren Verify = "children"
	VerifyConfig   Verify = "config"
)

// LockMode says how goldenarch uses an ArchitectureLock.
type LockMode string

// Prefer queries the registry for images that are not in the lock. Require never queries a
// registry. Ignore always does.
const (
	LockPrefer  LockMode = "Prefer"
	LockRequire LockMode = "Require"
	LockIgnore  LockMode = "Ignore"
)

// ManifestForm is the form in which files get to a cluster.
type ManifestForm string

// Committed files get there as they are, rendered ones as goldenarch writes them.
const (
	FormCommitted ManifestForm = "committed"
	FormRendered  ManifestForm = "rendered"
)
