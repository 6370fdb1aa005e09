package main

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/goldenarch/goldenarch/internal/operators/admission"
	"github.com/goldenarch/goldenarch/internal/operators/cdi"
	"github.com/goldenarch/goldenarch/internal/operators/expansion"
	"github.com/goldenarch/goldenarch/internal/operators/forecast"
	"github.com/goldenarch/goldenarch/test/answers"
)

// operators are the running programs of a release. Without SSP and CDI, the answers end with
// what HCO does.
type operators struct {
	api           apiServer
	hco, ssp, cdi *program
}

// answer runs a case of one step.
func (o operators) answer(c *answers.Case) error {
	answer, objects, err := o.step(c.Input.Steps[0])
	if err != nil {
		return fmt.Errorf("%s: %w", c.Name, err)
	}
	c.Steps, c.Objects = []answers.Answer{answer}, objects
	return nil
}

func (o operators) step(step answers.Step) (answers.Answer, []expansion.Object, error) {
	answer, err := o.admit(step.HyperConverged)
	if err != nil || answer.Stored == nil {
		return answer, nil, err
	}
	chain, objects, err := o.chain(step, answer.Stored)
	answer.Chain = &chain
	return answer, objects, err
}

// admit creates the CR, as an API server does: pruning and defaults, the mutating webhook,
// the schema, the validating webhook.
func (o operators) admit(written json.RawMessage) (answers.Answer, error) {
	var given, object map[string]any
	if err := json.Unmarshal(written, &given); err != nil {
		return answers.Answer{}, fmt.Errorf("cannot read the CR: %w", err)
	}
	if err := json.Unmarshal(written, &object); err != nil {
		return answers.Answer{}, fmt.Errorf("cannot read the CR: %w", err)
	}
	version, ok := o.api.fit(object)
	if !ok || version.refuses(object) {
		return answers.Answer{SchemaRefused: true}, nil
	}
	var said struct {
		admission.Admission
		Object json.RawMessage `json:"object"`
	}
	if err := o.hco.ask(map[string]any{"op": "admit", "hyperConverged": object}, &said); err != nil {
		return answers.Answer{}, err
	}
	answer := answers.Answer{Admission: said.Admission}
	if !said.Admitted() {
		return answer, nil
	}
	var stored map[string]any
	if err := json.Unmarshal(said.Object, &stored); err != nil {
		return answer, fmt.Errorf("cannot read the stored CR: %w", err)
	}
	o.api.fit(stored)
	answer.Admission.Changed = !reflect.DeepEqual(given, stored)
	data, err := json.Marshal(stored)
	answer.Stored = data
	return answer, err
}

// hcoAnswer is what the program of HCO answers.
type hcoAnswer struct {
	Workload         []string `json:"workloadArchitectures"`
	ControlPlane     []string `json:"controlPlaneArchitectures"`
	Default          string   `json:"defaultWorkloadArchitecture"`
	Error            string   `json:"error"`
	MultiArchEnabled bool     `json:"multiArchEnabled"`
	Status           []struct {
		Metadata struct {
			Name        string            `json:"name"`
			Namespace   string            `json:"namespace"`
			Annotations map[string]string `json:"annotations"`
		} `json:"metadata"`
		Status struct {
			Conditions []struct {
				Type   string `json:"type"`
				Status string `json:"status"`
			} `json:"conditions"`
			CommonTemplate bool   `json:"commonTemplate"`
			Modified       bool   `json:"modified"`
			Original       string `json:"originalSupportedArchitectures"`
		} `json:"status"`
	} `json:"status"`
	SSP json.RawMessage `json:"ssp"`
}

func (h hcoAnswer) status() []forecast.Status {
	out := []forecast.Status{}
	for _, s := range h.Status {
		one := forecast.Status{
			Name: s.Metadata.Name, Namespace: s.Metadata.Namespace, OriginalSupportedArchitectures: s.Status.Original,
			CommonTemplate: s.Status.CommonTemplate, Modified: s.Status.Modified,
		}
		if architectures, ok := s.Metadata.Annotations["ssp.kubevirt.io/dict.architectures"]; ok {
			one.Architectures = &architectures
		}
		for _, condition := range s.Status.Conditions {
			if condition.Type == "Deployed" {
				one.Deployed = &condition.Status
			}
		}
		out = append(out, one)
	}
	return out
}

