package setup

import (
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/manifest/object"
	"github.com/goldenarch/goldenarch/internal/yaml/yamlnode"
)

// Cluster is a cluster of a repository, with what its files do not say.
type Cluster struct {
	// Path is its directory or file, relative to the Fleet.
	Path string
	// Beside are other directories of the cluster, with machines alone.
	Beside []string
	Facts  Facts
	// Config is its configuration, relative to the Fleet; "" for none.
	Config string
}

// Fleet returns the text of a Fleet with entries for clusters that it does not name. An empty
// text is a new Fleet.
func Fleet(text []byte, clusters []Cluster) ([]byte, error) {
	isNew := len(text) == 0
	if isNew {
		text = []byte("# What goldenarch knows about the clusters of this repository. No cluster\n# gets this file. All fields:\n" +
			"# https://github.com/goldenarch/goldenarch/blob/main/docs/fleet.md\n" +
			skips + "apiVersion: goldenarch.dev/v1alpha1\nkind: Fleet\nmetadata:\n  name: fleet\n  annotations:\n" + local)
	}
	out, err := edited(text, func(root *yaml.Node) error {
		if _, err := listAt(root, "clusters"); err != nil {
			return err
		}
		var added []*yaml.Node
		for _, one := range clusters {
			added = append(added, entryOf(one))
		}
		return appendTo(root, []string{"clusters"}, added...)
	})
	if err != nil || !isNew {
		return out, err
	}
	// yamllint wants lists indented. A Fleet that is there keeps its style.
	head, list, _ := strings.Cut(string(out), "\nclusters:\n")
	list = strings.ReplaceAll(strings.TrimSuffix(list, "\n"), "\n", "\n  ")
	return []byte(head + "\nclusters:\n  " + list + "\n"), nil
}

// What says in a file that no cluster gets it: to Argo CD, and to kustomize (so also to Flux) and kpt.
const (
	skips = "# " + object.SkipComment + "\n"
	local = "    # kustomize and kpt leave it out; kubectl would apply it\n    " + object.LocalConfig + ": \"true\"\n"
)

// entryOf returns the entry of a cluster.
func entryOf(c Cluster) *yaml.Node {
	out := yamlnode.NewMapping()
	paths := []string{literal.Replace(c.Path)}
	for _, path := range c.Beside {
		paths = append(paths, literal.Replace(path))
	}
	for _, field := range []struct {
		name  string
		value []string
	}{{"paths", paths}, {"workloadArchitectures", c.Facts.Workload}, {"controlPlaneArchitectures", c.Facts.ControlPlane}} {
		if field.value != nil {
			yamlnode.Put(out, field.name, listOf(field.value))
		}
	}
	if c.Facts.Release != "" {
		yamlnode.SetString(out, "release", c.Facts.Release, yaml.DoubleQuotedStyle)
	}
	if c.Facts.Gate != "" {
		yamlnode.SetString(out, "gate", c.Facts.Gate, 0)
	}
	if c.Config != "" {
		yamlnode.SetString(out, "config", c.Config, 0)
	}
	return out
}

// literal turns a path into the pattern that matches it alone.
var literal = strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`)
