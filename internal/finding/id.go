package finding

import "sync"

// ID identifies a kind of finding. An id never changes its meaning; a new meaning gets
// a new id. Each has an anchor in docs/findings.md.
type ID string

// publicID is an id that users see: of one kind of findings, or of several that have one cause or one cure for the user.
type publicID struct {
	// id is the lowest of its kinds, and class is that of its own kind.
	id    ID
	class class
	// title is a short description.
	title string
	// kinds are the others.
	kinds kinds
}

// kinds are kinds of findings by their classes: an error that leaves no answer stays one.
type kinds map[class][]ID

// class says what an exception may do with the findings of an id.
type class string

// The classes. Each finding may be raised.
const (
	// advisory is never an error by itself, so that any exception may lower it.
	advisory class = "advisory"
	// lowerable is a judgment about something that goldenarch knows. Whoever knows better may
	// lower it, also where it is an error.
	lowerable class = "lowerable"
	// errorStays is a finding whose error leaves no answer, or no output: an image is unknown,
	// or a template undecided. Its warnings and infos may be lowered.
	errorStays class = "error stays"
	// never is a finding without which there is nothing to judge: nothing was read, the
	// configuration is invalid, or a file was not written.
	never class = "never"
)

// kind is a kind of findings.
type kind struct {
	publicID

	class class
}

// byID has each kind of findings.
var byID = sync.OnceValue(func() map[ID]kind {
	out := map[ID]kind{}
	for _, e := range table() {
		out[e.id] = kind{e, e.class}
		for class, ids := range e.kinds {
			for _, id := range ids {
				out[id] = kind{e, class}
			}
		}
	}
	return out
})

// Public returns the id that users see.
func (id ID) Public() ID {
	if k, ok := byID()[id]; ok {
		return k.id
	}
	return id
}

// Title returns a short description of an id, or "" for an unknown id.
func (id ID) Title() string { return byID()[id].title }

// IDs returns every id that users see, sorted, as a text.
func IDs() []string {
	var out []string
	for _, e := range table() {
		out = append(out, string(e.id))
	}
	return out
}

// class returns what an exception may do with the findings of a kind; "" for an unknown one.
func (id ID) class() class { return byID()[id].class }

// lowering returns what an exception may do with the findings of an id that users see. Where the kinds differ, it may lower
// those that are no errors; an error that leaves no answer stays one ([mayLower]).
func (id ID) lowering() class {
	e := byID()[id].publicID
	_, has := e.kinds[lowerable]
	_, alike := e.kinds[e.class]
	switch {
	case e.class == lowerable || has:
		return lowerable
	case len(e.kinds) == 0 || alike && len(e.kinds) == 1:
		return e.class
	default:
		return errorStays
	}
}

// Input and configuration.
const (
	Unreadable    ID = "GA001"
	Templated     ID = "GA002"
	NoCR          ID = "GA003"
	Duplicate     ID = "GA004"
	ConfigInvalid ID = "GA005"
	DuplicateKey  ID = "GA007"
	NodeInPackage ID = "GA008"
	NodeLeftOut   ID = "GA012"
	NodesInvalid  ID = "GA013"
	KustomizeOld  ID = "GA016"
	KindSimilar   ID = "GA009"
)

// Templates and their declared architectures.
const (
	ClaimMalformed    ID = "GA101"
	ClaimUnknown      ID = "GA102"
	ClaimEmpty        ID = "GA103"
	ClaimNarrowed     ID = "GA104"
	ClaimWrong        ID = "GA105"
	ClaimIgnored      ID = "GA106"
	ClaimAdded        ID = "GA107"
	OtherSource       ID = "GA108"
	TemplateDisabled  ID = "GA109"
	TemplateEnabled   ID = "GA110"
	Unsupported       ID = "GA111"
	SharedDataSource  ID = "GA112"
	LabelsIgnored     ID = "GA113"
	PredefinedUnknown ID = "GA114"
	TemplateDropped   ID = "GA115"
	ClaimReplaced     ID = "GA116"
	PredefinedLacks   ID = "GA117"
	NotAsRendered     ID = "GA118"
	ConfigUnlisted    ID = "GA119"
	LiveDiffers       ID = "GA120"
	LiveInvalid       ID = "GA121"
	LiveOther         ID = "GA122"
	ImageLacks        ID = "GA125"
	DeclaredOmit      ID = "GA126"
	ImportFails       ID = "GA130"
	DeclaredStale     ID = "GA131"
	PlatformPreset    ID = "GA133"
)

