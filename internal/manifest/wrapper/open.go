package wrapper

import (
	"path"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/yaml/fieldpath"
	"github.com/goldenarch/goldenarch/internal/yaml/yamlnode"
)

// Content is an object that a wrapper holds.
type Content struct {
	// Path leads from the wrapper to the object, such as
	// "spec.policy-templates[0].objectDefinition".
	Path string
	// Node is the object, a mapping.
	Node *yaml.Node
	// Reach says whether an edit of the object reaches the cluster.
	Reach Reach
}

// node is a YAML node, or nil.
type node = *yaml.Node

// Open returns the objects that a wrapper holds, in their order. It does not open wrappers
// inside the wrapper. For a kind that is not a wrapper it returns nil. The node must not
// have an anchor that is its own ancestor.
func Open(apiVersion, kind string, wrapper *yaml.Node) []Content {
	p, ok := placeOf(apiVersion, kind)
	if !ok {
		return nil
	}
	var out []Content
	var walk func(n, parent node, path string, rest []string)
	walk = func(n, parent node, path string, rest []string) {
		n = yamlnode.Root(n)
		switch {
		case n == nil:
		case len(rest) == 0:
			if n.Kind == yaml.MappingNode {
				content := Content{Path: path, Node: n}
				if p.reach != nil {
					content.Reach = p.reach(wrapper, parent, n)
				}
				out = append(out, content)
			}
		case rest[0] == each:
			if n.Kind != yaml.SequenceNode {
				return
			}
			for i, next := range n.Content {
				walk(next, n, fieldpath.Element(path, i), rest[1:])
			}
		default:
			walk(yamlnode.Get(n, rest[0]), n, fieldpath.Join(path, rest[0]), rest[1:])
		}
	}
	walk(wrapper, nil, "", p.path)
	return out
}

