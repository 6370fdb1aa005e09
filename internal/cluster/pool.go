package cluster

import (
	"fmt"
	"maps"
	"strings"

	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/pattern"
)

// capacityAnnotation holds, for the autoscaler, the labels that new nodes of a pool
// will have: "kubernetes.io/arch=arm64,zone=a".
const capacityAnnotation = "capacity.cluster-autoscaler.kubernetes.io/labels"

// multiArchTaint is the taint that OpenShift's documentation puts on nodes of
// another architecture.
const multiArchTaint = "multi-arch.openshift.io/arch"

// Pool is a worker pool, or a machine that will become a node. It counts whatever its
// number of replicas is: the result must not change when somebody scales a pool to zero
// and back.
type Pool struct {
	// Node is what is certain about the nodes of the pool. Its architecture is "" if
	// nothing declares it. The nodes may have more labels than these.
	Node
	// Lacks are labels that the nodes certainly do not have.
	Lacks []string
	// Declare says how to declare the architecture in the pool itself. It is "" for a kind
	// of pool that always has one.
	Declare string
	// DeclareLabel says how to declare a label of the nodes, if not in a template of them.
	DeclareLabel string
	// Hint is what else suggests an architecture. It is never a fact.
	Hint Hint
}

// withWorker adds the worker label to the labels of a pool's nodes.
func withWorker(labels map[string]string) map[string]string {
	labels[workerLabel] = ""
	return labels
}

// workersOnly are the labels that worker nodes lack.
var workersOnly = []string{controlPlaneLabel, masterLabel}

// declaration is a field of a worker pool that declares its architecture.
type declaration struct{ field, value string }

// declared returns the architecture that the fields of a pool agree on, or "" if no
// field declares one.
func declared(list ...declaration) (arch.Arch, error) {
	var first declaration
	var found arch.Arch
	for _, d := range list {
		if d.value == "" {
			continue
		}
		a, err := arch.Parse(d.value)
		switch {
		case err != nil:
			return "", fmt.Errorf("%s: %w", d.field, err)
		case found == "":
			first, found = d, a
		case a != found:
			return "", fmt.Errorf("%s is %s, but %s is %s: correct one of them", first.field, found, d.field, a)
		}
	}
	return found, nil
}

// capacity returns the labels in the autoscaler's annotation, and the architecture that
// it declares.
func capacity(t tree) (map[string]string, declaration) {
	labels := map[string]string{}
	for pair := range strings.SplitSeq(t.labels("metadata", "annotations")[capacityAnnotation], ",") {
		if key, value, ok := strings.Cut(strings.TrimSpace(pair), "="); ok {
			labels[key] = value
		}
	}
	d := declaration{"metadata.annotations[" + capacityAnnotation + "]", labels[archLabel]}
	return labels, d
}

// infraSuffix is what OpenShift's installer adds to the name of a cluster.
var infraSuffix = pattern.Of(`-[a-z0-9]{5}$`)

// clusterOfInfra returns the name of the cluster with this infrastructure id.
func clusterOfInfra(id string) string { return infraSuffix().ReplaceAllString(id, "") }

// overlay returns the labels of both maps. Those of the second take precedence.
func overlay(labels, over map[string]string) map[string]string {
	out := maps.Clone(labels)
	maps.Copy(out, over)
	return out
}
