package finding

import (
	"maps"
	"slices"
	"sync"
)

// ID identifies a kind of finding. An id never changes its meaning; a new meaning gets
// a new id. Each has an anchor in docs/findings.md.
type ID string

// titles returns a short description of each id. Few runs need one, so the table is made when
// it is first needed.
var titles = sync.OnceValue(func() map[ID]string {
	out := map[ID]string{}
	for _, some := range []func() map[ID]string{
		titlesOfInputs, titlesOfTemplates, titlesOfImages, titlesOfClusters,
		titlesOfCRs, titlesOfEmitted, titlesOfFiles, titlesOfPods, titlesOfMachines,
	} {
		maps.Copy(out, some())
	}
	return out
})

// Title returns a short description of an id, or "" for an unknown id.
func (id ID) Title() string { return titles()[id] }

// IDs returns every id, sorted, as a text.
func IDs() []string {
	var out []string
	for _, id := range slices.Sorted(maps.Keys(titles())) {
		out = append(out, string(id))
	}
	return out
}

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

// titlesOfClusters returns a short description of each of these ids.
func titlesOfClusters() map[ID]string {
	return map[ID]string{
		NoNodeFacts:         "the nodes are unknown",
		NodeFactsDisagree:   "two sources of node facts disagree",
		PoolUndeclared:      "a worker pool does not declare its architecture",
		ArchitectureRefused: "SSP refuses an architecture of the cluster",
		NodeHint:            "a hint at the architecture of nodes",
		NodeInvalid:         "a source of node facts is invalid",
		SingleArchitecture:  "no workload node has singleArchitecture",
		LivePlacement:       "the live CR has another workload placement",
		ReleaseDiffers:      "the live CR is of another release",
		StatedUnmatchable:   "the workload placement rules out a stated architecture",
		DefaultUnknown:      "the default architecture is unknown",
		EmittedUnknown:      "goldenarch cannot emit a default DataSource",
	}
}

// The CR, and what HCO refuses.
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
	GateKeptOff          ID = "GA430"
	LiveGateOn           ID = "GA431"
	GateUndone           ID = "GA432"
	GateContested        ID = "GA871"
	FilledByFlux         ID = "GA872"
	ChangedOnTheWay      ID = "GA874"
	ReleaseNewer         ID = "GA433"

	FieldOfOtherRelease ID = "GA435"
	AnnotationNear      ID = "GA436"
	WebhookWarns        ID = "GA437"
	ServerFields        ID = "GA440"
	StatusKept          ID = "GA441"
	NamespaceUnusual    ID = "GA442"
	NameInvalid         ID = "GA443"
)

// CRs inside other objects that deliver them to a cluster.
const (
	CRUnread    ID = "GA830"
	MergedByACM ID = "GA831"
	CreatedOnce ID = "GA832"
	EmitWrapped ID = "GA833"
	OnlyInforms ID = "GA834"
)

