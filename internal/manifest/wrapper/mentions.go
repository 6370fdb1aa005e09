package wrapper

import "github.com/goldenarch/goldenarch/internal/pattern"

// CRKind is the kind of a HyperConverged CR.
const CRKind = "HyperConverged"

// hasCR reports whether a text that is YAML, or a template of YAML, or JSON, has a HyperConverged CR.
var hasCR = pattern.OfKind(CRKind, CRKind)

// HoldsCR reports whether a text holds a HyperConverged CR.
func HoldsCR(text string) bool { return hasCR([]byte(text)) }
