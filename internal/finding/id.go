package finding

import (
	"slices"
	"sync"
)

// ID identifies a kind of finding. An id never changes its meaning; a new meaning gets
// a new id. Each has an anchor in docs/findings.md.
type ID string

// entry is an id that users see: of one kind of findings, or of several that have one cause or one cure for the user.
type entry struct {
	// id is the lowest of its kinds, and class is that of its own kind.
	id    ID
	class class
	// title is a short description.
	title string
	// scope says what a run has one finding about.
	scope scope
	// kinds are the others. Each keeps its class: an error that leaves no answer stays one.
	kinds []kinds
}

// kinds are some kinds of findings that have one class.
type kinds struct {
	class class
	ids   []ID
}

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

// scope says what a run has one finding about, of the kinds that share an id.
type scope int

const (
	// eachFact keeps the findings apart: they share only the id.
	eachFact scope = iota
	// eachTemplate is one finding for each template of a CR.
	eachTemplate
	// eachObject is one finding for each object.
	eachObject
	// eachCluster is one finding for each cluster.
	eachCluster
)

// kind is a kind of findings.
type kind struct {
	entry

	class class
}

// byID has each kind of findings. Few runs need it, so it is made when it is first needed.
var byID = sync.OnceValue(func() map[ID]kind {
	out := map[ID]kind{}
	for _, e := range table {
		out[e.id] = kind{e, e.class}
		for _, some := range e.kinds {
			for _, id := range some.ids {
				out[id] = kind{e, some.class}
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
	out := make([]string, 0, len(table))
	for _, e := range table {
		out = append(out, string(e.id))
	}
	return out
}

// class returns what an exception may do with the findings of a kind; "" for an unknown one.
func (id ID) class() class { return byID()[id].class }

// lowering returns what an exception may do with the findings of an id that users see. Where the kinds differ, it may lower
// those that are no errors; an error that leaves no answer stays one ([mayLower]).
func (id ID) lowering() class {
	e := byID()[id].entry
	has := func(c class) bool {
		return e.class == c || slices.ContainsFunc(e.kinds, func(k kinds) bool { return k.class == c })
	}
	switch {
	case has(lowerable):
		return lowerable
	case slices.ContainsFunc(e.kinds, func(k kinds) bool { return k.class != e.class }):
		return errorStays
	default:
		return e.class
	}
}

const (
	// Input and configuration.
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
	KindNear      ID = "GA009"

	// Templates and their declared architectures.
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

	// Images.
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
	PlatformAbsent    ID = "GA869"
	MirrorBelieved    ID = "GA870"

	// The cluster.
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

	// The CR, and what HCO refuses.
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
	ChangedOnTheWay      ID = "GA874"
	ReleaseNewer         ID = "GA433"
	FieldOfOtherRelease  ID = "GA435"
	AnnotationNear       ID = "GA436"
	WebhookWarns         ID = "GA437"
	ServerFields         ID = "GA440"
	StatusKept           ID = "GA441"
	NamespaceUnusual     ID = "GA442"
	NameInvalid          ID = "GA443"

	// Emitted objects, and what CDI does with them.
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
	ItemInTheWay        ID = "GA511"
	ItemRemoved         ID = "GA512"
	ReferenceUnfilled   ID = "GA513"
	CronLost            ID = "GA514"
	AlertFires          ID = "GA515"
	AdmissionRefuses    ID = "GA516"
	OperatorStops       ID = "GA517"
	EmittedDuplicate    ID = "GA518"
	SSPStops            ID = "GA519"
	PollerLacks         ID = "GA520"

	// The lock.
	LockMissing   ID = "GA601"
	LockDisagrees ID = "GA602"
	LockInvalid   ID = "GA603"
	LockNotRead   ID = "GA604"

	// Pods: their images and their node affinity.
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

	// Files that the verb fix edits.
	EditUnsafe     ID = "GA800"
	EditShared     ID = "GA801"
	EditNoPlace    ID = "GA802"
	EditNewObjects ID = "GA803"
	EditFile       ID = "GA804"
	EditUnknown    ID = "GA823"
	PatchStale     ID = "GA806"
	PatchUnfit     ID = "GA808"

	// Repositories with many clusters.
	FleetInvalid    ID = "GA810"
	FleetUnmatched  ID = "GA811"
	OutsideClusters ID = "GA812"
	ClusterUnseen   ID = "GA813"
	FleetOverruled  ID = "GA814"
	RenderedDiffers ID = "GA877"
	ApplicationsCut ID = "GA850"
	PlaceInvalid    ID = "GA851"

	// CRs inside other objects that deliver them to a cluster.
	CRUnread    ID = "GA830"
	MergedByACM ID = "GA831"
	CreatedOnce ID = "GA832"
	EmitWrapped ID = "GA833"
	OnlyInforms ID = "GA834"

	// What the verb customize changes.
	CustomizeUnknown   ID = "GA840"
	CustomizeUncertain ID = "GA841"
	CustomizeWhichCR   ID = "GA842"
	Customized         ID = "GA843"
	CustomizeDisabled  ID = "GA844"

	// What the verb init sees.
	InitNodesUnknown ID = "GA845"
	InitConflict     ID = "GA846"
	InitArgoCD       ID = "GA847"

	// Inputs that the operator does not trust.
	SettingUntrusted ID = "GA852"
	FactsUntrusted   ID = "GA853"
	LockUntrusted    ID = "GA854"
	PolicyDiffers    ID = "GA855"
	HiddenUntrusted  ID = "GA856"
	PolicyUnreadable ID = "GA857"

	// What a check says of the files as they are committed, and of what it did not look at.
	DiffersAsCommitted  ID = "GA861"
	EmittedNotCommitted ID = "GA862"
	FunctionDoesNotRun  ID = "GA863"
	ClustersMissing     ID = "GA864"
	Undecodable         ID = "GA865"
	Excluded            ID = "GA866"
	MachinesUnchecked   ID = "GA867"
	PodsUnchecked       ID = "GA868"
	SettingsApplied     ID = "GA873"

	// Exceptions for findings.
	ExceptionInvalid ID = "GA875"
	ExceptionUnused  ID = "GA876"

	// Virtual machines, and the facts that a repository of machines has about a cluster.
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

	// What the verb plan sees.
	PlanStorage ID = "GA940"
	PlanStopped ID = "GA941"
	PlanMachine ID = "GA942"
	PlanClass   ID = "GA943"
	ImportStuck ID = "GA944"
)

// table has each id that users see, in order.
var table = []entry{
	{id: Unreadable, class: never, title: "the input cannot be read"},
	{id: Templated, class: errorStays, title: "a templated file was skipped"},
	{id: NoCR, class: never, title: "there is no HyperConverged CR"},
	{id: Duplicate, class: never, title: "an object is a duplicate"},
	{id: ConfigInvalid, class: never, title: "the configuration is invalid"},
	{id: DuplicateKey, class: errorStays, title: "a key is a duplicate"},
	{id: NodeInPackage, class: advisory, title: "a Node would be applied to the cluster"},
	{id: KindNear, class: advisory, title: "a name looks like one that an operator or goldenarch reads", kinds: []kinds{
		{advisory, []ID{AnnotationNear, NamespaceUnusual}}, {never, []ID{NameUnusual}},
	}},
	{id: NodeLeftOut, class: advisory, title: "the input has what only a dump of a cluster has", scope: eachObject, kinds: []kinds{
		{advisory, []ID{ServerFields, StatusKept}},
	}},
	{id: NodesInvalid, class: never, title: "the file with the Nodes is not valid"},
	{id: KustomizeOld, class: advisory, title: "kustomize is older than 5.0"},
	{id: ClaimMalformed, class: advisory, title: "the declared architectures cannot be read", kinds: []kinds{
		{advisory, []ID{ClaimUnknown}}, {never, []ID{ClaimEmpty}},
	}},
	{id: ClaimNarrowed, class: advisory, title: "a template, its image and the nodes do not agree on architectures", scope: eachTemplate, kinds: []kinds{
		{lowerable, []ID{ClaimWrong, ImportFails}},
		{advisory, []ID{TemplateDisabled, ClaimReplaced, PredefinedLacks, ImageLacks, DeclaredOmit, DeclaredStale}},
	}},
	{id: ClaimIgnored, class: advisory, title: "HCO ignores an annotation or a label of a template", kinds: []kinds{{advisory, []ID{LabelsIgnored}}}},
	{id: ClaimAdded, class: advisory, title: "what is committed is not what goldenarch renders", kinds: []kinds{
		{advisory, []ID{NotAsRendered, GateOn}}, {lowerable, []ID{DiffersAsCommitted, EmittedNotCommitted}},
	}},
	{id: OtherSource, class: errorStays, title: "a predefined name with another kind of source"},
	{id: TemplateEnabled, class: advisory, title: "workload nodes can use a disabled template again"},
	{id: Unsupported, class: lowerable, title: "the template has no image for any workload node"},
	{id: SharedDataSource, class: advisory, title: "two templates make objects of one name", kinds: []kinds{
		{errorStays, []ID{CronDuplicate, CronLost}},
	}},
	{id: PredefinedUnknown, class: advisory, title: "something about the cluster is not stated", scope: eachCluster, kinds: []kinds{
		{errorStays, []ID{NoNodeFacts, ReleaseNeeded}}, {advisory, []ID{NodeFactsDisagree, DefaultUnknown}},
	}},
	{id: TemplateDropped, class: advisory, title: "HCO drops the template"},
	{id: ConfigUnlisted, class: advisory, title: "nothing reads a configuration or a lock", kinds: []kinds{{advisory, []ID{LockNotRead}}}},
	{id: LiveDiffers, class: advisory, title: "what the commit changes on the cluster"},
	{id: LiveInvalid, class: never, title: "the live CR does not fit the CR", kinds: []kinds{
		{advisory, []ID{LiveOther, ReleaseDiffers}}, {errorStays, []ID{LivePlacement}},
	}},
	{id: PlatformPreset, class: lowerable, title: "the template names a platform of its own"},
	{id: Unresolved, class: errorStays, title: "the architectures of an image are unknown", kinds: []kinds{
		{errorStays, []ID{SourceNotQueried, NoImageStream, PodUnresolved}},
	}},
	{id: ImageStreamLegacy, class: advisory, title: "the ImageStream keeps one architecture only"},
	{id: ReferenceInvalid, class: never, title: "the image reference is invalid"},
	{id: OverrideUnused, class: advisory, title: "an override matches nothing"},
	{id: MirrorDiffers, class: advisory, title: "a mirror does not serve what it should", kinds: []kinds{
		{advisory, []ID{MirrorUnavailable, MirrorNotForCDI, MirrorBelieved}}, {never, []ID{MirrorInvalid}},
	}},
	{id: SecretMissing, class: advisory, title: "a Secret or a ConfigMap for a registry is missing or cannot be read", kinds: []kinds{
		{advisory, []ID{SecretUnreadable, AuthorityMissing, AuthorityInvalid, PollerLacks}},
	}},
	{id: RateLimitLow, class: advisory, title: "a registry has few pulls left"},
	{id: EntryIgnored, class: advisory, title: "CDI takes no image from an entry of an index"},
	{id: BootcImage, class: advisory, title: "an image is one for bootc, and no container disk"},
	{id: PoolUndeclared, class: errorStays, title: "a source of node facts does not state an architecture", kinds: []kinds{
		{advisory, []ID{NodeHint}}, {errorStays, []ID{NodeInvalid}},
	}},
	{id: ArchitectureRefused, class: lowerable, title: "SSP refuses an architecture of the cluster"},
	{id: SingleArchitecture, class: errorStays, title: "no workload node has singleArchitecture"},
	{id: StatedUnmatchable, class: errorStays, title: "the workload placement rules out a stated architecture"},
	{id: EmittedUnknown, class: never, title: "goldenarch cannot emit an object", kinds: []kinds{
		{errorStays, []ID{NotExpanded}}, {never, []ID{EmitWrapped}},
	}},
	{id: APIVersionUnknown, class: never, title: "the release does not serve the API version", kinds: []kinds{{never, []ID{ReleaseUnserved}}}},
	{id: FieldMisplaced, class: errorStays, title: "a field has no effect in this API version or release", kinds: []kinds{
		{advisory, []ID{DeadFeatureGate}}, {lowerable, []ID{FieldOfOtherRelease}},
	}},
	{id: NameDuplicate, class: never, title: "the name of a template is missing, invalid or a duplicate", kinds: []kinds{
		{never, []ID{NameMissing, NameInvalid}},
	}},
	{id: EnableInvalid, class: never, title: "a template is not valid", kinds: []kinds{
		{never, []ID{SpecMissing, AffinityInvalid, DataSourceMissing}}, {errorStays, []ID{SourceMissing}},
	}},
	{id: GateContradicts, class: never, title: "the multi-arch gate cannot be set", kinds: []kinds{
		{never, []ID{NoGate, GateUnpatchable, FeatureGateDuplicate}},
	}},
	{id: SchemaViolated, class: never, title: "the API server or HCO refuses the CR", kinds: []kinds{{lowerable, []ID{AdmissionRefuses}}}},
	{id: JSONPatch, class: lowerable, title: "a JSON patch changes what an operator gets"},
	{id: NoGoldenImages, class: advisory, title: "HCO makes no golden images here"},
	{id: Drift, class: advisory, title: "Argo CD may show the CR as OutOfSync"},
	{id: KustomizeWarns, class: advisory, title: "kustomize warns about a kustomization"},
	{id: GateAlert, class: lowerable, title: "the CR leaves the multi-arch gate off"},
	{id: LiveGateOn, class: errorStays, title: "the CR turns off a gate that the live CR has on"},
	{id: ReleaseNewer, class: errorStays, title: "the release is newer than the newest verified one"},
	{id: WebhookWarns, class: advisory, title: "HCO or its documentation warns about the CR", kinds: []kinds{{advisory, []ID{GateContested}}}},
	{id: CronRefused, class: errorStays, title: "CDI refuses or cannot import a DataImportCron", kinds: []kinds{{errorStays, []ID{CronBroken}}}},
	{id: TemplateNamespace, class: advisory, title: "a template has a namespace of its own"},
	{id: BundleReplaced, class: never, title: "SSP manages what goldenarch would emit", kinds: []kinds{
		{advisory, []ID{TemplateReplaced, EmitBesideSSP}},
	}},
	{id: NamespaceMissing, class: advisory, title: "nothing creates the golden images namespace"},
	{id: ReplacedAtEverySync, class: advisory, title: "Argo CD recreates the DataImportCrons at every sync"},
	{id: ItemInTheWay, class: never, title: "an item of the input conflicts with an emitted one", kinds: []kinds{
		{advisory, []ID{ItemRemoved}}, {errorStays, []ID{EmittedDuplicate}},
	}},
	{id: ReferenceUnfilled, class: advisory, title: "a default DataSource gets no image"},
	{id: AlertFires, class: lowerable, title: "an alert of HCO about templates fires"},
	{id: OperatorStops, class: lowerable, title: "an operator stops at the CR", kinds: []kinds{{lowerable, []ID{SSPStops}}}},
	{id: LockMissing, class: errorStays, title: "an image is not in the lock"},
	{id: LockDisagrees, class: never, title: "a lock is not valid, or two locks disagree", kinds: []kinds{{never, []ID{LockInvalid}}}},
	{id: PodUnconstrained, class: lowerable, title: "the constraints of a pod and its images do not agree", kinds: []kinds{
		{lowerable, []ID{ConstraintTooWide, NoCommonArch}}, {advisory, []ID{ConstraintNarrow}},
	}},
	{id: NoNodeFits, class: lowerable, title: "no node meets a constraint of a pod", kinds: []kinds{
		{lowerable, []ID{ArchLabelValue}}, {advisory, []ID{TermEmpty}},
	}},
	{id: BetaLabel, class: advisory, title: "a constraint uses a deprecated label"},
	{id: TermsMissing, class: errorStays, title: "Kubernetes does not accept the constraints of a pod", kinds: []kinds{
		{errorStays, []ID{PodUnreadable}},
	}},
	{id: AffinityReplaced, class: lowerable, title: "a Subscription replaces the constraints of the operator", kinds: []kinds{
		{lowerable, []ID{AffinityErased, SelectorReplaced}},
	}},
	{id: LabelNotKept, class: lowerable, title: "the labels of the ClusterServiceVersion and the images do not agree", kinds: []kinds{
		{advisory, []ID{LabelMissing, LabelWritten}}, {lowerable, []ID{LabelIgnored}},
	}},
	{id: CopiesDisagree, class: advisory, title: "the copies of a workload for each architecture overlap or leave a gap"},
	{id: PodFixed, class: advisory, title: "the API server refuses a change of the node affinity"},
	{id: ManifestMissing, class: errorStays, title: "the registry lacks a part of an image", kinds: []kinds{{errorStays, []ID{PlatformAbsent}}}},
	{id: AffinityWritten, class: advisory, title: "the node affinity is written", kinds: []kinds{{advisory, []ID{ConstraintReplaced}}}},
	{id: ImageOmitted, class: advisory, title: "an image or a pod does not count", kinds: []kinds{{advisory, []ID{PodSkipped}}}},
	{id: NoPods, class: errorStays, title: "there are no pods"},
	{id: WorkloadsAnnotation, class: never, title: "the annotation goldenarch.dev/workloads is not valid"},
	{id: OperatorDisagrees, class: advisory, title: "the architectures of an operator are not proved", kinds: []kinds{
		{advisory, []ID{OperatorUnknown}},
	}},
	{id: FeatureNeeded, class: advisory, title: "Knative needs a feature for what goldenarch writes"},
	{id: BundleInvalid, class: lowerable, title: "OLM does not accept the bundle"},
	{id: OperandNotRelated, class: advisory, title: "an image that an operator runs needs something that the files lack", kinds: []kinds{
		{advisory, []ID{OperandUnrestricted}},
	}},
	{id: RequiredLacking, class: lowerable, title: "an operator or a pod does not support a required architecture"},
	{id: EditUnsafe, class: never, title: "a file cannot be edited safely", kinds: []kinds{{never, []ID{EditFile}}}},
	{id: EditShared, class: never, title: "others build the file", kinds: []kinds{{never, []ID{EditUnknown}}}},
	{id: EditNoPlace, class: never, title: "no file holds what must change", kinds: []kinds{{never, []ID{EditNewObjects}}}},
	{id: PatchStale, class: advisory, title: "a patch of goldenarch no longer fits", kinds: []kinds{{never, []ID{PatchUnfit}}}},
	{id: FleetInvalid, class: never, title: "the Fleet is not valid, or does not fit the repository", kinds: []kinds{
		{errorStays, []ID{FleetUnmatched}}, {advisory, []ID{FleetOverruled}},
	}},
	{id: OutsideClusters, class: errorStays, title: "a file belongs to no cluster"},
	{id: ClusterUnseen, class: errorStays, title: "goldenarch cannot look into a kustomization"},
	{id: CRUnread, class: errorStays, title: "a CR is where goldenarch does not read it"},
	{id: MergedByACM, class: never, title: "a policy merges the object, so an edit duplicates an element of a list"},
	{id: CreatedOnce, class: advisory, title: "the cluster gets the object once, and no later edit"},
	{id: OnlyInforms, class: advisory, title: "a policy reports the CR and does not apply it"},
	{id: CustomizeUnknown, class: never, title: "customize cannot choose a template", kinds: []kinds{
		{never, []ID{CustomizeUncertain, CustomizeWhichCR}},
	}},
	{id: Customized, class: advisory, title: "a template imports another image", kinds: []kinds{{advisory, []ID{CustomizeDisabled}}}},
	{id: InitNodesUnknown, class: never, title: "init cannot set goldenarch up", kinds: []kinds{
		{never, []ID{InitConflict}}, {advisory, []ID{InitArgoCD}},
	}},
	{id: ApplicationsCut, class: advisory, title: "an ApplicationSet has too many Applications to follow"},
	{id: PlaceInvalid, class: never, title: "a file has no CR at the stated place"},
	{id: SettingUntrusted, class: advisory, title: "a setting of the checked commit has no effect"},
	{id: FactsUntrusted, class: advisory, title: "the facts of the cluster come from the checked commit"},
	{id: LockUntrusted, class: lowerable, title: "answers about images come from the checked commit"},
	{id: PolicyDiffers, class: advisory, title: "the checked commit states something else than the policy"},
	{id: HiddenUntrusted, class: never, title: "the checked commit hides a CR"},
	{id: PolicyUnreadable, class: never, title: "the policy cannot be read"},
	{id: FunctionDoesNotRun, class: lowerable, title: "a listed function does not run on the way to the cluster"},
	{id: ClustersMissing, class: never, title: "the repository has another number of clusters"},
	{id: Undecodable, class: errorStays, title: "a file that may hold a CR is not read", kinds: []kinds{{errorStays, []ID{Excluded}}}},
	{id: MachinesUnchecked, class: errorStays, title: "machines or pods are not checked", kinds: []kinds{
		{errorStays, []ID{PodsUnchecked}}, {advisory, []ID{MachineUnknown}},
	}},
	{id: FilledByFlux, class: errorStays, title: "Flux fills in values of the CR"},
	{id: SettingsApplied, class: lowerable, title: "Argo CD or Flux applies the settings of goldenarch"},
	{id: ChangedOnTheWay, class: never, title: "what applies the directory changes what is checked"},
	{id: ExceptionInvalid, class: never, title: "an exception for findings is not valid"},
	{id: ExceptionUnused, class: advisory, title: "an exception for findings has no effect"},
	{id: RenderedDiffers, class: lowerable, title: "a committed rendering is not what goldenarch renders"},
	{id: MachineRefused, class: lowerable, title: "KubeVirt refuses a machine, or it never starts", kinds: []kinds{
		{lowerable, []ID{MachineNeverStarts}},
	}},
	{id: MachineDiskOther, class: lowerable, title: "a machine cannot boot: its disk or the nodes have another architecture", scope: eachObject,
		kinds: []kinds{{lowerable, []ID{MachineNoNode}}},
	},
	{id: MachineDiskMissing, class: lowerable, title: "a disk of a machine will not exist"},
	{id: MachineDepends, class: advisory, title: "what a machine gets depends on the cluster", kinds: []kinds{{advisory, []ID{MachineRaces}}}},
	{id: MachineSelectorRemoved, class: advisory, title: "KubeVirt removes a node selector"},
	{id: MachineUnread, class: errorStays, title: "a machine cannot be read"},
	{id: FactsDisagree, class: advisory, title: "a facts file is not valid, or does not agree with the CR", kinds: []kinds{
		{never, []ID{FactsInvalid}},
	}},
	{id: PlanStorage, class: lowerable, title: "golden images take more storage than the budget"},
	{id: PlanStopped, class: never, title: "the operators stop in a step"},
	{id: PlanMachine, class: advisory, title: "a step changes the source of a machine"},
	{id: PlanClass, class: advisory, title: "a storage class is not in the dump"},
	{id: ImportStuck, class: advisory, title: "an import on the cluster does not end"},
}