// titlesOfCRs returns a short description of each of these ids.
func titlesOfCRs() map[ID]string {
	return map[ID]string{
		APIVersionUnknown:    "the API version is not known",
		FieldMisplaced:       "the field is not in this API version",
		NameDuplicate:        "two templates have one name",
		EnableInvalid:        "the enable annotation is invalid",
		SpecMissing:          "an enabled template has no spec",
		SourceMissing:        "a template has no source",
		AffinityInvalid:      "the node affinity is invalid",
		GateContradicts:      "the multi-arch gate and the feature gate contradict each other",
		ReleaseNeeded:        "the release must be declared",
		NoGate:               "the release has no multi-arch gate",
		SchemaViolated:       "the API server would refuse the CR",
		NameMissing:          "a template has no name",
		JSONPatch:            "a JSON patch may change what SSP gets",
		DeadFeatureGate:      "the feature gate has no effect",
		GateUnpatchable:      "HCO cannot move the feature gate",
		GateOn:               "the multi-arch gate must be on",
		NoGoldenImages:       "HCO makes no golden images here",
		ReleaseUnserved:      "the release does not serve the API version",
		FeatureGateDuplicate: "a feature gate is a duplicate",
		DataSourceMissing:    "a template names no DataSource",
		NameUnusual:          "the CR has another name than HCO's",
		Drift:                "Argo CD may show the CR as OutOfSync",
		KustomizeWarns:       "kustomize warns about a kustomization",
		GateKeptOff:          "the CR keeps the multi-arch gate off",
		LiveGateOn:           "the CR turns off a gate that the live CR has on",
		GateUndone:           "the gate is no longer disabled",
		GateContested:        "sources disagree whether the gate is a preview",
		FilledByFlux:         "Flux fills in values of the CR",
		ChangedOnTheWay:      "what applies the directory changes the CR",
		ReleaseNewer:         "the release is newer than the newest verified one",
		FieldOfOtherRelease:  "the release does not have the field",
		AnnotationNear:       "an annotation looks like one that an operator reads",
		WebhookWarns:         "HCO's webhook warns about the CR",
		ServerFields:         "the CR has fields that only a cluster sets",
		StatusKept:           "only the status of the CR states the nodes",
		NamespaceUnusual:     "the CR is in another namespace than HCO's",
		NameInvalid:          "a template has a name that Kubernetes does not allow",
		CRUnread:             "an object holds a CR that goldenarch does not read",
		MergedByACM:          "a policy merges the object, so an edit duplicates an element of a list",
		CreatedOnce:          "the cluster gets the object once, and no later edit",
		EmitWrapped:          "goldenarch cannot emit objects beside a wrapped CR",
		OnlyInforms:          "a policy reports the CR and does not apply it",
	}
}

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
	ItemInTheWay        ID = "GA511"
	ItemRemoved         ID = "GA512"
	ReferenceUnfilled   ID = "GA513"
	CronLost            ID = "GA514"
	AlertFires          ID = "GA515"
	AdmissionRefuses    ID = "GA516"
	OperatorStops       ID = "GA517"
	EmittedDuplicate    ID = "GA518"
	SSPStops            ID = "GA519"
)

// titlesOfEmitted returns a short description of each of these ids.
func titlesOfEmitted() map[ID]string {
	return map[ID]string{
		CronRefused:         "CDI refuses the DataImportCron",
		CronBroken:          "CDI admits the DataImportCron and cannot import it",
		CronDuplicate:       "two templates make DataImportCrons of one name",
		TemplateNamespace:   "a template has a namespace of its own",
		BundleReplaced:      "SSP manages the DataSource",
		TemplateReplaced:    "goldenarch takes over the template",
		EmitBesideSSP:       "SSP makes the same objects",
		NamespaceMissing:    "nothing creates the golden images namespace",
		ReplacedAtEverySync: "Argo CD recreates the DataImportCrons at every sync",
		NotExpanded:         "a template is not expanded",
		ItemInTheWay:        "an item of the input conflicts with an emitted one",
		ItemRemoved:         "no template expands to an emitted item",
		ReferenceUnfilled:   "a default DataSource gets no image",
		CronLost:            "SSP drops a DataImportCron for another template",
		AlertFires:          "an alert will fire",
		AdmissionRefuses:    "the API server or HCO refuses the CR",
		OperatorStops:       "an operator stops at the CR",
		EmittedDuplicate:    "an emitted item is a duplicate",
		SSPStops:            "SSP refuses its CR or stops at it",
	}
}

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
	SettingsApplied     ID = "GA873"
)

// Exceptions for findings.
const (
	ExceptionInvalid ID = "GA875"
	ExceptionUnused  ID = "GA876"
)

// What the verb plan sees.
const (
	PlanStorage ID = "GA940"
	PlanStopped ID = "GA941"
	PlanMachine ID = "GA942"
	PlanClass   ID = "GA943"
	ImportStuck ID = "GA944"
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

// titlesOfFiles returns a short description of each of these ids.
func titlesOfFiles() map[ID]string {
	return map[ID]string{
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
		PlanStorage:         "golden images take more storage than the budget",
		PlanStopped:         "the operators stop in a step",
		PlanMachine:         "a step changes the source of a machine",
		PlanClass:           "a storage class is not in the dump",
		ImportStuck:         "an import on the cluster does not end",
		InitArgoCD:          "Argo CD needs the plugin for this directory",
		FleetInvalid:        "the Fleet is not valid",
		FleetUnmatched:      "an entry of the Fleet matches no cluster",
		OutsideClusters:     "a file belongs to no cluster",
		ClusterUnseen:       "goldenarch cannot look into a kustomization",
		GateAsCommitted:     "the committed CR leaves the multi-arch gate off",
		DiffersAsCommitted:  "the operators do something else with the committed CR than with the rendered one",
		EmittedNotCommitted: "an emitted object is not committed",
		SettingsApplied:     "Argo CD or Flux applies the settings of goldenarch",
		FunctionDoesNotRun:  "a listed function does not run on the way to the cluster",
		ClustersMissing:     "the repository has another number of clusters",
		Undecodable:         "a file that may hold a CR cannot be decoded",
		Excluded:            "an exclusion hides what may be a CR",
		MachinesUnchecked:   "virtual machines are not checked",
		PodsUnchecked:       "pods, bundles or catalogs are not checked",
		PlaceInvalid:        "a file has no CR at the stated place",
		ApplicationsCut:     "an ApplicationSet has too many Applications to follow",
		SettingUntrusted:    "a setting of the checked commit has no effect",
		FactsUntrusted:      "the facts of the cluster come from the checked commit",
		LockUntrusted:       "answers about images come from the checked commit",
		PolicyDiffers:       "the checked commit states something else than the policy",
		HiddenUntrusted:     "the checked commit hides a CR",
		PolicyUnreadable:    "the policy cannot be read",
		FleetOverruled:      "a cluster states something else than the Fleet",
		ExceptionInvalid:    "an exception for findings is not valid",
		ExceptionUnused:     "an exception for findings has no effect",
	}
}

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
	PlatformAbsent    ID = "GA869"
	MirrorBelieved    ID = "GA870"
)

