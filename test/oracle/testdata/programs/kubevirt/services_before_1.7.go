package services

import (
	v1 "kubevirt.io/api/core/v1"

	virtconfig "kubevirt.io/kubevirt/pkg/virt-config"
)

// RenderNodeSelector returns the node selector of the launcher pod.
func RenderNodeSelector(config *virtconfig.ClusterConfig, vmi *v1.VirtualMachineInstance) map[string]string {
	return (&templateService{clusterConfig: config}).newNodeSelectorRenderer(vmi).Render()
}
