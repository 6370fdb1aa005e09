package hyperconverged

import (
	"fmt"
	"maps"
	"strings"

	corev1 "k8s.io/api/core/v1"
)

// CR is a HyperConverged custom resource, with the fields about golden images.
type CR struct {
	Version     Version
	Namespace   string
	Name        string
	Annotations map[string]string
	// Dump says that the object was read from a cluster, because it has fields that only a
	// cluster writes. In such an object, fields that nobody set have the CRD's defaults.
	Dump bool

	// Templates are the entries of the CR's list, in order.
	Templates []Template
	// CommonImport says whether HCO imports the predefined templates. HCO reads an unset
	// field as true.
	CommonImport bool
	// BootNamespace is the namespace for unmodified predefined templates; "" for the
	// default namespace.
	BootNamespace string
	// Gate is the multi-arch gate of the CR.
	Gate Gate
	// FeatureGates is the v1 list; nil in v1beta1.
	FeatureGates []FeatureGate
	// HasWorkloadSources says whether a v1 object has spec.workloadSources.
	HasWorkloadSources bool
	// DeadCommonImport is the v1beta1 feature gate enableCommonBootImageImport,
	// which HCO ignores; nil if unset.
	DeadCommonImport *bool

	Workloads NodePlacement
	Infra     NodePlacement

	// Unconvertible is why HCO cannot convert a v1beta1 object to v1, nil if it
	// can.
	Unconvertible error
}

// NodePlacement selects the nodes on which a component runs.
type NodePlacement struct {
	NodeSelector map[string]string `json:"nodeSelector,omitempty"`
	Affinity     *corev1.Affinity  `json:"affinity,omitempty"`
}

// Required returns the terms of which a node must match one; nil without a required node
// affinity.
func (p NodePlacement) Required() *corev1.NodeSelector {
	if p.Affinity == nil || p.Affinity.NodeAffinity == nil {
		return nil
	}
	return p.Affinity.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution
}

// IgnoredBecause returns why HCO makes nothing of a CR of this name; "" if it reconciles it
// (hco hyperconverged_controller.go: validateNamespace, reqresolver).
func (cr *CR) IgnoredBecause() string {
	switch {
	case cr.Name == Name:
		return ""
	case strings.Contains(cr.Name, Name): // the pattern of the CRD
		return fmt.Sprintf("HCO handles only the CR named %q. It makes nothing of a CR named %q, "+
			"and says so in the condition ReconcileComplete (InvalidRequest)", Name, cr.Name)
	default:
		return fmt.Sprintf("HCO handles only the CR named %q, and the API server refuses one named %q", Name, cr.Name)
	}
}

// TemplatePath returns the path of a template in the CR, as findings show it.
func (cr *CR) TemplatePath(i int) string { return cr.Version.Paths().Templates.At(i) }

func cloneMap(m map[string]string) map[string]string {
	if m == nil {
		return nil
	}
	out := make(map[string]string, len(m))
	maps.Copy(out, m)
	return out
}
