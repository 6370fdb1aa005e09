package affinity

import (
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/yaml/yamlnode"
)

// expression returns a requirement: key In values.
func expression(key string, values []string) *yaml.Node {
	e := yamlnode.NewMapping()
	yamlnode.SetString(e, "key", key, 0)
	yamlnode.SetString(e, "operator", "In", 0)
	setValues(e, values)
	return e
}

// setValues makes the values of a requirement those given, sorted. A list with the
// same values in any order stays.
func setValues(e *yaml.Node, values []string) {
	list := yamlnode.Sequence(e, "values")
	if slices.Equal(sorted(texts(list)), sorted(values)) {
		return
	}
	kept := map[string]*yaml.Node{}
	for _, n := range list.Content {
		kept[n.Value] = n
	}
	list.Content = nil
	for _, value := range values {
		n := kept[value] // with its comments
		if n == nil {
			n = yamlnode.NewScalar(value, yaml.NodeTagString, 0)
		}
		list.Content = append(list.Content, n)
	}
}

// isIn reports whether a requirement is: key In values, in any order.
func isIn(e *yaml.Node, key string, values []string) bool {
	return keyOf(e) == key && yamlnode.Text(e, "operator") == "In" && slices.Equal(sorted(texts(yamlnode.Get(e, "values"))), sorted(values))
}

// hasKey reports whether requirements have one of the keys.
func hasKey(list *yaml.Node, keys []string) bool {
	return slices.ContainsFunc(yamlnode.Elements(list), func(e *yaml.Node) bool { return slices.Contains(keys, keyOf(e)) })
}

func keyOf(e *yaml.Node) string { return yamlnode.Text(e, "key") }

// describe returns a requirement as people write it: kubernetes.io/arch In [amd64].
func describe(e *yaml.Node) string {
	s := keyOf(e) + " " + yamlnode.Text(e, "operator")
	if values := texts(yamlnode.Get(e, "values")); len(values) > 0 {
		s += " [" + strings.Join(values, " ") + "]"
	}
	return s
}

func texts(list *yaml.Node) []string {
	var out []string
	for _, n := range yamlnode.Elements(list) {
		out = append(out, n.Value)
	}
	return out
}

func sorted(list []string) []string { return slices.Sorted(slices.Values(list)) }

// Labels of nodes, as the kubelet sets them.
const (
	ArchLabel     = arch.Label
	BetaArchLabel = "beta." + arch.Label
	OSLabel       = "kubernetes.io/os"
	BetaOSLabel   = "beta.kubernetes.io/os"
)

// archKeys and osKeys are the labels with the same meaning.
var (
	archKeys = []string{ArchLabel, BetaArchLabel}
	osKeys   = []string{OSLabel, BetaOSLabel}
)

// NameField is the only field of a node that a term can select by.
const NameField = "metadata.name"

// IsArch reports whether a label names a node's architecture.
func IsArch(label string) bool { return slices.Contains(archKeys, label) }

// The path of the required terms, and the key of the preferred ones.
const (
	required  = "requiredDuringSchedulingIgnoredDuringExecution"
	preferred = "preferredDuringSchedulingIgnoredDuringExecution"
	termsKey  = "nodeSelectorTerms"
	// RequiredPath and PreferredPath are the paths of a PodSpec's terms.
	RequiredPath  = "affinity.nodeAffinity." + required + "." + termsKey
	PreferredPath = "affinity.nodeAffinity." + preferred
)
