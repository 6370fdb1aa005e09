package setup

import (
	"slices"
	"strconv"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/yaml/yamlnode"
)

// checkHook is the id of the hook that runs "goldenarch check".
const checkHook = "goldenarch-check"

// AddHook returns the text of a .pre-commit-config.yaml that runs "goldenarch check".
func AddHook(text []byte, host Host, dir string, facts Facts) ([]byte, error) {
	return edited(text, func(root *yaml.Node) error {
		list, err := listAt(root, "repos")
		if err != nil {
			return err
		}
		const repo = "https://github.com/goldenarch/goldenarch"
		own := checkArguments(host, dir, facts)
		first := -1 // entry of goldenarch
		for i, entry := range yamlnode.Elements(list) {
			if strings.TrimSuffix(strings.TrimSuffix(yamlnode.Text(entry, "repo"), "/"), ".git") != repo {
				continue
			}
			if checks, err := hasHook(entry, own); err != nil || checks {
				return err
			}
			if first < 0 {
				first = i
			}
		}
		if first >= 0 {
			return appendTo(root, []string{"repos", strconv.Itoa(first), "hooks"}, newHook(own))
		}
		entry := yamlnode.NewMapping()
		yamlnode.SetString(entry, "repo", repo, 0)
		yamlnode.SetString(entry, "rev", version, 0)
		hooks := yamlnode.Sequence(entry, "hooks")
		hooks.Content = append(hooks.Content, newHook(own))
		return appendTo(root, []string{"repos"}, entry)
	})
}

// newHook returns a hook that checks with arguments.
func newHook(args []string) *yaml.Node {
	hook := yamlnode.NewMapping()
	yamlnode.SetString(hook, "id", checkHook, 0)
	yamlnode.Put(hook, "args", listOf(args))
	return hook
}

// hasHook reports whether a hook checks a directory. Without arguments a hook checks everything. A hook
// has one directory, because check takes several as one cluster.
func hasHook(entry *yaml.Node, own []string) (bool, error) {
	hooks := yamlnode.Get(entry, "hooks")
	if hooks == nil || hooks.Kind != yaml.SequenceNode {
		return false, errShape
	}
	return slices.ContainsFunc(hooks.Content, func(hook *yaml.Node) bool {
		args := yamlnode.Get(hook, "args")
		return yamlnode.Text(hook, "id") == checkHook && (args == nil || args.Kind != yaml.SequenceNode || has(args, own[0]))
	}), nil
}
