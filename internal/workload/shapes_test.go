package workload

import (
	"cmp"
	"fmt"
	"strings"
	"testing"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/workload/podspec"
	"github.com/goldenarch/goldenarch/test/filetest"
)

// shapes are what an admin may write beside the constraint of an operator, with the lines
// that decide what becomes of a node affinity in the ClusterServiceVersion: of OLM v0
// inject.go at 992bb097, and of OLM v1 generators.go at df2c201d.
var shapes = []struct{ config, v0, v1 string }{
	{"tolerations: [{operator: Exists}]", "inject.go:290", "generators.go:828"},
	{"resources: {}", "inject.go:290", "generators.go:828"},
	{"affinity: null", "inject.go:290", "generators.go:828"},
	{"affinity: {}", "inject.go:306", "generators.go:841"},
	{"affinity: {nodeAffinity: null}", "inject.go:306", "generators.go:841"},
	{"affinity: {nodeAffinity: {}}", "inject.go:312", "generators.go:852"},
	{"affinity: {nodeAffinity: {preferred: []}}", "inject.go:315", "generators.go:852"},
	{"affinity: {nodeAffinity: {preferred: [PREFERENCE]}}", "inject.go:315", "generators.go:855"},
	{"affinity: {nodeAffinity: {required: {nodeSelectorTerms: []}}}", "inject.go:315", "generators.go:852"},
	{"affinity: {nodeAffinity: {required: {nodeSelectorTerms: [INFRA]}}}", "inject.go:315", "generators.go:855"},
	{"affinity: {nodeAffinity: {required: {nodeSelectorTerms: [AMD64]}}}", "inject.go:315", "generators.go:855"},
	{"affinity: {nodeAffinity: {required: {nodeSelectorTerms: [AMD64, INFRA]}}}", "inject.go:315", "generators.go:855"},
	{"affinity: {podAffinity: {}}", "inject.go:320", "generators.go:860"},
	{"affinity: {podAffinity: {preferred: []}}", "inject.go:323", "generators.go:860"},
	{"affinity: {podAntiAffinity: {}}", "inject.go:328", "generators.go:868"},
	{"affinity: {podAntiAffinity: {preferred: []}}", "inject.go:331", "generators.go:868"},
	{"affinity: {nodeAffinity: {required: {nodeSelectorTerms: [AMD64]}}, podAntiAffinity: {}}", "inject.go:328", "generators.go:855"},
	{"nodeSelector: null", "inject.go:266", "generators.go:772"},
	{"nodeSelector: {}", "inject.go:266", "generators.go:772"},
	{"nodeSelector: {infra: \"\"}", "inject.go:266", "generators.go:772"},
	{"nodeSelector: {kubernetes.io/arch: amd64}", "inject.go:266", "generators.go:772"},
	{"nodeSelector: {}, affinity: {}", "inject.go:306", "generators.go:841"},
}

// shapeWords shortens the shapes.
var shapeWords = strings.NewReplacer(
	"preferred:", "preferredDuringSchedulingIgnoredDuringExecution:", "required:", "requiredDuringSchedulingIgnoredDuringExecution:",
	"PREFERENCE", "{weight: 1, preference: {matchExpressions: [{key: disk, operator: Exists}]}}",
	"INFRA", "{matchExpressions: [{key: infra, operator: Exists}]}",
	"AMD64", "{matchExpressions: [{key: kubernetes.io/arch, operator: In, values: [amd64]}]}",
)

