package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"

	"github.com/goldenarch/goldenarch/test/answers"
)

// generator makes the case of a number: the same number and seed give the same case.
type generator struct {
	*rand.Rand
	release release
	tags    map[string]bool
}

func generate(r release, seed uint64, n int) (answers.Case, error) {
	g := generator{Rand: rand.New(rand.NewPCG(seed, uint64(n))), release: r, tags: map[string]bool{}} //nolint:gosec // the number of a case is not negative
	cr, err := json.Marshal(g.hyperConverged())
	if err != nil {
		return answers.Case{}, fmt.Errorf("cannot write a CR: %w", err)
	}
	step := answers.Step{Nodes: g.nodes(), HyperConverged: cr}
	if g.chance(30) {
		g.tag("schedule")
		step.Schedule = "17 3/12 * * *"
	}
	return answers.Case{
		Name: fmt.Sprintf("%05d", n), Tags: slices.Sorted(maps.Keys(g.tags)), Input: answers.Input{Steps: []answers.Step{step}},
	}, nil
}

func (g generator) chance(percent int) bool { return g.IntN(100) < percent }

func (g generator) tag(tag string) { g.tags[tag] = true }

// pick chooses an entry and notes it as a tag.
func pick[T any](g generator, kind string, options ...option[T]) T {
	one := options[g.IntN(len(options))]
	g.tag(kind + ":" + one.name)
	return one.value
}

type option[T any] struct {
	name  string
	value T
}

// servesV1 reports whether the release serves v1.
func (g generator) servesV1() bool { return g.release.name != "1.16" && g.release.name != "1.17" }

func (g generator) hyperConverged() map[string]any {
	version := "v1beta1"
	if g.servesV1() && g.chance(50) {
		version = "v1"
	}
	g.tag("version:" + version)
	sources, spec := map[string]any{}, map[string]any{}
	if list := g.templates(); len(list) > 0 {
		sources["dataImportCronTemplates"] = list
	}
	if g.chance(25) {
		sources["enableCommonBootImageImport"] = pick(g, "common", option[bool]{"on", true}, option[bool]{"off", false})
	}
	if g.chance(10) {
		g.tag("boot-namespace")
		sources["commonBootImageNamespace"] = "golden"
	}
	placement := g.placement()
	if version == "v1" {
		g.gateV1(spec, sources)
		if len(sources) > 0 {
			spec["workloadSources"] = sources
		}
		if placement != nil {
			spec["deployment"] = map[string]any{"nodePlacements": map[string]any{"workload": placement}}
		}
	} else {
		maps.Copy(spec, sources)
		if gate := pick(g, "gate", option[any]{"on", true}, option[any]{"on", true}, option[any]{"off", false}, option[any]{"unset", nil}); gate != nil {
			spec["featureGates"] = map[string]any{"enableMultiArchBootImageImport": gate}
		}
		if placement != nil {
			spec["workloads"] = map[string]any{"nodePlacement": placement}
		}
	}
	return map[string]any{
		"apiVersion": "hco.kubevirt.io/" + version, "kind": "HyperConverged",
		"metadata": map[string]any{"name": "kubevirt-hyperconverged", "namespace": "kubevirt-hyperconverged"},
		"spec":     spec,
	}
}

func (g generator) gateV1(spec, sources map[string]any) {
	entry := func(name string, state any) []any {
		e := map[string]any{"name": name}
		if state != nil {
			e["state"] = state
		}
		return []any{e}
	}
	const name = "enableMultiArchBootImageImport"
	list := pick(g, "gate-list", option[[]any]{"none", nil}, option[[]any]{"none", nil}, option[[]any]{"enabled", entry(name, "Enabled")},
		option[[]any]{"no-state", entry(name, nil)}, option[[]any]{"disabled", entry(name, "Disabled")},
		option[[]any]{"other-case", entry("EnableMultiArchBootImageImport", "Enabled")})
	if list != nil {
		spec["featureGates"] = list
	}
	if field := pick(g, "gate-field", option[any]{"unset", nil}, option[any]{"on", true}, option[any]{"on", true}, option[any]{"off", false}); field != nil {
		sources[name] = field
	}
}

