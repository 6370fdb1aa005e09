// Command kubevirt runs KubeVirt's webhooks for VirtualMachines and its renderer of node selectors on what it
// reads from standard input, one JSON request a line. It is built inside a checkout of KubeVirt
// (go build -overlay), with before_1.9.go or from_1.9.go.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"sort"

	"go.uber.org/mock/gomock"
	admissionv1 "k8s.io/api/admission/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	k8sfield "k8s.io/apimachinery/pkg/util/validation/field"
	k8sfake "k8s.io/client-go/kubernetes/fake"
	v1 "kubevirt.io/api/core/v1"
	instancetypev1beta1 "kubevirt.io/api/instancetype/v1beta1"
	cdifake "kubevirt.io/client-go/containerizeddataimporter/fake"
	"kubevirt.io/client-go/kubecli"
	fakeclientset "kubevirt.io/client-go/kubevirt/fake"
	"kubevirt.io/client-go/log"
	cdiv1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"

	instancetypewebhooks "kubevirt.io/kubevirt/pkg/instancetype/webhooks/vm"
	"kubevirt.io/kubevirt/pkg/testutils"
	"kubevirt.io/kubevirt/pkg/virt-api/webhooks/mutating-webhook/mutators"
	"kubevirt.io/kubevirt/pkg/virt-api/webhooks/validating-webhook/admitters"
	virtconfig "kubevirt.io/kubevirt/pkg/virt-config"
	"kubevirt.io/kubevirt/pkg/virt-controller/services"
)

type request struct {
	Machine     json.RawMessage   `json:"machine"`
	KubeVirt    json.RawMessage   `json:"kubevirt"`
	DataSources []json.RawMessage `json:"dataSources"`
	Preferences []json.RawMessage `json:"preferences"`
}

type answer struct {
	Architecture string   `json:"architecture"`
	MachineType  string   `json:"machineType"`
	Refused      []string `json:"refused"`
	NeverStarts  []string `json:"neverStarts"`
	// NodeSelector is that of the launcher pod.
	NodeSelector map[string]string `json:"nodeSelector"`
}

// fatal fails a mock.
type fatal struct{}

func (fatal) Errorf(format string, args ...any) { panic(fmt.Sprintf(format, args...)) }
func (fatal) Fatalf(format string, args ...any) { panic(fmt.Sprintf(format, args...)) }

func main() {
	log.Log.SetIOWriter(io.Discard)
	serve(reply)
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func reply(in request) answer {
	ctx := context.Background()
	client := kubecli.NewMockKubevirtClient(gomock.NewController(fatal{}))
	clients := fakeclientset.NewSimpleClientset().InstancetypeV1beta1()
	cdi := cdifake.NewSimpleClientset()
	core := k8sfake.NewSimpleClientset()
	client.EXPECT().VirtualMachinePreference(gomock.Any()).Return(clients.VirtualMachinePreferences("vms")).AnyTimes()
	client.EXPECT().VirtualMachineClusterPreference().Return(clients.VirtualMachineClusterPreferences()).AnyTimes()
	client.EXPECT().CoreV1().Return(core.CoreV1()).AnyTimes()
	client.EXPECT().AppsV1().Return(core.AppsV1()).AnyTimes()
	client.EXPECT().CdiClient().Return(cdi).AnyTimes()
	for _, raw := range in.DataSources {
		one := &cdiv1.DataSource{}
		must(json.Unmarshal(raw, one))
		_, err := cdi.CdiV1beta1().DataSources(one.Namespace).Create(ctx, one, metav1.CreateOptions{})
		must(err)
	}
	for _, raw := range in.Preferences {
		one := &instancetypev1beta1.VirtualMachineClusterPreference{}
		must(json.Unmarshal(raw, one))
		_, err := clients.VirtualMachineClusterPreferences().Create(ctx, one, metav1.CreateOptions{})
		must(err)
	}
	kv := &v1.KubeVirt{}
	must(json.Unmarshal(in.KubeVirt, kv))
	kv.Name, kv.Namespace = "kubevirt", "kubevirt"
	config, _, _ := testutils.NewFakeClusterConfigUsingKV(kv)

	review := &admissionv1.AdmissionReview{Request: &admissionv1.AdmissionRequest{
		Operation: admissionv1.Create,
		Resource:  metav1.GroupVersionResource{Group: "kubevirt.io", Version: "v1", Resource: "virtualmachines"},
		Object:    runtime.RawExtension{Raw: in.Machine},
	}}
	response := mutators.NewVMsMutator(config, client).Mutate(review)
	if !response.Allowed {
		return answer{Refused: []string{response.Result.Message}}
	}
	vm := &v1.VirtualMachine{}
	must(json.Unmarshal(in.Machine, vm))
	var patch []struct {
		Path  string          `json:"path"`
		Value json.RawMessage `json:"value"`
	}
	must(json.Unmarshal(response.Patch, &patch))
	for _, one := range patch {
		if one.Path == "/spec" {
			vm.Spec = v1.VirtualMachineSpec{}
			must(json.Unmarshal(one.Value, &vm.Spec))
		}
	}
	return judge(vm, config, client)
}

// judge runs the validating webhooks, and renders the node selector.
func judge(vm *v1.VirtualMachine, config *virtconfig.ClusterConfig, client kubecli.KubevirtClient) answer {
	spec := &vm.Spec.Template.Spec
	out := answer{Architecture: spec.Architecture}
	if spec.Domain.Machine != nil {
		out.MachineType = spec.Domain.Machine.Type
	}
	path := k8sfield.NewPath("spec")
	copied := vm.DeepCopy()
	admitter := instancetypewebhooks.NewAdmitter(client)
	instancetype, preference, causes := admitter.ApplyToVM(copied)
	if len(causes) == 0 {
		if _, err := admitter.Check(instancetype, preference, &copied.Spec.Template.Spec); err != nil {
			out.Refused = append(out.Refused, "requiredArchitecture")
		}
	}
	for _, cause := range admitters.ValidateVirtualMachineInstanceSpec(path, spec, config) {
		out.Refused = append(out.Refused, cause.Field)
	}
	for _, cause := range admitters.ValidateVirtualMachineInstancePerArch(path, spec) {
		out.NeverStarts = append(out.NeverStarts, cause.Field)
	}
	sort.Strings(out.Refused)
	sort.Strings(out.NeverStarts)
	options := crossArchitecture(config, spec)
	if out.MachineType != "" {
		options = append(options, services.WithMachineType(out.MachineType))
	}
	out.NodeSelector = services.NewNodeSelectorRenderer(spec.NodeSelector, config.GetNodeSelectors(), spec.Architecture, options...).Render()
	return out
}
