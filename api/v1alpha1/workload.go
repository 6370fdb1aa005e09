package v1alpha1

// WorkloadArchitecturesKind is the kind of [WorkloadArchitectures].
const WorkloadArchitecturesKind = "WorkloadArchitectures"

// WorkloadArchitectures configures the changes to the pods of the input: their node
// affinity shall match the architectures of their images.
type WorkloadArchitectures struct {
	TypeMeta   `json:",inline"`
	ObjectMeta `json:"metadata"`
	Spec       WorkloadArchitecturesSpec `json:"spec,omitempty"`
}

// WorkloadArchitecturesSpec configures the changes to pods. The zero value, after
// Default, is a complete configuration.
type WorkloadArchitecturesSpec struct {
	// Mode says whether goldenarch writes node affinities or only checks them. Default:
	// Affinity.
	Mode WorkloadMode `json:"mode,omitempty"`
	// ClusterArchitectures states which architectures the nodes have. Default: those
	// of a ClusterArchitectures or of Nodes in the input.
	ClusterArchitectures []string `json:"clusterArchitectures,omitempty"`
	// LimitTo, if set, lists the only architectures that goldenarch may write.
	LimitTo []string `json:"limitTo,omitempty"`
	// RestrictToCluster writes only architectures that the cluster has.
	RestrictToCluster bool `json:"restrictToCluster,omitempty"`
	// Unresolved says what goldenarch does with a pod if it does not know the
	// architectures of one of its images. Default: Skip, but a check fails where it knows
	// nothing of a pod.
	Unresolved UnresolvedImage `json:"unresolved,omitempty"`
	// Use lists the architectures of such an image if Unresolved is Use.
	Use []string `json:"use,omitempty"`
	// IgnoreImages lists images that goldenarch ignores: references, or repositories
	// for all their tags and digests.
	IgnoreImages []string `json:"ignoreImages,omitempty"`
	// ImageArchitectures states the architectures of images, by reference. goldenarch
	// does not query the registry for them.
	ImageArchitectures map[string][]string `json:"imageArchitectures,omitempty"`
	// Preferred lists architectures that the scheduler prefers.
	Preferred []PreferredArchitecture `json:"preferred,omitempty"`
	// OS says where goldenarch writes kubernetes.io/os beside kubernetes.io/arch.
	// Default: Auto.
	OS WorkloadOS `json:"os,omitempty"`
	// Selectors say which objects goldenarch changes or checks. Default: all.
	Selectors WorkloadSelectors `json:"selectors,omitempty"`
	// AdditionalPaths say where objects have a PodSpec, for kinds that goldenarch does
	// not know.
	AdditionalPaths []AdditionalPath `json:"additionalPaths,omitempty"`
	// Discover finds PodSpecs in objects of any other kind: a mapping with a list of
	// containers that have images.
	Discover bool `json:"discover,omitempty"`
	// Overwrite replaces architecture conditions that a user wrote.
	Overwrite bool `json:"overwrite,omitempty"`
	// CSVLabels says what goldenarch does with the labels of a ClusterServiceVersion
	// for architectures and operating systems. Default: Check.
	CSVLabels CSVLabels `json:"csvLabels,omitempty"`
	// Prune removes a label if an image does not have what it promises, where CSVLabels
	// is Write.
	Prune bool `json:"prune,omitempty"`
	// Operators states the architectures of operators, by package. Subscriptions and
	// ClusterExtensions name no images. Default: those in the lock.
	Operators map[string][]string `json:"operators,omitempty"`
	// Enforce adds a node affinity to a Subscription or a ClusterExtension without one.
	// It replaces the one that the operator brings.
	Enforce bool `json:"enforce,omitempty"`
	// Inputs are files to read in addition to the items, like those of a GoldenImages.
	Inputs []string `json:"inputs,omitempty"`
	// Registry says how goldenarch queries registries, unless a GoldenImages says it.
	Registry RegistrySpec `json:"registry,omitempty"`
	// Lock says how goldenarch uses an ArchitectureLock, unless a GoldenImages says it.
	Lock LockSpec `json:"lock,omitempty"`
	// Findings gives findings another severity, by their ids, such as GA701.
	Findings map[string]FindingSeverity `json:"findings,omitempty"`
}

// PreferredArchitecture is an architecture with its weight for the scheduler.
type PreferredArchitecture struct {
	Architecture string `json:"architecture"`
	// Weight is from 1 to 100.
	Weight int `json:"weight"`
}

// WorkloadSelectors select objects. An empty list selects all objects. Each of the
// lists must select an object.
type WorkloadSelectors struct {
	Kinds      []string          `json:"kinds,omitempty"`
	Names      []string          `json:"names,omitempty"`
	Namespaces []string          `json:"namespaces,omitempty"`
	Labels     map[string]string `json:"labels,omitempty"`
}

// AdditionalPath says where objects of a kind have a PodSpec or a placement.
type AdditionalPath struct {
	// Group is the API group without a version; "" is the core group.
	Group string `json:"group,omitempty"`
	Kind  string `json:"kind"`
	// Path is the path to it: spec.template.spec, spec.jobs[].template.spec.
	Path string `json:"path"`
	// Shape says what is at the path. Default: podSpec.
	Shape PathShape `json:"shape,omitempty"`
}

// WorkloadMode says what goldenarch does with pods.
type WorkloadMode string

// Affinity writes node affinities and checks the result. Check only checks. None does
// neither.
const (
	WorkloadsAffinity WorkloadMode = "Affinity"
	WorkloadsCheck    WorkloadMode = "Check"
	WorkloadsNone     WorkloadMode = "None"
)

// UnresolvedImage says what goldenarch does with a pod if it does not know the
// architectures of one of its images.
type UnresolvedImage string

// Skip leaves the pod unchanged, with a warning. Error reports an error. Use uses the
// architectures of the field use for the image, with a warning.
const (
	UnresolvedSkip  UnresolvedImage = "Skip"
	UnresolvedError UnresolvedImage = "Error"
	UnresolvedUse   UnresolvedImage = "Use"
)

// WorkloadOS says where goldenarch writes kubernetes.io/os.
type WorkloadOS string

// Auto writes it in ClusterServiceVersions, because operator-sdk bundle validate reads
// only pairs of system and architecture.
const (
	OSAuto   WorkloadOS = "Auto"
	OSAlways WorkloadOS = "Always"
	OSNever  WorkloadOS = "Never"
)

// CSVLabels says what goldenarch does with the labels of a ClusterServiceVersion.
type CSVLabels string

// Off ignores the labels. Check reports labels that are wrong or missing. Write adds
// the missing ones.
const (
	CSVLabelsOff   CSVLabels = "Off"
	CSVLabelsCheck CSVLabels = "Check"
	CSVLabelsWrite CSVLabels = "Write"
)

// PathShape says what is at a path.
type PathShape string

// A podSpec has containers, nodeSelector and affinity. A placement has only the latter
// two.
const (
	ShapePodSpec   PathShape = "podSpec"
	ShapePlacement PathShape = "placement"
)
