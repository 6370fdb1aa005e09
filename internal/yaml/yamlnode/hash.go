package yamlnode

import (
	"encoding/binary"
	"hash/maphash"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// seed is the hash seed of the process.
var seed = maphash.MakeSeed()

// Hash returns the same number for equal nodes. It covers everything that is written of a
// node, including comments and style. So it shows at low cost that a node is unchanged.
func Hash(n *yaml.Node) uint64 {
	var h maphash.Hash
	h.SetSeed(seed)
	writeHash(&h, n)
	return h.Sum64()
}

func writeHash(h *maphash.Hash, n *yaml.Node) {
	var shape [12]byte
	binary.LittleEndian.PutUint32(shape[0:], uint32(n.Kind))
	binary.LittleEndian.PutUint32(shape[4:], uint32(n.Style))
	binary.LittleEndian.PutUint32(shape[8:], uint32(len(n.Content))) //nolint:gosec // no list is that long
	h.Write(shape[:])
	for _, text := range [...]string{n.Value, n.Tag, n.Anchor, n.HeadComment, n.LineComment, n.FootComment} {
		h.WriteString(text)
		h.WriteByte(0)
	}
	for _, child := range n.Content {
		writeHash(h, child)
	}
}
