package repo

import (
	"path/filepath"
	"slices"
	"strings"

	k8syaml "sigs.k8s.io/yaml"
)

// policyGenerator is a PolicyGenerator of Open Cluster Management, as far as it says
// which manifests it wraps (policy-generator-plugin docs/policygenerator-reference.yaml).
type policyGenerator struct {
	Kind     string `json:"kind"`
	Policies []struct {
		Manifests []struct {
			Path string `json:"path"`
		} `json:"manifests"`
	} `json:"policies"`
}

// generated returns what reports whether a PolicyGenerator wraps a file. goldenarch runs
// no plugins, so it checks the file itself.
func (s *scan) generated() func(target string) bool {
	var wrapped []string
	for _, target := range sortedPaths(s.refs) {
		for _, file := range s.refs[target].Generators {
			wrapped = append(wrapped, s.wrappedBy(file)...)
		}
	}
	return func(target string) bool {
		return slices.ContainsFunc(wrapped, func(path string) bool { return isBelow(target, path) })
	}
}

// wrappedBy returns the files and directories that the PolicyGenerators of a file wrap.
func (s *scan) wrappedBy(file string) []string {
	s.mentions(file) // reads it, unless it is read already
	var out []string
	for document := range strings.SplitSeq(string(s.texts[file].data), "\n---") {
		var p policyGenerator
		if k8syaml.Unmarshal([]byte(document), &p) != nil || p.Kind != "PolicyGenerator" {
			continue
		}
		for _, policy := range p.Policies {
			for _, m := range policy.Manifests {
				if path, err := filepath.EvalSymlinks(filepath.Join(filepath.Dir(file), m.Path)); err == nil {
					out = append(out, path)
				}
			}
		}
	}
	return out
}
