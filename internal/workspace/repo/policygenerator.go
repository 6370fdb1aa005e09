package repo

import (
	"cmp"
	"fmt"
	"path/filepath"
	"strings"
	"sync"

	k8syaml "sigs.k8s.io/yaml"

	"github.com/goldenarch/goldenarch/internal/console"
	"github.com/goldenarch/goldenarch/internal/files"
	"github.com/goldenarch/goldenarch/internal/kustomize"
	"github.com/goldenarch/goldenarch/internal/manifest/wrapper"
)

// policyGenerator is a PolicyGenerator of Open Cluster Management, as far as it says
// which manifests it wraps, and how the cluster gets them (policy-generator-plugin
// docs/policygenerator-reference.yaml).
type policyGenerator struct {
	Kind     string `json:"kind"`
	Metadata struct {
		Name string `json:"name"`
	} `json:"metadata"`
	PolicyDefaults policyOptions `json:"policyDefaults"`
	Policies       []struct {
		policyOptions

		Manifests []policyManifest `json:"manifests"`
	} `json:"policies"`
}

// policyOptions is what each part of a PolicyGenerator may state.
type policyOptions struct {
	ComplianceType    string `json:"complianceType"`
	RemediationAction string `json:"remediationAction"`
	Disabled          *bool  `json:"disabled"`
}

// policyManifest is a file, or a directory, that a policy of a PolicyGenerator wraps.
type policyManifest struct {
	policyOptions

	Path    string          `json:"path"`
	Patches []manifestPatch `json:"patches"`
}

// manifestPatch is a patch of a manifest. Without a kind it is for the only object of the manifest
// (policy-generator-plugin internal/patches.go: setPatchDefaults).
type manifestPatch struct {
	Kind string `json:"kind"`
}

// over returns options with those of a wider part where they state nothing.
func (o policyOptions) over(wider policyOptions) policyOptions {
	return policyOptions{
		ComplianceType:    cmp.Or(o.ComplianceType, wider.ComplianceType),
		RemediationAction: cmp.Or(o.RemediationAction, wider.RemediationAction),
		Disabled:          cmp.Or(o.Disabled, wider.Disabled),
	}
}

// Generators are the PolicyGenerators of the directories that somebody has asked about, each read
// once. Several goroutines may use them.
type Generators struct {
	mu sync.Mutex
	// of has what those that the kustomization of a directory lists wrap, by its path without links.
	of map[string][]wrapped
}

// CarriersOf returns the policies that PolicyGenerators make of a file, or of a directory with a
// kustomization. goldenarch runs no plugins, so it reads what they say. A PolicyGenerator wraps
// only what is below the directory of the kustomization that lists it (policy-generator-plugin
// internal/utils.go: verifyFilePath), so that is one above: up to the root of the Git repository, or
// without Git to the working directory.
func (g *Generators) CarriersOf(path string) []wrapper.Carrier {
	target, err := files.Real(path)
	if err != nil {
		return nil
	}
	dir := filepath.Dir(target)
	top := files.GitRoot(dir)
	if top == "" {
		top = dir
		if here, err := files.Real("."); err == nil && files.Within(top, here) {
			top = here
		}
	}
	var out []wrapper.Carrier
	for ; files.Within(dir, top); dir = filepath.Dir(dir) {
		for _, one := range g.in(dir) {
			if one.has(target) {
				out = append(out, one.Carrier)
			}
		}
		if dir == filepath.Dir(dir) {
			break
		}
	}
	return out
}

// in returns what the PolicyGenerators wrap that the kustomization of a directory lists.
func (g *Generators) in(dir string) []wrapped {
	g.mu.Lock()
	defer g.mu.Unlock()
	out, known := g.of[dir]
	if known {
		return out
	}
	if kustomize.In(dir) {
		for _, file := range kustomize.ReferencesOf(dir).Generators {
			data, _ := files.Read(file) // kustomize says what is wrong
			for _, one := range policiesOf(dir, data).wrapped {
				one.By = console.Escape(files.FromHere(file)) + ": " + one.By
				out = append(out, one)
			}
		}
	}
	if g.of == nil {
		g.of = map[string][]wrapped{}
	}
	g.of[dir] = out
	return out
}

// wrapped is a file or a directory that a PolicyGenerator wraps.
type wrapped struct {
	wrapper.Carrier

	path string
	// built says that the path is a directory with a kustomization.
	built bool
}

// has reports whether a file, or a directory with a kustomization, is wrapped. Of a directory
// without one, the generator reads the files alone (policy-generator-plugin internal/utils.go:
// getManifests).
func (w wrapped) has(target string) bool {
	return target == w.path || filepath.Dir(target) == w.path || w.built && files.Within(target, w.path)
}

// policies is what a file of generators says about PolicyGenerators.
type policies struct {
	wrapped []wrapped
	// only says that the file has nothing else, so that no CR is in it itself.
	only bool
}

// policiesOf reads a file of generators that the kustomization of a directory lists. What cannot be
// read is left to kustomize, which runs the generator in that directory.
func policiesOf(dir string, data []byte) policies {
	out := policies{only: len(data) > 0}
	for document := range strings.SplitSeq(string(data), "\n---") {
		var p policyGenerator
		if k8syaml.Unmarshal([]byte(document), &p) != nil || p.Kind != "PolicyGenerator" {
			out.only = out.only && strings.TrimSpace(document) == ""
			continue
		}
		for i, policy := range p.Policies {
			options := policy.over(p.PolicyDefaults)
			for j, m := range policy.Manifests {
				path, err := filepath.EvalSymlinks(filepath.Join(dir, filepath.FromSlash(m.Path)))
				if err != nil {
					continue
				}
				one := wrapped{path: path, built: kustomize.In(path), Carrier: m.over(options).carrier()}
				one.By = "PolicyGenerator/" + console.Escape(p.Metadata.Name)
				one.Entry = fmt.Sprintf("policies[%d].manifests[%d]", i, j)
				for _, patch := range m.Patches {
					one.Patches = append(one.Patches, patch.Kind)
				}
				out.wrapped = append(out.wrapped, one)
			}
		}
	}
	return out
}

// carrier returns what a policy with these options does. Its defaults are musthave and inform
// (policy-generator-plugin internal/plugin.go: defaults).
func (o policyOptions) carrier() wrapper.Carrier {
	out := wrapper.Carrier{Reach: wrapper.ReachOf(o.ComplianceType), Remediation: wrapper.RemediationNamed(cmp.Or(o.RemediationAction, "inform"))}
	if o.Disabled != nil && *o.Disabled {
		out.Remediation = wrapper.Disabled
	}
	return out
}
