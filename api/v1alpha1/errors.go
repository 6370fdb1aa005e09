package v1alpha1

import (
	"fmt"
	"slices"
	"strings"
)

// FieldError is one problem of a document.
type FieldError struct {
	Path string // of the field: spec.existing
	Text string // what is wrong, and what was expected
	// NotAvailable says that the value is valid, but this version of goldenarch does
	// not support it.
	NotAvailable bool
}

// Errors lists all problems of a document. Their order depends on the document alone:
// first values that cannot be read, by key, then invalid values, by field.
type Errors []FieldError

// Error returns all problems in one line.
func (e Errors) Error() string {
	parts := make([]string, len(e))
	for i, one := range e {
		parts[i] = strings.TrimPrefix(one.Path+": "+one.Text, ": ")
	}
	return strings.Join(parts, "; ")
}

func (e *Errors) add(path, format string, args ...any) {
	*e = append(*e, FieldError{Path: path, Text: fmt.Sprintf(format, args...)})
}

// with returns the errors, and those of the others that none of them explains. If a
// field cannot be read, errors about it, its parts, or the object that now lacks it are
// only consequences.
func (e Errors) with(others Errors) Errors {
	out := slices.Clone(e)
	for _, other := range others {
		if !slices.ContainsFunc(e, func(one FieldError) bool { return within(one.Path, other.Path) || within(other.Path, one.Path) }) {
			out = append(out, other)
		}
	}
	return out
}

// within reports whether a path equals another one or is below it.
func within(path, parent string) bool {
	rest, ok := strings.CutPrefix(path, parent)
	return ok && (rest == "" || rest[0] == '.' || rest[0] == '[')
}

// orNil returns the errors as an error, or nil if the list is empty.
func (e Errors) orNil() error {
	if len(e) == 0 {
		return nil
	}
	return e
}
