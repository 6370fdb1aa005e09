package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"

	"github.com/goldenarch/goldenarch/internal/operators/expansion"
	"github.com/goldenarch/goldenarch/test/answers"
)

// unusualState is what Git and the cluster have in a step of an unusual sequence. Each step changes
// a part of it.
type unusualState struct {
	gate, common          bool
	workers, controlPlane []string
	templates             []map[string]any
	bootNamespace         string
	images                int
	snapshots             bool
}

// unusualSequences are sequences whose steps change one or two things each: a namespace, a source, a
// name, a policy, what somebody has made.
func unusualSequences(seed uint64, count int) map[string]answers.Case {
	out := map[string]answers.Case{}
	for n := range count {
		u := unusual{rand.New(rand.NewPCG(seed, ^uint64(n)))}
		s := unusualState{
			gate: u.chance(60), common: u.chance(70), workers: one(u, two, two, three, two[:1]),
			controlPlane: one(u, two[:1], two[:1], two[1:], three[2:], two), images: 1, snapshots: u.chance(20),
		}
		for range 1 + u.IntN(3) {
			s.add(u)
		}
		c := answers.Case{Name: fmt.Sprintf("unusual-%03d", n)}
		c.Input.Steps = append(c.Input.Steps, s.step(u, true))
		for range 1 + u.IntN(4) {
			for range 1 + u.IntN(2) {
				s.change(u)
			}
			c.Input.Steps = append(c.Input.Steps, s.step(u, false))
		}
		out[c.Name] = c
	}
	return out
}

func (s *unusualState) add(u unusual) {
	type named struct{ template, source string }
	name := one(
		u, named{"golden-cron", "golden"}, named{"silver-cron", "golden"}, named{"fedora-image-cron", "fedora"}, named{"z-cron", "fedora"},
		named{"centos-stream10-image-cron", "centos-stream10"}, named{"linux-cron", "rhel9"}, named{"old-cron", "rhel8"}, named{"win-cron", "win2k22"},
		named{"own-cron", "own"}, named{"own-cron-amd64", "other"},
	)
	if slices.ContainsFunc(s.templates, func(t map[string]any) bool { return part(t, "metadata")["name"] == name.template }) {
		return
	}
	t := someTemplate(name.template, name.source, name.source+":1", one(u, "", "All", "None", "None"))
	u.declare(t)
	if u.chance(25) {
		u.stream(t)
	}
	s.templates = append(s.templates, t)
}

func (u unusual) declare(t map[string]any) {
	annotations := part(t, "metadata", "annotations")
	switch u.IntN(5) {
	case 0:
		delete(annotations, architecturesKey)
	case 1:
		annotations[architecturesKey] = one(u, "amd64", "arm64", "s390x", "arm64, amd64", "amd64,arm64,s390x")
	default:
		annotations[architecturesKey] = "amd64,arm64"
	}
}

// stream gives a template an ImageStream.
func (u unusual) stream(t map[string]any) {
	inner := part(t, "spec", "template", "spec")
	inner["source"] = map[string]any{"registry": map[string]any{"imageStream": one(u, "guest", "guest:1", "other"), "pullMethod": "node"}}
}

func (s *unusualState) change(u unusual) {
	switch u.IntN(10) {
	case 0, 1:
		s.gate = !s.gate
	case 2:
		s.workers = one(u, two, three, two[:1], two[1:], three[1:])
	case 3:
		s.images++
	case 4:
		s.add(u)
	case 5:
		if len(s.templates) > 1 {
			i := u.IntN(len(s.templates))
			s.templates = slices.Delete(slices.Clone(s.templates), i, i+1)
		}
	case 6:
		s.common = !s.common
	case 7:
		switch u.IntN(3) {
		case 0:
			s.controlPlane = one(u, two[:1], two[1:], three[2:], two)
		case 1:
			s.bootNamespace = one(u, "", "golden", "kubevirt-os-images")
		default:
			s.snapshots = !s.snapshots
		}
	default:
		s.changeTemplate(u)
	}
}

