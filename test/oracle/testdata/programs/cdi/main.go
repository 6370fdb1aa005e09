// Command cdi runs CDI's webhook and reconcilers on what it reads from standard input, one JSON request
// a line. It is built inside a checkout of CDI (go build -overlay).
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"reflect"
	"sort"
	"strings"

	"github.com/go-logr/logr"
	snapshotv1 "github.com/kubernetes-csi/external-snapshotter/client/v6/apis/volumesnapshot/v1"
	imagev1 "github.com/openshift/api/image/v1"
	admissionv1 "k8s.io/api/admission/v1"
	authorizationv1 "k8s.io/api/authorization/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	extv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	k8sfake "k8s.io/client-go/kubernetes/fake"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/klog/v2"
	cdiv1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"
	"kubevirt.io/containerized-data-importer/pkg/apiserver/webhooks"
	cdifake "kubevirt.io/containerized-data-importer/pkg/client/clientset/versioned/fake"
	cdicommon "kubevirt.io/containerized-data-importer/pkg/common"
	"kubevirt.io/containerized-data-importer/pkg/controller"
	cc "kubevirt.io/containerized-data-importer/pkg/controller/common"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

type request struct {
	// Op is "admit" (the webhook alone), "first" (each DataImportCron is reconciled once,
	// before any import) or "reconcile" (everything, until nothing changes).
	Op      string            `json:"op"`
	Objects []json.RawMessage `json:"objects"`
	// Gone are the DataImportCrons that were deleted, as namespace/name.
	Gone []string `json:"gone"`
	// Digests are what the pollers find, by image URL; and those of ImageStreams, by
	// ImageStream/namespace/name.
	Digests map[string]string `json:"digests"`
	// Snapshots makes the storage profile prefer snapshots.
	Snapshots bool   `json:"snapshots"`
	Round     string `json:"round"`
}

type answer struct {
	// Verdicts is what the webhook says of each DataImportCron, by namespace/name.
	Verdicts map[string]string `json:"verdicts,omitempty"`
	// Errors is what the last reconciliation of each object ended with.
	Errors  map[string]string `json:"errors,omitempty"`
	Quiet   bool              `json:"quiet"`
	Objects []client.Object   `json:"objects,omitempty"`
}

const storageClass = "standard"

var kinds = func() *runtime.Scheme {
	s := scheme.Scheme
	for _, add := range []func(*runtime.Scheme) error{cdiv1.AddToScheme, imagev1.Install, extv1.AddToScheme, snapshotv1.AddToScheme} {
		fatal(add(s))
	}
	return s
}()

func main() {
	klog.LogToStderr(false)
	klog.SetOutput(io.Discard)
	log.SetLogger(logr.Discard())
	serve(run)
}

