package cluster

import (
	"maps"

	"github.com/goldenarch/goldenarch/internal/arch"
)

// newNode returns a node with the labels that every kubelet sets, so that a placement
// can select by them (kubernetes pkg/kubelet/kubelet_node_status.go). If labels name
// another operating system, that one counts. The architecture is "" if it is not known.
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
