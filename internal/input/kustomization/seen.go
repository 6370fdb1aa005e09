package kustomization

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"sigs.k8s.io/kustomize/api/types"
)

// seen returns a kustomization as kustomize must read it: without the steps that goldenarch
// runs after the build. At the root, it also asks kustomize for what goldenarch needs to know.
// It fails if the kustomization needs something that goldenarch does not do.
func (b *build) seen(dir string, data []byte) ([]byte, error) {
	k, ok := decode(data)
	if !ok {
		return data, nil // kustomize says what is wrong
	}
	b.notes.deprecated(b.shown(dir), k)
	set, err := fields(k)
	if err != nil {
		return nil, err
	}
	if entry := remoteEntry(set); entry != "" {
		return nil, fmt.Errorf("the kustomization in %s names %q: %w", b.shown(dir), entry, errRemote)
	}
	if err := b.refuseMisplaced(dir, k); err != nil {
		return nil, err
	}
	if err := b.refuseGrowth(dir); err != nil {
		return nil, b.notes.refuse(fmt.Errorf("the kustomization in %s: %w", b.shown(dir), err))
	}
	top := dir == b.root || b.ofList && dir == b.given
	kept, isLast := b.kept[dir]
	generates, err := b.generate(dir, &k)
	if err != nil {
		return nil, err
	}
	if !top && !isLast && !generates {
		return data, nil
	}
	if isLast {
		if b.met[dir] {
			if err := b.again(dir); err != nil {
				return nil, err
			}
		}
		b.met[dir] = true
		k.Transformers, k.Validators = kept.transformers, kept.validators
	}
	if (top || isLast) && !b.ofList {
		k.Transformers = append(slices.Clone(k.Transformers), keepLocal)
	}
	if top {
		b.metadata, b.order = slices.Clone(k.BuildMetadata), k.SortOptions
		if b.tracked = slices.Contains(k.BuildMetadata, types.OriginAnnotations); !b.tracked {
			k.BuildMetadata = append(k.BuildMetadata, types.OriginAnnotations)
		}
	}
	out, err := json.Marshal(k)
	if err != nil {
		return nil, fmt.Errorf("encode the kustomization in %s: %w", b.shown(dir), err)
	}
	return out, nil
}

var errRemote = errors.New("it is remote, and goldenarch fetches nothing; " +
	"keep a copy beside it (kustomize localize), or build it first: kustomize build DIR " + ToRender)