func fatal(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(in request) answer {
	if in.Op == "admit" {
		return answer{Verdicts: admit(in.Objects)}
	}
	c := newCluster(in)
	if in.Op == "first" {
		out := answer{Errors: map[string]string{}}
		for _, cron := range c.crons() {
			if err := c.reconcile(c.dic, cron); err != nil {
				out.Errors[cron.String()] = err.Error()
			}
		}
		out.Objects = c.list()
		return out
	}
	return c.settle()
}

// admit sends each DataImportCron to the webhook as one that is created.
func admit(objects []json.RawMessage) map[string]string {
	handler := webhooks.NewDataImportCronValidatingWebhook(k8sfake.NewSimpleClientset(), cdifake.NewSimpleClientset())
	out := map[string]string{}
	for _, data := range objects {
		var cron cdiv1.DataImportCron
		fatal(json.Unmarshal(data, &cron))
		if cron.Kind != "DataImportCron" {
			continue
		}
		review := admissionv1.AdmissionReview{
			TypeMeta: metav1.TypeMeta{APIVersion: "admission.k8s.io/v1", Kind: "AdmissionReview"},
			Request: &admissionv1.AdmissionRequest{
				UID: "1", Operation: admissionv1.Create, Namespace: cron.Namespace, Name: cron.Name,
				Resource: metav1.GroupVersionResource{Group: "cdi.kubevirt.io", Version: "v1beta1", Resource: "dataimportcrons"},
				Object:   runtime.RawExtension{Raw: data},
			},
		}
		body, err := json.Marshal(review)
		fatal(err)
		post := httptest.NewRequest(http.MethodPost, "/", bytes.NewReader(body))
		post.Header.Set("Content-Type", "application/json")
		recorded := httptest.NewRecorder()
		handler.ServeHTTP(recorded, post)
		var said admissionv1.AdmissionReview
		fatal(json.Unmarshal(recorded.Body.Bytes(), &said))
		verdict := ""
		if !said.Response.Allowed {
			verdict = said.Response.Result.Message
		}
		out[cron.Namespace+"/"+cron.Name] = verdict
	}
	return out
}

// cluster is the part of a cluster that CDI works on.
type cluster struct {
	client.Client
	in  request
	n   int
	dic reconcile.Reconciler
	ds  reconcile.Reconciler
}

func newCluster(in request) *cluster {
	c := &cluster{in: in}
	objects := []client.Object{
		cc.MakeEmptyCDIConfigSpec(cdicommon.ConfigName), cc.MakeEmptyCDICR(),
		&extv1.CustomResourceDefinition{ObjectMeta: metav1.ObjectMeta{Name: "dataimportcrons.cdi.kubevirt.io"}},
		&storagev1.StorageClass{
			ObjectMeta:  metav1.ObjectMeta{Name: storageClass, Annotations: map[string]string{cc.AnnDefaultStorageClass: "true"}},
			Provisioner: "csi.example.com",
		},
		c.profile(),
	}
	for _, data := range in.Objects {
		var meta metav1.TypeMeta
		fatal(json.Unmarshal(data, &meta))
		object, err := kinds.New(meta.GroupVersionKind())
		fatal(err)
		fatal(json.Unmarshal(data, object))
		objects = append(objects, object.(client.Object))
	}
	c.Client = fake.NewClientBuilder().WithScheme(kinds).WithObjects(objects...).WithInterceptorFuncs(interceptor.Funcs{
		Create: func(ctx context.Context, cl client.WithWatch, o client.Object, opts ...client.CreateOption) error {
			if sar, ok := o.(*authorizationv1.SubjectAccessReview); ok {
				sar.Status.Allowed = true
				return nil
			}
			c.n++
			o.SetUID(types.UID(uid(reflect.TypeOf(o).String(), o.GetNamespace(), o.GetName(), fmt.Sprint(in.Round, "/", c.n))))
			return cl.Create(ctx, o, opts...)
		},
	}).Build()
	dic, ds := controller.OracleControllers(c.Client, "cdi")
	c.dic, c.ds = dic, ds
	return c
}

func (c *cluster) profile() *cdiv1.StorageProfile {
	block := corev1.PersistentVolumeBlock
	p := &cdiv1.StorageProfile{ObjectMeta: metav1.ObjectMeta{Name: storageClass}}
	p.Status.ClaimPropertySets = []cdiv1.ClaimPropertySet{{AccessModes: []corev1.PersistentVolumeAccessMode{corev1.ReadWriteMany}, VolumeMode: &block}}
	if c.in.Snapshots {
		format, class := cdiv1.DataImportCronSourceFormatSnapshot, "snapclass"
		p.Status.DataImportCronSourceFormat, p.Status.SnapshotClass = &format, &class
	}
	return p
}

func (c *cluster) reconcile(r reconcile.Reconciler, name types.NamespacedName) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	_, err = r.Reconcile(context.Background(), reconcile.Request{NamespacedName: name})
	return err
}

// settle lets CDI, and what stands in for the pollers, the imports and the garbage
// collector, work until nothing changes.
func (c *cluster) settle() (out answer) {
	for _, gone := range c.in.Gone {
		namespace, name, _ := strings.Cut(gone, "/")
		fatal(c.reconcile(c.dic, types.NamespacedName{Namespace: namespace, Name: name}))
	}
	c.collect()
	before := c.fingerprint()
	for range 30 {
		out.Errors = map[string]string{}
		c.refreshStreams()
		c.poll() // a poller that is there finds a digest before CDI sees what else a step changes
		for _, cron := range c.crons() {
			if err := c.reconcile(c.dic, cron); err != nil {
				out.Errors["DataImportCron "+cron.String()] = err.Error()
			}
		}
		c.poll()
		c.importAll()
		c.collect()
		for _, source := range c.sources() {
			if err := c.reconcile(c.ds, source); err != nil {
				out.Errors["DataSource "+source.String()] = err.Error()
			}
		}
		after := c.fingerprint()
		if out.Quiet = before == after; out.Quiet {
			break
		}
		before = after
	}
	out.Objects = c.list()
	return out
}

