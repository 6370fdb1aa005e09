package kustomization

import (
	"fmt"
	"path/filepath"
	"slices"

	"sigs.k8s.io/kustomize/kyaml/filesys"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/bound"
	"github.com/goldenarch/goldenarch/internal/input/manifest"
)

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
