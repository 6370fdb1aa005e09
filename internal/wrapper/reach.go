package wrapper

import (
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/yamlnode"
)

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
	switch strings.ToLower(yamlnode.Text(entry, "complianceType")) {
	case "mustonlyhave":
		return Applied
	case "mustnothave":
		return Compared
	}
	return Merged
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

// workReach reads the update strategy of an object among the manifest configurations
// at a path (open-cluster-management.io/api work/v1 ManifestConfigOption).
func workReach(path ...string) func(wrapper, entry, object node) Reach {
	return func(wrapper, _, object node) Reach {
		configs := yamlnode.Lookup(wrapper, path)
		if configs == nil || configs.Kind != yaml.SequenceNode {
			return Applied
		}
		for _, config := range configs.Content {
			if !identifies(yamlnode.Lookup(config, []string{"resourceIdentifier"}), object) {
				continue
			}
			switch yamlnode.Text(config, "updateStrategy", "type") {
			case "CreateOnly":
				return CreatedOnce
			case "ReadOnly":
				return Compared
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
		yamlnode.Text(id, "name") == yamlnode.Text(object, "metadata", "name") &&
		yamlnode.Text(id, "namespace") == yamlnode.Text(object, "metadata", "namespace")
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