// poll stands in for the pollers: the CronJob, or the pod, that CDI has made for a
// DataImportCron writes the digest that it finds to it.
func (c *cluster) poll() {
	ctx := context.Background()
	var list cdiv1.DataImportCronList
	fatal(c.List(ctx, &list))
	for i := range list.Items {
		cron := &list.Items[i]
		source := cron.Spec.Template.Spec.Source
		if source == nil || source.Registry == nil || source.Registry.URL == nil {
			continue
		}
		digest := c.in.Digests[*source.Registry.URL]
		if digest == "" || cron.Annotations[controller.AnnSourceDesiredDigest] == digest || !c.hasPoller(cron) {
			continue
		}
		cc.AddAnnotation(cron, controller.AnnSourceDesiredDigest, digest)
		fatal(c.Update(ctx, cron))
	}
}

// hasPoller reports whether CDI has made a poller. One that has written a digest in an earlier step is there,
// although a request has no CronJobs.
func (c *cluster) hasPoller(cron *cdiv1.DataImportCron) bool {
	if cron.Annotations[controller.AnnSourceDesiredDigest] != "" {
		return true
	}
	ctx := context.Background()
	if c.Get(ctx, types.NamespacedName{Namespace: "cdi", Name: controller.GetCronJobName(cron)}, &batchv1.CronJob{}) == nil {
		return true
	}
	var pods corev1.PodList
	fatal(c.List(ctx, &pods, client.InNamespace(cron.Namespace)))
	for i := range pods.Items {
		for _, owner := range pods.Items[i].OwnerReferences {
			if owner.UID == cron.UID {
				return true
			}
		}
	}
	return false
}

// refreshStreams stands in for OpenShift: the ImageStream of each DataImportCron has the digest of
// the request. CDI looks at it at once.
func (c *cluster) refreshStreams() {
	ctx := context.Background()
	var list cdiv1.DataImportCronList
	fatal(c.List(ctx, &list))
	for i := range list.Items {
		cron := &list.Items[i]
		source := cron.Spec.Template.Spec.Source
		if source == nil || source.Registry == nil || source.Registry.ImageStream == nil {
			continue
		}
		digest := c.in.Digests["ImageStream/"+cron.Namespace+"/"+*source.Registry.ImageStream]
		if digest == "" {
			continue
		}
		name, tag, _ := strings.Cut(*source.Registry.ImageStream, ":")
		stream := &imagev1.ImageStream{ObjectMeta: metav1.ObjectMeta{Namespace: cron.Namespace, Name: name}}
		if c.Get(ctx, client.ObjectKeyFromObject(stream), stream) != nil {
			fatal(c.Create(ctx, stream))
		}
		item := imagev1.TagEvent{Image: digest, DockerImageReference: "registry.example.com/" + name + "@" + digest}
		tags := []imagev1.NamedTagEventList{{Tag: tag, Items: []imagev1.TagEvent{item}}}
		for _, other := range stream.Status.Tags { // CDI takes the first one for a cron that names none
			switch {
			case other.Tag == tag:
			case other.Tag == "":
				tags = append([]imagev1.NamedTagEventList{other}, tags...)
			default:
				tags = append(tags, other)
			}
		}
		stream.Status.Tags = tags
		fatal(c.Update(ctx, stream))
		if cron.Annotations[controller.AnnSourceDesiredDigest] != digest && cron.Annotations[controller.AnnNextCronTime] != "" {
			delete(cron.Annotations, controller.AnnNextCronTime)
			fatal(c.Update(ctx, cron))
		}
	}
}

