package finding

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
)

// titlesOfTemplates has a short description of each of these ids.
var titlesOfTemplates = map[ID]string{
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
}
