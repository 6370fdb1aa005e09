package setup

import (
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/yamlnode"
)

// AddHook returns the text of a .pre-commit-config.yaml that runs "goldenarch check".
func AddHook(text []byte, host Host, dir string, facts Facts) ([]byte, error) {
	return edited(text, func(root *yaml.Node) error {
		list, err := listAt(root, "repos")
		if err != nil {
			return err
		}
		const repo = "https://github.com/goldenarch/goldenarch"
		for _, entry := range list.Content {
			url := yamlnode.Get(entry, "repo")
			if url != nil && strings.TrimSuffix(strings.TrimSuffix(url.Value, "/"), ".git") == repo {
				return addToHook(entry, dir)
			}
		}
		hook := yamlnode.NewMapping()
		yamlnode.SetString(hook, "id", "goldenarch-check", 0)
		args := []string{dir}
		if host == HostFiles {
			args = append(args, facts.Flags()...)
		}
		words := yamlnode.NewSequence()
		words.Style = yaml.FlowStyle
		for _, word := range args {
			words.Content = append(words.Content, yamlnode.NewScalar(word, yaml.NodeTagString, 0))
		}
		yamlnode.Put(hook, "args", words)
		entry := yamlnode.NewMapping()
		yamlnode.SetString(entry, "repo", repo, 0)
		yamlnode.SetString(entry, "rev", version, 0)
		hooks := yamlnode.Sequence(entry, "hooks")
		hooks.Content = append(hooks.Content, hook)
		list.Content = append(list.Content, entry)
		return nil
	})
}

// addToHook adds a directory to the hook that checks others. Without arguments it checks
// everything.
func addToHook(entry *yaml.Node, dir string) error {
	hooks := yamlnode.Get(entry, "hooks")
	if hooks == nil || hooks.Kind != yaml.SequenceNode {
		return errShape
	}
	for _, hook := range hooks.Content {
		id, args := yamlnode.Get(hook, "id"), yamlnode.Get(hook, "args")
		if id != nil && id.Value == "goldenarch-check" && args != nil && args.Kind == yaml.SequenceNode {
			addText(args, dir)
		}
	}
	return nil
}
