package wrapper

import (
	"encoding/base64"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/fieldpath"
	"github.com/goldenarch/goldenarch/internal/pattern"
	"github.com/goldenarch/goldenarch/internal/yamlnode"
)

const (
	crGroup = "hco.kubevirt.io"
	crKind  = "HyperConverged"
)

// hasCR reports whether a text that is YAML, or a template of YAML, or JSON, has a HyperConverged CR.
var hasCR = pattern.OfKind(crKind, crKind)

// HoldsCR reports whether a text holds a HyperConverged CR.
func HoldsCR(text string) bool { return hasCR([]byte(text)) }

// isSecretOfSet reports whether an object is a Secret that a ClusterResourceSet may apply:
// Cluster API takes no other type (api/addons/v1beta2 ClusterResourceSetSecretType).
func isSecretOfSet(kind string, object node) bool {
	return kind == "Secret" && yamlnode.Text(object, "type") == "addons.cluster.x-k8s.io/resource-set"
}

// quiet lists kinds whose texts show a CR but apply none: samples, schemas, and patches of what
// applies directories.
var quiet = map[string]bool{
	"ClusterServiceVersion": true, "ConsoleYAMLSample": true, "ConsoleQuickStart": true,
	"CustomResourceDefinition": true, "PackageManifest": true, "Application": true, "ApplicationSet": true, "Kustomization": true,
}

// Unread returns the paths of the HyperConverged CRs in an object that [Open] does not
// return: a mapping with the group and kind of a CR, or a text that holds one as YAML. It
// ignores the object itself, its status and its metadata. The node must not have an anchor
// that is its own ancestor.
func Unread(apiVersion, kind string, object *yaml.Node) []string {
	opened := map[node]bool{}
	for _, held := range Open(apiVersion, kind, object) {
		opened[held.Node] = true
	}
	var out []string
	encoded := isSecretOfSet(kind, object)
	var walk func(n node, path string)
	walk = func(n node, path string) {
		n = yamlnode.Root(n)
		switch {
		case n == nil || opened[n]:
		case n.Kind == yaml.ScalarNode:
			if !quiet[kind] && HoldsCR(n.Value) || encoded && strings.HasPrefix(path, "data") && HoldsCR(decoded(n.Value)) {
				out = append(out, path)
			}
		case n.Kind == yaml.SequenceNode:
			for i, next := range n.Content {
				walk(next, fieldpath.Element(path, i))
			}
		case path != "" && isCR(n):
			out = append(out, path)
		default:
			for key, value := range yamlnode.Fields(n) {
				if path == "" && (key == "metadata" || key == "status") {
					continue
				}
				walk(value, fieldpath.Join(path, key))
			}
		}
	}
	walk(object, "")
	return out
}

// decoded returns the text of a value in base64, or "".
func decoded(value string) string {
	text, err := base64.StdEncoding.DecodeString(strings.Join(strings.Fields(value), ""))
	if err != nil {
		return ""
	}
	return string(text)
}

// isCR reports whether a mapping has the group and kind of a HyperConverged CR.
func isCR(n node) bool {
	group, _, _ := strings.Cut(yamlnode.Text(n, "apiVersion"), "/")
	return group == crGroup && yamlnode.Text(n, "kind") == crKind
}

// MayHoldCR reports whether an object may hold a HyperConverged CR, or names the texts that
// do.
func MayHoldCR(apiVersion, kind string, object *yaml.Node) bool {
	return IsResourceSet(apiVersion, kind) || isSecretOfSet(kind, object) || MentionsCR(object)
}

// MentionsCR reports whether a value in a node is the kind of a HyperConverged CR. If not,
// the node neither wraps a CR nor holds one as text. MentionsCR does not follow aliases:
// their targets are in the node, too.
func MentionsCR(n *yaml.Node) bool {
	if n.Kind == yaml.ScalarNode {
		return strings.Contains(n.Value, crKind)
	}
	return slices.ContainsFunc(n.Content, MentionsCR)
}
