package main

import (
	"encoding/json"
	"strings"

	"github.com/go-logr/logr"
	"k8s.io/apimachinery/pkg/runtime"
	kubevirtv1 "kubevirt.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"

	hcov1 "github.com/kubevirt/hyperconverged-cluster-operator/api/v1"
	hcov1beta1 "github.com/kubevirt/hyperconverged-cluster-operator/api/v1beta1"
	"github.com/kubevirt/hyperconverged-cluster-operator/pkg/webhooks/mutator"
	"github.com/kubevirt/hyperconverged-cluster-operator/pkg/webhooks/validator"
)

var types = []func(*runtime.Scheme) error{hcov1.AddToScheme, hcov1beta1.AddToScheme}

// read converts v1 to v1beta1, which the operator of this release works on.
func read(object json.RawMessage) (*hcov1beta1.HyperConverged, error) {
	hc := &hcov1beta1.HyperConverged{}
	var meta struct {
		APIVersion string `json:"apiVersion"`
	}
	if err := json.Unmarshal(object, &meta); err != nil || strings.HasSuffix(meta.APIVersion, "/v1beta1") {
		return hc, json.Unmarshal(object, hc)
	}
	hub := &hcov1.HyperConverged{}
	if err := json.Unmarshal(object, hub); err != nil {
		return nil, err
	}
	return hc, hc.ConvertFrom(hub)
}

// The status of this release has no field for the default architecture.
func defaultArchitecture() string { return "" }

func kubeVirtDefault(kv *kubevirtv1.KubeVirt) string {
	if kv.Spec.Configuration.ArchitectureConfiguration == nil {
		return ""
	}
	return kv.Spec.Configuration.ArchitectureConfiguration.DefaultArchitecture
}

func webhooks(cl client.Client, decoder admission.Decoder, version string) (admission.Handler, admission.Handler) {
	beta := validator.NewWebhookV1Beta1Handler(logr.Discard(), cl, decoder, namespace, true)
	if version == "v1beta1" {
		return mutator.NewHyperConvergedV1Beta1Mutator(cl, decoder), beta
	}
	return mutator.NewHyperConvergedMutator(cl, decoder), validator.NewWebhookHandler(logr.Discard(), cl, decoder, namespace, true, beta)
}
