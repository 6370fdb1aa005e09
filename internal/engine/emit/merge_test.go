package emit

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	cdiv1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/engine/input"
	"github.com/goldenarch/goldenarch/internal/engine/join"
	"github.com/goldenarch/goldenarch/internal/engine/settings"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/manifest/object"
	"github.com/goldenarch/goldenarch/internal/operators/expansion"
	"github.com/goldenarch/goldenarch/internal/plan"
)

// expansionOf is a plan that expands templates, each of amd64.
func expansionOf(templates ...string) plan.Plan {
	e := &plan.Expansion{SSP: expansion.SSP{Namespace: "images", Order: []arch.Arch{"amd64"}}}
	for _, name := range templates {
		t := expansion.Template{Spec: cdiv1.DataImportCronSpec{ManagedDataSource: name}}
		t.Metadata.Name, t.Metadata.Annotations = name, map[string]string{"ssp.kubevirt.io/dict.architectures": "amd64"}
		e.Templates = append(e.Templates, t)
	}
	return plan.Plan{Expansion: e}
}

// subjects are CRs, one for each plan.
func subjects(n int) []join.Joined {
	cr := object.All([]*yaml.RNode{yaml.MustParse("{apiVersion: hco.kubevirt.io/v1beta1, kind: HyperConverged, metadata: {name: kubevirt-hyperconverged}}")})[0]
	return slices.Repeat([]join.Joined{{Resource: input.Resource{Object: cr}}}, n)
}

// places shows items as "Kind/name file index".
func places(items []*yaml.RNode) []string {
	var out []string
	for _, item := range items {
		notes := item.GetAnnotations()
		out = append(out, item.GetKind()+"/"+item.GetName()+" "+notes["config.kubernetes.io/path"]+" "+notes["config.kubernetes.io/index"])
	}
	return out
}

const (
	namespace = "{apiVersion: v1, kind: Namespace, metadata: {name: images}}"
	cronFile  = "golden-images/dataimportcron-app-amd64.yaml"
	staleCron = "{apiVersion: cdi.kubevirt.io/v1beta1, kind: DataImportCron, metadata: {name: NAME, namespace: images, " +
		"labels: {template.kubevirt.io/architecture: amd64}, annotations: {config.kubernetes.io/path: golden-images/dataimportcron-old-amd64.yaml}}}"
	archSource = "DataSource/app-amd64 golden-images/datasource-app-amd64.yaml 0"
	inCronFile = `annotations: {config.kubernetes.io/path: "` + cronFile + `", config.kubernetes.io/index: "0"}`
)

// TestMerge: what the plans of all CRs make of the items.
func TestMerge(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		reason string
		items  []string
		plans  []plan.Plan
		want   []string // the items after it
		ids    []finding.ID
		failed bool
	}{
		{
			reason: "a Namespace of another name does not help", items: []string{"{apiVersion: v1, kind: Namespace, metadata: {name: other}}"},
			plans: []plan.Plan{expansionOf("app")}, ids: []finding.ID{finding.NamespaceMissing},
			want: []string{
				"Namespace/other  ", "DataImportCron/app-amd64 " + cronFile + " 0", archSource, "DataSource/app golden-images/datasource-app.yaml 0",
			},
		},
		{
			reason: "nor does one for another cluster", plans: []plan.Plan{expansionOf("app")}, ids: []finding.ID{finding.NamespaceMissing},
			items: []string{"{apiVersion: hive.openshift.io/v1, kind: SyncSet, metadata: {name: a}, spec: {resources: [" + namespace + "]}}"},
			want: []string{
				"SyncSet/a  ", "DataImportCron/app-amd64 " + cronFile + " 0", archSource, "DataSource/app golden-images/datasource-app.yaml 0",
			},
		},
		{
			reason: "no template is left, so nothing needs the namespace", plans: []plan.Plan{expansionOf()},
		},
		{
			reason: "two plans that make the same object", items: []string{namespace}, plans: []plan.Plan{expansionOf("app"), expansionOf("app")},
			want: []string{
				"Namespace/images  ", "DataImportCron/app-amd64 " + cronFile + " 0", archSource, "DataSource/app golden-images/datasource-app.yaml 0",
			},
		},
	} {
		t.Run(tc.reason, func(t *testing.T) {
			t.Parallel()
			var items []*yaml.RNode
			for _, text := range tc.items {
				items = append(items, yaml.MustParse(text))
			}
			spec := &v1alpha1.GoldenImagesSpec{}
			spec.Default()
			spec.Expand.Mode = v1alpha1.ExpandEmit
			out, found := Merge(items, subjects(len(tc.plans)), tc.plans, settings.Of(spec))
			if diff := cmp.Diff(tc.want, places(out)); diff != "" {
				t.Errorf("items (-want +got):\n%s", diff)
			}
			checkFindings(t, found, tc.ids, tc.failed)
		})
	}
}

// TestSupport: with spec.expand.support, the output has the namespace, and who may clone from it.
func TestSupport(t *testing.T) {
	t.Parallel()
	spec := &v1alpha1.GoldenImagesSpec{}
	spec.Default()
	spec.Expand.Mode, spec.Expand.Support = v1alpha1.ExpandEmit, true
	out, found := Merge(nil, subjects(1), []plan.Plan{expansionOf("app")}, settings.Of(spec))
	if len(found) > 0 {
		t.Errorf("unexpected: %s", found)
	}
	kinds := map[string]bool{}
	for _, item := range out {
		kinds[item.GetKind()] = true
		if !IsEmittedKind(item.GetKind()) {
			t.Errorf("%s is not a kind that goldenarch emits", item.GetKind())
		}
		if file := item.GetAnnotations()["config.kubernetes.io/path"]; !strings.HasPrefix(file, Dir+"/") || strings.Contains(file, ":") {
			t.Errorf("%s is in %q", item.GetName(), file)
		}
	}
	for _, kind := range []string{"Namespace", "Role", "RoleBinding", "DataImportCron", "DataSource"} {
		if !kinds[kind] {
			t.Errorf("no %s", kind)
		}
	}
	if IsEmittedKind("Pod") || IsEmittedKind("ClusterRole") {
		t.Error("goldenarch emits neither pods nor cluster roles")
	}
}
