package finding

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
)

// titlesOfImages has a short description of each of these ids.
var titlesOfImages = map[ID]string{
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
}
