package workload

import (
	"reflect"

	corev1 "k8s.io/api/core/v1"

	"github.com/goldenarch/goldenarch/internal/cluster"
)

// olmVersion is a generation of the Operator Lifecycle Manager (OLM). It says what OLM does
// with the placement that an admin writes: spec.config of a Subscription, and the
// deploymentConfig of a ClusterExtension.
//
// The code follows that of the two releases line by line, and names the lines. OLM v0 is
// operator-lifecycle-manager 992bb097, pkg/controller/operators/olm/overrides/inject/inject.go.
// OLM v1 is operator-controller df2c201d, internal/operator-controller/rukpak/render/registryv1/
// generators/generators.go.
type olmVersion int

// olmV0 reads Subscriptions, olmV1 reads ClusterExtensions.
const (
	olmV0 olmVersion = iota
	olmV1
)

// apply returns what the pods of an operator say about their nodes, given what the
// ClusterServiceVersion and the admin say. A nil field says nothing. It changes neither.
func (v olmVersion) apply(csv, config cluster.Placement) cluster.Placement {
	out := cluster.Placement{NodeSelector: csv.NodeSelector, Affinity: csv.Affinity.DeepCopy()}
	if config.NodeSelector != nil { // v0 inject.go:266, v1 generators.go:772
		out.NodeSelector = config.NodeSelector
	}
	if config.Affinity == nil { // v0 inject.go:290, v1 generators.go:828
		return out
	}
	given := config.Affinity.DeepCopy()
	if v == olmV1 {
		out.Affinity = mergedByOLMv1(out.Affinity, given)
	} else {
		out.Affinity = mergedByOLMv0(out.Affinity, given)
	}
	return out
}

// mergedByOLMv0 is OverrideDeploymentAffinity.
func mergedByOLMv0(pod, given *corev1.Affinity) *corev1.Affinity {
	isEmpty := func(a *corev1.Affinity) bool { return reflect.DeepEqual(a, &corev1.Affinity{}) }
	switch {
	case (pod == nil || isEmpty(pod)) && isEmpty(given): // inject.go:296
		return nil
	case pod == nil || isEmpty(pod): // inject.go:299
		return given
	case isEmpty(given): // inject.go:306
		return nil
	}
	if given.NodeAffinity != nil { // inject.go:311
		pod.NodeAffinity = given.NodeAffinity
		if reflect.DeepEqual(given.NodeAffinity, &corev1.NodeAffinity{}) {
			pod.NodeAffinity = nil
		}
	}
	if given.PodAffinity != nil { // inject.go:319
		pod.PodAffinity = given.PodAffinity
		if reflect.DeepEqual(given.PodAffinity, &corev1.PodAffinity{}) {
			pod.PodAffinity = nil
		}
	}
	if given.PodAntiAffinity != nil { // inject.go:327
		if reflect.DeepEqual(given.PodAntiAffinity, &corev1.PodAntiAffinity{}) {
			return nil // inject.go:329: the whole affinity, and not only podAntiAffinity
		}
		pod.PodAntiAffinity = given.PodAntiAffinity
	}
	if isEmpty(pod) { // inject.go:336
		return nil
	}
	return pod
}

// mergedByOLMv1 is applyAffinityConfig.
func mergedByOLMv1(pod, given *corev1.Affinity) *corev1.Affinity {
	if given.NodeAffinity == nil && given.PodAffinity == nil && given.PodAntiAffinity == nil { // generators.go:841
		return nil
	}
	if pod == nil {
		pod = &corev1.Affinity{}
	}
	if given.NodeAffinity != nil { // generators.go:851
		pod.NodeAffinity = given.NodeAffinity
		if isNodeAffinityEmpty(given.NodeAffinity) {
			pod.NodeAffinity = nil
		}
	}
	if given.PodAffinity != nil { // generators.go:859
		pod.PodAffinity = given.PodAffinity
		if isPodAffinityEmpty(given.PodAffinity) {
			pod.PodAffinity = nil
		}
	}
	if given.PodAntiAffinity != nil { // generators.go:867
		pod.PodAntiAffinity = given.PodAntiAffinity
		if isPodAntiAffinityEmpty(given.PodAntiAffinity) {
			pod.PodAntiAffinity = nil
		}
	}
	if pod.NodeAffinity == nil && pod.PodAffinity == nil && pod.PodAntiAffinity == nil { // generators.go:875
		return nil
	}
	return pod
}

// isNodeAffinityEmpty counts a required affinity without terms as empty (generators.go:791).
func isNodeAffinityEmpty(a *corev1.NodeAffinity) bool {
	required := a.RequiredDuringSchedulingIgnoredDuringExecution
	return (required == nil || len(required.NodeSelectorTerms) == 0) && len(a.PreferredDuringSchedulingIgnoredDuringExecution) == 0
}

func isPodAffinityEmpty(a *corev1.PodAffinity) bool { // generators.go:801
	return len(a.RequiredDuringSchedulingIgnoredDuringExecution)+len(a.PreferredDuringSchedulingIgnoredDuringExecution) == 0
}

func isPodAntiAffinityEmpty(a *corev1.PodAntiAffinity) bool { // generators.go:810
	return len(a.RequiredDuringSchedulingIgnoredDuringExecution)+len(a.PreferredDuringSchedulingIgnoredDuringExecution) == 0
}
