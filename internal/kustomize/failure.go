package kustomize

import "errors"

// Failure is the error of a build in a form that one process can pass to another.
type Failure struct { //nolint:errname // what a worker passes on, which is an error too
	Text string
	// Memory says that the error is [ErrMemory], after which the build goes on.
	Memory bool
}

// NewFailure returns an error as a Failure.
func NewFailure(err error) *Failure {
	return &Failure{Text: err.Error(), Memory: errors.Is(err, ErrMemory)}
}

// Error implements error.
func (f *Failure) Error() string { return f.Text }

// Is reports whether the error is the one that callers know.
func (f *Failure) Is(target error) bool { return f.Memory && target == ErrMemory }
