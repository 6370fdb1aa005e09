package main

import (
	"context"
	"encoding/json"

	"github.com/go-logr/logr"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/kubevirt/hyperconverged-cluster-operator/controllers/handlers"
	"github.com/kubevirt/hyperconverged-cluster-operator/pkg/nodeinfo"
)

// release runs the operator of a release that works on v1beta1.
func release(object json.RawMessage, cl client.Client, out *chained) {
	hc, err := read(object)
	if err != nil {
		out.Error = "conversion: " + err.Error()
		return
	}
	if _, err := nodeinfo.HandleNodeChanges(context.Background(), cl, hc, logr.Discard()); err != nil {
		out.Error = "nodes: " + err.Error()
		return
	}
	out.Workload, out.ControlPlane = nodeinfo.GetWorkloadsArchitectures(), nodeinfo.GetControlPlaneArchitectures()
	out.Default = defaultArchitecture()
	out.MultiArchEnabled = ptr.Deref(hc.Spec.FeatureGates.EnableMultiArchBootImageImport, false)
	if hc.Status.DataImportSchedule == "" {
		hc.Status.DataImportSchedule = fileSchedule
	}
	if kv, err := handlers.NewKubeVirt(hc); err == nil {
		out.KubeVirtDefault = kubeVirtDefault(kv)
	}
	ssp, status, err := handlers.NewSSP(hc)
	if err != nil {
		out.Error = err.Error()
		return
	}
	out.Status, out.SSP = encoded(status), encoded(ssp)
}
