package yamledit

import (
	"fmt"
	"strings"
)

// Error says why goldenarch cannot edit a text, and where the problem is.
type Error struct {
	// Line is the line of the text, counted from 1.
	Line int
	// Problem says what prevents the edit, and Fix says what the user can do.
	Problem, Fix string
}

// Error implements error.
func (e *Error) Error() string {
	return fmt.Sprintf("line %d: %s: %s", e.Line, e.Problem, e.Fix)
}

// Fixes that several problems have in common.
const (
	fixByHand = "make the edit by hand"
	writeOut  = "write the value out"

	splitDocument = "split the document into several, or make the edit by hand"
)

// errorLine returns the line that an error of the reader names, or 1.
func errorLine(err error) int {
	line := 0
	if _, none := fmt.Sscanf(strings.TrimPrefix(err.Error(), "yaml: "), "line %d:", &line); none != nil || line < 1 {
		return 1
	}
	return line
}
