package main

import (
	"encoding/json"

	"github.com/goldenarch/goldenarch/internal/operators/expansion"
	"github.com/goldenarch/goldenarch/internal/operators/oracle"
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
}

var two = []string{"amd64", "arm64"}

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

// volume is a PVC that somebody uploaded under the name of a DataSource.
func volume(name string) expansion.Object {
	return expansion.Object{
		"apiVersion": "v1", "kind": "PersistentVolumeClaim",
		"metadata": map[string]any{"name": name, "namespace": "kubevirt-os-images", "uid": "somebody-made-" + name},
		"status":   map[string]any{"phase": "Bound"},
	}
}

func (s setup) step() oracle.Step {
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
	return oracle.Step{
		Nodes: nodesOf([]string{"amd64"}, workers, "worker"), HyperConverged: cr, Images: s.images, Snapshots: s.snapshots, Objects: s.objects,
	}
}
