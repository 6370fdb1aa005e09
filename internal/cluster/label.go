package cluster

import (
	"maps"

	"github.com/goldenarch/goldenarch/internal/arch"
)

// newNode returns a node with the labels that every kubelet sets, so that a
// placement can ask for them (kubernetes pkg/kubelet/kubelet_node_status.go).
// With labels that say another operating system, that counts. The architecture
// may be "" for unknown.
func newNode(name string, a arch.Arch, labels map[string]string) Node {
	all := map[string]string{osLabel: "linux"}
	maps.Copy(all, labels)
	all["beta."+osLabel] = all[osLabel]
	delete(all, archLabel)
	if a != "" {
		all[archLabel], all["beta."+archLabel] = string(a), string(a)
	}
	if name != "" {
		all[hostnameLabel] = name
	}
	return Node{Name: name, Count: 1, Architecture: a, Labels: all}
}
