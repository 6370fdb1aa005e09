package generators

import "github.com/goldenarch/goldenarch/internal/operators/expansion"

// namespace returns the golden images namespace.
func namespace(name string) expansion.Object {
	return object("v1", "Namespace", "", name, parts{})
}
