package registriesconf

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/BurntSushi/toml"

	"github.com/goldenarch/goldenarch/internal/pattern"
)

// The values of pull-from-mirror.
const (
	mirrorAll          = "all"
	mirrorByDigestOnly = "digest-only"
	mirrorByTagOnly    = "tag-only"
)

// endpoint is where a registry or a mirror is.
type endpoint struct {
	Location       string `toml:"location"`
	Insecure       bool   `toml:"insecure"`
	PullFromMirror string `toml:"pull-from-mirror"`
	NamespaceProxy string `toml:"namespace-proxy"`
}

// registry is an entry [[registry]].
type registry struct {
	endpoint

	Prefix             string     `toml:"prefix"`
	Mirrors            []endpoint `toml:"mirror"`
	Blocked            bool       `toml:"blocked"`
	MirrorByDigestOnly bool       `toml:"mirror-by-digest-only"`

	file string // that has the entry
}

// document is a file in the second version of the format (containers-registries.conf(5)).
// Its rules are those of containers/image pkg/sysregistriesv2, against which tests hold them.
// That library has docker/reference below it, which compiles regular expressions in each start,
// before anybody has named a file.
type document struct {
	Registries    []registry        `toml:"registry"`
	Search        []string          `toml:"unqualified-search-registries"`
	Helpers       []string          `toml:"credential-helpers"`
	ShortNameMode string            `toml:"short-name-mode"`
	LayerHelper   string            `toml:"additional-layer-store-auth-helper"`
	Aliases       map[string]string `toml:"aliases"`

	// First has the lists of the first version, which is refused.
	First struct {
		Search   list `toml:"search"`
		Insecure list `toml:"insecure"`
		Block    list `toml:"block"`
	} `toml:"registries"`
}

type list struct {
	Registries []string `toml:"registries"`
}

// parse reads a file. The registries have their prefixes, which are distinct.
func parse(data []byte) ([]registry, error) {
	var d document
	if _, err := toml.NewDecoder(bytes.NewReader(data)).Decode(&d); err != nil {
		return nil, err
	}
	var tree map[string]any
	if err := toml.Unmarshal(data, &tree); err != nil {
		return nil, err
	}
	if err := oneSpelling(tree); err != nil {
		return nil, err
	}
	if d.First.Search.Registries != nil || d.First.Insecure.Registries != nil || d.First.Block.Registries != nil {
		return nil, errors.New("the file has the first version of the format ([registries.search]), and only the second one ([[registry]]) is read")
	}
	for i := range d.Registries {
		if err := d.Registries[i].normalize(); err != nil {
			return nil, err
		}
	}
	if err := conflict(d.Registries); err != nil {
		return nil, err
	}
	if err := d.check(); err != nil {
		return nil, err
	}
	return d.unique(), nil
}

// errSpellings is the error of two keys of which it is not known which one counts.
var errSpellings = errors.New("differ in the case of their letters only: keep one of them")

// oneSpelling returns an error if a table has a key in two spellings. The decoder ignores the
// case of letters and takes the keys in no order, so that either of them may count. The names
// of aliases are not keys of that kind.
func oneSpelling(value any) error {
	switch value := value.(type) {
	case []map[string]any:
		for _, table := range value {
			if err := oneSpelling(table); err != nil {
				return err
			}
		}
	case []any: // inline tables
		for _, element := range value {
			if err := oneSpelling(element); err != nil {
				return err
			}
		}
	case map[string]any:
		seen := map[string]string{}
		for _, key := range slices.Sorted(maps.Keys(value)) {
			folded := strings.Map(folded, key)
			if other, ok := seen[folded]; ok {
				return fmt.Errorf("the keys %q and %q %w", other, key, errSpellings)
			}
			if seen[folded] = key; strings.EqualFold(key, "aliases") {
				continue
			}
			if err := oneSpelling(value[key]); err != nil {
				return err
			}
		}
	}
	return nil
}

// folded returns the first of the letters that differ from a letter in case only, as
// [strings.EqualFold] compares them.
func folded(letter rune) rune {
	first := letter
	for r := unicode.SimpleFold(letter); r != letter; r = unicode.SimpleFold(r) {
		first = min(first, r)
	}
	return first
}

// normalize sets the prefix, and returns what is wrong with an entry.
func (r *registry) normalize() (err error) {
	if r.Location, err = location(r.Location); err != nil {
		return err
	}
	switch {
	case r.Prefix == "" && r.Location == "":
		return errors.New("a [[registry]] has neither a location nor a prefix: set one of them")
	case r.Prefix == "":
		r.Prefix = r.Location
	default:
		if r.Prefix, err = location(r.Prefix); err != nil {
			return err
		}
		if !strings.HasPrefix(r.Prefix, "*.") && r.Location == "" {
			return fmt.Errorf("registry %q has no location, which only a prefix such as *.example.com may lack", r.Prefix)
		}
	}
	if r.PullFromMirror != "" {
		return fmt.Errorf("registry %q has pull-from-mirror, which belongs into a [[registry.mirror]]", r.Prefix)
	}
	for i := range r.Mirrors {
		if err := r.normalizeMirror(&r.Mirrors[i]); err != nil {
			return err
		}
	}
	return nil
}

