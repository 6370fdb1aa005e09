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
	// wide says that the text is UTF-16 or UTF-32, machines that it has virtual machines.
	wide, machines bool
	// containers says that it has containers.
	containers bool
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

// machineKinds matches the kind of a virtual machine, of what makes one, or of its disk.
var machineKinds = pattern.Of(`(?m)^[ \t-]*"?kind"?[ \t]*:[ \t]*["']?(VirtualMachine\w*|DataVolume)["']?[ \t]*,?\r?$`)

func newText(data []byte) *text {
	t := &text{mentions: checked().Match(data), machines: machineKinds().Match(data), containers: bytes.Contains(data, []byte("containers:"))}
	if bytes.IndexByte(data, 0) >= 0 {
		t.wide = true
		t.mentions = checked().Match(bytes.ReplaceAll(data, []byte{0}, nil))
	}
	t.pods = slices.ContainsFunc(podspec.Words(), func(word string) bool { return bytes.Contains(data, []byte(word)) })
	if t.mentions || bytes.Contains(data, []byte("PolicyGenerator")) {
		t.data = data
	}
	if bytes.Contains(data, []byte("argoproj.io/")) && bytes.Contains(data, []byte("Application")) || bytes.Contains(data, []byte(fluxGroups)) {
		t.appliers = data
	}
	return t
}

// Mentions reports whether a text may have an object that goldenarch checks; with pods, also
// one with pods.
func Mentions(data []byte, pods bool) bool {
	t := newText(data)
	return t.mentions || pods && t.pods
}
