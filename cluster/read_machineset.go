package cluster

import (
	"regexp"
	"strings"
)

// readMachineSet reads a MachineSet of OpenShift. Its machines become nodes
// with the worker label, through the machine config pool; a pool of another
// role is not a worker pool.
func readMachineSet(t tree) (Facts, bool, error) {
	machine := t.child("spec", "template")
	role := machine.labels("metadata", "labels")["machine.openshift.io/cluster-api-machine-role"]
	if role == "master" || role == "control-plane" {
		return Facts{}, false, nil
	}
	labels := machine.labels("spec", "metadata", "labels")
	declarations := []declaration{
		capacityArch(t),
		{"spec.template.spec.metadata.labels[" + archLabel + "]", labels[archLabel]},
	}
	for _, taint := range machine.list("spec", "taints") {
		if taint.text("key") == multiArchTaint {
			declarations = append(declarations, declaration{"spec.template.spec.taints[" + multiArchTaint + "]", taint.text("value")})
		}
	}
	a, err := declared(declarations...)
	if err != nil {
		return Facts{}, false, err
	}
	hint := providerHint(machine.child("spec", "providerSpec", "value"))
	return pool(t.text("metadata", "name"), a, withWorker(labels),
		"annotate it with "+capacityAnnotation+": kubernetes.io/arch=<architecture>"+hint), true, nil
}

// Instance types whose names tell an architecture to those who know them. That
// is a hint, not a fact: names are added by the clouds at any time.
var (
	awsARM   = regexp.MustCompile(`^[a-z]+[0-9]+g[a-z]*\.`)
	azureARM = regexp.MustCompile(`^Standard_[A-Z]+[0-9]+p`)
	gcpARM   = regexp.MustCompile(`^(t2a|c4a|n4a)-`)
)

// providerHint returns what the instance type hints at, in words.
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
