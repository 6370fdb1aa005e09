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

// The releases of which the structure is known.
const (
	oldestKnown = 16
	newestKnown = 20
)

// crd is the structure of each version that a release serves, by release and
// version. Equal parts are shared, so nobody changes one.
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

// resolve returns a part with the shared parts in their places, and with
// defaults and patterns read.
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

// structureOf returns the structure of a version in a release. A release that is
// not known here counts as the nearest one that is, and so does one that does
// not serve the version; an undeclared release is the newest.
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

// nearest returns the minor of the release whose CRD counts for a release.
func nearest(release v1alpha1.Release) int {
	if !release.Declared() {
		return newestKnown
	}
	return min(max(release.Minor(), oldestKnown), newestKnown)
}

// at returns the structure of a version in HCO 1.minor, nil if it is not served.
func (c *crd) at(minor int, version hyperconverged.Version) *structure {
	return c.Releases[fmt.Sprintf("1.%d", minor)][string(version)]
}
