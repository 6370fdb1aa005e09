package wrapper

import "strings"

// place describes where objects of one kind hold other objects.
type place struct {
	group, kind string
	// path leads to the objects. A "*" matches every element of a list.
	path []string
	// reach returns how the object reaches the cluster, given the wrapper and the mapping
	// that holds the object. If reach is nil, the wrapper applies the whole object.
	reach func(wrapper, entry, object node) Reach
}

// each matches every element of a list in a path.
const each = "*"

// places lists the wrappers that goldenarch reads. The paths are those of the types:
// governance-policy-propagator api/v1 PolicySpec, config-policy-controller api/v1
// ConfigurationPolicySpec, open-cluster-management.io/api work/v1 and addon/v1alpha1,
// hive apis/hive/v1 SyncSet, and openshift/api template/v1.
var places = []place{
	{
		group: "policy.open-cluster-management.io", kind: "Policy",
		path: []string{"spec", "policy-templates", each, "objectDefinition"},
	},
	{
		group: "policy.open-cluster-management.io", kind: "ConfigurationPolicy",
		path: []string{"spec", "object-templates", each, "objectDefinition"}, reach: policyReach,
	},
	{
		group: "work.open-cluster-management.io", kind: "ManifestWork",
		path:  []string{"spec", "workload", "manifests", each},
		reach: workReach("spec", "manifestConfigs"),
	},
	{
		group: "work.open-cluster-management.io", kind: "ManifestWorkReplicaSet",
		path:  []string{"spec", "manifestWorkTemplate", "workload", "manifests", each},
		reach: workReach("spec", "manifestWorkTemplate", "manifestConfigs"),
	},
	{
		group: "addon.open-cluster-management.io", kind: "AddOnTemplate",
		path:  []string{"spec", "agentSpec", "workload", "manifests", each},
		reach: workReach("spec", "agentSpec", "manifestConfigs"),
	},
	{group: "hive.openshift.io", kind: "SyncSet", path: []string{"spec", "resources", each}},
	{group: "hive.openshift.io", kind: "SelectorSyncSet", path: []string{"spec", "resources", each}},
	{group: "template.openshift.io", kind: "Template", path: []string{"objects", each}},
}

// placeOf returns the place where objects of a kind hold others. It ignores the version,
// because the paths are the same in all versions.
func placeOf(apiVersion, kind string) (place, bool) {
	group, _, ok := strings.Cut(apiVersion, "/")
	if !ok {
		return place{}, false
	}
	for _, p := range places {
		if p.group == group && p.kind == kind {
			return p, true
		}
	}
	return place{}, false
}

// Is reports whether goldenarch opens objects of a kind.
func Is(apiVersion, kind string) bool {
	_, ok := placeOf(apiVersion, kind)
	return ok
}
