package object

import "github.com/goldenarch/goldenarch/internal/yamlnode"

// Line returns the line of a field of the object, or of its nearest parent.
func (o Object) Line(field string) int { return yamlnode.Line(o.Node.YNode(), field) }
