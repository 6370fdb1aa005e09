package cluster

import (
	"fmt"
	"strings"

	"github.com/goldenarch/goldenarch/arch"
)

// capacityAnnotation holds the labels that new nodes of a pool will have, for
// the autoscaler: "kubernetes.io/arch=arm64,zone=a".
const capacityAnnotation = "capacity.cluster-autoscaler.kubernetes.io/labels"

// multiArchTaint is the taint that OpenShift's documentation puts on nodes of
// another architecture.
const multiArchTaint = "multi-arch.openshift.io/arch"

// declaration is a field of a worker pool that declares its architecture.
type declaration struct{ field, value string }

// declared returns the architecture that the fields of a pool agree on, "" if
// none declares one.
func declared(list ...declaration) (arch.Arch, error) {
	var first declaration
	var found arch.Arch
	for _, d := range list {
		if d.value == "" {
			continue
		}
		a, err := arch.Parse(d.value)
		if err != nil {
			return "", fmt.Errorf("%s: %w", d.field, err)
		}
		if found != "" && a != found {
			return "", fmt.Errorf("%s says %s, %s says %s: correct one of them", first.field, found, d.field, a)
		}
		first, found = d, a
	}
	return found, nil
}

// pool returns the facts of a worker pool whose nodes have the given labels.
func pool(name string, a arch.Arch, labels map[string]string, undeclared string) Facts {
	f := Facts{Class: Pooled, Pool: true}
	if a == "" {
		f.Undeclared = undeclared
		return f
	}
	f.Nodes = []Node{newNode(name, a, labels)}
	return f
}

// capacityArch returns the architecture in the autoscaler's annotation.
func capacityArch(t tree) declaration {
	d := declaration{field: "metadata.annotations[" + capacityAnnotation + "]"}
	for pair := range strings.SplitSeq(t.labels("metadata", "annotations")[capacityAnnotation], ",") {
		if key, value, _ := strings.Cut(strings.TrimSpace(pair), "="); key == archLabel {
			d.value = value
		}
	}
	return d
}

// withWorker adds the worker label to the labels of a pool's nodes.
func withWorker(labels map[string]string) map[string]string {
	labels[workerLabel] = ""
	return labels
}
