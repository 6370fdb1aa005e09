package items

import (
	"strings"

	"github.com/goldenarch/goldenarch/internal/object"
)

// selectorAnnotations hold the node selector of a namespace: OpenShift's annotation, and
// that of the admission plugin PodNodeSelector of Kubernetes.
var selectorAnnotations = []string{"openshift.io/node-selector", "scheduler.alpha.kubernetes.io/node-selector"}

// Selectors returns the node selectors of the Namespaces among objects, by name. The
// cluster adds them to the nodeSelector of each pod.
func Selectors(objects []object.Object) map[string]map[string]string {
	out := map[string]map[string]string{}
	for _, o := range objects {
		if o.At.APIVersion != "v1" || o.At.Kind != "Namespace" {
			continue
		}
		for _, key := range selectorAnnotations {
			for part := range strings.SplitSeq(object.Annotation(o.Node, key), ",") {
				label, value, ok := strings.Cut(strings.TrimSpace(part), "=")
				if !ok {
					continue
				}
				if out[o.At.Name] == nil {
					out[o.At.Name] = map[string]string{}
				}
				out[o.At.Name][strings.TrimSpace(label)] = strings.TrimSpace(value)
			}
		}
	}
	return out
}
