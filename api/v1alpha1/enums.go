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

// Write corrects the CRs. Check changes nothing, and fails on what "goldenarch check"
// fails on: the function is a validator then.
const (
	ModeWrite Mode = "Write"
	ModeCheck Mode = "Check"
)

// Predefined names a table of built-in templates.
type Predefined string

// PredefinedAuto takes openshift for a CR in the namespace openshift-cnv, or
// without a namespace under a CNV release, else upstream.
const (
	PredefinedAuto      Predefined = "Auto"
	PredefinedUpstream  Predefined = "upstream"
	PredefinedOpenShift Predefined = "openshift"
	PredefinedNone      Predefined = "none"
)

// Existing says what becomes of a claim that a person wrote.
type Existing string

// Narrow keeps what the image proves and drops the rest, Replace writes all
// that the image has, Keep says what is wrong and writes nothing.
const (
	ExistingNarrow  Existing = "Narrow"
	ExistingReplace Existing = "Replace"
	ExistingKeep    Existing = "Keep"
)

// Unsupported says what becomes of a template that fits no workload node.
type Unsupported string

// Disable switches the template off, Fail is an error, Keep leaves it on.
const (
	UnsupportedDisable Unsupported = "Disable"
	UnsupportedFail    Unsupported = "Fail"
	UnsupportedKeep    Unsupported = "Keep"
)

// Unresolved says what becomes of a template whose image's platforms cannot
// be had.
type Unresolved string

// Fail is an error, Keep leaves the template as it is, with a warning.
const (
	UnresolvedFail Unresolved = "Fail"
	UnresolvedKeep Unresolved = "Keep"
)

// Gate says what becomes of enableMultiArchBootImageImport.
type Gate string

// Auto turns the gate on where there are two or more workload architectures,
// and never off; on plain Kubernetes it is Keep. Disable writes an explicit
// false, since removing the gate does not switch it off.
const (
	GateAuto    Gate = "Auto"
	GateEnable  Gate = "Enable"
	GateDisable Gate = "Disable"
	GateKeep    Gate = "Keep"
)

// Defaults says whether to write what HCO's webhook would add.
type Defaults string

// Keep leaves the CR short, Write writes what the webhook adds, so that Git
// and the live object do not differ.
const (
	DefaultsKeep  Defaults = "Keep"
	DefaultsWrite Defaults = "Write"
)

// ExpandMode says whether DataImportCrons and DataSources are emitted.
type ExpandMode string

// None emits nothing, Emit emits them beside the CR, TakeOver also disables
// the expanded templates in the CR.
const (
	ExpandNone     ExpandMode = "None"
	ExpandEmit     ExpandMode = "Emit"
	ExpandTakeOver ExpandMode = "TakeOver"
)

// ExpandDataSources says which DataSources are emitted.
type ExpandDataSources string

// All emits the one of each DataImportCron and the reference, Reference only the
// latter, None neither: CDI makes those of the crons.
const (
	DataSourcesAll       ExpandDataSources = "All"
	DataSourcesReference ExpandDataSources = "Reference"
	DataSourcesNone      ExpandDataSources = "None"
)

// Verify says how far an image's index is believed.
type Verify string

// VerifyHelp is the help of the flag.
const VerifyHelp = "how to verify an image's index: index (trust it), children (its manifests exist), config (their architecture is right)"

// Index believes it, Children also fetches the manifest of each platform, Config
// also reads which architecture the image of each platform has.
const (
	VerifyIndex    Verify = "index"
	VerifyChildren Verify = "children"
	VerifyConfig   Verify = "config"
)

// LockMode says how an ArchitectureLock is used.
type LockMode string

// Prefer takes the lock first and asks the registry for what it lacks,
// Require never asks, Ignore always asks.
const (
	LockPrefer  LockMode = "Prefer"
	LockRequire LockMode = "Require"
	LockIgnore  LockMode = "Ignore"
)
