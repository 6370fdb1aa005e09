// Command kubevirt runs KubeVirt's webhooks, its rules of instancetypes and preferences, its renderer of node
// selectors and its search for firmware on what it reads from standard input, one JSON request a line. It is built
// inside a checkout of KubeVirt (go build -overlay), with the two files of the release.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sort"
	"strings"

	"go.uber.org/mock/gomock"
	admissionv1 "k8s.io/api/admission/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	k8sfield "k8s.io/apimachinery/pkg/util/validation/field"
	k8sfake "k8s.io/client-go/kubernetes/fake"
	v1 "kubevirt.io/api/core/v1"
	instancetypev1beta1 "kubevirt.io/api/instancetype/v1beta1"
	poolv1 "kubevirt.io/api/pool/v1alpha1"
	cdifake "kubevirt.io/client-go/containerizeddataimporter/fake"
	snapshotfake "kubevirt.io/client-go/externalsnapshotter/fake"
	"kubevirt.io/client-go/kubecli"
	fakeclientset "kubevirt.io/client-go/kubevirt/fake"
	"kubevirt.io/client-go/log"

	"kubevirt.io/kubevirt/pkg/defaults"
	"kubevirt.io/kubevirt/pkg/instancetype/apply"
	"kubevirt.io/kubevirt/pkg/instancetype/find"
	preferencefind "kubevirt.io/kubevirt/pkg/instancetype/preference/find"
	instancetypewebhooks "kubevirt.io/kubevirt/pkg/instancetype/webhooks/vm"
	"kubevirt.io/kubevirt/pkg/testutils"
	"kubevirt.io/kubevirt/pkg/util"
	"kubevirt.io/kubevirt/pkg/virt-api/webhooks"
	"kubevirt.io/kubevirt/pkg/virt-api/webhooks/mutating-webhook/mutators"
	"kubevirt.io/kubevirt/pkg/virt-api/webhooks/validating-webhook/admitters"
	virtconfig "kubevirt.io/kubevirt/pkg/virt-config"
	"kubevirt.io/kubevirt/pkg/virt-controller/services"
	"kubevirt.io/kubevirt/pkg/virt-launcher/virtwrap/efi"
	"kubevirt.io/kubevirt/pkg/virt-operator/resource/generate/components"
)

type request struct {
	Machine  json.RawMessage `json:"machine"`
	KubeVirt json.RawMessage `json:"kubevirt"`
	// Objects are the others of the cluster, besides what KubeVirt ships.
	Objects []json.RawMessage `json:"objects"`
	// Ships asks for what KubeVirt ships, and for nothing else.
	Ships bool `json:"ships"`
}

type answer struct {
	Architecture string   `json:"architecture"`
	MachineType  string   `json:"machineType"`
	Refused      []string `json:"refused"`
	NeverStarts  []string `json:"neverStarts"`
	// NodeSelector is that of the launcher pod.
	NodeSelector map[string]string `json:"nodeSelector"`
	// Instancetypes and Preferences are the specs of those that KubeVirt ships.
	Instancetypes map[string]any `json:"instancetypes,omitempty"`
	Preferences   map[string]any `json:"preferences,omitempty"`
}

// fatal fails a mock.
type fatal struct{}

func (fatal) Errorf(format string, args ...any) { panic(fmt.Sprintf(format, args...)) }
func (fatal) Fatalf(format string, args ...any) { panic(fmt.Sprintf(format, args...)) }