// shapeFindings returns what a check says about a shape: of an operator that lacks an
// architecture of the nodes, of one of which nothing is known, also without nodes, and of one
// that has all.
func shapeFindings(t *testing.T, object string, by v1alpha1.OperatorConstraint) string {
	t.Helper()
	var out []string
	for _, s := range []struct{ has, nodes string }{{"amd64", "amd64,arm64"}, {"", ""}, {"amd64,arm64", "amd64,arm64"}} {
		r := Run{Spec: v1alpha1.WorkloadArchitecturesSpec{Mode: v1alpha1.WorkloadsCheck}, Nodes: NodesOf(named(s.nodes)), Answers: map[string]Answer{}}
		if s.has != "" {
			r.Operators = []v1alpha1.LockedOperator{{
				Package: "acme", CSV: "acme.v1", Architectures: named(s.has).Strings(), ConstrainedBy: []v1alpha1.OperatorConstraint{by},
			}}
		}
		_, found := treated(t, r, object)
		out = append(out, shown(found))
	}
	return strings.Join(out, " / ")
}

func shown(found finding.List) string {
	var out []string
	for _, f := range found {
		out = append(out, fmt.Sprintf("%s %s", f.Severity, f.ID.Public()))
	}
	if len(out) == 0 {
		return "-"
	}
	return strings.Join(out, ", ")
}

// TestShapesOfOverrides goes through the shapes of spec.config and deploymentConfig. The
// table that it makes is in docs/dev/olm.md.
func TestShapesOfOverrides(t *testing.T) {
	t.Parallel()
	const v0 = "apiVersion: operators.coreos.com/v1alpha1\nkind: Subscription\nmetadata: {name: s}\nspec: {name: acme, config: {%s}}\n"
	const v1 = "apiVersion: olm.operatorframework.io/v1\nkind: ClusterExtension\nmetadata: {name: s}\n" +
		"spec: {source: {catalog: {packageName: acme}}, config: {configType: Inline, inline: {deploymentConfig: {%s}}}}\n"
	var rows []string
	configs := map[string][]string{}
	var b strings.Builder
	b.WriteString("| written by the admin | OLM v0 keeps | Affinity | NodeSelector | OLM v1 keeps | Affinity | NodeSelector |\n" +
		"|---|---|---|---|---|---|---|\n")
	for _, s := range shapes {
		var row []string
		for _, olm := range []struct{ template, line string }{{v0, s.v0}, {v1, s.v1}} {
			text := fmt.Sprintf(olm.template, shapeWords.Replace(s.config))
			node, err := yaml.Parse(text)
			if err != nil {
				t.Fatalf("%s: %v", text, err)
			}
			list := objectsIn(node)
			row = append(row, fate(&pod{Place: podspec.Places(list[0], podspec.Options{})[0]})+" ("+olm.line+")",
				inShort(shapeFindings(t, text, v1alpha1.ConstrainedByAffinity)), inShort(shapeFindings(t, text, v1alpha1.ConstrainedByNodeSelector)))
		}
		cells := strings.Join(row, " | ")
		if configs[cells] == nil {
			rows = append(rows, cells)
		}
		configs[cells] = append(configs[cells], "`"+s.config+"`")
	}
	for _, row := range rows {
		b.WriteString("| " + strings.Join(configs[row], "; ") + " | " + row + " |\n")
	}
	filetest.Part(t, "../../docs/dev/olm.md", "shapes", b.String(), *update)
}

// fate says which constraints of an operator are left.
func fate(p *pod) string {
	var out []string
	for _, by := range []v1alpha1.OperatorConstraint{v1alpha1.ConstrainedByAffinity, v1alpha1.ConstrainedByNodeSelector} {
		if keeps(p.olm().apply(brought(by), p.configured())) {
			out = append(out, string(by))
		}
	}
	if len(out) == 0 {
		return "nothing"
	}
	return strings.Join(out, ", ")
}

// inShort returns the findings of the three cases in the words that the page explains.
func inShort(findings string) string {
	words := map[string]string{
		"- / - / -": "-",
		"error GA711 / warning GA711 / info GA711": "lost",
		"info GA711 / warning GA711 / info GA711":  "not lost",
		"error GA711 / warning GA730 / info GA711": "replaced",
		"- / warning GA730 / -":                    "beside",
		"- / warning GA711 / -":                    "unknown",
	}
	return cmp.Or(words[findings], findings)
}
