package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/goldenarch/goldenarch/test/answers"
)

// unusual draws what a person may write and the stored cases do not have: odd texts, names, sources and
// labels. It changes the templates, the metadata and the nodes of a generated case.
type unusual struct{ *rand.Rand }

func (u unusual) chance(percent int) bool { return u.IntN(100) < percent }

func one[T any](u unusual, list ...T) T { return list[u.IntN(len(list))] }

// part returns the object at a path; nil if there is none.
func part(value any, path ...string) map[string]any {
	out, _ := value.(map[string]any)
	for _, key := range path {
		out, _ = out[key].(map[string]any)
	}
	return out
}

// addUnusual makes some parts of a case unusual.
func addUnusual(c *answers.Case, seed uint64, n int) error {
	u := unusual{rand.New(rand.NewPCG(^seed, uint64(n)))} //nolint:gosec // the number of a case is not negative
	step := &c.Input.Steps[0]
	var cr map[string]any
	if err := json.Unmarshal(step.HyperConverged, &cr); err != nil {
		return fmt.Errorf("cannot read the CR: %w", err)
	}
	metadata, _ := cr["metadata"].(map[string]any)
	spec, _ := cr["spec"].(map[string]any)
	isV1 := strings.HasSuffix(fmt.Sprint(cr["apiVersion"]), "/v1")
	sources := spec
	if isV1 {
		sources, _ = spec["workloadSources"].(map[string]any)
	}
	if list, ok := sources["dataImportCronTemplates"].([]any); ok {
		for i, t := range list {
			list[i] = u.template(part(t))
		}
		if u.chance(4) {
			list = append(list, u.entry())
		}
		if u.chance(20) { // the same DataSource with an architecture in the name, or in another template
			copied := copyOf(part(list[u.IntN(len(list))]))
			if metadata := part(copied, "metadata"); metadata != nil {
				metadata["name"] = fmt.Sprint(metadata["name"], one(u, "-amd64", "-2", "a"))
				list = append(list, copied)
			}
		}
		sources["dataImportCronTemplates"] = list
	}
	if sources != nil && u.chance(10) {
		sources["commonTemplatesNamespace"] = one(u, "openshift", "mine")
	}
	if sources != nil && u.chance(10) {
		sources["commonBootImageNamespace"] = one(u, "", "kubevirt-os-images", "Golden", "golden")
	}
	if u.chance(8) {
		place := spec
		if isV1 {
			place = map[string]any{}
			spec["virtualization"] = place
		}
		place["defaultCPUModel"] = "Haswell"
		place["evictionStrategy"] = one(u, "None", "LiveMigrate", "External")
	}
	if u.chance(12) {
		metadata["annotations"] = map[string]any{"hco.kubevirt.io/v1-only-fields": one(
			u, `{"multiArchEnabled":true}`, `{"multiArchEnabled":false}`, `{"multiArchEnabled":null}`, `{"MultiArchEnabled":true}`, `{}`, ``, `null`,
			`{"featureGates":[{"name":"enableMultiArchBootImageImport"}]}`, `{"featureGates":[{"name":"template","state":"Disabled"}]}`,
			`{"featureGates":[{"name":"ENABLEMULTIARCHBOOTIMAGEIMPORT","state":"Disabled"}]}`,
		)}
	}
	if u.chance(6) {
		u.place(spec, isV1)
	}
	step.Nodes = u.nodes(step.Nodes)
	var err error
	if step.HyperConverged, err = json.Marshal(cr); err != nil {
		return fmt.Errorf("cannot write the CR: %w", err)
	}
	return nil
}

// place adds a placement of workloads or of the infrastructure that is empty in some way.
func (u unusual) place(spec map[string]any, isV1 bool) {
	affinity := func(key string, value any) map[string]any {
		return map[string]any{"affinity": map[string]any{"nodeAffinity": map[string]any{key: value}}}
	}
	placement := one(
		u, map[string]any{}, map[string]any{"nodeSelector": map[string]any{}}, map[string]any{"nodeSelector": map[string]any{"kubernetes.io/os": "linux"}},
		map[string]any{"tolerations": []any{map[string]any{"operator": "Exists"}}},
		affinity("preferredDuringSchedulingIgnoredDuringExecution", []any{}),
		affinity("requiredDuringSchedulingIgnoredDuringExecution", map[string]any{"nodeSelectorTerms": []any{}}),
	)
	if isV1 {
		spec["deployment"] = map[string]any{"nodePlacements": map[string]any{one(u, "workload", "infra"): placement}}
	} else {
		spec[one(u, "workloads", "infra")] = map[string]any{"nodePlacement": placement}
	}
}

// copyOf returns a deep copy of an object.
func copyOf(value map[string]any) map[string]any {
	out := maps.Clone(value)
	for key, below := range out {
		out[key] = copyOfValue(below)
	}
	return out
}

func copyOfValue(value any) any {
	switch value := value.(type) {
	case map[string]any:
		return copyOf(value)
	case []any:
		out := slices.Clone(value)
		for i, element := range out {
			out[i] = copyOfValue(element)
		}
		return out
	default:
		return value
	}
}

