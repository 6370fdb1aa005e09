package object

import (
	"strconv"
	"strings"

	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/yamlnode"
)

// Locate adds this object to the findings that name no object.
func (o Object) Locate(list finding.List) finding.List {
	for i := range list {
		if list[i].Object != (finding.Object{}) {
			continue
		}
		list[i].Object = o.At
		if list[i].Template == "" {
			list[i].Template = o.templateName(list[i].Field)
		}
		if list[i].Line == 0 {
			list[i].Line = o.Line(list[i].Field)
		}
		list[i].Field = strings.Trim(o.Path+"."+list[i].Field, ".")
	}
	return list
}

// templateName returns the name of the template that a field is in; "" if it is in no
// template. People know a template by its name, and not by its index.
func (o Object) templateName(field string) string {
	_, rest, ok := strings.Cut(field, "dataImportCronTemplates[")
	if !ok {
		return ""
	}
	number, _, _ := strings.Cut(rest, "]")
	path := strings.Split(field[:len(field)-len(rest)-1], ".")
	list := yamlnode.Lookup(o.Node.YNode(), path)
	i, err := strconv.Atoi(number)
	if err != nil || list == nil || i < 0 || i >= len(list.Content) {
		return ""
	}
	name := yamlnode.Lookup(list.Content[i], []string{"metadata", "name"})
	if name == nil {
		return ""
	}
	return name.Value
}

// Unreadable returns the finding that goldenarch cannot read the object.
func (o Object) Unreadable(err error) finding.Finding {
	return finding.Finding{
		ID: finding.Unreadable, Severity: finding.Error, Object: o.At, Field: o.Path, Line: o.Line(""),
		Text: err.Error(), Do: "correct the manifest",
	}
}
