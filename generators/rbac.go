package generators

import "github.com/goldenarch/goldenarch/internal/operators/expansion"

// viewRole is the name of the Role that SSP creates for users of golden images, and of
// its RoleBinding (ssp internal/operands/data-sources).
const viewRole = "os-images.kubevirt.io:view"

// role lets users view and clone golden images, as SSP's Role does.
func role(namespace string) expansion.Object {
	read := []any{"get", "list", "watch"}
	return object("rbac.authorization.k8s.io/v1", "Role", namespace, viewRole, parts{fields: map[string]any{"rules": []any{
		rule("", read, "persistentvolumeclaims"),
		rule("snapshot.storage.k8s.io", read, "volumesnapshots"),
		rule("cdi.kubevirt.io", read, "datavolumes", "datasources", "dataimportcrons"),
		rule("cdi.kubevirt.io", []any{"create"}, "datavolumes/source"),
	}}})
}

// roleBinding grants the Role to all authenticated users and all service accounts.
func roleBinding(namespace string) expansion.Object {
	group := func(name string) any {
		return map[string]any{"apiGroup": "rbac.authorization.k8s.io", "kind": "Group", "name": name}
	}
	return object("rbac.authorization.k8s.io/v1", "RoleBinding", namespace, viewRole, parts{fields: map[string]any{
		"roleRef":  map[string]any{"apiGroup": "rbac.authorization.k8s.io", "kind": "Role", "name": viewRole},
		"subjects": []any{group("system:authenticated"), group("system:serviceaccounts")},
	}})
}

func rule(group string, verbs []any, resources ...any) any {
	return map[string]any{"apiGroups": []any{group}, "resources": resources, "verbs": verbs}
}
