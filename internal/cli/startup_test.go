package cli

import (
	"bytes"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// TestKustomizeIsPaidWhenUsed: kustomize's library, linked in, adds next to nothing
// to the start of a run that builds nothing. Counted by the runtime, in allocations
// (runtime/extern.go: GODEBUG=inittrace=1).
func TestKustomizeIsPaidWhenUsed(t *testing.T) {
	t.Parallel()
	const maxListed = 200 // 54 in kustomize v5.8.2, of 10,000
	child := goldenarch(t, "version")
	child.Env = append(child.Env, "GODEBUG=inittrace=1")
	var trace bytes.Buffer
	child.Stderr = &trace
	if err := child.Run(); err != nil {
		t.Fatal(err)
	}
	all, kustomize := 0, 0
	for _, found := range regexp.MustCompile(`(?m)^init (\S+) @.* (\d+) allocs$`).FindAllStringSubmatch(trace.String(), -1) {
		allocations, err := strconv.Atoi(found[2])
		if err != nil {
			t.Fatal(err)
		}
		all += allocations
		if strings.HasPrefix(found[1], "sigs.k8s.io/kustomize/api/") || strings.HasSuffix(found[1], "goldenarch/kustomization") {
			kustomize += allocations
		}
	}
	if kustomize == 0 || all < 10*maxListed || kustomize > maxListed {
		t.Errorf("want at most %d of many allocations by kustomize, got %d of %d", maxListed, kustomize, all)
	}
}
