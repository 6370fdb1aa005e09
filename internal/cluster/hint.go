package cluster

import (
	"regexp"
	"strings"

	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/pattern"
)

// Hint is an architecture that something looks like. It is a guess, not a fact: clouds
// add names of instance types at any time.
type Hint struct {
	Architecture arch.Arch
	Why          string
}

// instanceTypes are the names of instance types that suggest an architecture, by the
// field of the provider's configuration.
var instanceTypes = []struct {
	field, what string
	arm64       func() *regexp.Regexp
}{
	{"instanceType", "the instance type", pattern.Of(`^(a1|[a-z]+[0-9]+g[a-z]*)\.`)}, // AWS
	{"vmSize", "the VM size", pattern.Of(`^Standard_[A-Z]+[0-9]+p`)},                 // Azure
	{"machineType", "the machine type", pattern.Of(`^(t2a|c4a|n4a)-`)},               // GCP
}

// providerHint returns the architecture that the provider's configuration in a
// MachineSet suggests.
func providerHint(provider tree) Hint {
	if strings.HasPrefix(provider.text("kind"), "PowerVS") {
		return Hint{arch.PPC64LE, "PowerVS machines are ppc64le"}
	}
	for _, t := range instanceTypes {
		if name := provider.text(t.field); t.arm64().MatchString(name) {
			return Hint{arch.ARM64, t.what + " " + name + " looks like arm64"}
		}
	}
	return Hint{}
}

// aside returns the hint as an addition to the fix.
func (h Hint) aside() string {
	if h.Why == "" {
		return ""
	}
	return " (a hint only: " + h.Why + ")"
}
