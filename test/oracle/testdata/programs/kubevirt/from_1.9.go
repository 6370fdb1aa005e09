package main

import (
	v1 "kubevirt.io/api/core/v1"

	virtconfig "kubevirt.io/kubevirt/pkg/virt-config"
	"kubevirt.io/kubevirt/pkg/virt-controller/services"
)

// crossArchitecture does what newNodeSelectorRenderer of template.go does with the feature gate.
func crossArchitecture(config *virtconfig.ClusterConfig, spec *v1.VirtualMachineInstanceSpec) []services.NodeSelectorRendererOption {
	if config.CrossArchitectureVirtualizationEnabled() && spec.Architecture != "" {
		return []services.NodeSelectorRendererOption{services.WithoutNativeArchSelector()}
	}
	return nil
}
