package kustomization

import (
	"fmt"
	"path/filepath"
	"slices"

	"sigs.k8s.io/kustomize/api/konfig"
	"sigs.k8s.io/kustomize/api/provenance"
	"sigs.k8s.io/kustomize/api/resmap"
	"sigs.k8s.io/kustomize/api/resource"
)

// built is a resource with the file it came from.
type built struct {
	*resource.Resource

	file string
}

const (
	transformations = "alpha.config.kubernetes.io/transformations"
	// kustomizeRelease is the kustomize release that contains the version of the library
	// in go.mod. The library does not know that release. It writes "(devel)", or
	// goldenarch's version, into the label that buildMetadata: [managedByLabel] asks for.
	kustomizeRelease = "v5.8.2"
)

// traced returns resources with the files they came from. It removes the annotations that
// kustomize adds only because goldenarch needs them.
func (b *build) traced(all resmap.ResMap) ([]built, error) {
	var out []built
	for _, r := range all.Resources() {
		origin, err := r.GetOrigin()
		if err != nil {
			return nil, fmt.Errorf("read the origin of %s: %w", r.CurId(), err)
		}
		if step, is := b.generatedBy(origin); is {
			if origin, err = step.origin(); err == nil {
				err = r.SetOrigin(origin)
			}
			if err != nil {
				return nil, fmt.Errorf("note the origin of %s: %w", r.CurId(), err)
			}
		}
		if err := untrace(r); err != nil {
			return nil, fmt.Errorf("clean %s: %w", r.CurId(), err)
		}
		file := b.given
		if origin != nil && origin.Repo == "" && origin.Path+origin.ConfiguredIn != "" {
			file = filepath.Join(file, origin.Path+origin.ConfiguredIn) // only one of them is set
		}
		out = append(out, built{Resource: r, file: filepath.ToSlash(file)})
	}
	if b.tracked {
		return out, nil
	}
	return out, all.RemoveOriginAnnotations()
}

func untrace(r *resource.Resource) error {
	labels := r.GetLabels()
	if labels[konfig.ManagedbyLabelKey] == "kustomize-"+provenance.GetProvenance().Semver() {
		labels[konfig.ManagedbyLabelKey] = "kustomize-" + kustomizeRelease
		if err := r.SetLabels(labels); err != nil {
			return err
		}
	}
	steps, err := r.GetTransformations()
	if err != nil || steps == nil {
		return err
	}
	steps = slices.DeleteFunc(steps, func(step *resource.Origin) bool { return step.ConfiguredBy.Name == keeper })
	if len(steps) == 0 {
		return r.ClearTransformations()
	}
	text, err := steps.String()
	if err != nil {
		return err
	}
	annotations := r.GetAnnotations()
	annotations[transformations] = text
	return r.SetAnnotations(annotations)
}
