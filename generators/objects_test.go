package generators

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	cdiv1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"
	kjson "sigs.k8s.io/json"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/operators/expansion"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
)

// template is a template with a claim, as a plan gives it.
func template(name, dataSource, claim string) expansion.Template {
	url := "docker://quay.io/acme/" + name + ":1"
	t := expansion.Template{Metadata: hyperconverged.TemplateMetadata{
		Name: name, Annotations: map[string]string{hyperconverged.ClaimAnnotation: claim},
	}}
	t.Spec.ManagedDataSource = dataSource
	t.Spec.Template.Spec.Source = &cdiv1.DataVolumeSource{Registry: &cdiv1.DataVolumeSourceRegistry{URL: &url}}
	t.Spec.Template.Spec.Storage = &cdiv1.StorageSpec{Resources: corev1.VolumeResourceRequirements{
		Requests: corev1.ResourceList{corev1.ResourceStorage: resource.MustParse("10Gi")},
	}}
	return t
}

func ssp(order ...arch.Arch) expansion.SSP {
	return expansion.SSP{Order: order, Namespace: expansion.UpstreamNamespace}
}

// names returns kind and name of each object, in order.
func names(objects []expansion.Object) []string {
	var out []string
	for _, o := range objects {
		kind, _ := o["kind"].(string)
		out = append(out, kind+" "+o.Namespace()+"/"+o.Name())
	}
	return out
}

func TestObjects(t *testing.T) {
	t.Parallel()
	const ns = expansion.UpstreamNamespace + "/"
	own := template("own", "own", "amd64")
	own.Metadata.Namespace = "team"
	for _, tc := range []struct {
		reason string
		in     input
		want   []string
	}{
		{
			"a cron and a DataSource for each architecture, and the reference last",
			input{Templates: []expansion.Template{template("app", "disk", "arm64,amd64")}, SSP: ssp("amd64", "arm64"), DataSources: v1alpha1.DataSourcesAll},
			[]string{
				"DataImportCron " + ns + "app-amd64", "DataImportCron " + ns + "app-arm64",
				"DataSource " + ns + "disk-amd64", "DataSource " + ns + "disk-arm64", "DataSource " + ns + "disk",
			},
		},
		{
			"a namespace of its own has its reference too",
			input{Templates: []expansion.Template{own}, SSP: ssp("amd64"), DataSources: v1alpha1.DataSourcesAll},
			[]string{"DataImportCron team/own-amd64", "DataSource team/own-amd64", "DataSource team/own"},
		},
		{
			"each kind by its own names, whatever the names of the crons",
			input{Templates: []expansion.Template{template("a", "z", "amd64"), template("b", "y", "amd64")}, SSP: ssp("amd64"), DataSources: v1alpha1.DataSourcesAll},
			[]string{
				"DataImportCron " + ns + "a-amd64", "DataImportCron " + ns + "b-amd64",
				"DataSource " + ns + "y-amd64", "DataSource " + ns + "z-amd64", "DataSource " + ns + "y",
				"DataSource " + ns + "z",
			},
		},
		{
			"of two templates with one DataSource the later has the architecture that both have",
			input{
				Templates:   []expansion.Template{template("a", "disk", "amd64,arm64"), template("b", "disk", "amd64")},
				SSP:         ssp("amd64", "arm64"),
				DataSources: v1alpha1.DataSourcesNone,
			},
			[]string{"DataImportCron " + ns + "a-arm64", "DataImportCron " + ns + "b-amd64"},
		},
	} {
		if diff := cmp.Diff(tc.want, names(objects(tc.in))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
		}
	}
}

// TestTypes: each object is one of its API, without a field that this does not
// have.
func TestTypes(t *testing.T) {
	t.Parallel()
	types := map[string]func() any{
		"Namespace": func() any { return &corev1.Namespace{} }, "Role": func() any { return &rbacv1.Role{} },
		"RoleBinding": func() any { return &rbacv1.RoleBinding{} }, "DataImportCron": func() any { return &cdiv1.DataImportCron{} },
		"DataSource": func() any { return &cdiv1.DataSource{} },
	}
	var seen []string
	for _, o := range objects(input{
		Templates:       []expansion.Template{template("app", "disk", "amd64")},
		SSP:             ssp("amd64"),
		DataSources:     v1alpha1.DataSourcesAll,
		Support:         true,
		ReplaceOnChange: true,
	}) {
		data, err := json.Marshal(o)
		if err != nil {
			t.Fatal(err)
		}
		kind, _ := o["kind"].(string)
		seen = append(seen, kind)
		if strict, err := kjson.UnmarshalStrict(data, types[kind]()); err != nil || len(strict) > 0 {
			t.Errorf("%s is none of its API: %v %v", kind, strict, err)
		}
	}
	slices.Sort(seen)
	if got := strings.Join(slices.Compact(seen), " "); got != "DataImportCron DataSource Namespace Role RoleBinding" {
		t.Errorf("not every kind was held against its type: %s", got)
	}
}
