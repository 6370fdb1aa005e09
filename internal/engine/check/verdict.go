package check

import "fmt"

// Verdict is what a check says of one cluster, or of its whole input.
type Verdict string

// The verdicts, from the best to the worst.
const (
	// RightAsCommitted says that the operators do the right thing with the files as they are.
	RightAsCommitted Verdict = "RightAsCommitted"
	// RightOnceRendered says that they do so with what goldenarch renders, and that
	// goldenarch runs on the way to the cluster.
	RightOnceRendered Verdict = "RightOnceRendered"
	// NothingChecked says that the input has nothing that goldenarch checks.
	NothingChecked Verdict = "NothingChecked"
	// NotRight says that a finding fails the check.
	NotRight Verdict = "NotRight"
)

// Passes reports whether the check passes. An empty check passes only if the user allows it.
func (v Verdict) Passes(allowEmpty bool) bool {
	return v == RightAsCommitted || v == RightOnceRendered || v == NothingChecked && allowEmpty
}

// Verdict returns the verdict. fails says that a finding fails the check, and checked that there was something to check.
func (s Summary) Verdict(fails, checked bool) Verdict {
	switch {
	case fails:
		return NotRight
	case !checked:
		return NothingChecked
	case s.NeedsRendering:
		return RightOnceRendered
	default:
		return RightAsCommitted
	}
}

// As says in which form the checked files get to the cluster.
type As string

// The values of --as.
const (
	// Committed says that the files get there as they are.
	Committed As = "committed"
	// Rendered says that goldenarch runs on the way.
	Rendered As = "rendered"
)

// Validate returns an error for what is not a value of --as; "" states nothing.
func (a As) Validate() error {
	if a == "" || a == Committed || a == Rendered {
		return nil
	}
	return fmt.Errorf("%q is not a valid form, expected committed or rendered", string(a))
}