// Images.
const (
	Unresolved        ID = "GA201"
	SourceNotQueried  ID = "GA202"
	NoImageStream     ID = "GA203"
	ImageStreamLegacy ID = "GA204"
	ReferenceInvalid  ID = "GA205"
	OverrideUnused    ID = "GA206"
	MirrorDiffers     ID = "GA207"
	MirrorUnavailable ID = "GA208"
	MirrorInvalid     ID = "GA209"
	MirrorNotForCDI   ID = "GA210"
	SecretMissing     ID = "GA211"
	SecretUnreadable  ID = "GA212"
	AuthorityMissing  ID = "GA213"
	AuthorityInvalid  ID = "GA214"
	RateLimitLow      ID = "GA215"
	EntryIgnored      ID = "GA219"
	BootcImage        ID = "GA220"
	LoginNotForCDI    ID = "GA221"
	PlainNotForCDI    ID = "GA222"
	PlatformAbsent    ID = "GA869"
	MirrorBelieved    ID = "GA870"
)

// The cluster.
const (
	NoNodeFacts         ID = "GA301"
	NodeFactsDisagree   ID = "GA302"
	PoolUndeclared      ID = "GA303"
	ArchitectureRefused ID = "GA304"
	NodeHint            ID = "GA305"
	NodeInvalid         ID = "GA306"
	SingleArchitecture  ID = "GA307"
	LivePlacement       ID = "GA308"
	ReleaseDiffers      ID = "GA309"
	StatedUnmatchable   ID = "GA310"
	DefaultUnknown      ID = "GA311"
	EmittedUnknown      ID = "GA312"
)

// The CR, what HCO refuses, and objects that deliver CRs to a cluster.
const (
	APIVersionUnknown    ID = "GA401"
	FieldMisplaced       ID = "GA402"
	NameDuplicate        ID = "GA403"
	EnableInvalid        ID = "GA404"
	SpecMissing          ID = "GA405"
	SourceMissing        ID = "GA406"
	AffinityInvalid      ID = "GA407"
	GateContradicts      ID = "GA408"
	ReleaseNeeded        ID = "GA409"
	NoGate               ID = "GA410"
	SchemaViolated       ID = "GA411"
	NameMissing          ID = "GA412"
	JSONPatch            ID = "GA413"
	DeadFeatureGate      ID = "GA414"
	GateUnpatchable      ID = "GA415"
	GateOn               ID = "GA416"
	NoGoldenImages       ID = "GA417"
	ReleaseUnserved      ID = "GA418"
	FeatureGateDuplicate ID = "GA419"
	DataSourceMissing    ID = "GA420"
	NameUnusual          ID = "GA421"
	Drift                ID = "GA422"
	KustomizeWarns       ID = "GA423"
	GateAlert            ID = "GA430"
	LiveGateOn           ID = "GA431"
	GateContested        ID = "GA871"
	FilledByFlux         ID = "GA872"
	ChangedByDelivery    ID = "GA874"
	ReleaseNewer         ID = "GA433"
	FieldOfOtherRelease  ID = "GA435"
	AnnotationMisspelled ID = "GA436"
	WebhookWarns         ID = "GA437"
	ServerFields         ID = "GA440"
	StatusKept           ID = "GA441"
	NamespaceUnusual     ID = "GA442"
	NameInvalid          ID = "GA443"
	CRUnread             ID = "GA830"
	MergedByACM          ID = "GA831"
	CreatedOnce          ID = "GA832"
	EmitWrapped          ID = "GA833"
	OnlyInforms          ID = "GA834"
)

