package admission

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"regexp"
	"sync"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
)

//go:embed crd.json
var crdJSON []byte

// oldestKnown is the oldest release with a known CRD structure.
const oldestKnown = 16

// newestKnown is the newest one: a release is verified with its CRD.
var newestKnown = v1alpha1.NewestVerified().Minor()

// crd has the structure of each version that a release serves, by release and version. The
// structures share equal parts, so nothing may change a part.
type crd struct {
	Definitions map[string]*structure            `json:"definitions"`
	Releases    map[string]map[string]*structure `json:"releases"`

	resolved map[string]*structure
}

// load reads the embedded structure, once, when it is first needed.
var load = sync.OnceValues(func() (*crd, error) {
	c := crd{resolved: map[string]*structure{}}
	if err := json.Unmarshal(crdJSON, &c); err != nil {
		return nil, fmt.Errorf("crd.json: %w", err)
	}
	for release, versions := range c.Releases {
		for version, root := range versions {
			resolved, err := c.resolve(root)
			if err != nil {
				return nil, fmt.Errorf("crd.json: release %s, version %s: %w", release, version, err)
			}
			// The API server knows metadata by itself, and the CRD leaves status to
			// the operator.
			versions[version] = resolved.keeping("metadata").keeping("status")
		}
	}
	return &c, nil
})

// resolve returns a part with the shared parts inserted, and with parsed defaults and
// patterns.
func (c *crd) resolve(s *structure) (*structure, error) {
	if s == nil {
		return nil, nil
	}
	if ref := s.Ref; ref != "" {
		if known := c.resolved[ref]; known != nil {
			return known, nil
		}
		shared := c.Definitions[ref]
		if shared == nil {
			return nil, fmt.Errorf("there is no definition %q", ref)
		}
		resolved, err := c.resolve(shared)
		c.resolved[ref] = resolved
		return resolved, err
	}
	var err error
	if s.Default != nil {
		if s.fallback, err = decode(s.Default); err != nil {
			return nil, err
		}
	}
	if s.Pattern != "" {
		if s.pattern, err = regexp.Compile(s.Pattern); err != nil {
			return nil, fmt.Errorf("pattern: %w", err)
		}
	}
	for key, property := range s.Properties {
		if s.Properties[key], err = c.resolve(property); err != nil {
			return nil, err
		}
	}
	if s.Items, err = c.resolve(s.Items); err != nil {
		return nil, err
	}
	s.Values, err = c.resolve(s.Values)
	return s, err
}

// structureOf returns the structure of a version in a release. For an unknown release, or
// one that does not serve the version, it uses the nearest known release that does. An
// undeclared release is the newest.
func structureOf(version hyperconverged.Version, release v1alpha1.Release) (*structure, error) {
	c, err := load()
	if err != nil {
		return nil, err
	}
	for minor := nearest(release); minor <= newestKnown; minor++ {
		if root := c.at(minor, version); root != nil {
			if !release.Since(firstGate) {
				return root.withoutGate(), nil
			}
			return root, nil
		}
	}
	return nil, fmt.Errorf("crd.json: no release serves %s", version)
}

// nearest returns the minor version of the release whose CRD goldenarch uses for a release.
func nearest(release v1alpha1.Release) int {
	if !release.Declared() {
		return newestKnown
	}
	return min(max(release.Minor(), oldestKnown), newestKnown)
}

// at returns the structure of a version in HCO 1.minor; nil if HCO does not serve it.
func (c *crd) at(minor int, version hyperconverged.Version) *structure {
	return c.Releases[fmt.Sprintf("1.%d", minor)][string(version)]
}