// titlesOfImages returns a short description of each of these ids.
func titlesOfImages() map[ID]string {
	return map[ID]string{
		Unresolved:        "the architectures of an image are unknown",
		SourceNotQueried:  "goldenarch cannot find out the architectures of the source",
		NoImageStream:     "the ImageStream is not in the input",
		ImageStreamLegacy: "the ImageStream keeps one architecture only",
		ReferenceInvalid:  "the image reference is invalid",
		OverrideUnused:    "an override matches nothing",
		MirrorDiffers:     "the content of a mirror does not match the digest",
		MirrorUnavailable: "a mirror did not answer",
		MirrorInvalid:     "a mirror set is invalid",
		MirrorNotForCDI:   "CDI does not use the mirrors",
		SecretMissing:     "a Secret with credentials is not in the input",
		SecretUnreadable:  "a Secret with credentials cannot be read",
		AuthorityMissing:  "a ConfigMap with certificate authorities is not in the input",
		AuthorityInvalid:  "a certificate authority cannot be read",
		RateLimitLow:      "a registry has few pulls left",
		EntryIgnored:      "CDI takes no image from an entry of an index",
		PlatformAbsent:    "the registry lacks a part of an image",
		MirrorBelieved:    "goldenarch believes the index of a mirror",
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
	KindNear      ID = "GA009"
)

// titlesOfInputs returns a short description of each of these ids.
func titlesOfInputs() map[ID]string {
	return map[ID]string{
		Unreadable:    "the input cannot be read",
		Templated:     "a templated file was skipped",
		NoCR:          "there is no HyperConverged CR",
		Duplicate:     "an object is a duplicate",
		ConfigInvalid: "the configuration is invalid",
		DuplicateKey:  "a key is a duplicate",
		NodeInPackage: "a Node would be applied to the cluster",
		NodeLeftOut:   "goldenarch omits a dump of a Node from the output",
		NodesInvalid:  "the file with the Nodes is not valid",
		KustomizeOld:  "kustomize is older than 5.0",
		KindNear:      "the kind or the group looks like one that goldenarch reads",
	}
}

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
	NotAnIndex          ID = "GA719"
	AffinityWritten     ID = "GA720"
	PodUnreadable       ID = "GA721"
	EphemeralImage      ID = "GA722"
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
	CatalogHeads        ID = "GA736"
	CatalogNotRead      ID = "GA737"
)

