package fn_test

import (
	"strings"

	"pgregory.net/rapid"

	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
)

// The names of random templates: of the upstream table, of OpenShift's, and
// custom ones.
var templateNames = []string{
	"fedora-image-cron", "centos-stream9-image-cron", "rhel9-image-cron", "app", "tools", "legacy",
}

// drawTemplate draws an entry of the CR's list.
func drawTemplate(t *rapid.T, name string) map[string]any {
	metadata := map[string]any{"name": name}
	entry := map[string]any{"metadata": metadata}
	if notes := drawAnnotations(t); len(notes) > 0 {
		metadata["annotations"] = notes
	}
	if notes, _ := metadata["annotations"].(map[string]any); notes[hyperconverged.DisabledAnnotation] != nil &&
		notes[hyperconverged.EnableAnnotation] == "false" && rapid.Bool().Draw(t, "a stub") {
		return entry
	}
	spec := map[string]any{
		"managedDataSource": strings.TrimSuffix(name, "-image-cron"), "schedule": "0 */12 * * *",
		"template": map[string]any{"spec": map[string]any{
			"source": drawSource(t), "storage": map[string]any{"resources": map[string]any{"requests": map[string]any{"storage": "10Gi"}}},
		}},
	}
	if rapid.IntRange(0, 4).Draw(t, "retention") == 0 {
		spec["retentionPolicy"] = "All"
	}
	entry["spec"] = spec
	return entry
}

func drawSource(t *rapid.T) map[string]any {
	switch rapid.IntRange(0, 19).Draw(t, "source") {
	case 19:
		return nil // a CR that HCO refuses, or panics on
	case 0:
		return map[string]any{"http": map[string]any{"url": "https://example.com/disk.qcow2"}}
	case 1:
		return map[string]any{"pvc": map[string]any{"name": "disk", "namespace": "images"}}
	case 2:
		return map[string]any{"registry": map[string]any{"url": "oci-archive://disk.tar"}}
	default:
		registry := map[string]any{"url": one(t, "url", urls...)}
		if rapid.IntRange(0, 4).Draw(t, "pull method") == 0 {
			registry["pullMethod"] = "node"
		}
		return map[string]any{"registry": registry}
	}
}

// drawAnnotations draws a claim, goldenarch's marks and the switch, in all
// combinations, also in those that only people make.
func drawAnnotations(t *rapid.T) map[string]any {
	notes := map[string]any{}
	if rapid.IntRange(0, 2).Draw(t, "claimed") > 0 {
		claim := drawClaim(t)
		notes[hyperconverged.ClaimAnnotation] = claim
		if rapid.IntRange(0, 2).Draw(t, "marked") == 0 {
			notes[hyperconverged.WrittenAnnotation] = claim
		}
	}
	if rapid.IntRange(0, 9).Draw(t, "other mark") == 0 {
		notes[hyperconverged.WrittenAnnotation] = drawClaim(t)
	}
	switch rapid.IntRange(0, 9).Draw(t, "switch") {
	case 0:
		notes[hyperconverged.EnableAnnotation] = one(t, "enable", "true", "TRUE", "false", "False")
	case 1, 2:
		notes[hyperconverged.EnableAnnotation] = "false"
		notes[hyperconverged.DisabledAnnotation] = one(t, "because", hyperconverged.NoSupportedArchitecture, hyperconverged.DisabledByExpansion)
	case 3:
		notes[hyperconverged.DisabledAnnotation] = hyperconverged.NoSupportedArchitecture
	}
	if rapid.IntRange(0, 3).Draw(t, "bind") == 0 {
		notes[hyperconverged.BindAnnotation] = one(t, "bind value", "true", "false")
	}
	return notes
}

// drawClaim draws a claim as people write them.
func drawClaim(t *rapid.T) string {
	var b strings.Builder
	for i := range rapid.IntRange(0, 4).Draw(t, "parts") {
		if i > 0 {
			b.WriteString(one(t, "separator", ",", ",", ",", ", ", " ,", ";", " ", ",\n"))
		}
		b.WriteString(one(t, "part", "amd64", "amd64", "arm64", "arm64", "s390x", "s390x", "ppc64le",
			"AMD64", "x86_64", "aarch64", "linux/arm64", "arm64/v8", "vax", "", " "))
	}
	return b.String()
}
