package hyperconverged

import (
	"cmp"
	"reflect"
)

// Class is HCO's class of a template.
type Class string

// The classes. A template of the CR with a predefined name is customized, even if it
// changes nothing.
const (
	ClassPredefined Class = "predefined" // in HCO's table only
	ClassCustomized Class = "customized" // in the table and in the CR
	ClassCustom     Class = "custom"     // in the CR only
	ClassDisabled   Class = "disabled"   // in the CR, switched off
	ClassDropped    Class = "dropped"    // in the CR, and HCO ignores it
)

// Classified is a template with its class.
type Classified struct {
	Template
	Class Class
	// Base is the template of the table with the same name; nil if the table has none.
	Base *Predefined
	// RegistryModified says, for a template with a Base, that the CR changes the registry
	// source. Then HCO drops the built-in declared architectures; otherwise it ignores the
	// CR's.
	RegistryModified bool
}

// Classify returns HCO's class of each template: first the CR's, in order, then those of
// the table that are not in the CR (hco golden_images.go: GetDataImportCronTemplates).
func Classify(cr *CR, table Table) []Classified {
	out := make([]Classified, 0, len(cr.Templates)+len(table.Templates))
	for _, t := range cr.Templates {
		out = append(out, classify(cr, table, t))
	}
	for _, p := range table.Templates {
		if _, stated := cr.Template(p.Name()); !stated && cr.CommonImport {
			out = append(out, Classified{Template: p.Template, Class: ClassPredefined, Base: &p})
		}
	}
	return out
}

func classify(cr *CR, table Table, t Template) Classified {
	c := Classified{Template: t, Class: ClassCustom}
	if base, ok := table.Find(t.Name()); ok {
		c.Base = &base
		c.Class = ClassCustomized
		c.RegistryModified = registryModified(t, base)
	}
	switch {
	case !t.Enabled():
		c.Class = ClassDisabled
	case c.Base != nil && !cr.CommonImport:
		// HCO looks for custom templates among the names that are not predefined, even if
		// it imports no predefined templates. So it silently drops this entry (hco
		// golden_images.go: GetDataImportCronTemplates).
		c.Class = ClassDropped
	}
	return c
}

// registryModified compares all fields of the registry source, as HCO does: an added pull
// method or secret is a change. A source of another kind in place of the registry source is
// not a change (hco golden_images.go: customizeCommonDICT). If the registry source of the
// predefined template is unknown, one in the CR counts as a change: people customize a template
// to change it, and architectures that HCO ignores do no harm.
func registryModified(t Template, base Predefined) bool {
	registry := t.Registry()
	return registry != nil && (base.registryUnknown || !reflect.DeepEqual(registry, base.Registry()))
}

// BuiltInClaim returns the declared architectures of the template in HCO's table, and
// whether goldenarch knows them. A template that is not predefined has none.
func (c Classified) BuiltInClaim() (claim string, has, known bool) {
	if c.Base == nil {
		return "", false, true
	}
	claim, has = c.Base.Annotation(ClaimAnnotation)
	return claim, has, c.Base.ClaimKnown
}

// IgnoresClaim reports whether HCO, with the gate on, uses the built-in declared
// architectures and ignores the CR's (hco golden_images.go:
// customizeCommonDictAnnotations).
func (c Classified) IgnoresClaim() bool {
	return c.Class == ClassCustomized && !c.RegistryModified
}

func compareNames(a, b Template) int { return cmp.Compare(a.Name(), b.Name()) }

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