// titlesOfPods returns a short description of each of these ids.
func titlesOfPods() map[ID]string {
	return map[ID]string{
		PodUnconstrained:    "a pod without an architecture constraint has images that lack an architecture of the cluster",
		ConstraintTooWide:   "a constraint admits an architecture that the images lack",
		ConstraintNarrow:    "a constraint omits an architecture that the images have",
		NoNodeFits:          "no node meets the constraints of a pod",
		NoCommonArch:        "the images of a pod have no architecture in common",
		PodUnresolved:       "nothing proves the architectures of an image of a pod",
		ArchLabelValue:      "a constraint names an architecture that no node has",
		BetaLabel:           "a constraint uses a deprecated label",
		TermEmpty:           "an empty term selects no node",
		TermsMissing:        "a required node affinity has no terms",
		AffinityReplaced:    "a Subscription replaces the node affinity of the operator",
		AffinityErased:      "a Subscription erases the affinity of the operator",
		LabelNotKept:        "an image does not keep a label of the ClusterServiceVersion",
		LabelMissing:        "all images have an architecture without a label",
		LabelIgnored:        "OLM ignores a label of the ClusterServiceVersion",
		CopiesDisagree:      "the copies of a workload for each architecture overlap or leave a gap",
		PodFixed:            "the API server refuses a change of the node affinity",
		ManifestMissing:     "the registry lacks manifests that an index lists",
		NotAnIndex:          "an image for several architectures is not an index",
		AffinityWritten:     "the node affinity is written",
		PodUnreadable:       "Kubernetes does not accept the constraints of a pod",
		EphemeralImage:      "an ephemeral container does not count",
		PodSkipped:          "a pod is skipped",
		NoPods:              "there are no pods",
		ConstraintReplaced:  "a constraint of a person is replaced",
		LabelWritten:        "a label of the ClusterServiceVersion is written",
		WorkloadsAnnotation: "the annotation goldenarch.dev/workloads is not valid",
		FeatureNeeded:       "Knative needs a feature for what goldenarch writes",
		OperatorUnknown:     "nothing proves which architectures an operator has",
		BundleInvalid:       "OLM does not accept the bundle",
		CatalogHeads:        "the architectures of the channel heads of a catalog",
		CatalogNotRead:      "a catalog is not read",
		OperandNotRelated:   "an image that an operator runs is not among its related images",
		SelectorReplaced:    "a Subscription replaces the nodeSelector of the operator",
		OperatorDisagrees:   "the configuration and the lock disagree on an operator",
	}
}

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
	FlagIdle          ID = "GA132"
	PlatformPreset    ID = "GA133"
)

// titlesOfTemplates returns a short description of each of these ids.
func titlesOfTemplates() map[ID]string {
	return map[ID]string{
		ClaimMalformed:    "HCO misreads the declared architectures",
		ClaimUnknown:      "the declared architectures name no known architecture",
		ClaimEmpty:        "none of the declared architectures is right",
		ClaimNarrowed:     "the template declares an architecture that the image lacks",
		ClaimWrong:        "the declared architectures are wrong and stay",
		ClaimIgnored:      "HCO ignores the declared architectures",
		ClaimAdded:        "a customized predefined template declared no architectures",
		OtherSource:       "a predefined name with another kind of source",
		TemplateDisabled:  "no workload node can use the template",
		TemplateEnabled:   "workload nodes can use a disabled template again",
		Unsupported:       "the template has no image for any workload node",
		SharedDataSource:  "two templates share a DataSource",
		LabelsIgnored:     "HCO ignores the labels",
		PredefinedUnknown: "the architectures of predefined templates are unknown",
		TemplateDropped:   "HCO drops the template",
		ClaimReplaced:     "the declared architectures differ from those of the image",
		PredefinedLacks:   "the image lacks an architecture that HCO declares",
		NotAsRendered:     "render changes the input",
		ConfigUnlisted:    "a configuration has no effect",
		LiveDiffers:       "what the commit changes on the cluster",
		LiveInvalid:       "the live CR is not valid",
		LiveOther:         "the live CR is of another HyperConverged",
		ImageLacks:        "the image lacks a workload architecture",
		DeclaredOmit:      "the declared architectures omit one that the image has",
		ImportFails:       "the image lacks what the template declares",
		DeclaredStale:     "the declared architectures in the files are wrong",
		FlagIdle:          "a flag does nothing for the command",
		PlatformPreset:    "the template names a platform of its own",
	}
}

// Virtual machines, and the facts that a repository of machines has about a cluster.
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
)

// titlesOfMachines returns a short description of each of these ids.
func titlesOfMachines() map[ID]string {
	return map[ID]string{
		MachineRefused:         "KubeVirt refuses a machine",
		MachineNeverStarts:     "a machine never starts",
		MachineDiskOther:       "a machine cannot boot from its disk",
		MachineDiskMissing:     "a disk of a machine will not exist",
		MachineNoNode:          "no node can run a machine",
		MachineDepends:         "what a machine gets depends on the cluster",
		MachineRaces:           "a machine and its DataSource race",
		MachineSelectorRemoved: "KubeVirt removes a node selector",
		MachineUnknown:         "goldenarch does not know enough about a machine",
		MachineUnread:          "a machine cannot be read",
		FactsDisagree:          "a facts file does not agree with the CR",
		FactsInvalid:           "a facts file is not valid",
	}
}
