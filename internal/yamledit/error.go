package yamledit

import "fmt"

// Error says why a text cannot be edited, and where.
type Error struct {
	// Line is the line of the text, counted from 1.
	Line int
	// Problem is what is in the way, and Fix what a person can do.
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
