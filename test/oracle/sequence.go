package main

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/goldenarch/goldenarch/internal/operators/expansion"
	"github.com/goldenarch/goldenarch/internal/operators/oracle"
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

func key(o expansion.Object) string { return fmt.Sprint(o["kind"], "/", o.Namespace(), "/", o.Name()) }

// sequence runs the steps of a case, one after the other, on one cluster.
func (o operators) sequence(c *oracle.Case) error {
	var cluster state
	var step oracle.Step
	for i, next := range c.Input.Steps {
		step = merged(step, next)
		answer, err := o.admit(step.HyperConverged)
		if err != nil {
			return fmt.Errorf("%s, step %d: %w", c.Name, i+1, err)
		}
		if answer.Stored == nil {
			return fmt.Errorf("%s, step %d: HCO refuses the CR: %+v", c.Name, i+1, answer.Admission)
		}
		cluster = append(cluster, step.Objects...)
		before := cluster
		if cluster, err = o.settle(cluster, step, answer.Stored, fmt.Sprint(i+1)); err != nil {
			return fmt.Errorf("%s, step %d: %w", c.Name, i+1, err)
		}
		c.Steps = append(c.Steps, oracle.Answer{Admission: answer.Admission, Stored: answer.Stored, Listing: listing(before, cluster)})
	}
	return nil
}

func merged(step, next oracle.Step) oracle.Step {
	if next.Nodes != nil {
		step.Nodes = next.Nodes
	}
	if next.HyperConverged != nil {
		step.HyperConverged = next.HyperConverged
	}
	if next.Images != "" {
		step.Images = next.Images
	}
	step.Snapshots, step.Objects = next.Snapshots, next.Objects
	return step
}

var errRestless = errors.New("SSP and CDI still change objects after 30 passes")

// settle lets SSP and CDI work in turn until nothing changes.
func (o operators) settle(cluster state, step oracle.Step, stored json.RawMessage, round string) (state, error) {
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
		var cdi struct {
			Errors  map[string]string  `json:"errors"`
			Quiet   bool               `json:"quiet"`
			Objects []expansion.Object `json:"objects"`
		}
		request := map[string]any{
			"op": "reconcile", "objects": next, "gone": gone, "digests": digests(next, step.Images), "snapshots": step.Snapshots,
			"round": fmt.Sprintf("%s/%d", round, pass),
		}
		if err := o.cdi.ask(request, &cdi); err != nil {
			return nil, err
		}
		if len(cdi.Errors) > 0 || !cdi.Quiet {
			return nil, fmt.Errorf("CDI does not come to rest: %v", cdi.Errors)
		}
		cluster = cdi.Objects
		if len(gone) == 0 && fingerprint(cluster) == before {
			return cluster, nil
		}
	}
	return nil, errRestless
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
		left[key(object)] = true
	}
	var gone []string
	for _, object := range seen {
		if object["kind"] == "DataImportCron" && !left[key(object)] {
			gone = append(gone, object.Namespace()+"/"+object.Name())
		}
	}
	return append(ssp.Objects, other...), gone, nil
}

// digests gives each image the digest of its URL and version.
func digests(objects state, version string) map[string]string {
	out := map[string]string{}
	for _, object := range objects {
		if url := text(object, "spec", "template", "spec", "source", "registry", "url"); url != "" {
			out[url] = fmt.Sprintf("sha256:%x", sha256.Sum256([]byte(url+"#"+version)))
		}
	}
	return out
}

func text(o map[string]any, path ...string) string {
	for _, k := range path[:len(path)-1] {
		o, _ = o[k].(map[string]any)
	}
	s, _ := o[path[len(path)-1]].(string)
	return s
}

// fingerprint is the state without times and conditions.
func fingerprint(objects state) string {
	var lines []string
	for _, object := range objects {
		e := entry(object)
		data, err := json.Marshal([]any{e, object.Namespace(), object["spec"]})
		if err != nil {
			panic(err)
		}
		lines = append(lines, string(data))
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

const (
	cronLabel         = "cdi.kubevirt.io/dataImportCron"
	cleanupLabel      = "cdi.kubevirt.io/dataImportCron.cleanup"
	architectureLabel = "template.kubevirt.io/architecture"
)

func entry(o expansion.Object) oracle.Entry {
	kind, _ := o["kind"].(string)
	e := oracle.Entry{
		Kind: kind, Name: o.Name(), Cron: text(o, "metadata", "labels", cronLabel),
		Cleanup: text(o, "metadata", "labels", cleanupLabel) == "true", Architecture: text(o, "metadata", "labels", architectureLabel),
	}
	metadata, _ := o["metadata"].(map[string]any)
	owners, _ := metadata["ownerReferences"].([]any)
	for _, one := range owners {
		owner, _ := one.(map[string]any)
		e.Owners = append(e.Owners, fmt.Sprint(owner["kind"], "/", owner["name"]))
	}
	if kind == "DataSource" {
		for _, source := range []string{"pvc", "snapshot", "dataSource"} {
			if name := text(o, "spec", "source", source, "name"); name != "" {
				e.Source = source + "/" + name
			}
		}
	}
	return e
}

// listing says what a step did to each object that belongs to a template. SSP has many more
// DataSources, from its common templates, which point at nothing: these are left out.
func listing(before, after state) []oracle.Entry {
	had, crons := map[string]oracle.Entry{}, map[string]bool{}
	for _, object := range before {
		had[key(object)] = entry(object)
	}
	for _, object := range after {
		if object["kind"] == "DataImportCron" {
			crons[object.Name()] = true
		}
	}
	wanted := namesOf(before, after)
	var out []oracle.Entry
	for _, object := range after {
		e := entry(object)
		old, ok := had[key(object)]
		delete(had, key(object))
		if e.Kind == "DataSource" && !wanted[e.Name] {
			continue
		}
		e.State = "kept"
		old.State, old.Orphan = "", false
		if plain := e; !ok {
			e.State = "created"
		} else if plain.State = ""; fmt.Sprint(plain) != fmt.Sprint(old) {
			e.State = "changed"
		}
		e.Orphan = e.Kind != "DataImportCron" && len(e.Owners) == 0 && e.Cron != "" && !crons[e.Cron]
		out = append(out, e)
	}
	for _, e := range had {
		if e.Kind != "DataSource" || wanted[e.Name] {
			e.State = "deleted"
			out = append(out, e)
		}
	}
	slices.SortFunc(out, func(a, b oracle.Entry) int { return strings.Compare(a.Kind+"/"+a.Name, b.Kind+"/"+b.Name) })
	return out
}

// namesOf are the names of DataSources that a DataImportCron manages or did manage, and of
// those that point at them.
func namesOf(states ...state) map[string]bool {
	out := map[string]bool{}
	for _, objects := range states {
		for _, object := range objects {
			if object["kind"] == "DataImportCron" {
				out[text(object, "spec", "managedDataSource")] = true
			}
			if object["kind"] == "DataSource" && text(object, "metadata", "labels", cronLabel) != "" {
				out[object.Name()] = true
			}
		}
	}
	for _, objects := range states {
		for _, object := range objects {
			if out[text(object, "spec", "source", "dataSource", "name")] {
				out[object.Name()] = true
			}
		}
	}
	return out
}
