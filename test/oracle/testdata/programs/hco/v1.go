package main

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/go-logr/logr"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"

	hcov1 "github.com/kubevirt/hyperconverged-cluster-operator/api/v1"
	hcov1beta1 "github.com/kubevirt/hyperconverged-cluster-operator/api/v1beta1"
	"github.com/kubevirt/hyperconverged-cluster-operator/controllers/handlers"
	goldenimages "github.com/kubevirt/hyperconverged-cluster-operator/controllers/handlers/golden-images"
	"github.com/kubevirt/hyperconverged-cluster-operator/pkg/nodeinfo"
	"github.com/kubevirt/hyperconverged-cluster-operator/pkg/webhooks/mutator"
	"github.com/kubevirt/hyperconverged-cluster-operator/pkg/webhooks/validator"
)

var types = []func(*runtime.Scheme) error{hcov1.AddToScheme, hcov1beta1.AddToScheme}

// release runs the operator of a release that works on v1.
func release(object json.RawMessage, cl client.Client, out *chained) {
	hc, err := readV1(object)
	if err != nil {
		out.Error = "conversion: " + err.Error()
		return
	}
	if _, err := nodeinfo.HandleNodeChanges(context.Background(), cl, hc, logr.Discard()); err != nil {
		out.Error = "nodes: " + err.Error()
		return
	}
	out.Workload, out.ControlPlane = nodeinfo.GetWorkloadsArchitectures(), nodeinfo.GetControlPlaneArchitectures()
	out.Default = nodeinfo.GetDefaultArchitecture()
	out.MultiArchEnabled = goldenimages.IsMultiArchEnabled(hc)
	if hc.Status.DataImportSchedule == "" {
		hc.Status.DataImportSchedule = fileSchedule
	}
	if kv, err := handlers.NewKubeVirt(hc); err == nil && kv.Spec.Configuration.ArchitectureConfiguration != nil {
		out.KubeVirtDefault = kv.Spec.Configuration.ArchitectureConfiguration.DefaultArchitecture
	}
	ssp, status, err := handlers.NewSSP(hc, false)
	if err != nil {
		out.Error = err.Error()
		return
	}
	out.Status, out.SSP = encoded(status), encoded(ssp)
}

func readV1(object json.RawMessage) (*hcov1.HyperConverged, error) {
	hc := &hcov1.HyperConverged{}
	if !beta(object) {
		return hc, json.Unmarshal(object, hc)
	}
	old := &hcov1beta1.HyperConverged{}
	if err := json.Unmarshal(object, old); err != nil {
		return nil, err
	}
	return hc, old.ConvertTo(hc)
}

func beta(object json.RawMessage) bool {
	var meta struct {
		APIVersion string `json:"apiVersion"`
	}
	_ = json.Unmarshal(object, &meta)
	return strings.HasSuffix(meta.APIVersion, "/v1beta1")
}

func webhooks(cl client.Client, decoder admission.Decoder, version string) (admission.Handler, admission.Handler) {
	if version == "v1beta1" {
		return mutator.NewHyperConvergedV1Beta1Mutator(cl, decoder),
			validator.NewWebhookV1Beta1Handler(logr.Discard(), cl, decoder, namespace, true)
	}
	return mutator.NewHyperConvergedMutator(cl, decoder), validator.NewWebhookHandler(logr.Discard(), cl, decoder, namespace, true)
}
