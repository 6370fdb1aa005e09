package finding

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

// titlesOfEmitted has a short description of each of these ids.
var titlesOfEmitted = map[ID]string{
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
