package engine

import (
	"slices"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/images/lock"
	"github.com/goldenarch/goldenarch/internal/images/registry"
	"github.com/goldenarch/goldenarch/internal/olm"
)

// operators has the operators of an input, whose architectures the lock keeps.
type operators struct {
	list      []olm.Operator
	installed []olm.Installed
	// packages has the package of each operator in the list; "" if nothing states it.
	packages []string
	images   podImages
}

// newOperators returns the operators of the input. The package of an operator is the one of
// its bundle, or of the Subscription that begins with its ClusterServiceVersion: a
// ClusterServiceVersion itself does not name it.
func newOperators(list []olm.Operator, installed []olm.Installed, images podImages, packageOf func(file string) string) operators {
	out := operators{list: list, installed: installed, packages: make([]string, len(list)), images: images}
	for i, operator := range list {
		if packageOf != nil {
			out.packages[i] = packageOf(operator.File)
		}
		at := slices.IndexFunc(installed, func(named olm.Installed) bool { return named.CSV == operator.CSV })
		if out.packages[i] == "" && at >= 0 {
			out.packages[i] = installed[at].Package
		}
	}
	return out
}

// Operators returns the operators of inputs whose architectures the images prove: those in
// the answers of registries, and those that the lock has already.
func Operators(inputs []Images, answers []registry.Image, l lock.Lock) []v1alpha1.LockedOperator {
	var out []v1alpha1.LockedOperator
	for _, images := range inputs {
		for _, part := range images.all() {
			out = append(out, part.proven(answers, l)...)
		}
	}
	return distinctOperators(out)
}

func (i Images) proven(answers []registry.Image, l lock.Lock) []v1alpha1.LockedOperator {
	byReference := map[string]registry.Image{}
	for _, image := range answers {
		byReference[image.Reference] = image
	}
	q := i.operators.images
	for _, ref := range q.refs {
		image, known := byReference[ref.String()]
		if !known {
			image, known = l.Find(ref)
		}
		if known {
			q.answer(registry.Result{Reference: ref, Image: image}, "")
		}
	}
	var out []v1alpha1.LockedOperator
	for at, operator := range i.operators.list {
		set, proven := operator.Architectures(q.answers)
		if name := i.operators.packages[at]; proven && name != "" {
			out = append(out, v1alpha1.LockedOperator{
				Package: name, CSV: operator.CSV, Architectures: set.Strings(), ConstrainedBy: operator.ConstrainedBy(set),
			})
		}
	}
	return out
}

// distinctOperators returns the operators without those that two objects have and of which
// the objects say different things.
func distinctOperators(list []v1alpha1.LockedOperator) []v1alpha1.LockedOperator {
	var out []v1alpha1.LockedOperator
	for i, one := range list {
		is := func(o v1alpha1.LockedOperator) bool { return o.Package == one.Package && o.CSV == one.CSV }
		differs := func(o v1alpha1.LockedOperator) bool {
			return is(o) && !(slices.Equal(o.Architectures, one.Architectures) && slices.Equal(o.ConstrainedBy, one.ConstrainedBy))
		}
		if !slices.ContainsFunc(list, differs) && !slices.ContainsFunc(list[:i], is) {
			out = append(out, one)
		}
	}
	return out
}

// IsUnused reports whether the input neither installs an operator of the lock nor has it.
// Of an operator whose versions are in the input, the other versions are unused.
func (i Images) IsUnused(o v1alpha1.LockedOperator) bool {
	return !slices.ContainsFunc(i.all(), func(part Images) bool { return !part.operators.isUnused(o) })
}

func (p operators) isUnused(o v1alpha1.LockedOperator) bool {
	if slices.Contains(p.packages, o.Package) {
		return !slices.ContainsFunc(p.list, func(one olm.Operator) bool { return one.CSV == o.CSV })
	}
	return !slices.ContainsFunc(p.installed, func(named olm.Installed) bool { return named.Package == o.Package })
}
