package admission

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
)

//go:embed crd.txt
var crdText string

// oldestKnown is the oldest release with a known CRD structure.
const oldestKnown = 16

// newestKnown is the newest one: a release is verified with its CRD.
var newestKnown = v1alpha1.NewestVerified().Minor()

// crd has the structure of each version that a release serves, as "1.19/v1", and what several of
// them share, by its name. Nothing may change a part.
type crd map[string]*part

// load reads the embedded structure, once, when it is first needed. It does not read its
// parts: a CR has few of them, and a run would wait for all.
var load = sync.OnceValue(func() crd {
	c := crd{}
	for line := range strings.Lines(crdText) {
		name, text, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		c[name] = &part{data: []byte(text)}
	}
	return c
})

// part is a part of the CRD, which is read when it is first needed.
type part struct {
	data []byte
	once sync.Once
	read *structure
}

// UnmarshalJSON keeps the text of the part.
func (p *part) UnmarshalJSON(data []byte) error {
	p.data = slices.Clone(data)
	return nil
}

// structure returns the structure of a part, with a parsed default and pattern. A reference
// stands for the definition that it names. TestEveryPartIsRead reads all parts of the embedded
// file, so that the panic is for a build without tests.
func (c crd) structure(p *part) *structure {
	if p == nil {
		return nil
	}
	p.once.Do(func() {
		if p.read != nil { // a changed copy
			return
		}
		read, err := c.parse(p.data)
		if err != nil {
			panic(fmt.Sprintf("crd.txt: %v in %s", err, p.data))
		}
		p.read = read
	})
	return p.read
}

func (c crd) parse(data []byte) (*structure, error) {
	s := &structure{crd: c}
	if err := json.Unmarshal(data, s); err != nil {
		return nil, err
	}
	if s.Ref != "" {
		shared := c[s.Ref]
		if shared == nil {
			return nil, fmt.Errorf("there is no definition %q", s.Ref)
		}
		return c.structure(shared), nil
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
	return s, nil
}

// structureOf returns the structure of a version in a release. For an unknown release, or
// one that does not serve the version, it uses the nearest known release that does. An
// undeclared release is the newest.
func structureOf(version hyperconverged.Version, release v1alpha1.Release) (*structure, error) {
	c := load()
	for minor := nearest(release); minor <= newestKnown; minor++ {
		if root := c.at(minor, version); root != nil {
			if !release.Since(hyperconverged.FirstGate) {
				return root.withoutGate(), nil
			}
			return root, nil
		}
	}
	return nil, fmt.Errorf("crd.txt: no release serves %s", version)
}

// nearest returns the minor version of the release whose CRD goldenarch uses for a release.
func nearest(release v1alpha1.Release) int {
	if !release.Declared() {
		return newestKnown
	}
	return min(max(release.Minor(), oldestKnown), newestKnown)
}

// at returns the structure of a version in HCO 1.minor; nil if HCO does not serve it.
func (c crd) at(minor int, version hyperconverged.Version) *structure {
	return c.root(c[fmt.Sprintf("1.%d/%s", minor, version)])
}

// root returns the structure of a whole CR. The API server knows metadata by itself, and the
// CRD leaves status to the operator.
func (c crd) root(p *part) *structure {
	root := c.structure(p)
	if root == nil {
		return nil
	}
	return root.keeping("metadata").keeping("status")
}