func (r *registry) normalizeMirror(m *endpoint) (err error) {
	if m.Location, err = location(m.Location); err != nil {
		return err
	}
	switch {
	case m.Location == "":
		return fmt.Errorf("a mirror of registry %q has no location", r.Prefix)
	case r.MirrorByDigestOnly && m.PullFromMirror != "":
		return fmt.Errorf("registry %q has mirror-by-digest-only and its mirror %q pull-from-mirror: keep one of them", r.Prefix, m.Location)
	case !slices.Contains([]string{"", mirrorAll, mirrorByDigestOnly, mirrorByTagOnly}, m.PullFromMirror):
		return fmt.Errorf("mirror %q has pull-from-mirror %q: expected all, digest-only or tag-only", m.Location, m.PullFromMirror)
	}
	return nil
}

// location removes the slashes at the end of a location, which must not be a URL.
func location(text string) (string, error) {
	trimmed := strings.TrimRight(text, "/")
	if strings.HasPrefix(trimmed, "http://") || strings.HasPrefix(trimmed, "https://") {
		return "", fmt.Errorf("location %q is a URL: leave out the scheme", text)
	}
	return trimmed, nil
}

// conflict returns an error if two entries with one location differ in insecure or blocked.
func conflict(registries []registry) error {
	first := map[string]registry{}
	for _, r := range registries {
		at := cmp.Or(r.Location, r.Prefix)
		other, known := first[at]
		switch {
		case !known:
			first[at] = r
		case r.Insecure != other.Insecure:
			return fmt.Errorf("two entries for registry %q differ in insecure", at)
		case r.Blocked != other.Blocked:
			return fmt.Errorf("two entries for registry %q differ in blocked", at)
		}
	}
	return nil
}

// check returns what is wrong with the wildcards, and with the settings for short names, which
// goldenarch does not use. The order is that of the library.
func (d *document) check() error {
	for _, text := range d.Search {
		host, err := location(text)
		if err != nil {
			return err
		}
		if !anyHost().MatchString(host) {
			return fmt.Errorf("unqualified-search-registries has %q, which is not the name of a host", host)
		}
	}
	if !slices.Contains([]string{"", "disabled", "enforcing", "permissive"}, d.ShortNameMode) {
		return fmt.Errorf("short-name-mode is %q: expected disabled, enforcing or permissive", d.ShortNameMode)
	}
	for _, r := range d.unique() {
		if strings.HasPrefix(r.Prefix, "*.") && strings.ContainsAny(r.Prefix, "/@:") {
			return fmt.Errorf("prefix %q is not a wildcard such as *.example.com: it has a path, a port or a digest", r.Prefix)
		}
	}
	var wrong []error
	for _, name := range slices.Sorted(maps.Keys(d.Aliases)) {
		wrong = append(wrong, checkShortName(name), checkAlias(d.Aliases[name]))
	}
	if err := errors.Join(wrong...); err != nil {
		return fmt.Errorf("the aliases: %w", err)
	}
	return nil
}

// unique returns the entries, sorted by their prefixes. The first of a prefix counts.
func (d *document) unique() []registry {
	sorted := slices.Clone(d.Registries)
	slices.SortStableFunc(sorted, func(a, b registry) int { return strings.Compare(a.Prefix, b.Prefix) })
	return slices.CompactFunc(sorted, func(a, b registry) bool { return a.Prefix == b.Prefix })
}

const (
	host      = `[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?)*(?::[0-9]+)?`
	component = `[a-z0-9]+(?:(?:[._]|__|[-]*)[a-z0-9]+)*`
)

// The names of the grammar of references: a host, and a repository with or without a host.
var (
	anyHost = pattern.Of(`^` + host + `$`)
	anyName = pattern.Of(`^(?:` + host + `/)?` + component + `(?:/` + component + `)*$`)
)

// maxName is how many characters a name may have.
const maxName = 255

// checkShortName returns what is wrong with the name of an alias: it has no registry, tag or digest.
func checkShortName(name string) error {
	if !isName(name) {
		return fmt.Errorf("%q is not a short name: expected one without a registry, a tag and a digest", name)
	}
	if hasRegistry(name) {
		return fmt.Errorf("%q is not a short name: it has a registry", name)
	}
	return nil
}

// checkAlias returns what is wrong with the value of an alias: it has a registry, and no tag or
// digest. An empty value resets an alias.
func checkAlias(value string) error {
	switch {
	case value == "":
		return nil
	case !isName(value):
		return fmt.Errorf("%q is not a valid alias: expected a registry and a repository without a tag and a digest", value)
	case !hasRegistry(value):
		return fmt.Errorf("%q is not a valid alias: it has no registry", value)
	}
	return nil
}

func isName(text string) bool { return len(text) <= maxName && anyName().MatchString(text) }

// hasRegistry reports whether the first part of a name is a registry. A part with an underscore
// is none, and belongs to the repository (distribution/reference regexp.go: anchoredNameRegexp).
func hasRegistry(name string) bool {
	first, _, more := strings.Cut(name, "/")
	return more && anyHost().MatchString(first) && (strings.ContainsAny(first, ".:") || first == "localhost")
}