func (g generator) placement() map[string]any {
	requires := func(terms ...any) map[string]any {
		return map[string]any{"affinity": map[string]any{"nodeAffinity": map[string]any{
			"requiredDuringSchedulingIgnoredDuringExecution": map[string]any{"nodeSelectorTerms": terms},
		}}}
	}
	expression := func(key, operator string, values ...string) any {
		e := map[string]any{"key": key, "operator": operator}
		if len(values) > 0 {
			e["values"] = values
		}
		return map[string]any{"matchExpressions": []any{e}}
	}
	if !g.chance(35) {
		g.tag("placement:none")
		return nil
	}
	const archLabel = "kubernetes.io/arch"
	return pick(g, "placement",
		option[map[string]any]{"selector", map[string]any{"nodeSelector": map[string]any{archLabel: "amd64"}}},
		option[map[string]any]{"selector-none", map[string]any{"nodeSelector": map[string]any{"pool": "vms"}}},
		option[map[string]any]{"in", requires(expression(archLabel, "In", "arm64", "s390x"))},
		option[map[string]any]{"not-in", requires(expression(archLabel, "NotIn", "s390x", "ppc64le"))},
		option[map[string]any]{"exists", requires(expression("pool", "Exists"))},
		option[map[string]any]{"or", requires(expression("pool", "Exists"), expression(archLabel, "In", "amd64"))},
		option[map[string]any]{"gt", requires(expression("generation", "Gt", "9"))},
		option[map[string]any]{"empty-term", requires(map[string]any{})},
		option[map[string]any]{"invalid", requires(expression(archLabel, "Exists", "amd64"))},
		option[map[string]any]{"match-fields", requires(map[string]any{"matchFields": []any{
			map[string]any{"key": "metadata.name", "operator": "In", "values": []string{"worker-0"}},
		}})},
	)
}

func (g generator) nodes() []answers.Node {
	type shape struct {
		controlPlane, workers []string
		noRoles               bool
	}
	s := pick(g, "nodes",
		option[shape]{"amd64", shape{controlPlane: []string{"amd64"}, workers: []string{"amd64", "amd64"}}},
		option[shape]{"mixed", shape{controlPlane: []string{"amd64"}, workers: []string{"amd64", "arm64"}}},
		option[shape]{"mixed", shape{controlPlane: []string{"amd64"}, workers: []string{"amd64", "arm64"}}},
		option[shape]{"three", shape{controlPlane: []string{"amd64"}, workers: []string{"s390x", "arm64", "amd64"}}},
		option[shape]{"arm-workers", shape{controlPlane: []string{"amd64"}, workers: []string{"arm64", "arm64"}}},
		option[shape]{"s390x-control-plane", shape{controlPlane: []string{"s390x"}, workers: []string{"amd64", "arm64"}}},
		option[shape]{"mixed-control-plane", shape{controlPlane: []string{"arm64", "amd64"}, workers: []string{"arm64", "amd64", "arm64"}}},
		option[shape]{"ppc64le", shape{controlPlane: []string{"amd64"}, workers: []string{"amd64", "ppc64le"}}},
		option[shape]{"no-roles", shape{workers: []string{"amd64", "arm64"}, noRoles: true}},
		option[shape]{"empty-architecture", shape{controlPlane: []string{"amd64"}, workers: []string{"amd64", ""}}},
		option[shape]{"none", shape{}},
	)
	role := "worker"
	if s.noRoles {
		role = ""
	}
	return nodesOf(s.controlPlane, s.workers, role)
}

// nodesOf are nodes with labels that the placements select by.
func nodesOf(controlPlane, workers []string, workerRole string) []answers.Node {
	out := []answers.Node{}
	add := func(name, architecture, role string, i int) {
		var n answers.Node
		n.APIVersion, n.Kind, n.Metadata.Name = "v1", "Node", fmt.Sprintf("%s-%d", name, i)
		n.Metadata.Labels = map[string]string{"kubernetes.io/arch": architecture, "generation": fmt.Sprint(8 + 2*i)}
		if role != "" {
			n.Metadata.Labels["node-role.kubernetes.io/"+role] = ""
		}
		if i == 1 {
			n.Metadata.Labels["pool"] = "vms"
		}
		n.Status.NodeInfo.Architecture = architecture
		out = append(out, n)
	}
	for i, architecture := range controlPlane {
		add("control-plane", architecture, "control-plane", i)
	}
	for i, architecture := range workers {
		add("worker", architecture, workerRole, i)
	}
	return out
}

const (
	architecturesKey = "ssp.kubevirt.io/dict.architectures"
	enableKey        = "dataimportcrontemplate.kubevirt.io/enable"
	bindKey          = "cdi.kubevirt.io/storage.bind.immediate.requested"
)

// templates are up to four templates with names of their own.
func (g generator) templates() []any {
	var out []any
	used := map[string]bool{}
	for range g.IntN(5) {
		t := g.template(used)
		if t != nil {
			out = append(out, t)
		}
	}
	return out
}

