package v1alpha1

// Platform is the kind of cluster.
type Platform string

// HCO makes golden images on OpenShift only, because SSP exists only there
// (hco operandHandler.go).
const (
	OpenShift  Platform = "openshift"
	Kubernetes Platform = "kubernetes"
)

// Mode says whether a run writes.
type Mode string

// Write corrects the CRs. Check changes nothing and fails where "goldenarch check"
// fails, so that the function is a validator.
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

// PredefinedAuto uses openshift for a CR in the namespace openshift-cnv, or for a CR
// without a namespace if the release is a CNV release. Otherwise it uses upstream.
const (
	PredefinedAuto      Predefined = "Auto"
	PredefinedUpstream  Predefined = "upstream"
	PredefinedOpenShift Predefined = "openshift"
	PredefinedNone      Predefined = "none"
)

// Existing says what goldenarch does with declared architectures that a user wrote.
type Existing string

// Narrow keeps the architectures that the image has and removes the rest. Replace
// writes all architectures of the image. Keep reports the problem and writes nothing.
const (
	ExistingNarrow  Existing = "Narrow"
	ExistingReplace Existing = "Replace"
	ExistingKeep    Existing = "Keep"
)

// Unsupported says what goldenarch does with a template that fits no workload node.
type Unsupported string

// Disable switches the template off. Fail reports an error. Keep leaves the template
// on.
const (
	UnsupportedDisable Unsupported = "Disable"
	UnsupportedFail    Unsupported = "Fail"
	UnsupportedKeep    Unsupported = "Keep"
)

// Unresolved says what goldenarch does with a template if it cannot find out which
// platforms the image has.
type Unresolved string

// Fail reports an error. Keep leaves the template unchanged, with a warning.
const (
	UnresolvedFail Unresolved = "Fail"
	UnresolvedKeep Unresolved = "Keep"
)

// Gate says what goldenarch does with enableMultiArchBootImageImport.
type Gate string

// Auto turns the gate on where the cluster has two or more workload architectures, and
// never turns it off. On plain Kubernetes it does the same as Keep. Disable writes an
// explicit false, since removing the gate does not switch it off.
const (
	GateAuto    Gate = "Auto"
	GateEnable  Gate = "Enable"
	GateDisable Gate = "Disable"
	GateKeep    Gate = "Keep"
)

// Defaults says whether goldenarch writes what HCO's webhook would add.
type Defaults string

// Keep leaves the CR short. Write writes what the webhook adds, so that Git and the
// live object do not differ.
const (
	DefaultsKeep  Defaults = "Keep"
	DefaultsWrite Defaults = "Write"
)

// ExpandMode says whether goldenarch emits DataImportCrons and DataSources.
type ExpandMode string

// None emits nothing. Emit emits them beside the CR. TakeOver also disables the
// expanded templates in the CR.
const (
	ExpandNone     ExpandMode = "None"
	ExpandEmit     ExpandMode = "Emit"
	ExpandTakeOver ExpandMode = "TakeOver"
)

// ExpandDataSources says which DataSources goldenarch emits.
type ExpandDataSources string

// All emits the DataSource of each DataImportCron and the default DataSource. Reference
// emits only the latter. None emits neither: CDI creates the DataSources of the crons.
const (
	DataSourcesAll       ExpandDataSources = "All"
	DataSourcesReference ExpandDataSources = "Reference"
	DataSourcesNone      ExpandDataSources = "None"
)

// Verify says how much of an image's index goldenarch verifies.
type Verify string

// VerifyHelp is the help of the flag.
const VerifyHelp = "how to verify an image's index: index (trust it), children (its manifests exist), config (their architecture is right)"

// Index trusts the index. Children also fetches the manifest of each platform. Config
// also reads which architecture the image of each platform has.
const (
	VerifyIndex    Verify = "index"
	VerifyChildren Verify = "children"
	VerifyConfig   Verify = "config"
)

// LockMode says how goldenarch uses an ArchitectureLock.
type LockMode string

// Prefer reads the lock first and queries the registry for images that are not in the
// lock. Require never queries a registry. Ignore always does.
const (
	LockPrefer  LockMode = "Prefer"
	LockRequire LockMode = "Require"
	LockIgnore  LockMode = "Ignore"
)

// ManifestForm is the form in which files get to a cluster.
type ManifestForm string

// Committed files get there as they are. Rendered ones get there as goldenarch writes them.
const (
	FormCommitted ManifestForm = "committed"
	FormRendered  ManifestForm = "rendered"
)
