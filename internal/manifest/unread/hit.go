package unread

import (
	"bytes"

	"github.com/goldenarch/goldenarch/internal/console"
)

// What says what a hit is.
type What string

// What goldenarch checks.
const (
	CR        What = "HyperConverged CR"
	Templates What = "templates of a HyperConverged CR"
	Machine   What = "virtual machine"
	Pods      What = "object with pods"
)

// Want says what to find beside CRs and their templates.
type Want struct{ Machines, Pods bool }

// MayHold reports whether a text may hold what somebody wants beside CRs.
func (w Want) MayHold(data []byte) bool {
	return w.Machines && bytes.Contains(data, []byte("kubevirt.io/v")) || w.Pods && bytes.Contains(data, []byte("containers"))
}

// Hit is something that goldenarch checks and does not read there.
type Hit struct {
	What What
	// Path leads to the mapping or to the text, "" for a whole document and in a template.
	Path string
	Line int
	// Place is what --cr-path says after the file to have goldenarch read it, "" if it cannot.
	Place string
	// Text says that a text holds it, and not a mapping.
	Text bool
	// Sample says that it is in a script, in a pipeline, or among the examples of an operator: nothing
	// says that a cluster gets it.
	Sample bool
}

// Naming returns how a user has goldenarch read what is at the place of a file.
func (h Hit) Naming(file string) string {
	return "name the place: pass " + console.Command("--cr-path", file+"#"+h.Place) + " in place of the path, or state it as crPath in goldenarch.yaml"
}
