package main

import (
	"encoding/json"

	"github.com/go-logr/logr"
	"k8s.io/apimachinery/pkg/runtime"
	kubevirtv1 "kubevirt.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"

	hcov1beta1 "github.com/kubevirt/hyperconverged-cluster-operator/api/v1beta1"
	"github.com/kubevirt/hyperconverged-cluster-operator/pkg/webhooks/mutator"
	"github.com/kubevirt/hyperconverged-cluster-operator/pkg/webhooks/validator"
)

var types = []func(*runtime.Scheme) error{hcov1beta1.AddToScheme}

func read(object json.RawMessage) (*hcov1beta1.HyperConverged, error) {
	hc := &hcov1beta1.HyperConverged{}
	return hc, json.Unmarshal(object, hc)
}

// These releases have no default architecture.
func defaultArchitecture() string { return "" }

func kubeVirtDefault(*kubevirtv1.KubeVirt) string { return "" }

func webhooks(cl client.Client, decoder admission.Decoder, _ string) (admission.Handler, admission.Handler) {
	return mutator.NewHyperConvergedMutator(cl, decoder), validator.NewWebhookHandler(logr.Discard(), cl, decoder, namespace, true, nil)
}
