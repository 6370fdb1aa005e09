package fn_test

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
	"sigs.k8s.io/kustomize/kyaml/kio"
	"sigs.k8s.io/kustomize/kyaml/yaml"
	k8syaml "sigs.k8s.io/yaml"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
)

func toYAML(t *rapid.T, object map[string]any) string {
	data, err := k8syaml.Marshal(object)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func parse(t *rapid.T, text string) []*yaml.RNode {
	items, err := (&kio.ByteReader{Reader: strings.NewReader(text), OmitReaderAnnotations: true}).Read()
	if err != nil {
		t.Fatal(err)
	}
	return items
}

func format(t *rapid.T, items []*yaml.RNode) string {
	var out bytes.Buffer
	if err := (kio.ByteWriter{Writer: &out}).Write(items); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// normal is the text as kyaml writes it.
func normal(t *rapid.T, text string) string { return format(t, parse(t, text)) }

func decoded(t *rapid.T, text string) map[string]any {
	var object map[string]any
	if err := k8syaml.Unmarshal([]byte(text), &object); err != nil {
		t.Fatal(err)
	}
	return object
}

func modelOf(t *rapid.T, text string) *hyperconverged.CR {
	data, err := k8syaml.YAMLToJSON([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	cr, found := hyperconverged.Parse(data)
	if cr == nil {
		t.Fatalf("the CR cannot be read: %s\n%s", found, text)
	}
	return cr
}

func (d drawn) spec(t *rapid.T) v1alpha1.GoldenImagesSpec {
	config, err := v1alpha1.DecodeGoldenImages(decoded(t, toYAML(t, d.config)))
	if err != nil {
		t.Fatal(err)
	}
	return config.Spec
}

// onlyOurs: outside the claims, the switches, the gate, the placement and the
// defaults, nothing differs.
func (d drawn) onlyOurs(t *rapid.T, before, after string) {
	version := modelOf(t, before).Version
	a, b := decoded(t, before), decoded(t, after)
	withoutOurs(a, version, d.spec(t))
	withoutOurs(b, version, d.spec(t))
	if diff := cmp.Diff(a, b); diff != "" {
		t.Fatalf("something was changed that is not goldenarch's:\n%s", diff)
	}
}

// withoutOurs takes out of a CR what goldenarch may write.
func withoutOurs(cr map[string]any, version hyperconverged.Version, spec v1alpha1.GoldenImagesSpec) {
	paths := version.Paths()
	if metadata, ok := cr["metadata"].(map[string]any); ok {
		notes, _ := metadata["annotations"].(map[string]any)
		if len(notes) == 0 {
			delete(metadata, "annotations")
		}
	}
	parent := at(cr, paths.Templates[:len(paths.Templates)-1])
	var templates []any
	list, _ := parent["dataImportCronTemplates"].([]any)
	for _, entry := range list {
		template := entry.(map[string]any)
		metadata := template["metadata"].(map[string]any)
		notes, _ := metadata["annotations"].(map[string]any)
		if template["spec"] == nil && notes[hyperconverged.DisabledAnnotation] != nil {
			continue // only there to disable a predefined template
		}
		for _, key := range []string{
			hyperconverged.ClaimAnnotation, hyperconverged.WrittenAnnotation, hyperconverged.EnableAnnotation, hyperconverged.DisabledAnnotation,
		} {
			delete(notes, key)
		}
		withoutDefault(notes, hyperconverged.BindAnnotation, "true")
		if len(notes) == 0 {
			delete(metadata, "annotations")
		}
		if spec.Defaults == v1alpha1.DefaultsWrite {
			withoutDefault(template["spec"].(map[string]any), "retentionPolicy", "None")
			withoutDefault(template["spec"].(map[string]any), "importsToKeep", float64(1))
			withoutEmpty(template["spec"].(map[string]any)["template"], "metadata", "status")
		}
		templates = append(templates, template)
	}
	delete(parent, "dataImportCronTemplates")
	if templates != nil {
		parent["dataImportCronTemplates"] = templates
	}
	withoutGate(cr)
	if spec.SingleArchitecture != "" {
		delete(at(cr, paths.Workloads), "affinity")
	}
	prune(cr)
}

// withoutDefault takes out a field that has the value of HCO's webhook.
func withoutDefault(m map[string]any, key string, value any) {
	if m[key] == value {
		delete(m, key)
	}
}

// withoutEmpty takes out the empty objects that HCO leaves in a template.
func withoutEmpty(volume any, keys ...string) {
	m, _ := volume.(map[string]any)
	for _, key := range keys {
		if inner, ok := m[key].(map[string]any); ok && len(inner) == 0 {
			delete(m, key)
		}
	}
}

func withoutGate(cr map[string]any) {
	spec := at(cr, []string{"spec"})
	delete(at(spec, []string{"workloadSources"}), hyperconverged.GateName)
	switch gates := spec["featureGates"].(type) {
	case map[string]any:
		delete(gates, hyperconverged.GateName)
	case []any:
		var others []any
		for _, gate := range gates {
			if gate.(map[string]any)["name"] != hyperconverged.GateName {
				others = append(others, gate)
			}
		}
		spec["featureGates"] = others
	}
}

// at returns the mapping at a path, an empty one if there is none.
func at(tree map[string]any, path []string) map[string]any {
	for _, key := range path {
		below, _ := tree[key].(map[string]any)
		if below == nil {
			return map[string]any{}
		}
		tree = below
	}
	return tree
}

// prune takes out the mappings and lists that have nothing in them.
func prune(tree map[string]any) {
	for key, value := range tree {
		if below, ok := value.(map[string]any); ok {
			prune(below)
		}
		if data, _ := json.Marshal(tree[key]); string(data) == "{}" || string(data) == "[]" || string(data) == "null" {
			delete(tree, key)
		}
	}
}
