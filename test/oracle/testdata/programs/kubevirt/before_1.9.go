package main

import (
	v1 "kubevirt.io/api/core/v1"

	virtconfig "kubevirt.io/kubevirt/pkg/virt-config"
	"kubevirt.io/kubevirt/pkg/virt-controller/services"
)

// crossArchitecture returns nothing: this release has no such feature gate.
func crossArchitecture(*virtconfig.ClusterConfig, *v1.VirtualMachineInstanceSpec) []services.NodeSelectorRendererOption {
	return nil
}
