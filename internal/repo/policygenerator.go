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
			wrapped = append(wrapped, s.policiesOf(file).wrapped...)
		}
	}
	return func(target string) bool {
		return slices.ContainsFunc(wrapped, func(path string) bool { return isBelow(target, path) })
	}
}

// policies is what a file of generators says about PolicyGenerators.
type policies struct {
	// wrapped are the files and directories that they wrap.
	wrapped []string
	// only says that the file has nothing else, so that no CR is in it itself.
	only bool
}

// policiesOf reads a file of generators. What cannot be read is left to kustomize.
func (s *scan) policiesOf(file string) policies {
	data := s.text(file).data
	out := policies{only: len(data) > 0}
	for document := range strings.SplitSeq(string(data), "\n---") {
		var p policyGenerator
		if k8syaml.Unmarshal([]byte(document), &p) != nil || p.Kind != "PolicyGenerator" {
			out.only = out.only && strings.TrimSpace(document) == ""
			continue
		}
		for _, policy := range p.Policies {
			for _, m := range policy.Manifests {
				if path, err := filepath.EvalSymlinks(filepath.Join(filepath.Dir(file), m.Path)); err == nil {
					out.wrapped = append(out.wrapped, path)
				}
			}
		}
	}
	return out
}
