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
// them share or what is large, by its name: a line each. A line is read when a CR has its part: it
// has few of them, and a run would wait for all. Nothing may change a structure.
type crd struct {
	text string

	mu   sync.Mutex
	read map[string]*structure
}

// load returns the embedded structure.
var load = sync.OnceValue(func() *crd { return &crd{text: crdText, read: map[string]*structure{}} })

// line returns the structure of a line; nil if there is none of that name. The first line is a
// comment.
func (c *crd) line(name string) *structure {
	c.mu.Lock()
	defer c.mu.Unlock()
	if s, ok := c.read[name]; ok {
		return s
	}
	_, text, found := strings.Cut(c.text, "\n"+name+" ")
	if !found {
		return nil
	}
	text, _, _ = strings.Cut(text, "\n")
	c.read[name] = c.parse([]byte(text))
	return c.read[name]
}

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

// structure returns the structure of a part. A reference stands for the line that it names.
func (c *crd) structure(p *part) *structure {
	if p == nil {
		return nil
	}
	p.once.Do(func() {
		if p.read != nil { // a changed copy
			return
		}
		p.read = c.parse(p.data)
		if p.read.Ref != "" {
			p.read = c.line(p.read.Ref)
		}
	})
	return p.read
}

// parse reads a structure. TestEveryPartIsRead reads all of the embedded file, with each default
// and pattern, so that a panic is for a build without tests.
func (c *crd) parse(text []byte) *structure {
	s := &structure{crd: c}
	must := func(err error) {
		if err != nil {
			panic(fmt.Sprintf("crd.txt: %v in %s", err, text))
		}
	}
	must(json.Unmarshal(text, s))
	s.fallback = sync.OnceValue(func() any {
		value, err := decode(s.Default)
		must(err)
		return value
	})
	s.pattern = sync.OnceValue(func() *regexp.Regexp {
		pattern, err := regexp.Compile(s.Pattern)
		must(err)
		return pattern
	})
	return s
}

// structureOf returns the structure of a version in a release. For an unknown release, or
// one that does not serve the version, it uses the nearest known release that does. An
// undeclared release is the newest.
func structureOf(version hyperconverged.Version, release v1alpha1.Release) (*structure, error) {
	c := load()
	for minor := nearest(release); minor <= newestKnown; minor++ {
		if root := c.at(minor, version); root != nil {
			if !hyperconverged.HasGate.In(release) {
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
// The API server knows metadata by itself, and the CRD leaves status to the operator.
func (c *crd) at(minor int, version hyperconverged.Version) *structure {
	root := c.line(fmt.Sprintf("1.%d/%s", minor, version))
	if root == nil {
		return nil
	}
	if root.Ref != "" {
		root = c.line(root.Ref)
	}
	return root.keeping("metadata").keeping("status")
}