// entry is an element of the list that is hardly a template.
func (u unusual) entry() any {
	return one[any](u, map[string]any{}, map[string]any{"metadata": map[string]any{}}, map[string]any{"metadata": map[string]any{"name": ""}},
		map[string]any{"spec": map[string]any{}}, map[string]any{"metadata": map[string]any{"name": "bare"}, "spec": nil}, nil,
		map[string]any{"metadata": map[string]any{"name": "off", "annotations": map[string]any{enableKey: "False"}}, "spec": map[string]any{}})
}

func (u unusual) claim() string {
	return one(
		u, " amd64", "amd64 ", "amd64\t,arm64", "amd64,\tarm64", "amd64,,arm64", ",amd64", "amd64,amd64", "AMD64,arm64", "amd64;arm64", "amd64\narm64",
		"amd64,arm64\n", "linux/amd64,arm64", "arm64/v8,amd64", "\uff41md64,arm64", "\u00a0amd64,arm64", "riscv64", "ppc64le,s390x", ",", " ", "\t",
		"amd64, ,arm64", "arm64 ,amd64", "x86_64", "amd64,arm64,s390x,ppc64le", "s390x,arm64,amd64", "\"amd64\"", "[amd64,arm64]", "amd64 arm64",
	)
}

func (u unusual) template(t map[string]any) any {
	metadata, _ := t["metadata"].(map[string]any)
	annotations, _ := metadata["annotations"].(map[string]any)
	if annotations == nil {
		annotations = map[string]any{}
	} else {
		annotations = maps.Clone(annotations)
	}
	if u.chance(35) {
		annotations[architecturesKey] = u.claim()
	}
	if u.chance(6) {
		annotations[enableKey] = one(u, "", "False", " true", "True", "false ", "0")
	}
	if u.chance(5) {
		annotations[bindKey] = ""
	}
	if u.chance(8) {
		annotations[one(u, "team", "cdi.kubevirt.io/storage.import.sourceDesiredDigest")] = "x"
	}
	if len(annotations) > 0 {
		metadata["annotations"] = annotations
	}
	if u.chance(12) {
		metadata["name"] = one(
			u, "", "A_b!", "Fedora-image-cron", "fedora-image-cron ", "zebra-amd64", "golden-arm64", "centos-stream9-image-cron", "n\u00e4me", "a.b.c", "zzz",
			strings.Repeat("n", 57), strings.Repeat("n", 58), strings.Repeat("n", 63), strings.Repeat("n", 64),
		)
	}
	if u.chance(10) {
		metadata["namespace"] = one(u, "kubevirt-os-images", "", "Team", "other")
	}
	if u.chance(10) {
		label := one(
			u, "template.kubevirt.io/architecture", "cdi.kubevirt.io/storage.import.datasource-name", "cdi.kubevirt.io/dataImportCron",
			"cdi.kubevirt.io/dataImportCron.cleanup", "kubevirt.io/dynamic-credentials-support", "a-b.kubevirt.io/x",
			"instancetype.kubevirt.io/default-preference-kind", "kubevirt.io/a b",
		)
		metadata["labels"] = map[string]any{label: one(u, "amd64", "x", "true", "")}
	}
	if u.chance(5) {
		metadata["finalizers"] = []any{"example.com/x"}
	}
	if spec, ok := t["spec"].(map[string]any); ok {
		u.spec(spec)
	}
	switch u.IntN(50) {
	case 0:
		t["spec"] = nil
	case 1:
		delete(t, "spec")
	case 2:
		delete(t, "metadata")
	}
	return t
}

func (u unusual) spec(spec map[string]any) {
	if u.chance(15) {
		spec["managedDataSource"] = one(
			u, "", "fedora", "fedora-amd64", "rhel9-arm64", "rhel10", "Golden", "g_o", "rhel8", "win11", "golden-arm64", "centos-stream10", "a.b",
			strings.Repeat("d", 57), strings.Repeat("d", 58), strings.Repeat("d", 63), strings.Repeat("d", 64),
		)
	}
	if u.chance(12) {
		spec["schedule"] = one(
			u, "@daily", "* * * * * *", "@every 1h", "CRON_TZ=UTC 0 0 * * *", "TZ=Nowhere 0 0 * * *", "0 0 31 2 *", "60 * * * *", " 0 0 * * *", "0 0 * * 7",
			"@yearly ", "\t", "0 0 * * SUN", "*/0 * * * *", "0 0 L * *", "@reboot", "@every x",
		)
	}
	if u.chance(6) {
		spec["garbageCollect"] = one(u, "", "never", "Never")
	}
	if u.chance(6) {
		spec["retentionPolicy"] = one(u, "", "none", "All")
	}
	if u.chance(6) {
		spec["importsToKeep"] = one[any](u, 0, 1000000, 2147483647, nil)
	}
	if u.chance(3) {
		delete(spec, one(u, "managedDataSource", "schedule", "template"))
	}
	if u.chance(4) {
		spec["serviceAccountName"] = one(u, "sa", "")
	}
	template, _ := spec["template"].(map[string]any)
	inner, _ := template["spec"].(map[string]any)
	if inner == nil {
		return
	}
	if u.chance(5) {
		template["metadata"] = map[string]any{"name": "x", "labels": map[string]any{"a": "b"}}
	}
	if u.chance(25) {
		switch source := u.source(); {
		case source == nil:
			delete(inner, "source")
		default:
			inner["source"] = source
		}
	}
	if u.chance(12) {
		u.storage(inner)
	}
	if u.chance(4) {
		field := one(u, "contentType", "priorityClassName", "sourceRef", "checkpoints", "finalCheckpoint", "preallocation", "serviceAccountName")
		inner[field] = one[any](u, "kubevirt", "archive", "", true, map[string]any{"kind": "DataSource", "name": "x"}, []any{})
	}
	if u.chance(3) {
		delete(template, "spec")
	}
}

