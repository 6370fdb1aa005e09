package emit

import (
	"path"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/object"
	"github.com/goldenarch/goldenarch/internal/operators/cdi"
	"github.com/goldenarch/goldenarch/internal/operators/expansion"
)

// Dir is the directory of a package that contains the emitted objects.
const Dir = "golden-images"

// NamespaceKind is the kind of a Namespace.
const NamespaceKind = "Namespace"

// fileOf returns the file of an emitted object. A later run recognizes the object by
// this name. RBAC allows colons in names, file systems do not.
func fileOf(at finding.Object) string {
	return path.Join(Dir, strings.ToLower(at.Kind)+"-"+strings.ReplaceAll(at.Name, ":", "-")+".yaml")
}

// isEmitted reports whether an object is where goldenarch emits it.
func isEmitted(at finding.Object) bool {
	return at.File == fileOf(at) || strings.HasSuffix(at.File, "/"+fileOf(at))
}

// isStale reports whether an item looks like an object that a template expanded to.
// goldenarch never removes a Namespace or a Role: deleting the Namespace would delete
// all images.
func isStale(item *yaml.RNode) bool {
	at := object.Ref(item)
	if group, _, _ := strings.Cut(at.APIVersion, "/"); group != "cdi.kubevirt.io" {
		return false
	}
	architecture := object.TextAt(item, "metadata", "labels", cdi.ArchitectureLabel)
	switch at.Kind {
	case "DataImportCron":
		return architecture != "" && strings.HasSuffix(at.Name, "-"+architecture)
	case "DataSource":
		reference := object.TextAt(item, "spec", "source", "dataSource", "name")
		return architecture != "" && strings.HasSuffix(at.Name, "-"+architecture) || strings.HasPrefix(reference, at.Name+"-")
	}
	return false
}

func keyOfObject(o expansion.Object) string { return keyOf(refOf(o)) }

// keyOf returns the identity of an object, without the version of its API.
func keyOf(at finding.Object) string {
	group, _, grouped := strings.Cut(at.APIVersion, "/")
	if !grouped {
		group = ""
	}
	return strings.Join([]string{group, at.Kind, at.Namespace, at.Name}, "/")
}

func refOf(o expansion.Object) finding.Object {
	apiVersion, _ := o["apiVersion"].(string)
	kind, _ := o["kind"].(string)
	return finding.Object{APIVersion: apiVersion, Kind: kind, Namespace: o.Namespace(), Name: o.Name()}
}

// IsEmittedKind reports whether templates expand to objects of a kind.
func IsEmittedKind(kind string) bool {
	switch kind {
	case NamespaceKind, "Role", "RoleBinding", "DataImportCron", "DataSource":
		return true
	}
	return false
}
