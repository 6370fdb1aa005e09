package cluster

import (
	"regexp"
	"strings"
)

// Instance types whose names tell an architecture to those who know them. That
// is a hint, not a fact: names are added by the clouds at any time.
var (
	awsARM   = regexp.MustCompile(`^(a1|[a-z]+[0-9]+g[a-z]*)\.`)
	azureARM = regexp.MustCompile(`^Standard_[A-Z]+[0-9]+p`)
	gcpARM   = regexp.MustCompile(`^(t2a|c4a|n4a)-`)
)

// providerHint returns what the instance type of a MachineSet hints at, in
// words.
func providerHint(provider tree) string {
	hint := ""
	switch {
	case strings.HasPrefix(provider.text("kind"), "PowerVS"):
		hint = "PowerVS machines are ppc64le"
	case awsARM.MatchString(provider.text("instanceType")):
		hint = "the instance type " + provider.text("instanceType") + " looks like arm64"
	case azureARM.MatchString(provider.text("vmSize")):
		hint = "the VM size " + provider.text("vmSize") + " looks like arm64"
	case gcpARM.MatchString(provider.text("machineType")):
		hint = "the machine type " + provider.text("machineType") + " looks like arm64"
	}
	if hint == "" {
		return ""
	}
	return " (a hint only: " + hint + ")"
}