func (o operators) chain(step answers.Step, stored json.RawMessage) (answers.Chain, []expansion.Object, error) {
	var object map[string]any
	if err := json.Unmarshal(stored, &object); err != nil {
		return answers.Chain{}, nil, fmt.Errorf("cannot read the stored CR: %w", err)
	}
	if step.Schedule != "" {
		object["status"] = map[string]any{"dataImportSchedule": step.Schedule}
	}
	var hco hcoAnswer
	if err := o.hco.ask(map[string]any{"op": "chain", "hyperConverged": object, "nodes": step.Nodes}, &hco); err != nil {
		return answers.Chain{}, nil, err
	}
	out := answers.Chain{
		WorkloadArchitectures: hco.Workload, ControlPlaneArchitectures: hco.ControlPlane, DefaultWorkloadArchitecture: hco.Default,
		Error: hco.Error, MultiArchEnabled: hco.MultiArchEnabled,
	}
	if hco.Error != "" {
		return out, nil, nil
	}
	out.Status = hco.status()
	var ssp struct {
		Spec struct {
			EnableMultipleArchitectures *bool                `json:"enableMultipleArchitectures"`
			Cluster                     *forecast.SSPCluster `json:"cluster"`
			CommonTemplates             struct {
				Templates []expansion.Object `json:"dataImportCronTemplates"`
			} `json:"commonTemplates"`
		} `json:"spec"`
	}
	if err := json.Unmarshal(hco.SSP, &ssp); err != nil {
		return out, nil, fmt.Errorf("cannot read the SSP CR: %w", err)
	}
	for _, t := range ssp.Spec.CommonTemplates.Templates {
		out.SSPTemplates = append(out.SSPTemplates, clean(t))
	}
	out.SSPEnableMultipleArchitectures, out.SSPCluster = ssp.Spec.EnableMultipleArchitectures, ssp.Spec.Cluster
	if o.ssp == nil {
		return out, nil, nil
	}
	objects, err := o.expand(&out, hco.SSP)
	return out, objects, err
}

// expand runs SSP and CDI on the SSP CR.
func (o operators) expand(out *answers.Chain, cr json.RawMessage) ([]expansion.Object, error) {
	var ssp struct {
		Rejected string             `json:"rejected"`
		Error    string             `json:"error"`
		Objects  []expansion.Object `json:"objects"`
	}
	if err := o.ssp.ask(map[string]any{"op": "reconcile", "ssp": cr, "passes": 10}, &ssp); err != nil {
		return nil, err
	}
	out.SSPRejected, out.SSPError = ssp.Rejected, ssp.Error
	if refused := refusedSource(out.SSPTemplates, ssp.Objects); refused != "" { // SSP made it before it failed, or came to a cron
		out.SSPError = refused
	}
	if out.SSPRejected != "" || out.SSPError != "" {
		return nil, nil
	}
	var said struct {
		Verdicts map[string]string  `json:"verdicts"`
		Objects  []expansion.Object `json:"objects"`
	}
	if err := o.cdi.ask(map[string]any{"op": "admit", "objects": ssp.Objects}, &said); err != nil {
		return nil, err
	}
	out.CDIVerdicts = said.Verdicts
	var objects, admitted []expansion.Object
	for _, object := range ssp.Objects {
		if name := object.Namespace() + "/" + object.Name(); object["kind"] == "DataImportCron" && said.Verdicts[name] == "" {
			if invalid := refuses(object); invalid != "" {
				said.Verdicts[name] = " " + invalid
			}
		}
		if object["kind"] != "DataImportCron" {
			admitted = append(admitted, object)
			continue
		}
		if said.Verdicts[object.Namespace()+"/"+object.Name()] == "" {
			admitted = append(admitted, object)
		}
		objects = append(objects, clean(object))
	}
	if err := o.cdi.ask(map[string]any{"op": "first", "objects": admitted}, &said); err != nil {
		return nil, err
	}
	wanted := dataSourceNames(out.SSPTemplates)
	for _, object := range said.Objects {
		if object["kind"] == "DataSource" && wanted[object.Name()] && refuses(object) == "" {
			objects = append(objects, clean(object))
		}
	}
	slices.SortStableFunc(objects, func(a, b expansion.Object) int {
		key := func(o expansion.Object) string { return fmt.Sprint(o["kind"], "/", o.Namespace(), "/", o.Name()) }
		return strings.Compare(key(a), key(b))
	})
	return objects, nil
}

