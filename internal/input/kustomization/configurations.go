package kustomization

import (
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"

	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/filesys"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/bound"
	"github.com/goldenarch/goldenarch/internal/input/manifest"
)

// unchanging are the fields of a kustomization that take effect before its components do
// (kustomize target/kusttarget.go).
var unchanging = []string{
	"apiVersion", "kind", "metadata", "resources", "bases", "components", "crds", "configurations", "openapi",
	"configMapGenerator", "secretGenerator", "generatorOptions", "generators", "buildMetadata", "sortOptions",
}

// findLister finds the kustomization whose last transformers are goldenarch, if nothing
// changes the resources after them. That is the kustomization of the root, or that of its
// last component if the root itself changes nothing. goldenarch then runs after the build,
// with the same result as inside kustomize.
func (b *build) findLister() (string, error) {
	visited := map[string]bool{}
	for dir := b.root; !visited[dir]; {
		visited[dir] = true
		k, ok := b.load(dir)
		if !ok {
			return "", nil // kustomize says what is wrong
		}
		for _, entry := range k.Transformers[b.before(dir, k):] {
			configs, err := b.configurations(dir, entry)
			if err != nil {
				return "", err
			}
			b.configs = append(b.configs, configs...)
			if len(configs) > 0 {
				b.configuredIn = b.originOf(dir, entry, configs[0])
			}
		}
		if len(b.configs) > 0 {
			return dir, nil
		}
		if len(k.Components) == 0 || changes(k) {
			return "", nil
		}
		dir = filepath.Join(dir, k.Components[len(k.Components)-1])
	}
	return "", nil
}

func changes(k types.Kustomization) bool {
	set, err := fields(k)
	for field := range set {
		if !slices.Contains(unchanging, field) {
			return true
		}
	}
	return err != nil
}

// before returns the number of transformers before the final ones that run goldenarch.
func (b *build) before(dir string, k types.Kustomization) int {
	n := len(k.Transformers)
	for n > 0 {
		configs, err := b.configurations(dir, k.Transformers[n-1])
		if err == nil && len(configs) == 0 {
			break
		}
		n--
	}
	return n
}

// refuseMisplaced fails if a kustomization lists goldenarch where other steps of the build
// follow it.
func (b *build) refuseMisplaced(dir string, k types.Kustomization) error {
	lists := map[string][]string{"transformers": k.Transformers, "generators": k.Generators, "validators": k.Validators}
	if dir == b.lister {
		lists["transformers"] = k.Transformers[:b.before(dir, k)]
	}
	for _, field := range slices.Sorted(maps.Keys(lists)) {
		for _, entry := range lists[field] {
			configs, err := b.configurations(dir, entry)
			if err != nil {
				return err
			}
			if len(configs) > 0 && b.readable(dir, lists[field]) {
				return fmt.Errorf("the kustomization in %s lists goldenarch among its %s: %w", b.shown(dir), field, errNotLast)
			}
		}
	}
	return nil
}

// readable reports whether goldenarch can read all entries of a list. If not, it cannot
// know what the entry is, and kustomize reports the error.
func (b *build) readable(dir string, entries []string) bool {
	return !slices.ContainsFunc(entries, func(entry string) bool {
		_, err := b.entry(dir, entry)
		return err != nil
	})
}

var errNotLast = errors.New("it must be the last of all transformers: list it last in the outermost kustomization, " +
	"or build it with kustomize: kustomize build --enable-alpha-plugins --enable-exec DIR")

// configurations returns the configurations of goldenarch in an entry of a list: inline,
// in a file, or in a directory that builds to them. For an entry with other objects, it
// returns none. It returns an error for an entry with both, and for a built-in plugin that
// would fetch something.
func (b *build) configurations(dir, entry string) ([]*yaml.RNode, error) {
	items, err := b.entry(dir, entry)
	if err != nil {
		return nil, nil //nolint:nilerr // kustomize says what is wrong
	}
	own := 0
	for _, item := range items {
		if text, err := item.String(); err == nil {
			if err := b.refusePlugin(dir, []byte(text)); err != nil {
				return nil, err
			}
			// Replacements may have created a text that no file has.
			if err := bound.Text([]byte(text)); err != nil {
				return nil, b.notes.refuse(fmt.Errorf("the kustomization in %s lists %q: %w", b.shown(dir), entry, err))
			}
		}
		if isConfig(item) {
			own++
		}
	}
	switch own {
	case 0:
		return nil, nil
	case len(items):
		return items, nil
	default:
		return nil, fmt.Errorf("the kustomization in %s: %q has a configuration of goldenarch and other objects: list them separately", b.shown(dir), entry)
	}
}

func (b *build) entry(dir, entry string) ([]*yaml.RNode, error) {
	if isInline(entry) {
		items, err := manifest.Parse(b.shown(dir), []byte(entry))
		for _, item := range items {
			withoutLines(item.YNode())
		}
		return items, err
	}
	if isRemote(entry) || filepath.IsAbs(entry) {
		return nil, nil
	}
	at, file, err := b.FileSystem.CleanedAbs(filepath.Join(dir, entry))
	if err != nil {
		return nil, err
	}
	if file == "" {
		if slices.Contains(b.chain, at.String()) {
			return nil, nil // a directory that lists itself; kustomize says so
		}
		if len(b.chain) == maxChain {
			return nil, b.notes.refuse(errChain)
		}
		return b.directory(at.String())
	}
	if !at.HasPrefix(filesys.ConfirmedDir(dir)) {
		return nil, nil // kustomize refuses it
	}
	data, err := b.FileSystem.ReadFile(at.Join(file))
	if err != nil {
		return nil, err
	}
	return manifest.Parse(b.shown(at.Join(file)), data)
}
