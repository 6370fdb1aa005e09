// Command ssp runs the webhook and the data-sources operand of SSP on what it reads from standard
// input, one JSON request a line. It is built inside a checkout of SSP (go build -overlay).
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"reflect"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	cdiv1beta1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	sspv1beta3 "kubevirt.io/ssp-operator/api/v1beta3"
	"kubevirt.io/ssp-operator/internal/architecture"
	"kubevirt.io/ssp-operator/internal/common"
	"kubevirt.io/ssp-operator/internal/operands"
	common_templates "kubevirt.io/ssp-operator/internal/operands/common-templates"
	data_sources "kubevirt.io/ssp-operator/internal/operands/data-sources"
	template_bundle "kubevirt.io/ssp-operator/internal/template-bundle"
	"kubevirt.io/ssp-operator/webhooks"
)

type request struct {
	Op      string            `json:"op"` // "reconcile" or "bundle"
	SSP     json.RawMessage   `json:"ssp"`
	Objects []json.RawMessage `json:"objects"` // DataImportCrons, DataSources and PVCs of the cluster
	Round   string            `json:"round"`   // makes the UIDs of new objects unique
	Passes  int               `json:"passes"`  // how many passes of SSP at most
}

type answer struct {
	Rejected string              `json:"rejected"` // what the webhook says
	Error    string              `json:"error"`    // of the last pass
	Quiet    bool                `json:"quiet"`    // the last pass changed nothing
	Objects  []client.Object     `json:"objects"`
	Bundle   map[string][]string `json:"bundle,omitempty"`
}

var operand operands.Operand

var bundle = map[string][]string{}

func main() {
	log.SetLogger(logr.Discard())
	templates, err := template_bundle.ReadTemplates("common-templates-" + common_templates.Version + ".yaml")
	fatal(err)
	collection, err := template_bundle.CollectDataSources(templates)
	fatal(err)
	for name := range collection.Names() {
		for _, arch := range []architecture.Arch{architecture.AMD64, architecture.ARM64, architecture.S390X} {
			if collection.Contains(name, arch) {
				bundle[name] = append(bundle[name], string(arch))
			}
		}
	}
	operand = data_sources.New(collection, true)
	serve(run)
}

func fatal(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(in request) (out answer) {
	if in.Op == "bundle" {
		return answer{Bundle: bundle}
	}
	instance := &sspv1beta3.SSP{}
	fatal(json.Unmarshal(in.SSP, instance))
	instance.APIVersion, instance.Kind = sspv1beta3.GroupVersion.String(), "SSP"
	none := fake.NewClientBuilder().WithScheme(common.Scheme).Build()
	if err := webhooks.OracleValidate(context.Background(), none, instance); err != nil {
		return answer{Rejected: err.Error()}
	}
	cl := clientWith(in)
	before := list(cl)
	for range in.Passes {
		_, err := operand.Reconcile(&common.Request{
			Request: reconcile.Request{NamespacedName: types.NamespacedName{Namespace: instance.Namespace, Name: instance.Name}},
			Client:  cl, UncachedReader: cl, Context: context.Background(), Instance: instance.DeepCopy(),
			Logger: logr.Discard(), VersionCache: common.VersionCache{},
		})
		out.Error = ""
		if err != nil {
			out.Error = err.Error()
		}
		after := list(cl)
		if out.Quiet = reflect.DeepEqual(before, after); out.Quiet {
			break
		}
		before = after
	}
	out.Objects = before
	return out
}

func clientWith(in request) client.Client {
	var objects []client.Object
	for _, data := range in.Objects {
		var meta metav1.TypeMeta
		fatal(json.Unmarshal(data, &meta))
		object, err := common.Scheme.New(meta.GroupVersionKind())
		fatal(err)
		fatal(json.Unmarshal(data, object))
		objects = append(objects, object.(client.Object))
	}
	return fake.NewClientBuilder().WithScheme(common.Scheme).WithObjects(objects...).WithInterceptorFuncs(interceptor.Funcs{
		Create: func(ctx context.Context, cl client.WithWatch, o client.Object, opts ...client.CreateOption) error {
			o.SetUID(types.UID(uid(reflect.TypeOf(o).String(), o.GetNamespace(), o.GetName(), in.Round)))
			return cl.Create(ctx, o, opts...)
		},
	}).Build()
}

func list(cl client.Client) (out []client.Object) {
	for _, l := range []client.ObjectList{&cdiv1beta1.DataImportCronList{}, &cdiv1beta1.DataSourceList{}, &corev1.PersistentVolumeClaimList{}} {
		fatal(cl.List(context.Background(), l))
		items := reflect.ValueOf(l).Elem().FieldByName("Items")
		for i := range items.Len() {
			object := items.Index(i).Addr().Interface().(client.Object)
			kinds, _, err := common.Scheme.ObjectKinds(object.(runtime.Object))
			fatal(err)
			object.GetObjectKind().SetGroupVersionKind(kinds[0])
			object.SetResourceVersion("")
			out = append(out, object)
		}
	}
	return out
}
