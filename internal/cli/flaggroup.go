package cli

import (
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// The groups of flags in help.
const (
	groupInput     = "Input"
	groupCluster   = "Cluster"
	groupDecisions = "Decision"
	groupRegistry  = "Registry and lock"
	groupOutput    = "Output"
	groupGeneral   = "General"
)

// helpGroups is the order of the groups.
var helpGroups = []string{groupInput, groupCluster, groupDecisions, groupRegistry, groupOutput, groupGeneral}

// groupOf has the group of each flag, for all commands.
var groupOf = map[string]string{
	"config":                           groupInput,
	"cr-path":                          groupInput,
	"inputs":                           groupInput,
	"max-file-size":                    groupInput,
	"workload-architectures":           groupCluster,
	"control-plane-architectures":      groupCluster,
	"nodes":                            groupCluster,
	"untrusted":                        groupDecisions,
	"policy-ref":                       groupDecisions,
	"live":                             groupCluster,
	"fleet":                            groupCluster,
	"platform":                         groupCluster,
	"release":                          groupCluster,
	"predefined":                       groupCluster,
	"mode":                             groupDecisions,
	"as":                               groupDecisions,
	"expect-clusters":                  groupOutput,
	"allow-empty":                      groupOutput,
	"workloads":                        groupDecisions,
	"existing":                         groupDecisions,
	"allow":                            groupDecisions,
	"unsupported":                      groupDecisions,
	"unresolved":                       groupDecisions,
	"gate":                             groupDecisions,
	"single-architecture":              groupDecisions,
	"defaults":                         groupDecisions,
	"admission":                        groupDecisions,
	"expand":                           groupDecisions,
	"expand-namespace":                 groupDecisions,
	"expand-data-sources":              groupDecisions,
	"expand-predefined":                groupDecisions,
	"expand-support":                   groupDecisions,
	"expand-replace-on-change":         groupDecisions,
	"host":                             groupDecisions,
	"argocd":                           groupDecisions,
	"image":                            groupDecisions,
	"disable":                          groupDecisions,
	"enable":                           groupDecisions,
	"only":                             groupDecisions,
	"prune":                            groupDecisions,
	"lock":                             groupRegistry,
	"offline":                          groupRegistry,
	"verify":                           groupRegistry,
	"authfile":                         groupRegistry,
	"registries-conf":                  groupRegistry,
	"registry-allow":                   groupRegistry,
	"allow-insecure-credentials":       groupRegistry,
	"record":                           groupRegistry,
	"replay":                           groupRegistry,
	"registry-timeout":                 groupRegistry,
	"registry-request-timeout":         groupRegistry,
	"registry-retries":                 groupRegistry,
	"registry-concurrency":             groupRegistry,
	"registry-requests-per-second":     groupRegistry,
	"registry-insecure":                groupRegistry,
	"registry-pull-secrets":            groupRegistry,
	"registry-certificate-authorities": groupRegistry,
	"output":                           groupOutput,
	"findings-file":                    groupOutput,
	"fail-on":                          groupOutput,
	"strict":                           groupOutput,
	"no-flux-substitution":             groupOutput,
	"file":                             groupOutput,
	"check":                            groupOutput,
	"diff":                             groupOutput,
	"patch":                            groupOutput,
	"abort":                            groupOutput,
	"keep-going":                       groupOutput,
	"undo":                             groupOutput,
	"no-descriptions":                  groupOutput,
	"help":                             groupGeneral,
	"version":                          groupGeneral,
}

// flagGroup has the flags of a command that are in one group.
type flagGroup struct {
	name  string
	flags *pflag.FlagSet
}

// flagGroups returns the flags that have an effect on a command, by group. A flag
// without a group is a general one. Only commands that read files have the limit of
// their sizes.
func flagGroups(cmd *cobra.Command) []flagGroup {
	cmd.InitDefaultHelpFlag()
	sets := map[string]*pflag.FlagSet{}
	add := func(flag *pflag.Flag) {
		if flag.Hidden || flag.Name == "max-file-size" && cmd.Annotations[readsNothing] != "" {
			return
		}
		name := groupOf[flag.Name]
		if name == "" {
			name = groupGeneral
		}
		if sets[name] == nil {
			sets[name] = pflag.NewFlagSet(name, pflag.ContinueOnError)
		}
		sets[name].AddFlag(withValueName(flag))
	}
	cmd.LocalFlags().VisitAll(add)
	cmd.InheritedFlags().VisitAll(add)
	var out []flagGroup
	for _, name := range helpGroups {
		if sets[name] != nil {
			out = append(out, flagGroup{name, sets[name]})
		}
	}
	return out
}

// readsNothing annotates commands that read no user files.
const readsNothing = "goldenarch reads nothing"

// ofNothing are the annotations of such a command.
func ofNothing() map[string]string { return map[string]string{readsNothing: "true"} }
