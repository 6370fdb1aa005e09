package kustomize

import (
	"errors"
	"io/fs"

	"github.com/goldenarch/goldenarch/internal/files"
	"github.com/goldenarch/goldenarch/internal/yaml/yamlnode"
)

// Failure is the error of a build in a form that one process can pass to another.
type Failure struct { //nolint:errname // what a worker passes on, which is an error too
	Text string
	// Kinds are the numbers of the errors that the error wraps, of those in kinds.
	Kinds []int
}

// kinds are the errors by which callers tell builds that failed from each other.
var kinds = []error{
	ErrMemory, errRemote, errFunction, errCrash, errAgain, errOutside,
	yamlnode.ErrAnchors, yamlnode.ErrDepth, files.ErrTooLarge, files.ErrTooMany, fs.ErrNotExist,
}

// NewFailure returns an error as a Failure.
func NewFailure(err error) *Failure {
	out := &Failure{Text: err.Error()}
	for i, kind := range kinds {
		if errors.Is(err, kind) {
			out.Kinds = append(out.Kinds, i)
		}
	}
	return out
}

// Error implements error.
func (f *Failure) Error() string { return f.Text }

// Is reports whether the error was one of those that callers know.
func (f *Failure) Is(target error) bool {
	for _, i := range f.Kinds {
		if i >= 0 && i < len(kinds) && errors.Is(kinds[i], target) {
			return true
		}
	}
	return false
}
