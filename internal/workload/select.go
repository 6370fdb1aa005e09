package workload

import (
	"fmt"
	"slices"
	"strings"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/workload/podspec"
	"github.com/goldenarch/goldenarch/internal/yamlnode"
)

// ModeAnnotation on an object says how to process its pods: None excludes it, and Check
// only checks it.
const ModeAnnotation = "goldenarch.dev/workloads"

// Selects reports whether the configuration selects an object.
func (r Run) Selects(o podspec.Object) bool {
	s := r.Spec.Selectors
	one := func(list []string, value string) bool { return len(list) == 0 || slices.Contains(list, value) }
	if !one(s.Kinds, o.Kind) || !one(s.Names, o.Name) || !one(s.Namespaces, o.Namespace) {
		return false
	}
	labels := o.Labels()
	for key, value := range s.Labels {
		if got, ok := labels[key]; !ok || got != value {
			return false
		}
	}
	return true
}

// mode returns how to process the pods of an object: as the run says, or less.
func (r Run) mode(o podspec.Object) (v1alpha1.WorkloadMode, finding.List) {
	switch text := o.Annotation(ModeAnnotation); v1alpha1.WorkloadMode(text) {
	case "", v1alpha1.WorkloadsAffinity:
		return r.Spec.Mode, nil
	case v1alpha1.WorkloadsNone, v1alpha1.WorkloadsCheck:
		return v1alpha1.WorkloadMode(text), nil
	default:
		return v1alpha1.WorkloadsNone, finding.List{{
			ID: finding.WorkloadsAnnotation, Severity: finding.Error, Field: joined(o.Path, "metadata.annotations["+ModeAnnotation+"]"), Current: text,
			Object: finding.Object{APIVersion: o.APIVersion, Kind: o.Kind, Namespace: o.Namespace, Name: o.Name},
			Text:   fmt.Sprintf("the annotation %s is %q, expected None, Check or Affinity", ModeAnnotation, text), Do: "correct the annotation",
		}}
	}
}

// skipped says why goldenarch skips a pod; "" if it does not.
func (p *pod) skipped() string {
	selector := yamlnode.Get(p.Node, "nodeSelector")
	named := []string{yamlnode.Text(p.Node, "os", "name"), yamlnode.Text(selector, "kubernetes.io/os"), yamlnode.Text(selector, "beta.kubernetes.io/os")}
	for _, n := range named {
		if n != "" && n != "linux" {
			return fmt.Sprintf("goldenarch skips this pod, because it runs on %s and goldenarch asks for Linux images only", n)
		}
	}
	return ""
}

// joined joins the non-empty parts of a path.
func joined(parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), ".")
}
