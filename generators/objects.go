package generators

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/operators/cdi"
	"github.com/goldenarch/goldenarch/internal/operators/expansion"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
)

// parts is what objects have in addition to their names. A nil part is left out.
type parts struct {
	labels, annotations map[string]string
	spec                any
	fields              map[string]any // for kinds without a spec
}

// object returns an object. It is cluster-scoped if the namespace is "".
func object(apiVersion, kind, namespace, name string, p parts) expansion.Object {
	metadata := map[string]any{"name": name, "labels": p.labels, "annotations": p.annotations}
	if namespace != "" {
		metadata["namespace"] = namespace
	}
	out := map[string]any{"apiVersion": apiVersion, "kind": kind, "metadata": metadata}
	if p.spec != nil {
		out["spec"] = p.spec
	}
	maps.Copy(out, p.fields)
	return expansion.NewObject(out)
}

// dataImportCron returns a cron as SSP would create it, without the labels and
// annotations that name SSP as the owner.
func dataImportCron(c *expansion.Cron, replaceOnChange bool) expansion.Object {
	notes := annotations(c.Annotations)
	if replaceOnChange {
		letReplace(notes)
	}
	return object("cdi.kubevirt.io/v1beta1", "DataImportCron", c.Namespace, c.Name, parts{
		labels: labels(c.Labels), annotations: notes, spec: c.Spec,
	})
}

// dataSource returns the DataSource that a cron fills. CDI writes the source after the
// first import, and only if the label names the cron (cdi dataimportcron-controller.go,
// lines 585 to 588). It has the labels that CDI would copy, except the cleanup label,
// with which CDI deletes the object together with its cron. Git decides about the
// deletion of objects in Git, and CDI sets the label where it needs it.
func dataSource(c *expansion.Cron) expansion.Object {
	labels := cdi.DataSourceLabels(c.Name, c.Labels, c.Spec)
	maps.DeleteFunc(labels, func(key, _ string) bool { return key == cdi.CleanupLabel })
	return object("cdi.kubevirt.io/v1beta1", "DataSource", c.Namespace, c.Spec.ManagedDataSource, parts{
		labels: labels, spec: map[string]any{"source": map[string]any{}},
	})
}

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

// namespace returns the golden images namespace.
func namespace(name string) expansion.Object {
	return object("v1", "Namespace", "", name, parts{})
}

// ownerPrefix begins the annotations that SSP recognizes its own objects by. SSP
// deletes these objects when no template needs them (operator-lib
// handler/enqueue_annotation.go). A template copied from a live object has these
// annotations.
const ownerPrefix = "operator-sdk/"

// ownerLabels are the labels that SSP sets on its own objects (ssp
// internal/common/labels.go).
var ownerLabels = map[string]string{
	"app.kubernetes.io/name":       "data-sources",
	"app.kubernetes.io/component":  "templating",
	"app.kubernetes.io/managed-by": "ssp-operator",
}

// annotations returns the annotations that a template gives to its crons. It leaves out
// goldenarch's own, which are about the template, and those by which SSP recognizes its
// objects. HCO adds the immediate-bind annotation if it is missing (hco
// golden_images.go: hcoDictToSSP).
func annotations(ofTemplate map[string]string) map[string]string {
	out := map[string]string{hyperconverged.BindAnnotation: "true"}
	maps.Copy(out, ofTemplate)
	maps.DeleteFunc(out, func(key, _ string) bool {
		return strings.HasPrefix(key, v1alpha1.Group+"/") || strings.HasPrefix(key, ownerPrefix)
	})
	return out
}

// labels returns a cron's labels without those by which SSP recognizes its objects. A
// label with such a key and another value is a user's, and stays.
func labels(ofCron map[string]string) map[string]string {
	out := maps.Clone(ofCron)
	maps.DeleteFunc(out, func(key, value string) bool { return ownerLabels[key] == value && value != "" })
	return out
}

// references returns the default DataSources. SSP creates them in its own namespace
// only, where that of a template with another namespace would point at nothing.
// goldenarch emits each of them in the namespace of its crons.
func references(ssp expansion.SSP, list []expansion.Template) []expansion.Object {
	byNamespace := map[string][]expansion.Template{}
	for _, t := range list {
		namespace := cmp.Or(t.Metadata.Namespace, ssp.Namespace)
		byNamespace[namespace] = append(byNamespace[namespace], t)
	}
	var out []expansion.Object
	for namespace, templates := range byNamespace {
		for name, standard := range ssp.Defaults(templates) {
			target := map[string]any{"name": expansion.WithArchitecture(name, standard), "namespace": namespace}
			out = append(out, object("cdi.kubevirt.io/v1beta1", "DataSource", namespace, name, parts{
				spec: map[string]any{"source": map[string]any{"dataSource": target}},
			}))
		}
	}
	return expansion.SortObjects(out)
}

const (
	syncOptions = "argocd.argoproj.io/sync-options"
	fluxForce   = "kustomize.toolkit.fluxcd.io/force"
)

// letReplace adds the annotations by which GitOps tools delete and recreate an
// immutable object. Argo CD then does so at every sync (argo-cd#24005,
// gitops-engine#623), Flux only if the API server rejects the change. Other Argo CD
// options in the annotation stay in front.
func letReplace(annotations map[string]string) {
	options := strings.Split(annotations[syncOptions], ",")
	options = slices.DeleteFunc(options, func(option string) bool {
		key, _, _ := strings.Cut(strings.TrimSpace(option), "=")
		return key == "" || key == "Force" || key == "Replace"
	})
	annotations[syncOptions] = strings.Join(append(options, "Force=true", "Replace=true"), ",")
	annotations[fluxForce] = "enabled"
}
