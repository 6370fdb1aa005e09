package kubevirt

import (
	"slices"
	"strings"
)

// bundled are the names of the VirtualMachineClusterPreferences that KubeVirt 1.6 to 1.9 ship
// (components/data: common-clusterpreferences-bundle.yaml). All four ship the same 54.
var bundled = []string{
	"alpine", "centos.stream10", "centos.stream10.desktop", "centos.stream9", "centos.stream9.desktop",
	"centos.stream9.dpdk", "cirros", "debian", "fedora", "fedora.arm64", "fedora.s390x", "legacy", "linux",
	"linux.efi", "linux.virtiotransitional", "opensuse.leap", "opensuse.tumbleweed", "oraclelinux", "rhel.10",
	"rhel.10.arm64", "rhel.10.s390x", "rhel.7", "rhel.7.desktop", "rhel.8", "rhel.8.desktop", "rhel.8.dpdk", "rhel.9",
	"rhel.9.arm64", "rhel.9.desktop", "rhel.9.dpdk", "rhel.9.realtime", "rhel.9.s390x", "sles", "ubuntu",
	"windows.10", "windows.10.virtio", "windows.11", "windows.11.virtio", "windows.2k12", "windows.2k12.virtio",
	"windows.2k16", "windows.2k16.virtio", "windows.2k19", "windows.2k19.virtio", "windows.2k22",
	"windows.2k22.virtio", "windows.2k25", "windows.2k25.virtio", "windows.2k3", "windows.2k8", "windows.2k8.virtio",
	"windows.7", "windows.7.virtio", "windows.xp",
}

// onAMD64 are those that require amd64 from 1.9 on. Those whose name ends with arm64 or s390x
// require that.
var onAMD64 = []string{"fedora", "rhel.10", "rhel.9", "rhel.9.desktop", "rhel.9.dpdk", "rhel.9.realtime"}

// Bundled returns a VirtualMachineClusterPreference that KubeVirt ships; false if it ships none
// of that name.
func Bundled(name string, v Version) (Preference, bool) {
	if !slices.Contains(bundled, name) {
		return Preference{}, false
	}
	if !v.rules().bundled {
		return Preference{}, true
	}
	a := ""
	switch {
	case slices.Contains(onAMD64, name):
		a = "amd64"
	case strings.HasSuffix(name, ".arm64"):
		a = "arm64"
	case strings.HasSuffix(name, ".s390x"):
		a = "s390x"
	}
	return Preference{Architecture: a, Required: a}, true
}

// ReadsPreference reports whether the version reads architectures from preferences.
func (v Version) ReadsPreference() bool { return v.rules().preferred }
