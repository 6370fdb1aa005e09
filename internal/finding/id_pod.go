package finding

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

// titlesOfPods has a short description of each of these ids.
var titlesOfPods = map[ID]string{
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