// holder describes where objects of one kind hold other objects.
type holder struct {
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
var places = []holder{
	{
		group: policyGroup, kind: policyKind,
		path: []string{"spec", "policy-templates", each, "objectDefinition"},
	},
	{
		group: policyGroup, kind: "ConfigurationPolicy",
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
	{group: hiveGroup, kind: "SyncSet", path: []string{"spec", "resources", each}, reach: syncReach},
	{group: hiveGroup, kind: "SelectorSyncSet", path: []string{"spec", "resources", each}, reach: syncReach},
	{group: "template.openshift.io", kind: "Template", path: []string{"objects", each}},
}

const (
	// hiveGroup is the API group of hive.
	hiveGroup = "hive.openshift.io"
	// policyGroup is the API group of the policies of Open Cluster Management.
	policyGroup = "policy.open-cluster-management.io"
	policyKind  = "Policy"
)

// placeOf returns the place where objects of a kind hold others. It ignores the version,
// because the paths are the same in all versions.
func placeOf(apiVersion, kind string) (holder, bool) {
	group, _, ok := strings.Cut(apiVersion, "/")
	if !ok {
		return holder{}, false
	}
	for _, p := range places {
		if p.group == group && p.kind == kind {
			return p, true
		}
	}
	return holder{}, false
}

// Is reports whether goldenarch opens objects of a kind.
func Is(apiVersion, kind string) bool {
	_, ok := placeOf(apiVersion, kind)
	return ok
}

// Reach says how an object in a wrapper reaches the cluster.
type Reach int

const (
	// Applied means that the cluster gets the whole object, and every later edit of it.
	Applied Reach = iota
	// Merged means that the wrapper's controller merges the object into the cluster's
	// object. It adds a list element that has no "name" of its own and differs from the
	// cluster's element.
	Merged
	// CreatedOnce means that the cluster gets the object once, and no later edit of it.
	CreatedOnce
	// Compared means that the wrapper only compares the object with the cluster's and never
	// applies it.
	Compared
)

// policyReach reads the compliance type of an object in a ConfigurationPolicy.
//
// The controller merges a "musthave" list of maps by the elements' "name"
// (config-policy-controller controllers/configurationpolicy_controller.go: mergeArrays). A
// template has its name in metadata. So the controller takes an edited template for a new
// one and keeps the old one beside it, and HCO's webhook refuses the duplicate. The
// controller ignores the case of the type (api/v1 ComplianceType.IsMustOnlyHave).
func policyReach(_, entry, object node) Reach {
	if isStatusOnly(object) {
		return Compared
	}
	return ReachOf(yamlnode.Text(entry, "complianceType"))
}

// ReachOf returns how objects of a compliance type reach the cluster.
func ReachOf(complianceType string) Reach {
	switch strings.ToLower(complianceType) {
	case "mustonlyhave":
		return Applied
	case "mustnothave":
		return Compared
	}
	return Merged
}

// Remediation says what a policy does about an object that the cluster lacks.
type Remediation string

const (
	// inform means that the policy controller only reports it.
	inform Remediation = "inform"
	// informOnly means the same, and that the Policy around does not change that.
	informOnly Remediation = "informonly"
	// Disabled means that no cluster gets the policy.
	Disabled Remediation = "disabled"
)

// RemediationNamed returns the action that a policy states.
func RemediationNamed(action string) Remediation { return Remediation(strings.ToLower(action)) }

// Informs reports whether the object does not get to the cluster by the policy.
func (r Remediation) Informs() bool { return r == inform || r == informOnly || r == Disabled }

// RemediationOf returns what a wrapper says about the objects in it, given what is said about the
// wrapper itself; "" for nothing. The action of a Policy counts before that of its templates
// (governance-policy-framework-addon controllers/templatesync: overrideRemediationAction). A
// Policy that is disabled is on no cluster (governance-policy-propagator controllers/propagator).
func RemediationOf(apiVersion, kind string, wrapper *yaml.Node, around Remediation) Remediation {
	if p, ok := placeOf(apiVersion, kind); !ok || p.group != policyGroup {
		return around
	}
	if kind == policyKind && yamlnode.Text(wrapper, "spec", "disabled") == "true" {
		return Disabled
	}
	own := RemediationNamed(yamlnode.Text(wrapper, "spec", "remediationAction"))
	if around != "" && (own != informOnly || around == Disabled) {
		return around
	}
	return own
}

// isStatusOnly reports whether an object has only its identity and its status.
func isStatusOnly(object node) bool {
	if yamlnode.Get(object, "status") == nil {
		return false
	}
	for key := range yamlnode.Fields(object) {
		switch key {
		case "apiVersion", "kind", "metadata", "status":
		default:
			return false
		}
	}
	return true
}

// syncReach reads how hive applies the objects of a set (hive apis/hive/v1
// SyncSetApplyBehavior).
func syncReach(wrapper, _, _ node) Reach {
	if yamlnode.Text(wrapper, "spec", "applyBehavior") == "CreateOnly" {
		return CreatedOnce
	}
	return Applied
}

// IsSyncSet reports whether an object is a set of objects that hive applies.
func IsSyncSet(apiVersion, kind string) bool {
	p, ok := placeOf(apiVersion, kind)
	return ok && p.group == hiveGroup
}

// workReach reads the update strategy of an object among the manifest configurations
// at a path (open-cluster-management.io/api work/v1 ManifestConfigOption). The first that
// has a strategy for the object counts (ocm, FindManifestConfiguration of the work agent).
func workReach(path ...string) func(wrapper, entry, object node) Reach {
	return func(wrapper, _, object node) Reach {
		for _, config := range yamlnode.Elements(wrapper, path...) {
			if !identifies(yamlnode.Get(config, "resourceIdentifier"), object) {
				continue
			}
			switch yamlnode.Text(config, "updateStrategy", "type") {
			case "CreateOnly":
				return CreatedOnce
			case "ReadOnly":
				return Compared
			}
			if len(yamlnode.Elements(config, "updateStrategy", "serverSideApply", "ignoreFields")) > 0 {
				return CreatedOnce // of the fields there, on which a check may depend
			}
			if yamlnode.Get(config, "updateStrategy") != nil {
				return Applied // the first strategy counts
			}
		}
		return Applied
	}
}

// identifies reports whether a resource identifier names an object.
func identifies(id, object node) bool {
	group, _, named := strings.Cut(yamlnode.Text(object, "apiVersion"), "/")
	if !named {
		group = ""
	}
	return yamlnode.Text(id, "group") == group && yamlnode.Text(id, "resource") == resourceOf(yamlnode.Text(object, "kind")) &&
		matches(yamlnode.Text(id, "name"), yamlnode.Text(object, "metadata", "name")) &&
		matches(yamlnode.Text(id, "namespace"), yamlnode.Text(object, "metadata", "namespace"))
}

// matches reports whether a pattern matches all of a name. A star matches any text (ocm,
// wildcardMatch of the work agent).
func matches(pattern, name string) bool {
	ok, err := path.Match(pattern, name) // names have no other sign that means something there
	return ok && err == nil
}

// resourceOf returns the resource of a kind, by the rule that kubebuilder follows
// (apimachinery pkg/api/meta restmapper.go: UnsafeGuessKindToResource).
func resourceOf(kind string) string {
	name := strings.ToLower(kind)
	switch {
	case strings.HasSuffix(name, "s"):
		return name + "es"
	case strings.HasSuffix(name, "y"):
		return strings.TrimSuffix(name, "y") + "ies"
	default:
		return name + "s"
	}
}
