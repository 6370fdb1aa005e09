package transformers

import (
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/yaml/yamlnode"

	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
)

// Labels of nodes.
const (
	archLabel   = arch.Label
	workerLabel = "node-role.kubernetes.io/worker"
)

// restrictPlacement restricts the workload placement to nodes of one architecture. HCO
// ORs the terms of a required node affinity and ANDs the expressions of a term, so
// every term needs the requirement. A separate term would admit nodes that the others
// exclude. An empty term matches no node and stays unchanged: with an expression it
// would match some.
func restrictPlacement(cr *yaml.RNode, path hyperconverged.Path, a arch.Arch) {
	root := cr.YNode()
	selector := yamlnode.Get(yamlnode.Get(root, path...), "nodeSelector")
	if selected := yamlnode.Get(selector, archLabel); selected != nil && selected.Value == string(a) {
		return
	}
	affinity := path.Child("affinity", "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution")
	if terms := yamlnode.Get(root, affinity.Child("nodeSelectorTerms")...); terms != nil {
		for _, term := range terms.Content {
			restrictTerm(term, a)
		}
		return
	}
	term := yamlnode.NewMapping()
	expressions := yamlnode.Sequence(term, "matchExpressions")
	if selector == nil || len(selector.Content) == 0 {
		// Without any placement, HCO selects the nodes with the worker label. A
		// placement replaces that rule, so it must include the label.
		expressions.Content = append(expressions.Content, expression(workerLabel, "Exists"))
	}
	expressions.Content = append(expressions.Content, expression(archLabel, "In", string(a)))
	terms := yamlnode.Sequence(yamlnode.Mapping(root, affinity...), "nodeSelectorTerms")
	terms.Content = append(terms.Content, term)
}

func restrictTerm(term *yaml.Node, a arch.Arch) {
	if empty(yamlnode.Get(term, "matchExpressions")) && empty(yamlnode.Get(term, "matchFields")) {
		return
	}
	expressions := yamlnode.Sequence(term, "matchExpressions")
	if !slices.ContainsFunc(expressions.Content, func(e *yaml.Node) bool { return restricts(e, a) }) {
		expressions.Content = append(expressions.Content, expression(archLabel, "In", string(a)))
	}
}

// restricts reports whether an expression is "kubernetes.io/arch In [a]".
func restricts(e *yaml.Node, a arch.Arch) bool {
	key, operator, values := yamlnode.Get(e, "key"), yamlnode.Get(e, "operator"), yamlnode.Get(e, "values")
	return key != nil && key.Value == archLabel && operator != nil && operator.Value == "In" &&
		values != nil && len(values.Content) == 1 && values.Content[0].Value == string(a)
}

func expression(key, operator string, values ...string) *yaml.Node {
	e := yamlnode.NewMapping()
	yamlnode.SetString(e, "key", key, 0)
	yamlnode.SetString(e, "operator", operator, 0)
	if len(values) > 0 {
		list := yamlnode.Sequence(e, "values")
		for _, value := range values {
			list.Content = append(list.Content, yamlnode.NewScalar(value, yaml.NodeTagString, 0))
		}
	}
	return e
}

func empty(n *yaml.Node) bool { return n == nil || len(n.Content) == 0 }
