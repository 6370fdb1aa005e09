package object

import (
	"fmt"
	"strings"
)

// NameAndLocation returns the name of the object and its file.
func (o Object) NameAndLocation() string {
	if where := o.Location(); where != "" {
		return o.At.String() + " (" + where + ")"
	}
	return o.At.String()
}

// Location returns where an object is written; "" if the input does not say.
func (o Object) Location() string {
	var parts []string
	if o.Path != "" {
		parts = append(parts, o.Path)
	}
	if o.At.File != "" {
		parts = append(parts, fmt.Sprintf("document %d of %s", o.At.Index+1, o.At.File))
	}
	return strings.Join(parts, " in ")
}