// refuses returns why an API server refuses the metadata of an object: the client of the programs
// takes any.
func refuses(object expansion.Object) string {
	var read struct {
		Kind     string            `json:"kind"`
		Metadata metav1.ObjectMeta `json:"metadata"`
	}
	data, err := json.Marshal(object)
	if err == nil {
		err = json.Unmarshal(data, &read)
	}
	if err != nil {
		return err.Error()
	}
	return cdi.Invalid(read.Kind, read.Metadata)
}

// refusedSource returns how SSP fails at the first DataSource that an API server refuses; "" if there is none. Those of
// SSP's bundle come first, in an order that differs between runs: the first name stands for all.
func refusedSource(templates, objects []expansion.Object) string {
	sources := slices.DeleteFunc(slices.Clone(objects), func(o expansion.Object) bool { return o["kind"] != "DataSource" })
	slices.SortFunc(sources, func(a, b expansion.Object) int { return strings.Compare(a.Name(), b.Name()) })
	var ordered []expansion.Object
	for _, object := range sources {
		if object.Text("metadata", "labels", cdi.CronLabel) != "" {
			ordered = append(ordered, object)
		}
	}
	for _, t := range templates {
		for _, object := range sources {
			if object.Name() == t.Text("spec", "managedDataSource") {
				ordered = append(ordered, object)
			}
		}
	}
	for _, object := range ordered {
		if invalid := refuses(object); invalid != "" {
			return fmt.Sprintf("failed to reconcile *v1beta1.DataSource object %s/%s: failed creating object: %s", object.Namespace(), object.Name(), invalid)
		}
	}
	return ""
}

// dataSourceNames are the names of DataSources that belong to templates. SSP makes many
// more, from its common templates, whatever the CR says.
func dataSourceNames(templates []expansion.Object) map[string]bool {
	out := map[string]bool{}
	for _, t := range templates {
		spec, _ := t["spec"].(map[string]any)
		name, _ := spec["managedDataSource"].(string)
		out[name] = true
		for _, suffix := range []string{"-amd64", "-arm64", "-s390x"} {
			out[name+suffix] = true
		}
	}
	return out
}

// clean removes what every object of SSP and of the API server has: SSP's labels and
// annotations, times, versions and status, and what typed encoding leaves empty.
func clean(o expansion.Object) expansion.Object {
	o = expansion.NewObject(o) // a copy: the operators still need the original
	delete(o, "status")
	metadata, _ := o["metadata"].(map[string]any)
	for _, key := range []string{"creationTimestamp", "resourceVersion", "uid", "generation", "managedFields"} {
		delete(metadata, key)
	}
	drop(metadata, "labels", "app.kubernetes.io/")
	drop(metadata, "annotations", "operator-sdk/")
	return expansion.NewObject(withoutNulls(o))
}

func drop(metadata map[string]any, key, prefix string) {
	entries, _ := metadata[key].(map[string]any)
	for name := range entries {
		if strings.HasPrefix(name, prefix) {
			delete(entries, name)
		}
	}
}

// withoutNulls removes the null times that typed encoding leaves.
func withoutNulls(o map[string]any) map[string]any {
	for key, value := range o {
		if value == nil {
			delete(o, key)
		}
		if m, ok := value.(map[string]any); ok {
			withoutNulls(m)
		}
	}
	return o
}
