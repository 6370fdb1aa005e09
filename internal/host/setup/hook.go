package setup

import (
	"strconv"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/yaml/yamledit"
	"github.com/goldenarch/goldenarch/internal/yaml/yamlnode"
)

// checkHook is the id of the hook that runs "goldenarch check".
const checkHook = "goldenarch-check"

// AddHook returns the text of a .pre-commit-config.yaml that runs "goldenarch check".
func AddHook(text []byte, host Host, dir string, facts Facts) ([]byte, error) {
	return edited(text, func(root *yaml.Node) ([]yamledit.Change, error) {
		list, err := listAt(root, "repos")
		if err != nil {
			return nil, err
		}
		const repo = "https://github.com/goldenarch/goldenarch"
		own := checkArguments(host, dir, facts)
		var changes []yamledit.Change // to the first entry of goldenarch
		if list != nil {
			for i, entry := range list.Content {
				if strings.TrimSuffix(strings.TrimSuffix(yamlnode.Text(entry, "repo"), "/"), ".git") != repo {
					continue
				}
				added, err := addedHook(entry, []string{"repos", strconv.Itoa(i), "hooks"}, own)
				if err != nil || len(added) == 0 {
					return nil, err
				}
				if len(changes) == 0 {
					changes = added
				}
			}
		}
		if len(changes) > 0 {
			return changes, nil
		}
		entry := yamlnode.NewMapping()
		yamlnode.SetString(entry, "repo", repo, 0)
		yamlnode.SetString(entry, "rev", version, 0)
		hooks := yamlnode.Sequence(entry, "hooks")
		hooks.Content = append(hooks.Content, newHook(own))
		return appendedTo(list, []string{"repos"}, entry), nil
	})
}

// newHook returns a hook that checks with arguments.
func newHook(args []string) *yaml.Node {
	hook := yamlnode.NewMapping()
	yamlnode.SetString(hook, "id", checkHook, 0)
	yamlnode.Put(hook, "args", listOf(args))
	return hook
}

// addedHook returns the change that adds a hook for a directory that no other hook checks.
// Without arguments a hook checks everything. A hook has one directory, because check takes
// several as one cluster.
func addedHook(entry *yaml.Node, path, own []string) ([]yamledit.Change, error) {
	hooks := yamlnode.Get(entry, "hooks")
	if hooks == nil || hooks.Kind != yaml.SequenceNode {
		return nil, errShape
	}
	for _, hook := range hooks.Content {
		args := yamlnode.Get(hook, "args")
		if yamlnode.Text(hook, "id") == checkHook && (args == nil || args.Kind != yaml.SequenceNode || has(args, own[0])) {
			return nil, nil
		}
	}
	return appendedTo(hooks, path, newHook(own)), nil
}
