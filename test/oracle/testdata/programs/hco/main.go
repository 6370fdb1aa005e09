// Command hco runs HCO's own functions on what it reads from standard input, one JSON
// request a line, and answers each with one line. It is built inside a checkout of HCO (go build -overlay),
// with those of the v1*.go files that fit the release (test/oracle/releases.go).
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"github.com/go-logr/logr"
	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	admissionv1 "k8s.io/api/admission/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"
)

// namespace is where HCO's webhooks expect the CR.
const namespace = "kubevirt-hyperconverged"

// fileSchedule is the schedule of the predefined templates in HCO's file. HCO keeps the
// schedule of the last CR in a global map, so each case without one begins with this one.
const fileSchedule = "0 */12 * * *"

type request struct {
	Op             string          `json:"op"` // "admit" or "chain"
	HyperConverged json.RawMessage `json:"hyperConverged"`
	Old            json.RawMessage `json:"old"` // the present CR, for an update
	Nodes          []corev1.Node   `json:"nodes"`
}

// chained is what HCO makes of a stored CR.
type chained struct {
	Workload         []string        `json:"workloadArchitectures"`
	ControlPlane     []string        `json:"controlPlaneArchitectures"`
	Default          string          `json:"defaultWorkloadArchitecture"`
	KubeVirtDefault  string          `json:"kubeVirtDefaultArchitecture"`
	Error            string          `json:"error"`
	MultiArchEnabled bool            `json:"multiArchEnabled"`
	Status           json.RawMessage `json:"status"`
	SSP              json.RawMessage `json:"ssp"`
}

// admitted is what HCO's webhooks say of a CR.
type admitted struct {
	Panic             string          `json:"panic"`
	MutatorDenied     string          `json:"mutatorDenied"`
	MutatorWarnings   []string        `json:"mutatorWarnings"`
	PatchError        string          `json:"patchError"`
	ValidatorDenied   string          `json:"validatorDenied"`
	ValidatorWarnings []string        `json:"validatorWarnings"`
	Object            json.RawMessage `json:"object"` // after the patch; null if it is denied
}

func main() {
	log.SetLogger(logr.Discard())
	os.Setenv("OPERATOR_NAMESPACE", namespace)
	os.Setenv("HYPERCONVERGED_CR_NAMESPACE", namespace)
	serve(func(in request) any {
		if in.Op == "admit" {
			return admit(in)
		}
		return chain(in)
	})
}

func chain(in request) (out chained) {
	defer func() {
		if r := recover(); r != nil {
			out.Error = fmt.Sprintf("panic: %v", r)
			out.Status, out.SSP = nil, nil
		}
	}()
	cl := fake.NewClientBuilder().WithScheme(scheme()).Build()
	for i := range in.Nodes {
		if err := cl.Create(context.Background(), &in.Nodes[i]); err != nil {
			out.Error = "nodes: " + err.Error()
			return out
		}
	}
	release(in.HyperConverged, cl, &out)
	return out
}

func admit(in request) (out admitted) {
	stage := "mutator"
	defer func() {
		if r := recover(); r != nil {
			out.Panic = fmt.Sprintf("%s: %v", stage, r)
		}
	}()
	cl := fake.NewClientBuilder().WithScheme(scheme()).Build()
	decoder := admission.NewDecoder(scheme())
	var meta struct {
		APIVersion string `json:"apiVersion"`
	}
	if err := json.Unmarshal(in.HyperConverged, &meta); err != nil {
		out.MutatorDenied = err.Error()
		return out
	}
	mutator, validator := webhooks(cl, decoder, strings.TrimPrefix(meta.APIVersion, "hco.kubevirt.io/"))
	req := admission.Request{AdmissionRequest: admissionv1.AdmissionRequest{
		Operation: admissionv1.Create, Object: runtime.RawExtension{Raw: in.HyperConverged},
	}}
	if in.Old != nil {
		req.Operation, req.OldObject = admissionv1.Update, runtime.RawExtension{Raw: in.Old}
	}
	mutated := mutator.Handle(context.Background(), req)
	out.MutatorWarnings = mutated.Warnings
	if !mutated.Allowed {
		out.MutatorDenied = mutated.Result.Message
		return out
	}
	object := []byte(in.HyperConverged)
	if len(mutated.Patches) > 0 {
		data, err := json.Marshal(mutated.Patches)
		if err == nil {
			var patch jsonpatch.Patch
			if patch, err = jsonpatch.DecodePatch(data); err == nil {
				object, err = patch.Apply(object)
			}
		}
		if err != nil {
			out.PatchError = err.Error()
			return out
		}
	}
	stage = "validator"
	req.Object.Raw = object
	validated := validator.Handle(context.Background(), req)
	out.ValidatorWarnings = validated.Warnings
	if !validated.Allowed {
		out.ValidatorDenied = validated.Result.Message
		return out
	}
	out.Object = object
	return out
}

func scheme() *runtime.Scheme {
	s := runtime.NewScheme()
	for _, add := range append([]func(*runtime.Scheme) error{corev1.AddToScheme}, types...) {
		if err := add(s); err != nil {
			panic(err)
		}
	}
	return s
}

func encoded(v any) json.RawMessage {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return data
}
