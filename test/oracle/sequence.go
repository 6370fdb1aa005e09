package main

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/goldenarch/goldenarch/internal/operators/expansion"
	"github.com/goldenarch/goldenarch/test/answers"
)

// simulatedInSequences is what the header of the sequences adds.
var simulatedInSequences = []string{
	"pollers: they write the digest of the step's images to each DataImportCron at once",
	"DataVolume controller: every import succeeds at once; its PVC has the DataVolume's labels and is owned by it",
	"storage: one class, and every PVC is bound",
	"garbage collector: an object whose owners are all gone goes, after each pass of CDI",
	"order: CDI handles what a pass of SSP did, deletions first, before SSP's next pass",
}

// state is the cluster of a sequence.
type state []expansion.Object

// sequence runs the steps of a case, one after the other, on one cluster. of returns the
// operators of a release; "" is the release of the file.
//
// A CR that a step does not change stays as it is stored: an upgrade alone does not send it
// through the webhooks.
func sequence(of func(release string) (operators, error), c *answers.Case) error {
	var cluster state
	var step answers.Step
	var answer answers.Answer
	for i, next := range c.Input.Steps {
		step = step.With(next)
		running, err := of(step.Release)
		if err != nil {
			return err
		}
		if next.HyperConverged != nil {
			if answer, err = running.admit(step.HyperConverged); err != nil {
				return fmt.Errorf("%s, step %d: %w", c.Name, i+1, err)
			}
		}
		if answer.Stored == nil {
			return fmt.Errorf("%s, step %d: HCO refuses the CR: %+v", c.Name, i+1, answer.Admission)
		}
		cluster = cluster.changed(step)
		before := cluster
		if gone := crons(step.Delete); len(gone) > 0 {
			if cluster, err = running.passOfCDI(cluster, gone, step, fmt.Sprint(i+1, "/deleted")); err != nil {
				return fmt.Errorf("%s, step %d: %w", c.Name, i+1, err)
			}
		}
		if cluster, err = running.settle(cluster, step, answer.Stored, fmt.Sprint(i+1)); err != nil {
			return fmt.Errorf("%s, step %d: %w", c.Name, i+1, err)
		}
		c.Steps = append(c.Steps, answers.Answer{Admission: answer.Admission, Stored: answer.Stored, Listing: answers.List(before, cluster)})
	}
	return nil
}

// changed returns the cluster after what somebody else did to it.
func (s state) changed(step answers.Step) state {
	var out state
	for _, object := range s {
		name := answers.Key(object)
		replaced := slices.ContainsFunc(step.Objects, func(o expansion.Object) bool { return answers.Key(o) == name })
		if replaced || slices.Contains(step.Delete, name) {
			continue
		}
		if slices.Contains(step.Terminate, name) {
			object = expansion.NewObject(object)
			metadata, _ := object["metadata"].(map[string]any)
			metadata["deletionTimestamp"], metadata["finalizers"] = "2026-01-01T00:00:00Z", []any{"example.com/waits"}
		}
		out = append(out, object)
	}
	return append(out, step.Objects...)
}

var errNotSettled = errors.New("SSP and CDI still change objects after 30 passes")

// settle lets SSP and CDI work in turn until nothing changes.
func (o operators) settle(cluster state, step answers.Step, stored json.RawMessage, round string) (state, error) {
	var hco hcoAnswer
	if err := o.hco.ask(map[string]any{"op": "chain", "hyperConverged": stored, "nodes": step.Nodes}, &hco); err != nil {
		return nil, err
	}
	if hco.Error != "" {
		return nil, fmt.Errorf("HCO fails: %s", hco.Error)
	}
	for pass := range 30 {
		before := fingerprint(cluster)
		next, gone, err := o.passOfSSP(cluster, hco.SSP, fmt.Sprintf("%s/%d", round, pass))
		if err != nil {
			return nil, err
		}
		if cluster, err = o.passOfCDI(next, gone, step, fmt.Sprintf("%s/%d", round, pass)); err != nil {
			return nil, err
		}
		if len(gone) == 0 && fingerprint(cluster) == before {
			return cluster, nil
		}
	}
	return nil, errNotSettled
}

// crons are the namespaces and names of the DataImportCrons among Kind/namespace/name.
func crons(names []string) []string {
	var out []string
	for _, name := range names {
		if cron, ok := strings.CutPrefix(name, "DataImportCron/"); ok {
			out = append(out, cron)
		}
	}
	return out
}

// passOfCDI returns the objects after CDI has handled the deleted crons, and then everything,
// until nothing changes.
func (o operators) passOfCDI(cluster state, gone []string, step answers.Step, round string) (state, error) {
	var cdi struct {
		Errors  map[string]string  `json:"errors"`
		Quiet   bool               `json:"quiet"`
		Objects []expansion.Object `json:"objects"`
	}
	request := map[string]any{
		"op": "reconcile", "objects": cluster, "gone": gone, "digests": digests(cluster, step.Images), "snapshots": step.Snapshots, "round": round,
	}
	if err := o.cdi.ask(request, &cdi); err != nil {
		return nil, err
	}
	if len(cdi.Errors) > 0 || !cdi.Quiet {
		return nil, fmt.Errorf("CDI does not come to rest: %v", cdi.Errors)
	}
	return cdi.Objects, nil
}

// passOfSSP returns the objects after one pass of SSP, and the DataImportCrons that it
// deleted.
func (o operators) passOfSSP(cluster state, cr json.RawMessage, round string) (state, []string, error) {
	var seen, other state
	for _, object := range cluster {
		switch object["kind"] {
		case "DataImportCron", "DataSource", "PersistentVolumeClaim":
			seen = append(seen, object)
		default:
			other = append(other, object)
		}
	}
	var ssp struct {
		Rejected string             `json:"rejected"`
		Error    string             `json:"error"`
		Objects  []expansion.Object `json:"objects"`
	}
	if err := o.ssp.ask(map[string]any{"op": "reconcile", "ssp": cr, "objects": seen, "passes": 1, "round": round}, &ssp); err != nil {
		return nil, nil, err
	}
	if ssp.Rejected != "" || ssp.Error != "" {
		return nil, nil, fmt.Errorf("SSP fails: %s%s", ssp.Rejected, ssp.Error)
	}
	left := map[string]bool{}
	for _, object := range ssp.Objects {
		left[answers.Key(object)] = true
	}
	var gone []string
	for _, object := range seen {
		if object["kind"] == "DataImportCron" && !left[answers.Key(object)] {
			gone = append(gone, object.Namespace()+"/"+object.Name())
		}
	}
	return append(ssp.Objects, other...), gone, nil
}

// digests gives each image and each ImageStream the digest of its name and version.
func digests(objects state, version string) map[string]string {
	out := map[string]string{}
	for _, object := range objects {
		registry := object.Child("spec", "template", "spec", "source", "registry")
		name := registry.Text("url")
		if stream := registry.Text("imageStream"); stream != "" {
			name = "ImageStream/" + object.Namespace() + "/" + stream
		}
		if name != "" {
			out[name] = fmt.Sprintf("sha256:%x", sha256.Sum256([]byte(name+"#"+version)))
		}
	}
	return out
}

// fingerprint is the state without times and conditions.
func fingerprint(objects state) string {
	var lines []string
	for _, object := range objects {
		e := answers.NewEntry(object)
		data, err := json.Marshal([]any{e, object.Namespace(), object["spec"]})
		if err != nil {
			panic(err)
		}
		lines = append(lines, string(data))
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}
