package pipeline

import (
	"fmt"
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/input"
	"github.com/goldenarch/goldenarch/internal/object"
	"github.com/goldenarch/goldenarch/internal/prediction"
	"github.com/goldenarch/goldenarch/internal/settings"
)

// nothingToDecide returns the findings for an input without a CR. A run about pods does
// not need a CR.
func (f Function) nothingToDecide(items []*yaml.RNode, in input.Input, found finding.List, spec *settings.Settings) finding.List {
	switch {
	case f.pods.only:
		return nil
	case len(prediction.SSPs(items)) > 0:
		return finding.List{onlySSP()}
	case f.pods.spec(spec.Workloads).Mode != v1alpha1.WorkloadsNone:
		return nil
	case hasID(found, finding.CRUnread):
		return nil
	}
	return finding.List{noCR(found, in.Objects)}
}

// withoutWritten removes the findings about written changes: on an error the run writes
// nothing.
func withoutWritten(found finding.List) finding.List {
	return slices.DeleteFunc(found, func(f finding.Finding) bool {
		return f.ID == finding.AffinityWritten || f.ID == finding.PodFixed || f.ID == finding.ConstraintReplaced || f.ID == finding.LabelWritten
	})
}

func hasID(found finding.List, id finding.ID) bool {
	return slices.ContainsFunc(found, func(f finding.Finding) bool { return f.ID == id })
}

// noCR reports that the input has no CR, or that an object looks like one.
func noCR(found finding.List, objects []object.Object) finding.Finding {
	if i := slices.IndexFunc(objects, object.Object.ComparesCR); i >= 0 {
		return finding.Finding{
			ID: finding.NoCR, Severity: finding.Warning, Object: objects[i].At,
			Text: fmt.Sprintf("the input has no HyperConverged CR for a cluster, and %s only compares one with the cluster's: everything passes through unchanged",
				objects[i].At),
			Do: "pass the file or directory that has the CR",
		}
	}
	if hasID(found, finding.KindNear) {
		return finding.Finding{
			ID: finding.NoCR, Severity: finding.Warning,
			Text: "the input has no HyperConverged CR, only an object that looks like one, so goldenarch changes nothing",
			Do:   "correct its apiVersion and kind",
		}
	}
	return finding.Finding{
		ID: finding.NoCR, Severity: finding.Warning,
		Text: "the input has no HyperConverged CR, so goldenarch changes nothing",
		Do:   "pass the file or directory that has the CR",
	}
}