// Emitted objects, and what CDI does with them.
const (
	CronRefused         ID = "GA501"
	CronBroken          ID = "GA502"
	CronDuplicate       ID = "GA503"
	TemplateNamespace   ID = "GA504"
	BundleReplaced      ID = "GA505"
	TemplateReplaced    ID = "GA506"
	EmitBesideSSP       ID = "GA507"
	NamespaceMissing    ID = "GA508"
	ReplacedAtEverySync ID = "GA509"
	NotExpanded         ID = "GA510"
	PlaceTaken          ID = "GA511"
	ItemRemoved         ID = "GA512"
	ReferenceUnfilled   ID = "GA513"
	CronLost            ID = "GA514"
	AlertFires          ID = "GA515"
	AdmissionRefuses    ID = "GA516"
	OperatorStops       ID = "GA517"
	EmittedDuplicate    ID = "GA518"
	SSPStops            ID = "GA519"
	PollerLacks         ID = "GA520"
)

// Locks, and files that the verbs fix, customize and init edit.
const (
	LockMissing        ID = "GA601"
	LockDisagrees      ID = "GA602"
	LockInvalid        ID = "GA603"
	LockNotRead        ID = "GA604"
	EditUnsafe         ID = "GA800"
	EditShared         ID = "GA801"
	EditNoPlace        ID = "GA802"
	EditNewObjects     ID = "GA803"
	EditFile           ID = "GA804"
	EditUnknown        ID = "GA823"
	PatchStale         ID = "GA806"
	PatchUnfit         ID = "GA808"
	CustomizeUnknown   ID = "GA840"
	CustomizeUncertain ID = "GA841"
	CustomizeWhichCR   ID = "GA842"
	Customized         ID = "GA843"
	CustomizeDisabled  ID = "GA844"
	InitNodesUnknown   ID = "GA845"
	InitConflict       ID = "GA846"
	InitArgoCD         ID = "GA847"
)

// Pods: their images and their node affinity.
const (
	PodUnconstrained    ID = "GA701"
	ConstraintTooWide   ID = "GA702"
	ConstraintNarrow    ID = "GA703"
	NoNodeFits          ID = "GA704"
	NoCommonArch        ID = "GA705"
	PodUnresolved       ID = "GA706"
	ArchLabelValue      ID = "GA707"
	BetaLabel           ID = "GA708"
	TermEmpty           ID = "GA709"
	TermsMissing        ID = "GA710"
	AffinityReplaced    ID = "GA711"
	AffinityErased      ID = "GA712"
	LabelNotKept        ID = "GA713"
	LabelMissing        ID = "GA714"
	LabelIgnored        ID = "GA715"
	CopiesDisagree      ID = "GA716"
	PodFixed            ID = "GA717"
	ManifestMissing     ID = "GA718"
	AffinityWritten     ID = "GA720"
	PodUnreadable       ID = "GA721"
	ImageOmitted        ID = "GA722"
	PodSkipped          ID = "GA723"
	NoPods              ID = "GA724"
	ConstraintReplaced  ID = "GA725"
	LabelWritten        ID = "GA727"
	WorkloadsAnnotation ID = "GA726"
	OperatorDisagrees   ID = "GA730"
	FeatureNeeded       ID = "GA731"
	OperatorUnknown     ID = "GA732"
	SelectorReplaced    ID = "GA733"
	BundleInvalid       ID = "GA734"
	OperandNotRelated   ID = "GA735"
	RequiredLacking     ID = "GA738"
	OperandUnrestricted ID = "GA739"
)

