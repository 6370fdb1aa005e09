package items

import (
	"strings"

	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/manifest/object"
	"github.com/goldenarch/goldenarch/internal/workload"
)

// The annotations with the node selector of a Namespace: that of the admission plugin
// PodNodeSelector of Kubernetes, and OpenShift's.
const (
	kubernetesSelector = "scheduler.alpha.kubernetes.io/node-selector"
	openShiftSelector  = "openshift.io/node-selector"
)

// Selectors returns the node selectors of the Namespaces among objects, by name. The
// cluster adds them to the nodeSelector of each pod.
//
// OpenShift ignores a Namespace with the annotation of Kubernetes. Otherwise its own
// annotation counts, also an empty one. A Namespace without both gets the
// defaultNodeSelector of the Scheduler (openshift/origin pkg/scheduler/admission/nodeenv:
// podNodeEnvironment.admit). A Namespace that is not among the objects may have an
// annotation, so it gets nothing.
func Selectors(objects []object.Object) map[string]workload.NodeSelector {
	byDefault := ""
	for _, o := range objects {
		if IsScheduler(o.At) {
			byDefault = object.TextAt(o.Node, "spec", "defaultNodeSelector")
		}
	}
	out := map[string]workload.NodeSelector{}
	for _, o := range objects {
		if o.At.APIVersion != "v1" || o.At.Kind != "Namespace" {
			continue
		}
		if selector := selectorOf(o, byDefault); len(selector.Labels) > 0 {
			out[o.At.Name] = selector
		}
	}
	return out
}

// IsScheduler reports whether an object is the configuration of OpenShift's scheduler.
func IsScheduler(at finding.Object) bool {
	return at.Group() == "config.openshift.io" && at.Kind == "Scheduler" && at.Name == "cluster"
}

func selectorOf(o object.Object, byDefault string) workload.NodeSelector {
	for _, key := range []string{kubernetesSelector, openShiftSelector} {
		if object.NodeAt(o.Node, "metadata", "annotations", key) != nil {
			return workload.NodeSelector{Labels: labelsIn(object.Annotation(o.Node, key)), Annotation: key}
		}
	}
	return workload.NodeSelector{Labels: labelsIn(byDefault), FromScheduler: true}
}

// labelsIn reads "a=b,c=d".
func labelsIn(text string) map[string]string {
	out := map[string]string{}
	for part := range strings.SplitSeq(text, ",") {
		if label, value, ok := strings.Cut(part, "="); ok {
			out[strings.TrimSpace(label)] = strings.TrimSpace(value)
		}
	}
	return out
}
