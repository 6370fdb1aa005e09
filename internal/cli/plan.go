package cli

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/report"
	"github.com/goldenarch/goldenarch/internal/transition"
	"github.com/goldenarch/goldenarch/internal/workspace"
)

// planFormats are the output formats of a plan.
var planFormats = map[string]func(io.Writer, transition.Plan) error{
	"text": report.PlanText, "markdown": report.PlanMarkdown, "json": report.PlanJSON,
	"html": func(w io.Writer, p transition.Plan) error { return report.PlanHTML(w, p, currentBuild().version) },
}

// planOptions are the flags of plan.
type planOptions struct {
	inputOptions

	output, toRelease, budget string
	gate, single              string
	add, remove               []string
	leftovers                 bool
	dumpFile                  string // the file or directory of --live
}

func newPlan(streams Streams) *cobra.Command {
	p := &planOptions{inputOptions: inputOf(streams)}
	cmd := &cobra.Command{
		Use:   "plan [PATH...]",
		Short: "Say what a change does to a cluster, step by step, and how to undo it",
		Long: `Read HyperConverged CRs from YAML or JSON files, directories or standard input (-),
and a dump of a cluster (--live). Print the steps from the one to the other. Each step
lists the boot sources that appear, change, disappear and remain without an owner. It
says what storage they take, which machines lose their source, what to wait for, and
how to undo the step. Without a PATH, the plan begins with the CR of the dump. plan
queries no registry and changes nothing.

Machines of the paths that lose their source are named like those of the dump.

The dump is one file or a directory:

  oc get hyperconverged,dataimportcron,datasource,datavolume,pvc,volumesnapshot,vm,vmpool,storageclass,node -A -o yaml

goldenarch keeps nothing of it but the objects of golden images and the names of
those who use them. The status is 1 if a finding is an error.`,
		Example: `  goldenarch plan overlays/prod --live dump.yaml
  goldenarch plan --live dump.yaml --add-architecture arm64
  goldenarch plan --live dump.yaml --to-release 5.0 -o markdown
  goldenarch plan --live dump.yaml --gate Disable --leftovers`,
		RunE: func(_ *cobra.Command, args []string) error { return p.run(args) },
	}
	p.addInput(cmd)
	p.addCluster(cmd)
	flags := cmd.Flags()
	flags.StringVar(&p.gate, "gate", "", "add a step that turns the multi-arch gate enableMultiArchBootImageImport on or off: Enable, Disable")
	flags.StringVar(&p.single, "single-architecture", "", "add a step that places workloads only on nodes of this architecture, such as amd64")
	flags.StringVar(&p.dumpFile, "live", "", "file or directory with a dump of the cluster; goldenarch reads "+strings.Join(transition.Kinds(), ", "))
	flags.StringVar(&p.toRelease, "to-release", "", "add a step that upgrades the operators to this release, such as 5.0")
	flags.StringArrayVar(&p.add, "add-architecture", nil, "add a step in which workload nodes of this architecture arrive (may be repeated)")
	flags.StringArrayVar(&p.remove, "remove-architecture", nil, "add a step in which the last workload node of this architecture leaves (may be repeated)")
	flags.BoolVar(&p.leftovers, "leftovers", false, "list the boot sources that neither Git nor an operator owns, with the commands that delete them")
	flags.StringVar(&p.budget, "storage-budget", "", "fail if golden images take more storage than this in any step, such as 500Gi")
	flags.StringVarP(&p.output, "output", "o", "text", "output format: text, markdown, html, json")
	return cmd
}

func (p *planOptions) run(args []string) error {
	changes, err := p.asked(args)
	if err != nil {
		return err
	}
	function, err := p.function()
	if err != nil {
		return err
	}
	plan := workspace.Planner{Options: p.Options, Leftovers: p.leftovers, DumpFile: p.dumpFile}
	made, found, err := plan.Run(args, function, changes)
	if err != nil {
		return err
	}
	if made == nil {
		return p.streams.report(found)
	}
	failed := p.streams.report(found)
	return cmp.Or(p.streams.show(p.output, func(w io.Writer) error { return planFormats[p.output](w, *made) }), failed)
}

func (p *planOptions) asked(args []string) (workspace.Changes, error) {
	out := workspace.Changes{ToRelease: p.toRelease, Gate: p.gate}
	var err error
	if p.toRelease != "" {
		if out.Release, err = v1alpha1.ParseRelease(p.toRelease); err != nil {
			return out, workspace.Misuse{Err: fmt.Errorf("flag --to-release: %w", err)}
		}
	}
	if out.Add, err = architectureSet("add-architecture", p.add); err != nil {
		return out, err
	}
	if out.Remove, err = architectureSet("remove-architecture", p.remove); err != nil {
		return out, err
	}
	if p.budget != "" {
		q, err := resource.ParseQuantity(p.budget)
		if err != nil || q.Sign() <= 0 {
			return out, workspace.Misuse{Err: fmt.Errorf("flag --storage-budget: %q is not a size: expected one such as 500Gi", p.budget)}
		}
		out.Budget = q.Value()
	}
	if p.single != "" {
		if out.Single = arch.NamedOne(p.single); out.Single == "" {
			return out, unknownArchitecture("single-architecture", p.single)
		}
	}
	if len(args) == 0 && len(p.CRPaths) == 0 && out.None() && !p.leftovers {
		return out, workspace.ErrNothingAsked
	}
	return out, nil
}

func architectureSet(flag string, names []string) (arch.Set, error) {
	var out []arch.Arch
	for _, name := range elementsOf(names) {
		one := arch.NamedOne(name)
		if one == "" {
			return nil, unknownArchitecture(flag, name)
		}
		out = append(out, one)
	}
	return arch.NewSet(out...), nil
}

func unknownArchitecture(flag, name string) error {
	return workspace.Misuse{Err: fmt.Errorf("flag --%s: unknown architecture %q: expected one such as arm64", flag, name)}
}