func main() {
	log.Log.SetIOWriter(io.Discard)
	serve(reply)
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func read[T any](raw json.RawMessage) *T {
	out := new(T)
	must(0, json.Unmarshal(raw, out))
	return out
}

// cluster returns a client of a cluster with the objects.
func cluster(objects []json.RawMessage) kubecli.KubevirtClient {
	client := kubecli.NewMockKubevirtClient(gomock.NewController(fatal{}))
	clients := fakeclientset.NewSimpleClientset().InstancetypeV1beta1()
	cdi, core, snapshots := cdifake.NewSimpleClientset(), k8sfake.NewSimpleClientset(), snapshotfake.NewSimpleClientset()
	client.EXPECT().VirtualMachinePreference(gomock.Any()).DoAndReturn(clients.VirtualMachinePreferences).AnyTimes()
	client.EXPECT().VirtualMachineInstancetype(gomock.Any()).DoAndReturn(clients.VirtualMachineInstancetypes).AnyTimes()
	client.EXPECT().VirtualMachineClusterPreference().Return(clients.VirtualMachineClusterPreferences()).AnyTimes()
	client.EXPECT().VirtualMachineClusterInstancetype().Return(clients.VirtualMachineClusterInstancetypes()).AnyTimes()
	client.EXPECT().CoreV1().Return(core.CoreV1()).AnyTimes()
	client.EXPECT().AppsV1().Return(core.AppsV1()).AnyTimes()
	client.EXPECT().CdiClient().Return(cdi).AnyTimes()
	client.EXPECT().KubernetesSnapshotClient().Return(snapshots).AnyTimes()
	ctx, create := context.Background(), metav1.CreateOptions{}
	for _, one := range must(components.NewClusterInstancetypes()) {
		must(clients.VirtualMachineClusterInstancetypes().Create(ctx, one, create))
	}
	for _, one := range must(components.NewClusterPreferences()) {
		must(clients.VirtualMachineClusterPreferences().Create(ctx, one, create))
	}
	for _, raw := range objects {
		switch kind := read[metav1.TypeMeta](raw).Kind; kind {
		case "DataSource":
			add(cdi.CdiV1beta1().DataSources, raw)
		case "DataVolume":
			add(cdi.CdiV1beta1().DataVolumes, raw)
		case "PersistentVolumeClaim":
			add(core.CoreV1().PersistentVolumeClaims, raw)
		case "VolumeSnapshot":
			add(snapshots.SnapshotV1().VolumeSnapshots, raw)
		case "VirtualMachinePreference":
			add(clients.VirtualMachinePreferences, raw)
		case "VirtualMachineInstancetype":
			add(clients.VirtualMachineInstancetypes, raw)
		case "VirtualMachineClusterPreference":
			must(clients.VirtualMachineClusterPreferences().Create(ctx, read[instancetypev1beta1.VirtualMachineClusterPreference](raw), create))
		case "VirtualMachineClusterInstancetype":
			must(clients.VirtualMachineClusterInstancetypes().Create(ctx, read[instancetypev1beta1.VirtualMachineClusterInstancetype](raw), create))
		default:
			panic("unknown kind " + kind)
		}
	}
	return client
}

// add adds an object to those of its namespace.
func add[T any, C interface {
	Create(context.Context, *T, metav1.CreateOptions) (*T, error)
}](in func(string) C, raw json.RawMessage) {
	must(in(read[metav1.PartialObjectMetadata](raw).Namespace).Create(context.Background(), read[T](raw), metav1.CreateOptions{}))
}

// ships returns the specs of what KubeVirt ships.
func ships() answer {
	out := answer{Instancetypes: map[string]any{}, Preferences: map[string]any{}}
	for _, one := range must(components.NewClusterInstancetypes()) {
		out.Instancetypes[one.Name] = one.Spec
	}
	for _, one := range must(components.NewClusterPreferences()) {
		out.Preferences[one.Name] = one.Spec
	}
	return out
}

func reply(in request) (out answer) {
	if in.Ships {
		return ships()
	}
	defer func() {
		if recover() != nil { // the API server takes a webhook that panics for one that refuses
			out = answer{Refused: []string{"panic"}}
		}
	}()
	kv := read[v1.KubeVirt](in.KubeVirt)
	kv.Name, kv.Namespace = "kubevirt", "kubevirt"
	config, _, _ := testutils.NewFakeClusterConfigUsingKV(kv)
	j := judge{config: config, client: cluster(in.Objects)}
	switch read[metav1.TypeMeta](in.Machine).Kind {
	case v1.VirtualMachineInstanceGroupVersionKind.Kind:
		j.instance(&read[v1.VirtualMachineInstance](in.Machine).Spec)
		if j.out.NodeSelector == nil {
			j.out.Refused, j.out.NeverStarts = j.out.NeverStarts, nil
		}
	case v1.VirtualMachineInstanceReplicaSetGroupVersionKind.Kind:
		spec := read[v1.VirtualMachineInstanceReplicaSet](in.Machine).Spec.Template.Spec
		if j.refuse(admitters.ValidateVirtualMachineInstanceSpec(specField, &spec, config), ""); len(j.out.Refused) == 0 {
			j.instance(&spec)
		}
	case "VirtualMachinePool":
		template := read[poolv1.VirtualMachinePool](in.Machine).Spec.VirtualMachineTemplate.Spec
		if j.refuse(admitters.ValidateVirtualMachineInstanceSpec(specField, &template.Template.Spec, config), ""); len(j.out.Refused) == 0 {
			j.machine(&v1.VirtualMachine{ObjectMeta: read[metav1.PartialObjectMetadata](in.Machine).ObjectMeta, Spec: template})
			j.out.NeverStarts, j.out.Refused = append(j.out.NeverStarts, j.out.Refused...), nil
		}
	default:
		j.machine(read[v1.VirtualMachine](in.Machine))
	}
	sort.Strings(j.out.Refused)
	sort.Strings(j.out.NeverStarts)
	return j.out
}

var specField = k8sfield.NewPath("spec")

// judge runs what KubeVirt runs for a machine.
type judge struct {
	config *virtconfig.ClusterConfig
	client kubecli.KubevirtClient
	out    answer
}

func (j *judge) refuse(causes []metav1.StatusCause, prefix string) {
	for _, cause := range causes {
		j.out.Refused = append(j.out.Refused, prefix+strings.Replace(cause.Field, "spec.template.spec", "spec", 1))
	}
}

// machine runs the mutating webhook of VirtualMachines, what VMsAdmitter.Admit does with the spec, and what the
// controller does to make the instance.
func (j *judge) machine(vm *v1.VirtualMachine) {
	response := mutators.NewVMsMutator(j.config, j.client).Mutate(&admissionv1.AdmissionReview{Request: &admissionv1.AdmissionRequest{
		Operation: admissionv1.Create,
		Resource:  metav1.GroupVersionResource{Group: "kubevirt.io", Version: "v1", Resource: "virtualmachines"},
		Object:    runtime.RawExtension{Raw: must(json.Marshal(vm))},
	}})
	if !response.Allowed {
		field := "matcher"
		if d := response.Result.Details; d != nil && len(d.Causes) > 0 {
			field = d.Causes[0].Field
		}
		j.out.Refused = append(j.out.Refused, field)
		return
	}
	for _, one := range *read[[]struct {
		Path  string          `json:"path"`
		Value json.RawMessage `json:"value"`
	}](response.Patch) {
		if one.Path == "/spec" {
			vm.Spec = *read[v1.VirtualMachineSpec](one.Value)
		}
	}
	j.stored(&vm.Spec.Template.Spec)
	copied := vm.DeepCopy()
	admitter := instancetypewebhooks.NewAdmitter(j.client)
	instancetype, preference, causes := admitter.ApplyToVM(copied)
	j.refuse(causes, "conflict:")
	if len(causes) > 0 {
		return
	}
	must(0, defaults.SetDefaultVirtualMachineInstanceSpec(j.config, &copied.Spec.Template.Spec))
	if conflicts, err := admitter.Check(instancetype, preference, &copied.Spec.Template.Spec); err != nil {
		j.out.Refused = append(j.out.Refused, "required:"+conflicts.String())
		return
	}
	if j.refuse(admitters.ValidateVirtualMachineInstanceSpec(specField, &copied.Spec.Template.Spec, j.config), ""); len(j.out.Refused) > 0 {
		return
	}
	// vm.go: SetupVMIFromVM, and ApplyToVMI of the controller of instancetypes, which does not ignore a missing object
	util.SetDefaultVolumeDisk(&vm.Spec.Template.Spec)
	finder, preferences := find.NewSpecFinder(nil, nil, nil, j.client), preferencefind.NewSpecFinder(nil, nil, nil, j.client)
	if err := apply.NewVMApplier(finder, preferences).ApplyToVM(vm); err != nil {
		j.out.NeverStarts = append(j.out.NeverStarts, "missing")
		return
	}
	j.instance(&vm.Spec.Template.Spec)
}

// stored notes the architecture and the machine type.
func (j *judge) stored(spec *v1.VirtualMachineInstanceSpec) {
	j.out.Architecture = spec.Architecture
	if spec.Domain.Machine != nil {
		j.out.MachineType = spec.Domain.Machine.Type
	}
}

// instance runs the mutating and the validating webhook of instances, and what starts the launcher.
func (j *judge) instance(spec *v1.VirtualMachineInstanceSpec) {
	vmi := &v1.VirtualMachineInstance{Spec: *spec}
	must(0, defaults.SetDefaultVirtualMachineInstance(j.config, vmi))
	j.stored(&vmi.Spec)
	causes := admitters.ValidateVirtualMachineInstanceSpec(specField, &vmi.Spec, j.config)
	causes = append(causes, webhooks.ValidateVirtualMachineInstanceHyperv(specField.Child("domain", "features", "hyperv"), &vmi.Spec)...)
	for _, cause := range append(causes, admitters.ValidateVirtualMachineInstancePerArch(specField, &vmi.Spec)...) {
		j.out.NeverStarts = append(j.out.NeverStarts, cause.Field)
	}
	if len(j.out.NeverStarts) > 0 {
		return
	}
	j.out.NodeSelector = services.RenderNodeSelector(j.config, vmi)
	if vmi.IsBootloaderEFI() && vmi.Spec.Domain.LaunchSecurity == nil {
		secure := vmi.Spec.Domain.Firmware.Bootloader.EFI.SecureBoot
		if !boots(firmwareOf(vmi.Spec.Architecture), secure == nil || *secure) {
			j.out.NeverStarts = append(j.out.NeverStarts, "firmware")
		}
	}
}

// images are the files of firmware of each launcher image (hack/rpm-deps.sh: launcherbase_*).
var images = map[string][]string{
	"amd64": {efi.EFICode, efi.EFIVars, efi.EFICodeSecureBoot, efi.EFIVarsSecureBoot}, "arm64": {efi.EFICodeAARCH64, efi.EFIVarsAARCH64},
}

func firmwareOf(architecture string) *efi.EFIEnvironment {
	directory := filepath.Join(os.TempDir(), "goldenarch-firmware", architecture)
	must(0, os.MkdirAll(directory, 0o755))
	for _, file := range images[architecture] {
		must(0, os.WriteFile(filepath.Join(directory, file), nil, 0o644))
	}
	return efi.DetectEFIEnvironment(architecture, directory)
}
