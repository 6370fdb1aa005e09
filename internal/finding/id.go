package finding

import (
	"maps"
	"slices"
	"sync"
)

// ID identifies a kind of finding. An id never changes its meaning; a new meaning gets
// a new id. Each has an anchor in docs/findings.md.
type ID string

// entry is what the package knows of an id.
type entry struct {
	class class
	// title is a short description.
	title string
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

// table has what the package knows of each id. Few runs need that, so the table is made when it is
// first needed.
var table = sync.OnceValue(func() map[ID]entry {
	out := map[ID]entry{}
	for _, some := range []func() map[ID]entry{
		aboutInputs, aboutTemplates, aboutImages, aboutClusters, aboutCRs, aboutEmitted, aboutFiles, aboutPods, aboutMachines,
	} {
		maps.Copy(out, some())
	}
	return out
})

// class returns what an exception may do with the findings of an id; "" for an unknown id.
func (id ID) class() class { return table()[id].class }

// Title returns a short description of an id that users see, or "" for an unknown id.
func (id ID) Title() string {
	if s, ok := storyOf()[id]; ok && s.id == id {
		return s.title
	}
	return table()[id].title
}

// IDs returns every id that users see, sorted, as a text.
func IDs() []string {
	var out []string
	for _, id := range slices.Sorted(maps.Keys(table())) {
		if id.Public() == id {
			out = append(out, string(id))
		}
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

// aboutClusters has the class and the title of each of these ids.
func aboutClusters() map[ID]entry {
	return map[ID]entry{
		NoNodeFacts:         {errorStays, "the nodes are unknown"},
		NodeFactsDisagree:   {advisory, "two sources of node facts disagree"},
		PoolUndeclared:      {errorStays, "a worker pool does not declare its architecture"},
		ArchitectureRefused: {lowerable, "SSP refuses an architecture of the cluster"},
		NodeHint:            {advisory, "a hint at the architecture of nodes"},
		NodeInvalid:         {errorStays, "a source of node facts is invalid"},
		SingleArchitecture:  {errorStays, "no workload node has singleArchitecture"},
		LivePlacement:       {errorStays, "the live CR has another workload placement"},
		ReleaseDiffers:      {advisory, "the live CR is of another release"},
		StatedUnmatchable:   {errorStays, "the workload placement rules out a stated architecture"},
		DefaultUnknown:      {advisory, "the default architecture is unknown"},
		EmittedUnknown:      {never, "goldenarch cannot emit a default DataSource"},
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
	GateAlert            ID = "GA430"
	LiveGateOn           ID = "GA431"
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

// aboutCRs has the class and the title of each of these ids.
func aboutCRs() map[ID]entry {
	return map[ID]entry{
		APIVersionUnknown:    {never, "the API version is not known"},
		FieldMisplaced:       {errorStays, "the field is not in this API version"},
		NameDuplicate:        {never, "two templates have one name"},
		EnableInvalid:        {never, "the enable annotation is invalid"},
		SpecMissing:          {never, "an enabled template has no spec"},
		SourceMissing:        {errorStays, "a template has no source"},
		AffinityInvalid:      {never, "the node affinity is invalid"},
		GateContradicts:      {never, "the multi-arch gate and the feature gate contradict each other"},
		ReleaseNeeded:        {errorStays, "the release must be declared"},
		NoGate:               {never, "the release has no multi-arch gate"},
		SchemaViolated:       {never, "the API server would refuse the CR"},
		NameMissing:          {never, "a template has no name"},
		JSONPatch:            {lowerable, "a JSON patch changes what an operator gets"},
		DeadFeatureGate:      {advisory, "the feature gate has no effect"},
		GateUnpatchable:      {never, "HCO cannot move the feature gate"},
		GateOn:               {advisory, "the multi-arch gate must be on"},
		NoGoldenImages:       {advisory, "HCO makes no golden images here"},
		ReleaseUnserved:      {never, "the release does not serve the API version"},
		FeatureGateDuplicate: {never, "a feature gate is a duplicate"},
		DataSourceMissing:    {never, "a template names no DataSource"},
		NameUnusual:          {never, "the CR has another name than HCO's"},
		Drift:                {advisory, "Argo CD may show the CR as OutOfSync"},
		KustomizeWarns:       {advisory, "kustomize warns about a kustomization"},
		GateAlert:            {lowerable, "the CR leaves the multi-arch gate off"},
		LiveGateOn:           {errorStays, "the CR turns off a gate that the live CR has on"},
		GateContested:        {advisory, "sources disagree whether the gate is a preview"},
		FilledByFlux:         {errorStays, "Flux fills in values of the CR"},
		ChangedOnTheWay:      {never, "what applies the directory changes what is checked"},
		ReleaseNewer:         {errorStays, "the release is newer than the newest verified one"},
		FieldOfOtherRelease:  {lowerable, "the release does not have the field"},
		AnnotationNear:       {advisory, "an annotation looks like one that an operator reads"},
		WebhookWarns:         {advisory, "HCO's webhook warns about the CR"},
		ServerFields:         {advisory, "the CR has fields that only a cluster sets"},
		StatusKept:           {advisory, "only the status of the CR states the nodes"},
		NamespaceUnusual:     {advisory, "the CR is in another namespace than HCO's"},
		NameInvalid:          {never, "a template has a name that Kubernetes does not allow"},
		CRUnread:             {errorStays, "a CR is where goldenarch does not read it"},
		MergedByACM:          {never, "a policy merges the object, so an edit duplicates an element of a list"},
		CreatedOnce:          {advisory, "the cluster gets the object once, and no later edit"},
		EmitWrapped:          {never, "goldenarch cannot emit objects beside a wrapped CR"},
		OnlyInforms:          {advisory, "a policy reports the CR and does not apply it"},
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
	PollerLacks         ID = "GA520"
)

// aboutEmitted has the class and the title of each of these ids.
func aboutEmitted() map[ID]entry {
	return map[ID]entry{
		CronRefused:         {errorStays, "CDI refuses the DataImportCron"},
		CronBroken:          {errorStays, "CDI admits the DataImportCron and cannot import it"},
		CronDuplicate:       {errorStays, "two templates make DataImportCrons of one name"},
		TemplateNamespace:   {advisory, "a template has a namespace of its own"},
		BundleReplaced:      {never, "SSP manages the DataSource"},
		PollerLacks:         {advisory, "CDI does not find a Secret or a ConfigMap of the template"},
		TemplateReplaced:    {advisory, "goldenarch takes over the template"},
		EmitBesideSSP:       {advisory, "SSP makes the same objects"},
		NamespaceMissing:    {advisory, "nothing creates the golden images namespace"},
		ReplacedAtEverySync: {advisory, "Argo CD recreates the DataImportCrons at every sync"},
		NotExpanded:         {errorStays, "a template is not expanded"},
		ItemInTheWay:        {never, "an item of the input conflicts with an emitted one"},
		ItemRemoved:         {advisory, "no template expands to an emitted item"},
		ReferenceUnfilled:   {advisory, "a default DataSource gets no image"},
		CronLost:            {errorStays, "SSP drops a DataImportCron for another template"},
		AlertFires:          {lowerable, "an alert of HCO about templates fires"},
		AdmissionRefuses:    {lowerable, "the API server or HCO refuses the CR"},
		OperatorStops:       {lowerable, "an operator stops at the CR"},
		EmittedDuplicate:    {errorStays, "an emitted item is a duplicate"},
		SSPStops:            {lowerable, "SSP refuses its CR or stops at it"},
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
	EditUnsafe     ID = "GA800"
	EditShared     ID = "GA801"
	EditNoPlace    ID = "GA802"
	EditNewObjects ID = "GA803"
	EditFile       ID = "GA804"
	EditUnknown    ID = "GA823"
	PatchStale     ID = "GA806"
	PatchUnfit     ID = "GA808"
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
	RenderedDiffers ID = "GA877"
	ApplicationsCut ID = "GA850"
)

// What a check says of the files as they are committed, and of what it did not look at.
const (
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

// aboutFiles has the class and the title of each of these ids.
func aboutFiles() map[ID]entry {
	return map[ID]entry{
		LockMissing:         {errorStays, "an image is not in the lock"},
		LockDisagrees:       {never, "two locks disagree"},
		LockInvalid:         {never, "the lock is invalid"},
		LockNotRead:         {advisory, "nothing reads the lock"},
		EditUnsafe:          {never, "a file cannot be edited safely"},
		EditShared:          {never, "several overlays share a file"},
		EditNoPlace:         {never, "no file holds what must change"},
		EditNewObjects:      {never, "objects have no file"},
		EditFile:            {never, "a file cannot be replaced"},
		EditUnknown:         {never, "others may build a file"},
		PatchStale:          {advisory, "a patch of goldenarch is not what fix would write"},
		PatchUnfit:          {never, "a patch of goldenarch no longer fits the base"},
		CustomizeUnknown:    {never, "there is no template of this name"},
		CustomizeUncertain:  {never, "goldenarch does not know what a predefined template has"},
		CustomizeWhichCR:    {never, "the input has several CRs"},
		Customized:          {advisory, "a template imports another image"},
		CustomizeDisabled:   {advisory, "the customized template is disabled"},
		InitNodesUnknown:    {never, "init does not know the nodes"},
		InitConflict:        {never, "init cannot set goldenarch up"},
		PlanStorage:         {lowerable, "golden images take more storage than the budget"},
		PlanStopped:         {never, "the operators stop in a step"},
		PlanMachine:         {advisory, "a step changes the source of a machine"},
		PlanClass:           {advisory, "a storage class is not in the dump"},
		ImportStuck:         {advisory, "an import on the cluster does not end"},
		InitArgoCD:          {advisory, "Argo CD needs the plugin for this directory"},
		FleetInvalid:        {never, "the Fleet is not valid"},
		FleetUnmatched:      {errorStays, "an entry of the Fleet matches no cluster"},
		OutsideClusters:     {errorStays, "a file belongs to no cluster"},
		ClusterUnseen:       {errorStays, "goldenarch cannot look into a kustomization"},
		RenderedDiffers:     {lowerable, "a committed rendering is not what goldenarch renders"},
		DiffersAsCommitted:  {lowerable, "the operators do something else with the committed CR than with the rendered one"},
		EmittedNotCommitted: {lowerable, "an emitted object is not committed"},
		SettingsApplied:     {lowerable, "Argo CD or Flux applies the settings of goldenarch"},
		FunctionDoesNotRun:  {lowerable, "a listed function does not run on the way to the cluster"},
		ClustersMissing:     {never, "the repository has another number of clusters"},
		Undecodable:         {errorStays, "a file that may hold a CR cannot be decoded"},
		Excluded:            {errorStays, "an exclusion hides what may be a CR"},
		MachinesUnchecked:   {errorStays, "virtual machines are not checked"},
		PodsUnchecked:       {errorStays, "pods or bundles are not checked"},
		PlaceInvalid:        {never, "a file has no CR at the stated place"},
		ApplicationsCut:     {advisory, "an ApplicationSet has too many Applications to follow"},
		SettingUntrusted:    {advisory, "a setting of the checked commit has no effect"},
		FactsUntrusted:      {advisory, "the facts of the cluster come from the checked commit"},
		LockUntrusted:       {lowerable, "answers about images come from the checked commit"},
		PolicyDiffers:       {advisory, "the checked commit states something else than the policy"},
		HiddenUntrusted:     {never, "the checked commit hides a CR"},
		PolicyUnreadable:    {never, "the policy cannot be read"},
		FleetOverruled:      {advisory, "a cluster states something else than the Fleet"},
		ExceptionInvalid:    {never, "an exception for findings is not valid"},
		ExceptionUnused:     {advisory, "an exception for findings has no effect"},
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
	BootcImage        ID = "GA220"
	PlatformAbsent    ID = "GA869"
	MirrorBelieved    ID = "GA870"
)

// aboutImages has the class and the title of each of these ids.
func aboutImages() map[ID]entry {
	return map[ID]entry{
		Unresolved:        {errorStays, "the architectures of an image are unknown"},
		SourceNotQueried:  {errorStays, "goldenarch cannot find out the architectures of the source"},
		NoImageStream:     {errorStays, "the ImageStream is not in the input"},
		ImageStreamLegacy: {advisory, "the ImageStream keeps one architecture only"},
		ReferenceInvalid:  {never, "the image reference is invalid"},
		OverrideUnused:    {advisory, "an override matches nothing"},
		MirrorDiffers:     {advisory, "the content of a mirror does not match the digest"},
		MirrorUnavailable: {advisory, "a mirror did not answer"},
		MirrorInvalid:     {never, "a mirror set is invalid"},
		MirrorNotForCDI:   {advisory, "CDI does not use the mirrors"},
		SecretMissing:     {advisory, "a Secret with credentials is not in the input"},
		SecretUnreadable:  {advisory, "a Secret with credentials cannot be read"},
		AuthorityMissing:  {advisory, "a ConfigMap with certificate authorities is not in the input"},
		AuthorityInvalid:  {advisory, "a certificate authority cannot be read"},
		RateLimitLow:      {advisory, "a registry has few pulls left"},
		EntryIgnored:      {advisory, "CDI takes no image from an entry of an index"},
		BootcImage:        {advisory, "an image is one for bootc, and no container disk"},
		PlatformAbsent:    {errorStays, "the registry lacks a part of an image"},
		MirrorBelieved:    {advisory, "goldenarch believes the index of a mirror"},
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

// aboutInputs has the class and the title of each of these ids.
func aboutInputs() map[ID]entry {
	return map[ID]entry{
		Unreadable:    {never, "the input cannot be read"},
		Templated:     {errorStays, "a templated file was skipped"},
		NoCR:          {never, "there is no HyperConverged CR"},
		Duplicate:     {never, "an object is a duplicate"},
		ConfigInvalid: {never, "the configuration is invalid"},
		DuplicateKey:  {errorStays, "a key is a duplicate"},
		NodeInPackage: {advisory, "a Node would be applied to the cluster"},
		NodeLeftOut:   {advisory, "goldenarch omits a dump of a Node from the output"},
		NodesInvalid:  {never, "the file with the Nodes is not valid"},
		KustomizeOld:  {advisory, "kustomize is older than 5.0"},
		KindNear:      {advisory, "the kind or the group looks like one that goldenarch reads"},
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

// aboutPods has the class and the title of each of these ids.
func aboutPods() map[ID]entry {
	return map[ID]entry{
		PodUnconstrained:    {lowerable, "a pod without an architecture constraint has images that lack an architecture of the cluster"},
		ConstraintTooWide:   {lowerable, "a constraint admits an architecture that the images lack"},
		ConstraintNarrow:    {advisory, "a constraint omits an architecture that the images have"},
		NoNodeFits:          {lowerable, "no node meets the constraints of a pod"},
		NoCommonArch:        {lowerable, "the images of a pod have no architecture in common"},
		PodUnresolved:       {errorStays, "nothing proves the architectures of an image of a pod"},
		ArchLabelValue:      {lowerable, "a constraint names an architecture that no node has"},
		BetaLabel:           {advisory, "a constraint uses a deprecated label"},
		TermEmpty:           {advisory, "an empty term selects no node"},
		TermsMissing:        {errorStays, "a required node affinity has no terms"},
		AffinityReplaced:    {lowerable, "a Subscription replaces the node affinity of the operator"},
		AffinityErased:      {lowerable, "a Subscription erases the affinity of the operator"},
		LabelNotKept:        {lowerable, "an image does not keep a label of the ClusterServiceVersion"},
		LabelMissing:        {advisory, "all images have an architecture without a label"},
		LabelIgnored:        {lowerable, "OLM ignores a label of the ClusterServiceVersion"},
		CopiesDisagree:      {advisory, "the copies of a workload for each architecture overlap or leave a gap"},
		PodFixed:            {advisory, "the API server refuses a change of the node affinity"},
		ManifestMissing:     {errorStays, "the registry lacks manifests that an index lists"},
		AffinityWritten:     {advisory, "the node affinity is written"},
		PodUnreadable:       {errorStays, "Kubernetes does not accept the constraints of a pod"},
		ImageOmitted:        {advisory, "an image does not count"},
		PodSkipped:          {advisory, "a pod is skipped"},
		NoPods:              {errorStays, "there are no pods"},
		ConstraintReplaced:  {advisory, "a constraint of a person is replaced"},
		LabelWritten:        {advisory, "a label of the ClusterServiceVersion is written"},
		WorkloadsAnnotation: {never, "the annotation goldenarch.dev/workloads is not valid"},
		FeatureNeeded:       {advisory, "Knative needs a feature for what goldenarch writes"},
		OperatorUnknown:     {advisory, "nothing proves which architectures an operator has"},
		BundleInvalid:       {lowerable, "OLM does not accept the bundle"},
		RequiredLacking:     {lowerable, "an operator or a pod does not support a required architecture"},
		OperandUnrestricted: {advisory, "nothing restricts the pods that an operator makes of an image"},
		OperandNotRelated:   {advisory, "an image that an operator runs is not among its related images"},
		SelectorReplaced:    {lowerable, "a Subscription replaces the nodeSelector of the operator"},
		OperatorDisagrees:   {advisory, "the configuration and the lock disagree on an operator"},
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
	PlatformPreset    ID = "GA133"
)

// aboutTemplates has the class and the title of each of these ids.
func aboutTemplates() map[ID]entry {
	return map[ID]entry{
		ClaimMalformed:    {advisory, "HCO misreads the declared architectures"},
		ClaimUnknown:      {advisory, "the declared architectures name no known architecture"},
		ClaimEmpty:        {never, "none of the declared architectures is right"},
		ClaimNarrowed:     {advisory, "the template declares an architecture that the image lacks"},
		ClaimWrong:        {lowerable, "the declared architectures are wrong and stay"},
		ClaimIgnored:      {advisory, "HCO ignores the declared architectures"},
		ClaimAdded:        {advisory, "a customized predefined template declared no architectures"},
		OtherSource:       {errorStays, "a predefined name with another kind of source"},
		TemplateDisabled:  {advisory, "no workload node can use the template"},
		TemplateEnabled:   {advisory, "workload nodes can use a disabled template again"},
		Unsupported:       {lowerable, "the template has no image for any workload node"},
		SharedDataSource:  {advisory, "two templates share a DataSource"},
		LabelsIgnored:     {advisory, "HCO ignores the labels"},
		PredefinedUnknown: {advisory, "the architectures of predefined templates are unknown"},
		TemplateDropped:   {advisory, "HCO drops the template"},
		ClaimReplaced:     {advisory, "the declared architectures differ from those of the image"},
		PredefinedLacks:   {advisory, "the image lacks an architecture that HCO declares"},
		NotAsRendered:     {advisory, "render changes the input"},
		ConfigUnlisted:    {advisory, "a configuration has no effect"},
		LiveDiffers:       {advisory, "what the commit changes on the cluster"},
		LiveInvalid:       {never, "the live CR is not valid"},
		LiveOther:         {advisory, "the live CR is of another HyperConverged"},
		ImageLacks:        {advisory, "the image lacks a workload architecture"},
		DeclaredOmit:      {advisory, "the declared architectures omit one that the image has"},
		ImportFails:       {lowerable, "the image lacks what the template declares"},
		DeclaredStale:     {advisory, "the declared architectures in the files are wrong"},
		PlatformPreset:    {lowerable, "the template names a platform of its own"},
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

// aboutMachines has the class and the title of each of these ids.
func aboutMachines() map[ID]entry {
	return map[ID]entry{
		MachineRefused:         {lowerable, "KubeVirt refuses a machine"},
		MachineNeverStarts:     {lowerable, "a machine never starts"},
		MachineDiskOther:       {lowerable, "a machine cannot boot from its disk"},
		MachineDiskMissing:     {lowerable, "a disk of a machine will not exist"},
		MachineNoNode:          {lowerable, "no node can run a machine"},
		MachineDepends:         {advisory, "what a machine gets depends on the cluster"},
		MachineRaces:           {advisory, "a machine and its DataSource race"},
		MachineSelectorRemoved: {advisory, "KubeVirt removes a node selector"},
		MachineUnknown:         {advisory, "goldenarch does not know enough about a machine"},
		MachineUnread:          {errorStays, "a machine cannot be read"},
		FactsDisagree:          {advisory, "a facts file does not agree with the CR"},
		FactsInvalid:           {never, "a facts file is not valid"},
	}
}
