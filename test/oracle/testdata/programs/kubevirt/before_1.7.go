package main

import "kubevirt.io/kubevirt/pkg/virt-launcher/virtwrap/efi"

// boots reports whether virt-launcher finds firmware (manager.go: generateConverterContext).
func boots(firmware *efi.EFIEnvironment, secureBoot bool) bool {
	return firmware.Bootable(secureBoot, false)
}
