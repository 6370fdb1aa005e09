package cli

import (
	"github.com/spf13/cobra"

	"github.com/goldenarch/goldenarch/internal/console"
	"github.com/goldenarch/goldenarch/internal/regular"
)

const long = `goldenarch makes the golden images of a KubeVirt cluster boot on every node. It
reads a HyperConverged CR and the architectures of the nodes, and queries the
registries for the architectures of each image. It writes the CR so that the
HyperConverged operator does the right thing.

Without a command, goldenarch is a KRM function for kustomize and kpt: it reads a
ResourceList from standard input and writes one to standard output. Its functionConfig
is a GoldenImages of goldenarch.dev/v1alpha1, or a ConfigMap with the same keys:

  apiVersion: goldenarch.dev/v1alpha1
  kind: GoldenImages
  metadata:
    name: golden-images
  spec:
    release: "1.19"
    cluster:
      workloadArchitectures: [amd64, arm64]
      controlPlaneArchitectures: [amd64]`

// newRoot returns goldenarch with its verbs.
func newRoot(streams Streams) *cobra.Command {
	root := newFunction(streams)
	root.AddCommand(newRender(streams), newCheck(streams), newForecast(streams), newLock(streams), newFix(streams),
		newCustomize(streams), newInit(streams), newResolve(streams),
		newArgoCD(streams), newExplain(streams), newCopyTo(streams), newVersion(streams))
	for name, others := range suggestFor {
		command, _, err := root.Find([]string{name})
		must(err)
		command.SuggestFor = others
	}
	root.SetUsageFunc(usage)
	addVersion(root, streams)
	complete(root)
	return root
}

// suggestFor has the names that other programs use for a verb.
var suggestFor = map[string][]string{
	"render": {"build", "generate", "apply", "template"}, "check": {"lint", "validate", "verify", "test"},
	"forecast": {"predict", "plan"}, "lock": {"refresh", "update"}, "resolve": {"inspect", "images"},
	"explain": {"describe", "findings"}, "init": {"setup", "create", "bootstrap"}, "customize": {"override", "disable", "enable", "set"},
}

// newFunction returns goldenarch without its verbs: only the function, which hosts
// start for every build.
func newFunction(streams Streams) *cobra.Command {
	flags := &configFlags{}
	root := &cobra.Command{
		Use:           "goldenarch",
		Short:         "Golden images that boot on every node, decided in Git",
		Long:          long,
		Args:          noCommand,
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if console.IsTerminal(streams.In) {
				return cmd.Help()
			}
			return runFunction(cmd.Context(), streams, flags)
		},
	}
	root.SetFlagErrorFunc(flagError)
	flags.add(root)
	root.PersistentFlags().Var(regular.Size{}, regular.Flag,
		"largest file or standard input to read: a number of bytes, or of Ki, Mi or Gi")
	flags.registry.addRecord(root)
	return root
}
