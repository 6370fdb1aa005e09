package hyperconverged

// Origin says where a predefined template is known from.
type Origin string

// The origins, from the least to the most authoritative.
const (
	// Documentation is public documentation, which serves only for predictions.
	Documentation Origin = "documentation"
	// Exact is the built-in table of HCO's own releases, byte for byte.
	Exact Origin = "exact"
	// LiveCR is the status of the cluster's own HyperConverged.
	LiveCR Origin = "liveCR"
	// Configuration is the user's own configuration.
	Configuration Origin = "configuration"
)

// KnownFrom returns where the declared architectures that HCO uses are known from; "" for a
// template that declares its own.
func (c Classified) KnownFrom() Origin {
	switch {
	case c.Base == nil || c.Class != ClassPredefined && !c.IgnoresClaim():
		return ""
	case c.Base.claimFrom != "":
		return c.Base.claimFrom
	case c.Base.From == Documentation && c.Base.ClaimKnown:
		return Configuration // a person states them
	default:
		return c.Base.From
	}
}

// Documented returns the names of the templates whose built-in values are known only from
// documentation, in the order of [Classify]. A template of the CR counts if HCO, with the
// multi-arch gate on, uses its built-in template.
func Documented(cr *CR, table Table, gate bool) []string {
	var names []string
	for _, c := range Classify(cr, table) {
		if c.KnownFrom() == Documentation && (c.Class == ClassPredefined || gate) {
			names = append(names, c.Name())
		}
	}
	return names
}
