package v1alpha1

// WorkloadArchitecturesKind is the kind of [WorkloadArchitectures].
const WorkloadArchitecturesKind = "WorkloadArchitectures"

// WorkloadArchitectures says what to do about the pods of the input: their node
// affinity is to match the architectures of their images.
type WorkloadArchitectures struct {
	TypeMeta   `json:",inline"`
	ObjectMeta `json:"metadata"`
	Spec       WorkloadArchitecturesSpec `json:"spec,omitempty"`
}

// WorkloadArchitecturesSpec says what to do. The zero value, after Default, is a
// complete configuration.
type WorkloadArchitecturesSpec struct {
	// Mode says whether node affinities are written or only checked. Default:
	// Affinity.
	Mode WorkloadMode `json:"mode,omitempty"`
	// ClusterArchitectures states which architectures the nodes have. Default: those
	// of a ClusterArchitectures or of Nodes in the input.
	ClusterArchitectures []string `json:"clusterArchitectures,omitempty"`
	// LimitTo, if set, lists the only architectures ever written.
	LimitTo []string `json:"limitTo,omitempty"`
	// RestrictToCluster writes only architectures that the cluster has.
	RestrictToCluster bool `json:"restrictToCluster,omitempty"`
	// Unresolved says what becomes of a pod with an image whose architectures
	// nothing proves. Default: Skip.
	Unresolved UnresolvedImage `json:"unresolved,omitempty"`
	// Use lists the architectures of such an image where Unresolved is Use.
	Use []string `json:"use,omitempty"`
	// IgnoreImages lists images that do not count: references, or repositories for
	// all their tags and digests.
	IgnoreImages []string `json:"ignoreImages,omitempty"`
	// ImageArchitectures states the architectures of images, by reference, instead of
	// the registry.
	ImageArchitectures map[string][]string `json:"imageArchitectures,omitempty"`
	// Preferred lists architectures that the scheduler prefers.
	Preferred []PreferredArchitecture `json:"preferred,omitempty"`
	// OS says where kubernetes.io/os is written beside kubernetes.io/arch. Default:
	// Auto.
	OS WorkloadOS `json:"os,omitempty"`
	// Selectors say which objects count. Default: all.
	Selectors WorkloadSelectors `json:"selectors,omitempty"`
	// AdditionalPaths say where kinds that goldenarch does not know have a PodSpec.
	AdditionalPaths []AdditionalPath `json:"additionalPaths,omitempty"`
	// Discover finds PodSpecs in objects of any other kind: a mapping with a list of
	// containers that have images.
	Discover bool `json:"discover,omitempty"`
	// Overwrite replaces what a person wrote about the architecture.
	Overwrite bool `json:"overwrite,omitempty"`
	// CSVLabels says what is done about the labels of a ClusterServiceVersion for
	// architectures and systems. Default: Check.
	CSVLabels CSVLabels `json:"csvLabels,omitempty"`
	// Prune removes a label that an image does not keep, where CSVLabels is Write.
	Prune bool `json:"prune,omitempty"`
	// Operators states the architectures of operators, by package: Subscriptions and
	// ClusterExtensions name no images.
	Operators map[string][]string `json:"operators,omitempty"`
	// Enforce makes a node affinity in a Subscription or a ClusterExtension that has
	// none. It replaces the one that the operator brings.
	Enforce bool `json:"enforce,omitempty"`
	// Inputs are files to read beside the items, as those of a GoldenImages.
	Inputs []string `json:"inputs,omitempty"`
	// Registry says how registries are asked, unless a GoldenImages does.
	Registry RegistrySpec `json:"registry,omitempty"`
	// Lock says how an ArchitectureLock is used, unless a GoldenImages does.
	Lock LockSpec `json:"lock,omitempty"`
}

// PreferredArchitecture is an architecture with its weight for the scheduler.
type PreferredArchitecture struct {
	Architecture string `json:"architecture"`
	// Weight is 1 to 100.
	Weight int `json:"weight"`
}

// WorkloadSelectors select objects. An empty list selects all; an object must be
// selected by each of them.
type WorkloadSelectors struct {
	Kinds      []string          `json:"kinds,omitempty"`
	Names      []string          `json:"names,omitempty"`
	Namespaces []string          `json:"namespaces,omitempty"`
	Labels     map[string]string `json:"labels,omitempty"`
}

// AdditionalPath is where objects of a kind have a PodSpec or a placement.
type AdditionalPath struct {
	// Group is the API group without a version; "" is the core group.
	Group string `json:"group,omitempty"`
	Kind  string `json:"kind"`
	// Path leads to it: spec.template.spec, spec.jobs[].template.spec.
	Path string `json:"path"`
	// Shape says what is there. Default: podSpec.
	Shape PathShape `json:"shape,omitempty"`
}

// WorkloadMode says what is done about pods.
type WorkloadMode string

// Affinity writes node affinities and checks the result. Check only checks. None
// does neither.
const (
	WorkloadsAffinity WorkloadMode = "Affinity"
	WorkloadsCheck    WorkloadMode = "Check"
	WorkloadsNone     WorkloadMode = "None"
)

// UnresolvedImage says what becomes of a pod with an image whose architectures
// nothing proves.
type UnresolvedImage string

// Skip leaves the pod as it is, with a warning. Error is an error. Use takes the
// architectures of the field use for the image, with a warning.
const (
	UnresolvedSkip  UnresolvedImage = "Skip"
	UnresolvedError UnresolvedImage = "Error"
	UnresolvedUse   UnresolvedImage = "Use"
)

// WorkloadOS says where kubernetes.io/os is written.
type WorkloadOS string

// Auto writes it in ClusterServiceVersions: operator-sdk bundle validate reads pairs
// of system and architecture only.
const (
	OSAuto   WorkloadOS = "Auto"
	OSAlways WorkloadOS = "Always"
	OSNever  WorkloadOS = "Never"
)

// CSVLabels says what is done about the labels of a ClusterServiceVersion.
type CSVLabels string

// Off ignores them, Check reports labels that are wrong or missing, Write adds the
// missing ones.
const (
	CSVLabelsOff   CSVLabels = "Off"
	CSVLabelsCheck CSVLabels = "Check"
	CSVLabelsWrite CSVLabels = "Write"
)

// PathShape says what is at a path.
type PathShape string

// A podSpec has containers, nodeSelector and affinity; a placement has only the
// latter two.
const (
	ShapePodSpec   PathShape = "podSpec"
	ShapePlacement PathShape = "placement"
)
