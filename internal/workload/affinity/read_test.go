package affinity

import (
	"fmt"
	"strings"
	"testing"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/yaml/yamlnode"
)

// TestReadAsTheAPIServer: values are what the API server takes them for, and its keys are exact.
func TestReadAsTheAPIServer(t *testing.T) {
	t.Parallel()
	const required = "affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [%s]}}}"
	term := func(text string) string { return fmt.Sprintf(required, text) }
	for _, tc := range []struct{ reason, text, want string }{
		{"a date is a text", "nodeSelector: {built: 2020-01-01}", "map[built:2020-01-01] [] []"},
		{"with a time, too", "nodeSelector: {built: 2020-01-01 10:00:00}", "map[built:2020-01-01 10:00:00] [] []"},
		{"also in a term", term("{matchExpressions: [{key: built, operator: In, values: [2020-01-01]}]}"), "map[] [built In [2020-01-01]] []"},
		{"an anchor of a date", "x: &d 2020-01-01\nnodeSelector: {built: *d}", "map[built:2020-01-01] [] []"},
		{"a key that is a number", "nodeSelector: {1: a}", "map[1:a] [] []"},
		{"a key that is a Boolean", "nodeSelector: {true: a}", "map[true:a] [] []"},
		{"a merge key is none", "x: &x {a: b}\nnodeSelector: {<<: *x, 1: c}", "map[1:c a:b] [] []"},
		{"a number is no text", "nodeSelector: {a: 1}", "map[] [] [{nodeSelector[a] is the number 1, expected a string write it in quotes 1}]"},
		{"a Boolean is no text", "nodeSelector: {a: TRUE}", "map[] [] [{nodeSelector[a] is the bool true, expected a string write it in quotes: \"true\" true}]"},
		{"nor is a Boolean of YAML 1.1", "nodeSelector: {a: yes}", "map[] [] [{nodeSelector[a] is the bool true, expected a string write it in quotes: \"true\" true}]"},
		{
			"a key in other letters is another key",
			strings.Replace(term("{matchExpressions: [{key: a, operator: Exists}]}"), "nodeAffinity", "nodeaffinity", 1), "map[] [] []",
		},
		{"also in an expression", term("{matchFields: [], MatchExpressions: [{key: a, operator: Exists}]}"), "map[] [] []"},
	} {
		spec := yaml.MustParse(tc.text).YNode()
		before := yamlnode.Copy(spec)
		c, faults := Read(spec)
		var expressions []string
		if c.Required != nil {
			for _, term := range c.Required.NodeSelectorTerms {
				for _, e := range term.MatchExpressions {
					expressions = append(expressions, fmt.Sprintf("%s %s %s", e.Key, e.Operator, e.Values))
				}
			}
		}
		if len(faults) > 0 {
			c.NodeSelector = nil
		}
		if got := fmt.Sprint(c.NodeSelector, expressions, faults); got != tc.want {
			t.Errorf("%s: want %s, got %s", tc.reason, tc.want, got)
		}
		if !yamlnode.Same(before, spec) {
			t.Errorf("%s: reading changed the PodSpec", tc.reason)
		}
	}
}
