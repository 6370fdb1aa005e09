package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"

	"github.com/goldenarch/goldenarch/internal/operators/expansion"
	"github.com/goldenarch/goldenarch/test/answers"
)

// setup is the state of Git and of the cluster in a step of a scenario. The zero value has
// the gate off, a worker of each of two architectures, and the template of someTemplate.
type setup struct {
	gate      bool
	workers   []string
	templates []map[string]any
	images    string
	snapshots bool
	objects   []expansion.Object
	// release is what the operators are upgraded to. same says that nobody writes the CR.
	release string
	same    bool
	// remove and terminate name objects as Kind/namespace/name.
	remove, terminate []string
}

var (
	two   = []string{"amd64", "arm64"}
	three = []string{"amd64", "arm64", "s390x"}
)

// someTemplate is a custom template with a retention policy, or with none.
func someTemplate(name, source, url, retention string) map[string]any {
	spec := map[string]any{
		"managedDataSource": source, "schedule": "0 0 * * *",
		"template": map[string]any{"spec": map[string]any{
			"source":  map[string]any{"registry": map[string]any{"url": "docker://registry.example.com/" + url}},
			"storage": map[string]any{"resources": map[string]any{"requests": map[string]any{"storage": "10Gi"}}},
		}},
	}
	if retention != "" {
		spec["retentionPolicy"] = retention
	}
	return map[string]any{"metadata": map[string]any{"name": name, "annotations": map[string]any{architecturesKey: "amd64,arm64"}}, "spec": spec}
}

func disabled(name string) map[string]any {
	return map[string]any{"metadata": map[string]any{"name": name, "annotations": map[string]any{enableKey: "false"}}}
}

func named(kind string, names ...string) []string {
	var out []string
	for _, name := range names {
		out = append(out, kind+"/kubevirt-os-images/"+name)
	}
	return out
}

// fromStream is a template with an ImageStream, which CDI polls itself, and one without a schedule, which
// nothing polls.
func fromStream(retention string) []map[string]any {
	stream, never := someTemplate("golden-cron", "golden", "", retention), someTemplate("never-cron", "never", "never:1", retention)
	part(stream, "spec", "template", "spec")["source"] = map[string]any{"registry": map[string]any{"imageStream": "guest", "pullMethod": "node"}}
	part(never, "spec")["schedule"] = ""
	return []map[string]any{stream, never}
}

func golden(retention string) []map[string]any {
	return []map[string]any{someTemplate("golden-cron", "golden", "golden:1", retention)}
}

// scenarios are the sequences, by name. Each begins on an empty cluster. The predefined
// templates are there throughout.
func scenarios() map[string][]setup {
	out := map[string][]setup{}
	for name, retention := range map[string]string{"all": "All", "none": "None", "unset": ""} {
		out["gate-"+name] = []setup{
			{templates: golden(retention), images: "1"},
			{templates: golden(retention), images: "1", gate: true},
			{templates: golden(retention), images: "1"},
			{templates: golden(retention), images: "2"},
		}
		out["architecture-"+name] = []setup{
			{templates: golden(retention), images: "1", gate: true},
			{templates: golden(retention), images: "1", gate: true, workers: two[:1]},
			{templates: golden(retention), images: "2", gate: true},
		}
		out["disabled-"+name] = []setup{
			{templates: golden(retention), images: "1", gate: true},
			{templates: []map[string]any{disabled("golden-cron"), disabled("fedora-image-cron")}, images: "1", gate: true},
			{templates: golden(retention), images: "1", gate: true},
		}
		out["renamed-"+name] = []setup{
			{templates: golden(retention), images: "1", gate: true},
			{templates: []map[string]any{someTemplate("silver-cron", "golden", "golden:1", retention)}, images: "1", gate: true},
			{templates: []map[string]any{someTemplate("silver-cron", "silver", "golden:1", retention)}, images: "1", gate: true},
		}
		out["image-"+name] = []setup{
			{templates: golden(retention), images: "1", gate: true},
			{templates: golden(retention), images: "2", gate: true},
			{templates: golden(retention), images: "3", gate: true},
			{templates: golden(retention), images: "4", gate: true},
			{templates: []map[string]any{someTemplate("golden-cron", "golden", "golden:2", retention)}, images: "4", gate: true},
		}
		out["snapshots-"+name] = []setup{
			{templates: golden(retention), images: "1", snapshots: true},
			{templates: golden(retention), images: "1", snapshots: true, gate: true},
			{templates: golden(retention), images: "1", snapshots: true},
		}
		out["added-"+name] = []setup{
			{templates: golden(retention), images: "1", gate: true, workers: two[:1]},
			{templates: golden(retention), images: "1", gate: true, workers: two},
			{templates: golden(retention), images: "1", gate: true, workers: three},
			{templates: golden(retention), images: "2", gate: true, workers: two[1:]},
		}
		out["storage-"+name] = []setup{
			{templates: golden(retention), images: "1", gate: true, snapshots: true},
			{templates: golden(retention), images: "1", gate: true},
			{templates: golden(retention), images: "2", gate: true, snapshots: true},
		}
		out["streams-"+name] = []setup{
			{templates: fromStream(retention), images: "1"},
			{templates: fromStream(retention), images: "1", gate: true},
			{templates: fromStream(retention), images: "2", gate: true},
			{templates: fromStream(retention), images: "2"},
		}
		out["terminating-"+name] = []setup{
			{templates: golden(retention), images: "1", gate: true},
			{same: true, images: "1", terminate: named("DataImportCron", "golden-cron-arm64", "fedora-image-cron-arm64")},
			{templates: golden(retention), images: "2"},
		}
		out["deleted-"+name] = []setup{
			{templates: golden(retention), images: "1", gate: true},
			{same: true, remove: named("DataSource", "golden", "golden-arm64", "fedora", "fedora-amd64")},
			{same: true, remove: named("DataImportCron", "golden-cron-arm64", "fedora-image-cron-amd64")},
			{templates: golden(retention), images: "2"},
		}
	}
	out["retention"] = []setup{
		{templates: golden("All"), images: "1"},
		{templates: golden("None"), images: "1"},
		{templates: golden("None"), images: "1", gate: true},
		{templates: golden("All"), images: "1", gate: true},
		{templates: golden("All"), images: "1"},
	}
	out["existing-volume"] = []setup{
		{templates: golden("All"), images: "1", objects: []expansion.Object{volume("fedora"), volume("golden")}},
		{templates: golden("All"), images: "1", gate: true},
		{templates: golden("All"), images: "1"},
	}
	return out
}