func (s *unusualState) changeTemplate(u unusual) {
	if len(s.templates) == 0 {
		return
	}
	i := u.IntN(len(s.templates))
	t := copyOf(s.templates[i])
	metadata, _ := t["metadata"].(map[string]any)
	annotations, _ := metadata["annotations"].(map[string]any)
	spec, ok := t["spec"].(map[string]any)
	if !ok {
		return
	}
	inner := part(spec, "template", "spec")
	switch u.IntN(12) {
	case 0:
		annotations[enableKey] = one(u, "false", "true")
	case 1:
		metadata["name"] = one(u, "renamed-cron", "fedora-image-cron", "golden-cron", "a-cron")
	case 2:
		spec["managedDataSource"] = one(u, "renamed", "golden", "rhel9", "fedora", "golden-amd64")
	case 3:
		u.declare(t)
	case 4:
		metadata["namespace"] = one(u, "team", "kubevirt-os-images")
	case 5:
		inner["source"] = map[string]any{"registry": map[string]any{"url": "docker://registry.example.com/new:" + one(u, "1", "2")}}
	case 6:
		u.stream(t)
	case 7:
		spec["retentionPolicy"] = one(u, "All", "None")
	case 8:
		spec["importsToKeep"] = 1 + u.IntN(2)
	case 9:
		spec["garbageCollect"] = one(u, "Never", "Outdated")
	case 10:
		spec["schedule"] = one(u, "", "@daily")
	default:
		label := one(u, "instancetype.kubevirt.io/default-preference", "team", "template.kubevirt.io/architecture", "cdi.kubevirt.io/dataImportCron")
		metadata["labels"] = map[string]any{label: "x"}
	}
	s.templates = slices.Clone(s.templates)
	s.templates[i] = t
}

func (s *unusualState) step(u unusual, first bool) answers.Step {
	spec := map[string]any{
		"featureGates":            map[string]any{"enableMultiArchBootImageImport": s.gate},
		"dataImportCronTemplates": s.templates, "enableCommonBootImageImport": s.common,
	}
	if s.bootNamespace != "" {
		spec["commonBootImageNamespace"] = s.bootNamespace
	}
	cr, err := json.Marshal(map[string]any{
		"apiVersion": "hco.kubevirt.io/v1beta1", "kind": "HyperConverged",
		"metadata": map[string]any{"name": "kubevirt-hyperconverged", "namespace": "kubevirt-hyperconverged"}, "spec": spec,
	})
	if err != nil {
		panic(err)
	}
	out := answers.Step{HyperConverged: cr, Nodes: nodesOf(s.controlPlane, s.workers, "worker"), Images: fmt.Sprint(s.images), Snapshots: s.snapshots}
	if u.chance(15) {
		out.Objects = append(out.Objects, volume(one(u, "fedora", "rhel9", "golden", "rhel9-amd64", "golden-amd64", "fedora-arm64", "own")))
	}
	if u.chance(12) {
		out.Objects = append(out.Objects, u.dataSource())
	}
	if !first && u.chance(10) {
		name := one(u, "golden", "golden-amd64", "fedora", "fedora-arm64", "golden-cron-amd64", "golden-cron", "linux-cron-arm64")
		out.Delete = named(one(u, "DataSource", "DataImportCron"), name)
	}
	return out
}

// dataSource is one that somebody made.
func (u unusual) dataSource() expansion.Object {
	name := one(u, "fedora", "fedora-amd64", "golden", "golden-arm64", "rhel9", "own")
	labels := map[string]any{}
	if u.chance(40) {
		labels["cdi.kubevirt.io/dataImportCron"] = one(u, "true", "golden-cron-arm64", "other")
	}
	if u.chance(20) {
		labels["cdi.kubevirt.io/dataImportCron.cleanup"] = "true"
	}
	source := one(u, map[string]any{}, map[string]any{"pvc": map[string]any{"name": "fedora", "namespace": "kubevirt-os-images"}},
		map[string]any{"dataSource": map[string]any{"name": name + "-amd64", "namespace": "kubevirt-os-images"}},
		map[string]any{"snapshot": map[string]any{"name": "s", "namespace": "kubevirt-os-images"}})
	return expansion.Object{
		"apiVersion": "cdi.kubevirt.io/v1beta1", "kind": "DataSource",
		"metadata": map[string]any{"name": name, "namespace": "kubevirt-os-images", "labels": maps.Clone(labels), "uid": "somebody-made-ds-" + name},
		"spec":     map[string]any{"source": source},
	}
}
