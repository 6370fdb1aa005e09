package workload

import (
	"fmt"
	"slices"

	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/workload/affinity"
	"github.com/goldenarch/goldenarch/internal/workload/podspec"
)

// Support says on which architectures an operator runs, and why not on others.
type Support struct {
	Object finding.Object
	// Architectures are those that somebody may ask about: what an image, a label or the nodes have of the usual ones.
	Architectures arch.Set
	Images        []SupportedImage
	// Labels are the architectures that the labels name, if the object has Labelled ones: only a ClusterServiceVersion does.
	Labels   arch.Set
	Labelled bool
	// Admitted are those of the architectures to whose nodes all pods may go, and Constrained says that a constraint of them is
	// about architectures.
	Admitted    arch.Set
	Constrained bool
	// Constraint is the field that excludes one of the architectures, of the first pod that does; "" if none does.
	Constraint string
}

// SupportedImage is an image of an operator, with its architectures.
type SupportedImage struct {
	Reference string
	// NamedBy says what names the image: a container, a variable, the related images.
	NamedBy string
	Has     arch.Set
	// Unknown says that nothing proves what the image has.
	Unknown bool
}

// Answered is whether something holds.
type Answered string

// The answers.
const (
	Yes     Answered = "yes"
	No      Answered = "no"
	Unclear Answered = "?"
)

func answered(yes bool) Answered {
	if yes {
		return Yes
	}
	return No
}

// Of reports whether an image has an architecture.
func (i SupportedImage) Of(a arch.Arch) Answered {
	if i.Unknown {
		return Unclear
	}
	return answered(i.Has.Contains(a))
}

// Claims reports whether the labels name an architecture, and Admits whether the pods may go to its nodes.
func (s Support) Claims(a arch.Arch) Answered { return answered(s.Labels.Contains(a)) }

// Admits reports whether the pods may go to nodes of an architecture.
func (s Support) Admits(a arch.Arch) Answered { return answered(s.Admitted.Contains(a)) }

// Of reports whether the operator supports an architecture: each image has it, its labels name it, and its pods may go there.
func (s Support) Of(a arch.Arch) Answered {
	out := Yes
	for _, i := range s.Images {
		switch i.Of(a) {
		case No:
			return No
		case Unclear:
			out = Unclear
		case Yes:
		}
	}
	if s.Labelled && s.Claims(a) == No || s.Admits(a) == No {
		return No
	}
	return out
}

// Supported returns the architectures with an answer.
func (s Support) Supported(answer Answered) arch.Set {
	return arch.NewSet(slices.DeleteFunc(slices.Clone(s.Architectures), func(a arch.Arch) bool { return s.Of(a) != answer })...)
}

// Because says why an architecture is not supported, or not known to be: the images come first, because they must be built before
// the rest makes sense.
func (s Support) Because(a arch.Arch) string {
	lacking := map[Answered][]string{}
	for _, i := range s.Images {
		lacking[i.Of(a)] = append(lacking[i.Of(a)], i.Reference)
	}
	switch {
	case len(lacking[No]) == 1:
		return "the image " + lacking[No][0] + " lacks it"
	case len(lacking[No]) > 1:
		const shown = 3
		return fmt.Sprintf("%d images lack it: %s", len(lacking[No]), finding.Shortened(lacking[No], shown))
	case len(lacking[Unclear]) > 0:
		return "nothing proves that " + finding.FirstOf(lacking[Unclear]) + " has it"
	case s.Labelled && s.Claims(a) == No && s.Admits(a) == No:
		return "no label names it and the node affinity excludes it"
	case s.Labelled && s.Claims(a) == No:
		return "no label names it"
	case s.Admits(a) == No:
		return "the node affinity excludes it"
	}
	return ""
}

// Usual returns the architectures for which operators are built. An image may have many more, which nobody asks about.
func Usual() arch.Set { return arch.Named("amd64", "arm64", "ppc64le", "s390x") }

// Support returns what the images of an object, which somebody resolved, and its constraints say about architectures. claimed are
// those of its labels.
func (r Run) Support(o podspec.Object, images []SupportedImage, claimed arch.Set) Support {
	out := Support{
		Object: finding.Object{APIVersion: o.APIVersion, Kind: o.Kind, Namespace: o.Namespace, Name: o.Name},
		Images: images, Labels: claimed, Architectures: claimed.Union(r.Required).Union(r.Nodes.All()),
	}
	for _, i := range images {
		out.Architectures = out.Architectures.Union(i.Has.Intersect(Usual()))
	}
	out.Admitted, out.Constraint = r.Admitted(o, out.Architectures)
	all := arch.NewSet(arch.All()...)
	everywhere, _ := r.Admitted(o, all)
	out.Constrained = len(everywhere) < len(all)
	return out
}

// Admitted returns those of some architectures to whose nodes all pods of an object may go, and the field that excludes another one,
// of the first pod that does; "" if none does.
func (r Run) Admitted(o podspec.Object, some arch.Set) (admitted arch.Set, field string) {
	admitted = some
	for _, place := range r.PlacesOf(o) {
		c, faults := affinity.Read(place.Node)
		if len(faults) > 0 || (&pod{Run: r, Place: place}).skipped() != "" {
			continue // reported
		}
		var here arch.Set
		options := alternatives(c, r.Selectors[o.Namespace].Labels)
		for _, w := range options {
			if w.pinned {
				here = some
			} else if !w.conflict {
				here = here.Union(NodesOf(some).admitted(placementOf(w.selector, w.term)))
			}
		}
		if len(here) < len(some) && field == "" {
			field = FieldOf(o, place, constraintOf(options))
		}
		admitted = admitted.Intersect(here)
	}
	return admitted, field
}

// constraintOf returns the field of a PodSpec with the constraints of which some options are.
func constraintOf(options []alternative) string {
	for _, w := range options {
		if w.field != "" {
			return w.field
		}
	}
	return affinity.RequiredPath
}

// Lacks reports that an operator, or a pod, does not support architectures that the user requires, because of an image.
func (r Run) Lacks(who string, lacking arch.Set, proof string) finding.Finding {
	return finding.Finding{
		ID: finding.RequiredLacking, Severity: finding.Error,
		Text: fmt.Sprintf("%s does not support %s, which --require names: %s", who, listed(lacking), proof),
		Do:   fmt.Sprintf("build the image for %s, or use another one", listed(lacking)),
	}
}