// Repositories with many clusters, what is checked in them, inputs that the operator does not trust, and exceptions.
const (
	FleetInvalid        ID = "GA810"
	FleetUnmatched      ID = "GA811"
	OutsideClusters     ID = "GA812"
	ClusterUnseen       ID = "GA813"
	FleetOverruled      ID = "GA814"
	RenderedDiffers     ID = "GA877"
	ApplicationsCut     ID = "GA850"
	PlaceInvalid        ID = "GA851"
	DiffersAsCommitted  ID = "GA861"
	EmittedNotCommitted ID = "GA862"
	FunctionDoesNotRun  ID = "GA863"
	ClustersMissing     ID = "GA864"
	Undecodable         ID = "GA865"
	Excluded            ID = "GA866"
	MachinesUnchecked   ID = "GA867"
	PodsUnchecked       ID = "GA868"
	SettingsApplied     ID = "GA873"
	SettingUntrusted    ID = "GA852"
	FactsUntrusted      ID = "GA853"
	LockUntrusted       ID = "GA854"
	PolicyDiffers       ID = "GA855"
	LeftOutLocal        ID = "GA856"
	PolicyUnreadable    ID = "GA857"
	ExceptionInvalid    ID = "GA875"
	ExceptionUnused     ID = "GA876"
)

// Virtual machines, the facts that a repository of machines has about a cluster, and plans.
const (
	MachineRefused         ID = "GA901"
	MachineNeverStarts     ID = "GA902"
	MachineDiskOther       ID = "GA903"
	MachineDiskMissing     ID = "GA904"
	MachineNoNode          ID = "GA905"
	MachineDepends         ID = "GA906"
	MachineRaces           ID = "GA907"
	MachineSelectorRemoved ID = "GA908"
	MachineUnknown         ID = "GA909"
	MachineUnread          ID = "GA910"
	FactsDisagree          ID = "GA912"
	FactsInvalid           ID = "GA913"
	PlanStorage            ID = "GA940"
	PlanStopped            ID = "GA941"
	PlanMachine            ID = "GA942"
	PlanClass              ID = "GA943"
	ImportStuck            ID = "GA944"
)

