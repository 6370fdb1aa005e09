package podspec

import (
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/yaml/yamlnode"
)

// Object is a Kubernetes object of an item: the item itself, or one that it wraps.
type Object struct {
	Node                              *yaml.Node // a mapping
	APIVersion, Kind, Namespace, Name string
	// Path is the path of the object in its item: "", items[2], spec.workload.manifests[0].
	Path string
	// Merged says that a policy merges the object into that of the cluster, so goldenarch does not edit it.
	Merged bool
}

// Group returns the API group, "" for the core group.
func (o Object) Group() string {
	group, _, ok := strings.Cut(o.APIVersion, "/")
	if !ok {
		return ""
	}
	return group
}

// IsCSV reports whether the object is a ClusterServiceVersion.
func (o Object) IsCSV() bool { return o.Kind == csv && o.Group() == operators }

// Annotation returns an annotation of the object; "" if it does not exist.
func (o Object) Annotation(key string) string {
	return yamlnode.Text(o.Node, "metadata", "annotations", key)
}

// Labels returns the labels of the object.
func (o Object) Labels() map[string]string {
	labels := yamlnode.Get(o.Node, "metadata", "labels")
	if labels == nil || labels.Kind != yaml.MappingNode {
		return nil
	}
	out := make(map[string]string, len(labels.Content)/2)
	for key, value := range yamlnode.Fields(labels) {
		if value.Kind == yaml.ScalarNode {
			out[key] = value.Value
		}
	}
	return out
}

// IsRecreated reports whether each apply creates a new object instead of changing the old
// one. Either the object's name is generated, or Argo CD, Flux or Helm deletes the object
// first. The option Replace=true of Argo CD alone does not: "kubectl replace" deletes only with
// --force (argo-cd#9163).
func (o Object) IsRecreated() bool {
	return o.Name == "" && yamlnode.Text(o.Node, "metadata", "generateName") != "" ||
		o.Annotation("argocd.argoproj.io/hook") != "" || o.Annotation("helm.sh/hook") != "" ||
		o.hasSyncOption("Replace=true") && o.hasSyncOption("Force=true") ||
		o.Annotation("kustomize.toolkit.fluxcd.io/force") == "enabled"
}

// hasSyncOption reports whether the object has an option of Argo CD.
func (o Object) hasSyncOption(option string) bool {
	options := strings.Split(o.Annotation("argocd.argoproj.io/sync-options"), ",")
	return slices.ContainsFunc(options, func(one string) bool { return strings.TrimSpace(one) == option })
}

// Shape says what a place contains.
type Shape string

// A PodSpec has containers. A Placement has a nodeSelector and an affinity only.
const (
	PodSpec   Shape = "podSpec"
	Placement Shape = "placement"
)

// Path says where objects of a kind have a PodSpec or a placement.
type Path struct {
	Group, Kind string
	// Path is the path to it: spec.template.spec, spec.jobs[].template.spec.
	Path  string
	Shape Shape
	// Image is the path at which the object names its only image. Package is the path at
	// which it names an operator; the field at Path may then be missing.
	Image, Package string
	// Inline is the path of a field that must be "Inline" where the field at Path exists.
	Inline string
	// Fixed says that the API server refuses a change of it after the object exists.
	Fixed bool
}

// known lists the kinds whose PodSpecs goldenarch always finds.
var known = []Path{
	{Kind: "Pod", Path: "spec", Fixed: true},
	{Kind: "PodTemplate", Path: "template.spec"},
	{Kind: "ReplicationController", Path: "spec.template.spec"},
	{Group: "apps", Kind: "Deployment", Path: "spec.template.spec"},
	{Group: "apps", Kind: "DaemonSet", Path: "spec.template.spec"},
	{Group: "apps", Kind: "StatefulSet", Path: "spec.template.spec"},
	{Group: "apps", Kind: "ReplicaSet", Path: "spec.template.spec"},
	{Group: "extensions", Kind: "Deployment", Path: "spec.template.spec"},
	{Group: "extensions", Kind: "DaemonSet", Path: "spec.template.spec"},
	{Group: "extensions", Kind: "ReplicaSet", Path: "spec.template.spec"},
	{Group: "batch", Kind: "Job", Path: "spec.template.spec", Fixed: true},
	{Group: "batch", Kind: "CronJob", Path: "spec.jobTemplate.spec.template.spec"},
	{Group: "apps.openshift.io", Kind: "DeploymentConfig", Path: "spec.template.spec"},
	{Group: operators, Kind: "CatalogSource", Path: "spec.grpcPodConfig", Shape: Placement, Image: "spec.image"},
	{Group: operators, Kind: "Subscription", Path: "spec.config", Shape: Placement, Package: "spec.name"},
	{
		Group: "olm.operatorframework.io", Kind: "ClusterExtension", Path: "spec.config.inline.deploymentConfig",
		Shape: Placement, Package: "spec.source.catalog.packageName", Inline: "spec.config.configType",
	},
	{Group: operators, Kind: csv, Path: "spec.install.spec.deployments[].spec.template.spec"},
}

// operators is the group of the Operator Lifecycle Manager, and csv its kind for a version of an operator.
const (
	operators = "operators.coreos.com"
	csv       = "ClusterServiceVersion"
)

// pathsOf returns the paths of a kind.
func pathsOf(group, name string, additional []Path) []Path {
	var out []Path
	for _, list := range [][]Path{known, additional} {
		for _, p := range list {
			if p.Group == group && p.Kind == name {
				out = append(out, p)
			}
		}
	}
	return out
}
