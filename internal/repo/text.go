package repo

import (
	"bytes"
	"slices"

	"github.com/goldenarch/goldenarch/internal/pattern"
	"github.com/goldenarch/goldenarch/internal/workload/podspec"
)

// text is what is kept of a file.
type text struct {
	// mentions says that the file may have an object that goldenarch checks.
	mentions bool
	// pods says that the file may have objects with pods.
	pods bool
	// data has the text of a file that is needed again: one that mentions such an object,
	// or a PolicyGenerator.
	data []byte
	// appliers has the text of a file that may have an Application of Argo CD, or a
	// Kustomization of Flux.
	appliers []byte
}

// checked matches what every object has that goldenarch checks: a HyperConverged CR,
// also a misspelled one, an SSP CR, or a kind of goldenarch's own.
var checked = pattern.Of(`HyperConverged|(?i:kind"?'?\s*:\s*["']?hyperconverged)|hco\.kube|ssp\.kubevirt\.io|goldenarch\.`)

func newText(data []byte) *text {
	t := &text{mentions: checked().Match(data)}
	t.pods = slices.ContainsFunc(podspec.Words(), func(word string) bool { return bytes.Contains(data, []byte(word)) })
	if t.mentions || bytes.Contains(data, []byte("PolicyGenerator")) {
		t.data = data
	}
	if bytes.Contains(data, []byte("argoproj.io/")) && bytes.Contains(data, []byte("Application")) || bytes.Contains(data, []byte(fluxGroups)) {
		t.appliers = data
	}
	return t
}