func (u unusual) source() any {
	type fields = map[string]any
	registry := func(more ...any) any {
		out := fields{}
		for pair := range slices.Chunk(more, 2) {
			out[fmt.Sprint(pair[0])] = pair[1]
		}
		return fields{"registry": out}
	}
	claim := fields{"name": "p", "namespace": "n"}
	return one[any](
		u, nil, fields{}, registry(), fields{"registry": nil},
		registry("url", one(
			u, "", "docker://", "DOCKER://x/y", "docker:x", "oci-archive:///x.tar", "https://x/y", "quay.io/x/y", "docker://x/y@sha256:abc", "docker://x:5000/y:1",
			"docker://[::1]:5000/y", "docker://x/%zz", " docker://x/y", "docker://x/y:1 ",
		)),
		registry("url", one(u, "docker://quay.io/containerdisks/fedora:latest", "docker://quay.io/containerdisks/centos-stream:9")),
		registry("imageStream", ""), registry("imageStream", one(u, "rhel9", "rhel9:1", "rhel9:"), "pullMethod", "node"),
		registry("imageStream", "rhel9", "url", "docker://x/y", "pullMethod", "node"),
		registry("url", "docker://x/y", "pullMethod", one(u, "", "Node", "pod")),
		registry("url", "docker://x/y", "platform", fields{"architecture": one(u, "", "arm64", "x86_64")}), registry("url", "docker://x/y", "platform", fields{}),
		registry("url", "docker://quay.io/containerdisks/fedora:latest", "secretRef", "s"),
		fields{"pvc": claim}, fields{"pvc": fields{"name": "p"}}, fields{"pvc": claim, "registry": fields{"url": "docker://x/y"}},
		fields{"snapshot": claim}, fields{"blank": fields{}}, fields{"upload": fields{}},
		fields{"http": fields{"url": "https://x/y"}, "registry": fields{"url": "docker://x/y"}},
	)
}

func (u unusual) storage(inner map[string]any) {
	size := func(text any) map[string]any {
		return map[string]any{"resources": map[string]any{"requests": map[string]any{"storage": text}}}
	}
	claim := size("1Gi")
	claim["accessModes"] = one[any](u, []any{"ReadWriteOnce"}, []any{"ReadWriteOnce", "ReadWriteMany"}, []any{})
	switch u.IntN(6) {
	case 0:
		delete(inner, "storage")
	case 1:
		inner["storage"] = map[string]any{}
	case 2:
		delete(inner, "storage")
		inner["pvc"] = claim
	case 3:
		inner["pvc"] = claim
	case 4:
		inner["storage"] = map[string]any{"storageClassName": one(u, "", "gold"), "volumeMode": "Block"}
	default:
		inner["storage"] = size(one[any](
			u, "0", "1Ki", "10G", "1e9", "10240Mi", "1048575", "1048576", "-1", 5, 1e10, "1.5Gi", "010Gi", "0.0001Mi",
		))
	}
}

func (u unusual) nodes(list []answers.Node) []answers.Node {
	out := slices.Clone(list)
	for i := range out {
		labels := maps.Clone(out[i].Metadata.Labels)
		switch u.IntN(25) {
		case 0:
			labels["node-role.kubernetes.io/master"] = "false"
		case 1:
			labels["node-role.kubernetes.io/worker"] = "false"
		case 2:
			labels["node-role.kubernetes.io/control-plane"] = ""
		case 3:
			delete(labels, "kubernetes.io/arch")
		case 4:
			labels["kubernetes.io/arch"] = "s390x"
		case 5:
			labels = nil
		case 6:
			labels["node-role.kubevirt.io/control-plane"] = ""
		case 7:
			out[i].Status.NodeInfo.Architecture = one(u, "riscv64", "AMD64", "", "s390x", "loong64")
		case 8:
			labels["kubernetes.io/os"] = "linux"
		case 9:
			labels["generation"] = one(u, "x9", "010", "-1", "9223372036854775808", "")
		case 10:
			labels["node-role.kubernetes.io/arbiter"] = ""
		}
		out[i].Metadata.Labels = labels
	}
	return out
}