// table has each id that users see, in order. Few runs need it, so it is made when it is first needed.
var table = sync.OnceValue(func() []publicID {
	return []publicID{
		{Unreadable, never, "the input cannot be read", nil},
		{Templated, errorStays, "a templated file was skipped", nil},
		{NoCR, never, "there is no HyperConverged CR", nil},
		{Duplicate, never, "an object is a duplicate", nil},
		{ConfigInvalid, never, "the configuration is invalid", nil},
		{DuplicateKey, errorStays, "a key is a duplicate", nil},
		{NodeInPackage, advisory, "a Node would be applied to the cluster", nil},
		{KindSimilar, advisory, "a name looks like one that an operator or goldenarch reads", kinds{
			advisory: {AnnotationMisspelled, NamespaceUnusual},
			never:    {NameUnusual},
		}},
		{NodeLeftOut, advisory, "the input has what only a dump of a cluster has", kinds{advisory: {ServerFields, StatusKept}}},
		{NodesInvalid, never, "the file with the Nodes is not valid", nil},
		{KustomizeOld, advisory, "kustomize is older than 5.0", nil},
		{ClaimMalformed, advisory, "the declared architectures cannot be read", kinds{advisory: {ClaimUnknown}, never: {ClaimEmpty}}},
		{ClaimNarrowed, advisory, "a template, its image and the nodes do not agree on architectures", kinds{
			lowerable: {ClaimWrong, ImportFails},
			advisory:  {TemplateDisabled, ClaimReplaced, PredefinedLacks, ImageLacks, DeclaredOmit, DeclaredStale},
		}},
		{ClaimIgnored, advisory, "HCO ignores an annotation or a label of a template", kinds{advisory: {LabelsIgnored}}},
		{ClaimAdded, advisory, "what is committed is not what goldenarch renders", kinds{
			advisory:  {NotAsRendered, GateOn},
			lowerable: {DiffersAsCommitted, EmittedNotCommitted},
		}},
		{OtherSource, errorStays, "a predefined name with another kind of source", nil},
		{TemplateEnabled, advisory, "workload nodes can use a disabled template again", nil},
		{Unsupported, lowerable, "the template has no image for any workload node", nil},
		{SharedDataSource, advisory, "two templates make objects of one name", kinds{errorStays: {CronDuplicate, CronLost}}},
		{PredefinedUnknown, advisory, "something about the cluster is not stated", kinds{
			errorStays: {NoNodeFacts, ReleaseNeeded},
			advisory:   {NodeFactsDisagree, DefaultUnknown},
		}},
		{TemplateDropped, advisory, "HCO drops the template", nil},
		{ConfigUnlisted, advisory, "nothing reads a configuration or a lock", kinds{advisory: {LockNotRead}}},
		{LiveDiffers, advisory, "what the commit changes on the cluster", nil},
		{LiveInvalid, never, "the live CR does not fit the CR", kinds{advisory: {LiveOther, ReleaseDiffers}, errorStays: {LivePlacement}}},
		{PlatformPreset, lowerable, "the template names a platform of its own", nil},
		{Unresolved, errorStays, "the architectures of an image are unknown", kinds{errorStays: {SourceNotQueried, NoImageStream, PodUnresolved}}},
		{ImageStreamLegacy, errorStays, "the ImageStream keeps one architecture only", nil},
		{ReferenceInvalid, never, "the image reference is invalid", nil},
		{OverrideUnused, advisory, "an override matches nothing", nil},
		{MirrorDiffers, advisory, "a mirror does not serve what it should", kinds{
			advisory: {MirrorUnavailable, MirrorNotForCDI, MirrorBelieved},
			never:    {MirrorInvalid},
		}},
		{SecretMissing, advisory, "what is needed to reach a registry is missing or cannot be read", kinds{
			advisory: {SecretUnreadable, AuthorityMissing, AuthorityInvalid, PollerLacks, LoginNotForCDI, PlainNotForCDI},
		}},
		{RateLimitLow, advisory, "a registry has few pulls left", nil},
		{EntryIgnored, advisory, "CDI takes no image from an entry of an index", nil},
		{BootcImage, advisory, "an image is one for bootc, and no container disk", nil},
		{PoolUndeclared, errorStays, "a source of node facts does not state an architecture", kinds{advisory: {NodeHint}, errorStays: {NodeInvalid}}},
		{ArchitectureRefused, lowerable, "SSP refuses an architecture of the cluster", nil},
		{SingleArchitecture, errorStays, "no workload node has singleArchitecture", nil},
		{StatedUnmatchable, errorStays, "the workload placement rules out a stated architecture", nil},
		{EmittedUnknown, never, "goldenarch cannot emit an object", kinds{errorStays: {NotExpanded}, never: {EmitWrapped}}},
		{APIVersionUnknown, never, "the release does not serve the API version", kinds{never: {ReleaseUnserved}}},
		{FieldMisplaced, errorStays, "a field has no effect in this API version or release", kinds{
			advisory:  {DeadFeatureGate},
			lowerable: {FieldOfOtherRelease},
		}},
		{NameDuplicate, never, "the name of a template is missing, invalid or a duplicate", kinds{never: {NameMissing, NameInvalid}}},
		{EnableInvalid, never, "a template is not valid", kinds{never: {SpecMissing, AffinityInvalid, DataSourceMissing}, errorStays: {SourceMissing}}},
		{GateContradicts, never, "the multi-arch gate cannot be set", kinds{never: {NoGate, GateUnpatchable, FeatureGateDuplicate}}},
		{SchemaViolated, never, "the API server or HCO refuses the CR", kinds{lowerable: {AdmissionRefuses}}},
		{JSONPatch, lowerable, "a JSON patch changes what an operator gets", nil},
		{NoGoldenImages, advisory, "HCO makes no golden images here", nil},
		{Drift, advisory, "Argo CD may show the CR as OutOfSync", nil},
		{KustomizeWarns, advisory, "kustomize warns about a kustomization", nil},
		{GateAlert, lowerable, "the CR leaves the multi-arch gate off", nil},
		{LiveGateOn, errorStays, "the CR turns off a gate that the live CR has on", nil},
		{ReleaseNewer, errorStays, "the release is newer than the newest verified one", nil},
		{WebhookWarns, advisory, "HCO or its documentation warns about the CR", kinds{advisory: {GateContested}}},
		{CronRefused, errorStays, "CDI refuses or cannot import a DataImportCron", kinds{errorStays: {CronBroken}}},
		{TemplateNamespace, advisory, "a template has a namespace of its own", nil},
		{BundleReplaced, never, "SSP manages what goldenarch would emit", kinds{advisory: {TemplateReplaced, EmitBesideSSP}}},
		{NamespaceMissing, advisory, "nothing creates the golden images namespace", nil},
		{ReplacedAtEverySync, advisory, "Argo CD recreates the DataImportCrons at every sync", nil},
		{PlaceTaken, never, "an item of the input conflicts with an emitted one", kinds{advisory: {ItemRemoved}, errorStays: {EmittedDuplicate}}},
		{ReferenceUnfilled, advisory, "a default DataSource gets no image", nil},
		{AlertFires, lowerable, "an alert of HCO about templates fires", nil},
		{OperatorStops, lowerable, "an operator stops at the CR", kinds{lowerable: {SSPStops}}},
		{LockMissing, errorStays, "an image is not in the lock", nil},
		{LockDisagrees, never, "a lock is not valid, or two locks disagree", kinds{never: {LockInvalid}}},
		{PodUnconstrained, lowerable, "the constraints of a pod and its images do not agree", kinds{
			lowerable: {ConstraintTooWide, NoCommonArch},
			advisory:  {ConstraintNarrow},
		}},
		{NoNodeFits, lowerable, "no node meets a constraint of a pod", kinds{lowerable: {ArchLabelValue}, advisory: {TermEmpty}}},
		{BetaLabel, advisory, "a constraint uses a deprecated label", nil},
		{TermsMissing, errorStays, "Kubernetes does not accept the constraints of a pod", kinds{errorStays: {PodUnreadable}}},
		{AffinityReplaced, lowerable, "a Subscription replaces the constraints of the operator", kinds{lowerable: {AffinityErased, SelectorReplaced}}},
		{LabelNotKept, lowerable, "the labels of the ClusterServiceVersion and the operator do not agree", kinds{
			advisory:  {LabelMissing, LabelWritten},
			lowerable: {LabelIgnored},
		}},
		{CopiesDisagree, advisory, "the copies of a workload for each architecture overlap or leave a gap", nil},
		{PodFixed, advisory, "the API server refuses a change of the node affinity", nil},
		{ManifestMissing, errorStays, "the registry lacks a part of an image", kinds{errorStays: {PlatformAbsent}}},
		{AffinityWritten, advisory, "the node affinity is written", kinds{advisory: {ConstraintReplaced}}},
		{ImageOmitted, advisory, "an image or a pod does not count", kinds{advisory: {PodSkipped}}},
		{NoPods, errorStays, "there are no pods", nil},
		{WorkloadsAnnotation, never, "the annotation goldenarch.dev/workloads is not valid", nil},
		{OperatorDisagrees, advisory, "the architectures of an operator are not proved", kinds{advisory: {OperatorUnknown}}},
		{FeatureNeeded, advisory, "Knative needs a feature for what goldenarch writes", nil},
		{BundleInvalid, lowerable, "OLM does not accept the bundle", nil},
		{OperandNotRelated, advisory, "an image that an operator runs needs something that the files lack", kinds{advisory: {OperandUnrestricted}}},
		{RequiredLacking, lowerable, "an operator or a pod does not support a required architecture", nil},
		{EditUnsafe, never, "a file cannot be edited safely", kinds{never: {EditFile}}},
		{EditShared, never, "others build the file", kinds{never: {EditUnknown}}},
		{EditNoPlace, never, "no file holds what must change", kinds{never: {EditNewObjects}}},
		{PatchStale, advisory, "a patch of goldenarch no longer fits", kinds{never: {PatchUnfit}}},
		{FleetInvalid, never, "the Fleet is not valid, or does not fit the repository", kinds{errorStays: {FleetUnmatched}, advisory: {FleetOverruled}}},
		{OutsideClusters, errorStays, "a file belongs to no cluster", nil},
		{ClusterUnseen, errorStays, "goldenarch cannot look into a kustomization", nil},
		{CRUnread, errorStays, "a CR is where goldenarch does not read it", nil},
		{MergedByACM, never, "a policy merges the object, so an edit duplicates an element of a list", nil},
		{CreatedOnce, advisory, "the cluster does not get each edit of the object", nil},
		{OnlyInforms, advisory, "a policy reports the CR and does not apply it", nil},
		{CustomizeUnknown, never, "customize cannot choose a template", kinds{never: {CustomizeUncertain, CustomizeWhichCR}}},
		{Customized, advisory, "a template imports another image", kinds{advisory: {CustomizeDisabled}}},
		{InitNodesUnknown, never, "init cannot set goldenarch up", kinds{never: {InitConflict}, advisory: {InitArgoCD}}},
		{ApplicationsCut, advisory, "an ApplicationSet has too many Applications to follow", nil},
		{PlaceInvalid, never, "a file has no CR at the stated place", nil},
		{SettingUntrusted, advisory, "a setting of the checked commit has no effect", nil},
		{FactsUntrusted, advisory, "the facts of the cluster come from the checked commit", nil},
		{LockUntrusted, lowerable, "answers about images come from the checked commit", nil},
		{PolicyDiffers, advisory, "the checked commit states something else than the policy", nil},
		{LeftOutLocal, lowerable, "an annotation leaves out what a check is about", nil},
		{PolicyUnreadable, never, "the policy cannot be read", nil},
		{FunctionDoesNotRun, lowerable, "a listed function does not run on the way to the cluster", nil},
		{ClustersMissing, never, "the repository has another number of clusters", nil},
		{Undecodable, errorStays, "a file that may hold a CR is not read", kinds{errorStays: {Excluded}}},
		{MachinesUnchecked, errorStays, "machines or pods are not checked", kinds{errorStays: {PodsUnchecked}, advisory: {MachineUnknown}}},
		{FilledByFlux, errorStays, "Flux fills in values of the CR", nil},
		{SettingsApplied, lowerable, "Argo CD or Flux applies the settings of goldenarch", nil},
		{ChangedByDelivery, never, "what applies the directory changes what is checked", nil},
		{ExceptionInvalid, never, "an exception for findings is not valid", nil},
		{ExceptionUnused, advisory, "an exception for findings has no effect", nil},
		{RenderedDiffers, lowerable, "a committed rendering is not what goldenarch renders", nil},
		{MachineRefused, lowerable, "KubeVirt refuses a machine, or it never starts", kinds{lowerable: {MachineNeverStarts}}},
		{MachineDiskOther, lowerable, "a machine cannot boot: its disk or the nodes have another architecture", kinds{lowerable: {MachineNoNode}}},
		{MachineDiskMissing, lowerable, "a disk of a machine will not exist", nil},
		{MachineDepends, advisory, "what a machine gets depends on the cluster", kinds{advisory: {MachineRaces}}},
		{MachineSelectorRemoved, advisory, "KubeVirt removes a node selector", nil},
		{MachineUnread, errorStays, "a machine cannot be read", nil},
		{FactsDisagree, advisory, "a facts file is not valid, or does not agree with the CR", kinds{never: {FactsInvalid}}},
		{PlanStorage, lowerable, "golden images take more storage than the budget", nil},
		{PlanStopped, never, "the operators stop in a step", nil},
		{PlanMachine, advisory, "a step changes the source of a machine", nil},
		{PlanClass, advisory, "a storage class is not in the dump", nil},
		{ImportStuck, advisory, "an import on the cluster does not end", nil},
	}
})