// upgrades are the sequences over several releases. The CR stays as it is, except where the
// gate changes.
func upgrades() map[string][]setup {
	out := map[string][]setup{}
	for name, retention := range map[string]string{"all": "All", "none": "None", "unset": ""} {
		out["gate-off-"+name] = []setup{
			{release: "1.16", templates: golden(retention), images: "1"},
			{release: "1.17", same: true},
			{release: "1.18", same: true},
			{release: "main", same: true},
			{templates: golden(retention), images: "1", gate: true},
		}
		out["gate-on-"+name] = []setup{
			{release: "1.16", templates: golden(retention), images: "1", gate: true},
			{release: "1.17", same: true},
			{release: "1.18", same: true},
			{release: "main", same: true},
			{templates: golden(retention), images: "1"},
		}
		out["gate-before-new-images-"+name] = []setup{
			{release: "1.17", templates: golden(retention), images: "1"},
			{release: "1.18", same: true},
			{templates: golden(retention), images: "1", gate: true},
			{same: true, images: "2"},
			{templates: golden(retention), images: "2"},
		}
		out["new-images-before-gate-"+name] = []setup{
			{release: "1.17", templates: golden(retention), images: "1"},
			{release: "1.18", same: true},
			{same: true, images: "2"},
			{templates: golden(retention), images: "2", gate: true},
			{templates: golden(retention), images: "2"},
		}
	}
	return out
}

// volume is a PVC that somebody uploaded under the name of a DataSource.
func volume(name string) expansion.Object {
	return expansion.Object{
		"apiVersion": "v1", "kind": "PersistentVolumeClaim",
		"metadata": map[string]any{"name": name, "namespace": "kubevirt-os-images", "uid": "somebody-made-" + name},
		"status":   map[string]any{"phase": "Bound"},
	}
}

func (s setup) step() answers.Step {
	out := answers.Step{
		Images: s.images, Snapshots: s.snapshots, Objects: s.objects, Release: s.release, Delete: s.remove, Terminate: s.terminate,
	}
	if s.same {
		return out
	}
	spec := map[string]any{"featureGates": map[string]any{"enableMultiArchBootImageImport": s.gate}, "dataImportCronTemplates": s.templates}
	cr, err := json.Marshal(map[string]any{
		"apiVersion": "hco.kubevirt.io/v1beta1", "kind": "HyperConverged",
		"metadata": map[string]any{"name": "kubevirt-hyperconverged", "namespace": "kubevirt-hyperconverged"}, "spec": spec,
	})
	if err != nil {
		panic(err)
	}
	workers := s.workers
	if workers == nil {
		workers = two
	}
	out.HyperConverged, out.Nodes = cr, nodesOf([]string{"amd64"}, workers, "worker")
	return out
}

// newSequence returns the case of the steps of a scenario.
func newSequence(name string, steps []setup) answers.Case {
	c := answers.Case{Name: name}
	for _, s := range steps {
		c.Input.Steps = append(c.Input.Steps, s.step())
	}
	return c
}

// generated are sequences of up to five steps: templates, gate, workers and images of each
// step are random.
func generated(seed uint64, count int) map[string][]setup {
	out := map[string][]setup{}
	for n := range count {
		r := rand.New(rand.NewPCG(seed, uint64(n)))
		retention := []string{"", "All", "None"}[r.IntN(3)]
		snapshots := r.IntN(4) == 0
		var steps []setup
		for range 2 + r.IntN(4) {
			s := setup{
				gate: r.IntN(2) == 0, workers: [][]string{two, two, two[:1], two[1:], three}[r.IntN(5)],
				images: fmt.Sprint(1 + r.IntN(3)), snapshots: snapshots,
			}
			if r.IntN(5) == 0 {
				s.snapshots = !snapshots
			}
			for _, name := range []string{"alpha", "beta", "fedora"}[:1+r.IntN(3)] {
				t := someTemplate(name+"-image-cron", name, fmt.Sprint(name, ":", 1+r.IntN(2)), retention)
				if r.IntN(6) == 0 {
					t = disabled(name + "-image-cron")
				}
				if spec, ok := t["spec"].(map[string]any); ok && r.IntN(3) == 0 {
					spec["importsToKeep"] = 1 + r.IntN(2) // with 0, CDI imports for ever
				}
				s.templates = append(s.templates, t)
			}
			steps = append(steps, s)
		}
		out[fmt.Sprintf("generated-%02d", n)] = steps
	}
	return out
}
