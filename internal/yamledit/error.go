package yamledit

import "fmt"

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
)
