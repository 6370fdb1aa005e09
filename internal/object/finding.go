package object

import (
	"strings"

	"github.com/goldenarch/goldenarch/internal/finding"
)

// Locate says of findings that name no object that they are about this one.
func (o Object) Locate(list finding.List) finding.List {
	for i := range list {
		if list[i].Object != (finding.Object{}) {
			continue
		}
		list[i].Object = o.At
		if list[i].Line == 0 {
			list[i].Line = LineOf(o.Node.YNode(), list[i].Field)
		}
		list[i].Field = strings.Trim(o.Path+"."+list[i].Field, ".")
	}
	return list
}

// Unreadable tells that the object cannot be made sense of.
func (o Object) Unreadable(err error) finding.Finding {
	return finding.Finding{
		ID: finding.Unreadable, Severity: finding.Error, Object: o.At, Field: o.Path, Line: LineOf(o.Node.YNode(), ""),
		Text: err.Error(), Do: "correct the manifest",
	}
}
