package finding

// The lock.
const (
	LockMissing   ID = "GA601"
	LockDisagrees ID = "GA602"
	LockInvalid   ID = "GA603"
	LockNotRead   ID = "GA604"
)

// Files that the verb fix edits.
const (
	EditUnsafe       ID = "GA800"
	EditShared       ID = "GA801"
	EditNoPlace      ID = "GA802"
	EditNewObjects   ID = "GA803"
	EditFile         ID = "GA804"
	EditsInterrupted ID = "GA805"
	JournalRefused   ID = "GA815"
	JournalOld       ID = "GA816"
	NoJournalPlace   ID = "GA817"
	EditUnknown      ID = "GA823"
	UndoNotRecorded  ID = "GA824"
	PatchStale       ID = "GA806"
	PatchHides       ID = "GA807"
	PatchUnfit       ID = "GA808"
)

// What the verb customize changes.
const (
	CustomizeUnknown   ID = "GA840"
	CustomizeUncertain ID = "GA841"
	CustomizeWhichCR   ID = "GA842"
	Customized         ID = "GA843"
	CustomizeDisabled  ID = "GA844"
)

// What the verb init sees.
const (
	InitNodesUnknown ID = "GA845"
	InitConflict     ID = "GA846"
	InitArgoCD       ID = "GA847"
)

// Repositories with many clusters.
const (
	FleetInvalid    ID = "GA810"
	FleetUnmatched  ID = "GA811"
	OutsideClusters ID = "GA812"
	ClusterUnseen   ID = "GA813"
	FleetOverruled  ID = "GA814"
	ApplicationsCut ID = "GA850"
)

// What a check says of the files as they are committed, and of what it did not look at.
const (
	GateAsCommitted     ID = "GA860"
	DiffersAsCommitted  ID = "GA861"
	EmittedNotCommitted ID = "GA862"
	FunctionDoesNotRun  ID = "GA863"
	ClustersMissing     ID = "GA864"
	Undecodable         ID = "GA865"
	Excluded            ID = "GA866"
	MachinesUnchecked   ID = "GA867"
	PodsUnchecked       ID = "GA868"
)

// PlaceInvalid is about a CR that is a part of a file.
const PlaceInvalid ID = "GA851"

// Inputs that the operator does not trust.
const (
	SettingUntrusted ID = "GA852"
	FactsUntrusted   ID = "GA853"
	LockUntrusted    ID = "GA854"
	PolicyDiffers    ID = "GA855"
	HiddenUntrusted  ID = "GA856"
	PolicyUnreadable ID = "GA857"
)

// titlesOfFiles has a short description of each of these ids.
var titlesOfFiles = map[ID]string{
	LockMissing:         "an image is not in the lock",
	LockDisagrees:       "two locks disagree",
	LockInvalid:         "the lock is invalid",
	LockNotRead:         "nothing reads the lock",
	EditUnsafe:          "a file cannot be edited safely",
	EditShared:          "several overlays share a file",
	EditNoPlace:         "no file holds what must change",
	EditNewObjects:      "objects have no file",
	EditFile:            "a file cannot be replaced",
	EditsInterrupted:    "an earlier run was interrupted",
	JournalRefused:      "goldenarch does not use a journal",
	JournalOld:          "a file has the name of an old journal",
	NoJournalPlace:      "there is no place for the journal",
	EditUnknown:         "others may build a file",
	UndoNotRecorded:     "nothing says who wrote a value",
	PatchStale:          "a patch of goldenarch is not what fix would write",
	PatchHides:          "a patch of goldenarch hides what the base has",
	PatchUnfit:          "a patch of goldenarch no longer fits the base",
	CustomizeUnknown:    "there is no template of this name",
	CustomizeUncertain:  "goldenarch does not know what a predefined template has",
	CustomizeWhichCR:    "the input has several CRs",
	Customized:          "a template imports another image",
	CustomizeDisabled:   "the customized template is disabled",
	InitNodesUnknown:    "init does not know the nodes",
	InitConflict:        "init cannot set goldenarch up",
	InitArgoCD:          "Argo CD needs the plugin for this directory",
	FleetInvalid:        "the Fleet is not valid",
	FleetUnmatched:      "an entry of the Fleet matches no cluster",
	OutsideClusters:     "a file belongs to no cluster",
	ClusterUnseen:       "goldenarch cannot look into a kustomization",
	GateAsCommitted:     "the committed CR leaves the multi-arch gate off",
	DiffersAsCommitted:  "the operators do something else with the committed CR than with the rendered one",
	EmittedNotCommitted: "an emitted object is not committed",
	FunctionDoesNotRun:  "a listed function does not run on the way to the cluster",
	ClustersMissing:     "the repository has another number of clusters",
	Undecodable:         "a file that may hold a CR cannot be decoded",
	Excluded:            "an exclusion hides what may be a CR",
	MachinesUnchecked:   "virtual machines are not checked",
	PodsUnchecked:       "pods or bundles are not checked",
	PlaceInvalid:        "a file has no CR at the place of --cr-path",
	ApplicationsCut:     "an ApplicationSet has too many Applications to follow",
	SettingUntrusted:    "a setting of the checked commit has no effect",
	FactsUntrusted:      "the facts of the cluster come from the checked commit",
	LockUntrusted:       "answers about images come from the checked commit",
	PolicyDiffers:       "the checked commit states something else than the policy",
	HiddenUntrusted:     "the checked commit hides a CR",
	PolicyUnreadable:    "the policy cannot be read",
	FleetOverruled:      "a cluster states something else than the Fleet",
}