func (g generator) template(used map[string]bool) map[string]any {
	type named struct{ template, source, url string }
	base := "docker://quay.io/containerdisks/"
	kind := "predefined"
	var name named
	if g.chance(45) {
		name = pick(g, "predefined",
			option[named]{"fedora", named{"fedora-image-cron", "fedora", base + "fedora:latest"}},
			option[named]{"centos-stream9", named{"centos-stream9-image-cron", "centos-stream9", base + "centos-stream:9"}},
			option[named]{"centos-stream10", named{"centos-stream10-image-cron", "centos-stream10", base + "centos-stream:10"}})
	} else {
		kind = "custom"
		name = pick(g, "custom",
			option[named]{"own", named{"golden", "golden", "docker://registry.example.com/golden:1"}},
			option[named]{"own", named{"zebra", "zebra", "docker://registry.example.com/zebra:1"}},
			option[named]{"bundle", named{"rhel9", "rhel9", "docker://registry.example.com/rhel9:1"}},
			option[named]{"bundle-one-architecture", named{"win2k22", "win2k22", "docker://registry.example.com/win:2022"}},
			option[named]{"shared", named{"another-golden", "golden", "docker://registry.example.com/golden:2"}},
			option[named]{"shared-with-predefined", named{"my-fedora", "fedora", "docker://registry.example.com/fedora:1"}},
			option[named]{"long", named{"a-template-whose-name-is-so-long-that-a-suffix-is-too-much", "long", "docker://registry.example.com/l:1"}})
	}
	if used[name.template] && !g.chance(10) {
		return nil
	}
	if used[name.template] {
		g.tag("duplicate-name")
	}
	used[name.template] = true
	metadata := map[string]any{"name": name.template}
	annotations := g.annotations()
	if len(annotations) > 0 {
		metadata["annotations"] = annotations
	}
	if g.chance(15) {
		g.tag("labels")
		metadata["labels"] = map[string]any{"instancetype.kubevirt.io/default-preference": "fedora", "team": "platform"}
	}
	if g.chance(8) {
		g.tag("own-namespace")
		metadata["namespace"] = "team-images"
	}
	out := map[string]any{"metadata": metadata}
	if annotations[enableKey] == "false" && g.chance(70) {
		g.tag("disabled-without-spec")
		return out
	}
	out["spec"] = g.spec(kind, name.source, name.url)
	return out
}

func (g generator) annotations() map[string]any {
	out := map[string]any{}
	if g.chance(75) {
		out[architecturesKey] = pick(g, "declared",
			option[string]{"two", "amd64,arm64"}, option[string]{"two", "amd64,arm64"}, option[string]{"three", "amd64,arm64,s390x"},
			option[string]{"arm64", "arm64"}, option[string]{"amd64", "amd64"}, option[string]{"blanks", "amd64, arm64"},
			option[string]{"s390x", "s390x"}, option[string]{"alias", "x86_64,aarch64"}, option[string]{"empty", ""},
			option[string]{"repeated", "arm64,amd64,arm64,"}, option[string]{"unknown", "riscv64,amd64"})
	} else {
		g.tag("declared:missing")
	}
	if g.chance(20) {
		out[enableKey] = pick(g, "enable", option[string]{"false", "false"}, option[string]{"false", "false"}, option[string]{"true", "TRUE"},
			option[string]{"invalid", "yes"})
	}
	if g.chance(15) {
		out[bindKey] = pick(g, "bind", option[string]{"true", "true"}, option[string]{"false", "false"})
	}
	return out
}

func (g generator) spec(kind, source, url string) map[string]any {
	registry := map[string]any{"url": url}
	image := map[string]any{"registry": registry}
	switch {
	case kind == "predefined" && g.chance(40):
		g.tag("source:changed")
		registry["url"] = "docker://mirror.example.com/" + source + ":1"
	case g.chance(15):
		g.tag("source:node-pull")
		registry["pullMethod"] = "node"
	case g.chance(10):
		g.tag("source:image-stream")
		delete(registry, "url")
		registry["imageStream"], registry["pullMethod"] = source+"-guest", "node"
	case g.chance(8):
		g.tag("source:http")
		image = map[string]any{"http": map[string]any{"url": "https://example.com/disk.qcow2"}}
	case g.chance(8): // each draws anew
		g.tag("source:platform")
		registry["platform"] = map[string]any{"architecture": "s390x"}
	}
	out := map[string]any{
		"managedDataSource": source,
		"schedule": pick(g, "cron", option[string]{"plain", "0 */12 * * *"}, option[string]{"plain", "30 2 * * 1"},
			option[string]{"empty", ""}, option[string]{"invalid", "often"}),
		"template": map[string]any{"spec": map[string]any{
			"source":  image,
			"storage": map[string]any{"resources": map[string]any{"requests": map[string]any{"storage": "10Gi"}}},
		}},
	}
	if g.chance(40) {
		out["retentionPolicy"] = pick(g, "retention", option[string]{"None", "None"}, option[string]{"All", "All"})
	}
	if g.chance(25) {
		out["importsToKeep"] = pick(g, "keep", option[int]{"1", 1}, option[int]{"5", 5}, option[int]{"negative", -1})
	}
	if g.chance(25) {
		out["garbageCollect"] = pick(g, "garbage", option[string]{"Outdated", "Outdated"}, option[string]{"Never", "Never"})
	}
	return out
}
