package manifest

import (
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/yamledit"
	"github.com/goldenarch/goldenarch/internal/yamlnode"
)

// keepsForm fails if an edit changes a text of several lines that is not a literal block:
// nobody could see in such a text what has changed.
func keepsForm(before, after string) error {
	var trees [2]yaml.Node
	for i, text := range []string{before, after} {
		if err := yaml.Unmarshal(yamledit.WithoutVersion([]byte(text)), &trees[i]); err != nil {
			return nil //nolint:nilerr // yamledit has read both
		}
	}
	return formOf(&trees[0], &trees[1])
}

// formOf compares the texts at the same places of two trees.
func formOf(before, after *yaml.Node) error {
	if before.Kind != after.Kind {
		return nil
	}
	switch before.Kind {
	case yaml.ScalarNode:
		if before.Value != after.Value && before.Style&yaml.LiteralStyle == 0 && hasLines(before.Value) && hasLines(after.Value) {
			return &yamledit.Error{
				Line: before.Line, Problem: "a text of several lines must change, and it is not a literal block (|)",
				Fix: "write it as the key, a colon and |, and then its lines",
			}
		}
	case yaml.MappingNode:
		for key, was := range yamlnode.Pairs(before) {
			if value := yamlnode.Value(after, key.Value); value != nil {
				if err := formOf(was, value); err != nil {
					return err
				}
			}
		}
	case yaml.DocumentNode, yaml.SequenceNode:
		for i := range min(len(before.Content), len(after.Content)) {
			if err := formOf(before.Content[i], after.Content[i]); err != nil {
				return err
			}
		}
	case yaml.AliasNode:
	}
	return nil
}

// hasLines reports whether a text has more than one line.
func hasLines(text string) bool { return strings.Contains(strings.TrimRight(text, "\n"), "\n") }
