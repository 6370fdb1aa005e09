package finding

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
	ReleaseNewer         ID = "GA433"

	FieldOfOtherRelease ID = "GA435"
	AnnotationNear      ID = "GA436"
	WebhookWarns        ID = "GA437"
	ServerFields        ID = "GA440"
	StatusKept          ID = "GA441"
)

// CRs inside other objects that deliver them to a cluster.
const (
	CRUnread    ID = "GA830"
	MergedByACM ID = "GA831"
	CreatedOnce ID = "GA832"
	EmitWrapped ID = "GA833"
)

// titlesOfCRs has a short description of each of these ids.
var titlesOfCRs = map[ID]string{
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
	ReleaseNewer:         "the release is newer than the newest verified one",
	FieldOfOtherRelease:  "the release does not have the field",
	AnnotationNear:       "an annotation looks like one that an operator reads",
	WebhookWarns:         "HCO's webhook warns about the CR",
	ServerFields:         "the CR has fields that only a cluster sets",
	StatusKept:           "only the status of the CR states the nodes",
	CRUnread:             "an object holds a CR that goldenarch does not read",
	MergedByACM:          "a policy merges the object, so an edit duplicates an element of a list",
	CreatedOnce:          "the cluster gets the object once, and no later edit",
	EmitWrapped:          "goldenarch cannot emit objects beside a wrapped CR",
}
