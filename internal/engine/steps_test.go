package engine_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/engine"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/images/imageref"
	"github.com/goldenarch/goldenarch/internal/images/registry"
)

const stepPod = "---\napiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec: {containers: [{name: c, image: quay.io/acme/guest:1}]}\n"

// twoArchitectures counts queries, and answers that each image has two architectures.
type twoArchitectures struct{ count }

func (r *twoArchitectures) Resolve(ctx context.Context, ref imageref.Reference) (registry.Image, error) {
	image, err := r.count.Resolve(ctx, ref)
	image.Platforms = arch.Platforms{{OS: "linux", Architecture: "amd64"}, {OS: "linux", Architecture: "arm64"}}
	image.MediaType = "application/vnd.oci.image.index.v1+json"
	return image, err
}

// listed returns a step with a configuration that a host lists.
func listed(kind, name, spec string) engine.Step {
	text := "{apiVersion: goldenarch.dev/v1alpha1, kind: " + kind + ", metadata: {name: " + name + "}, spec: " + spec + "}"
	return engine.Step{Config: yaml.MustParse(text), Listed: true}
}

// TestStepsAskOnce: all steps of a run query an image once, unless they query in other ways.
func TestStepsAskOnce(t *testing.T) {
	t.Parallel()
	const nodes = "cluster: {workloadArchitectures: [amd64, arm64], controlPlaneArchitectures: [amd64]}, release: '1.19', predefined: none"
	for name, tc := range map[string]struct {
		reason string
		steps  []engine.Step
		want   int
	}{
		"Both": {"of a CR and of pods", []engine.Step{listed("GoldenImages", "g", "{"+nodes+"}"), listed("WorkloadArchitectures", "w", "{}")}, 1},
		"Check": {"by a step that only checks", []engine.Step{
			listed("GoldenImages", "g", "{"+nodes+"}"), listed("GoldenImages", "c", "{mode: Check, "+nodes+"}"),
		}, 1},
		"OtherRegistry": {"another way to query may give another answer", []engine.Step{
			listed("GoldenImages", "g", "{"+nodes+"}"), listed("WorkloadArchitectures", "w", "{registry: {verify: children}}"),
		}, 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			asked := &twoArchitectures{}
			function := engine.Function{Open: func(registry.Options) (registry.Resolver, error) { return asked, nil }}
			rendered, found := function.Render(t.Context(), readItems(t, templates("quay.io/acme/guest:1")+stepPod), tc.steps)
			if found.Failed() || len(rendered.Items) != 2 {
				t.Fatalf("%s: %d items\n%s", tc.reason, len(rendered.Items), found)
			}
			if len(asked.asked) != tc.want {
				t.Errorf("%s: want %d queries, got %q", tc.reason, tc.want, asked.asked)
			}
		})
	}
}

func hasFinding(list finding.List, id finding.ID) bool {
	return slices.ContainsFunc(list, func(f finding.Finding) bool { return f.ID == id })
}

// TestStepsOfCheckAndFix: a step that only checks judges what it receives, and changes nothing.
func TestStepsOfCheckAndFix(t *testing.T) {
	t.Parallel()
	const nodes = "cluster: {workloadArchitectures: [amd64, arm64], controlPlaneArchitectures: [amd64]}, release: '1.19', predefined: none"
	transform, narrow := listed("GoldenImages", "g", "{"+nodes+"}"), listed("GoldenImages", "c", "{mode: Check, allow: [amd64], "+nodes+"}")
	same := listed("GoldenImages", "s", "{mode: Check, "+nodes+"}")
	for name, tc := range map[string]struct {
		reason string
		steps  []engine.Step
		want   string // the declared architectures that fix writes; "" if the check fails
	}{
		"Transformer": {"alone", []engine.Step{transform}, "amd64,arm64"},
		"CheckAfter":  {"what it receives is right", []engine.Step{transform, same}, "amd64,arm64"},
		"CheckOther":  {"the operators would do something else with what it decides", []engine.Step{transform, narrow}, ""},
		"CheckBefore": {"what it receives is not right", []engine.Step{same, transform}, ""},
		"CheckAlone":  {"check and fix ignore the mode of the only one", []engine.Step{narrow}, "amd64"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			function := engine.Function{Open: func(registry.Options) (registry.Resolver, error) { return &twoArchitectures{}, nil }}
			input := func() []*yaml.RNode { return readItems(t, templates("quay.io/acme/guest:1")) }
			fixed, _, found := function.Fix(t.Context(), input(), tc.steps)
			text := strings.ReplaceAll(writeItems(t, fixed), "'", "")
			if tc.want == "" && (hasFinding(found, finding.DiffersAsCommitted) || hasFinding(found, finding.GateAlert)) {
				return
			}
			if found.Failed() || !strings.Contains(text, "dict.architectures: "+tc.want+", goldenarch.dev/claim") {
				t.Errorf("%s: want %s\n%s\n%s", tc.reason, tc.want, text, found)
			}
			checked := function.Check(t.Context(), input(), tc.steps)
			if !checked.Rendered || len(checked.Forecast) != 1 {
				t.Errorf("%s: want one forecast, got %d\n%s", tc.reason, len(checked.Forecast), checked.Findings)
			}
			if n := strings.Count(checked.Findings.String(), "GA107"); n < 1 || n > 2 {
				t.Errorf("%s: the report says once what render changes:\n%s", tc.reason, checked.Findings)
			}
		})
	}
}

// TestEmptyConfigMap: kpt passes an empty ConfigMap where nobody states a configuration, and the GoldenImages of the package counts.
func TestEmptyConfigMap(t *testing.T) {
	t.Parallel()
	const config = "---\napiVersion: goldenarch.dev/v1alpha1\nkind: GoldenImages\nmetadata: {name: g}\n" +
		"spec: {cluster: {workloadArchitectures: [amd64, arm64], controlPlaneArchitectures: [amd64]}, release: '1.19', predefined: none}\n"
	function := engine.Function{Open: func(registry.Options) (registry.Resolver, error) { return &twoArchitectures{}, nil }}
	for data, counts := range map[string]bool{"": true, "data: {}": true, "data: {release: '1.19'}": false} {
		given := yaml.MustParse("{apiVersion: v1, kind: ConfigMap, metadata: {name: function-input}, " + data + "}")
		_, found, _ := function.Process(t.Context(), readItems(t, templates("quay.io/acme/guest:1")+config), given)
		if found.Failed() == counts || hasFinding(found, finding.ConfigUnlisted) == counts {
			t.Errorf("%q: want the configuration to count: %t\n%s", data, counts, found)
		}
	}
}