// importAll stands in for the DataVolume controller and for the CSI driver: every import
// succeeds, its PVC has the labels of its DataVolume and is owned by it, and every snapshot
// becomes ready.
func (c *cluster) importAll() {
	ctx := context.Background()
	var volumes cdiv1.DataVolumeList
	fatal(c.List(ctx, &volumes))
	for i := range volumes.Items {
		dv := &volumes.Items[i]
		var pvc corev1.PersistentVolumeClaim
		if c.Get(ctx, client.ObjectKeyFromObject(dv), &pvc) != nil {
			yes, class := true, storageClass
			fatal(c.Create(ctx, &corev1.PersistentVolumeClaim{
				ObjectMeta: metav1.ObjectMeta{
					Namespace: dv.Namespace, Name: dv.Name, Labels: dv.Labels,
					OwnerReferences: []metav1.OwnerReference{{
						APIVersion: "cdi.kubevirt.io/v1beta1", Kind: "DataVolume", Name: dv.Name, UID: dv.UID, Controller: &yes,
					}},
				},
				Spec:   corev1.PersistentVolumeClaimSpec{StorageClassName: &class},
				Status: corev1.PersistentVolumeClaimStatus{Phase: corev1.ClaimBound},
			}))
		}
		if dv.Status.Phase != cdiv1.Succeeded {
			dv.Status.Phase = cdiv1.Succeeded
			fatal(c.Update(ctx, dv))
		}
	}
	var snapshots snapshotv1.VolumeSnapshotList
	fatal(c.List(ctx, &snapshots))
	for i := range snapshots.Items {
		if s := &snapshots.Items[i]; !cc.IsSnapshotReady(s) {
			yes := true
			s.Status = &snapshotv1.VolumeSnapshotStatus{ReadyToUse: &yes}
			fatal(c.Update(ctx, s))
		}
	}
}

// collect stands in for the garbage collector: an object whose owners are all gone goes
// too.
func (c *cluster) collect() {
	for {
		alive := map[types.UID]bool{}
		objects := c.list()
		for _, o := range objects {
			alive[o.GetUID()] = true
		}
		deleted := false
		for _, o := range objects {
			owners := o.GetOwnerReferences()
			gone := len(owners) > 0
			for _, owner := range owners {
				gone = gone && !alive[owner.UID]
			}
			if gone {
				fatal(client.IgnoreNotFound(c.Delete(context.Background(), o)))
				deleted = true
			}
		}
		if !deleted {
			return
		}
	}
}

func (c *cluster) crons() (out []types.NamespacedName) {
	var list cdiv1.DataImportCronList
	fatal(c.List(context.Background(), &list))
	for i := range list.Items {
		out = append(out, client.ObjectKeyFromObject(&list.Items[i]))
	}
	return out
}

func (c *cluster) sources() (out []types.NamespacedName) {
	var list cdiv1.DataSourceList
	fatal(c.List(context.Background(), &list))
	for i := range list.Items {
		out = append(out, client.ObjectKeyFromObject(&list.Items[i]))
	}
	return out
}

func (c *cluster) list() (out []client.Object) {
	for _, l := range []client.ObjectList{
		&cdiv1.DataImportCronList{}, &cdiv1.DataSourceList{}, &cdiv1.DataVolumeList{},
		&corev1.PersistentVolumeClaimList{}, &snapshotv1.VolumeSnapshotList{},
	} {
		fatal(c.List(context.Background(), l))
		items := reflect.ValueOf(l).Elem().FieldByName("Items")
		for i := range items.Len() {
			object := items.Index(i).Addr().Interface().(client.Object)
			found, _, err := kinds.ObjectKinds(object)
			fatal(err)
			object.GetObjectKind().SetGroupVersionKind(found[0])
			object.SetResourceVersion("")
			out = append(out, object)
		}
	}
	sort.SliceStable(out, func(i, j int) bool {
		return out[i].GetObjectKind().GroupVersionKind().Kind < out[j].GetObjectKind().GroupVersionKind().Kind
	})
	return out
}

// fingerprint is the state without the times that each pass writes anew.
func (c *cluster) fingerprint() string {
	var b strings.Builder
	for _, o := range c.list() {
		annotations := o.GetAnnotations()
		for key := range annotations {
			if strings.HasSuffix(strings.ToLower(key), "time") {
				delete(annotations, key)
			}
		}
		data, err := json.Marshal(o)
		fatal(err)
		var value map[string]any
		fatal(json.Unmarshal(data, &value))
		if status, ok := value["status"].(map[string]any); ok {
			delete(status, "lastExecutionTimestamp")
			delete(status, "lastImportTimestamp")
			delete(status, "conditions")
		}
		data, err = json.Marshal(value)
		fatal(err)
		b.Write(data)
	}
	return b.String()
}
