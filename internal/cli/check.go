package cli

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/console"
	"github.com/goldenarch/goldenarch/internal/engine"
	"github.com/goldenarch/goldenarch/internal/engine/check"
	"github.com/goldenarch/goldenarch/internal/files"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/report"
	"github.com/goldenarch/goldenarch/internal/workspace"
)

// checkFormats are the output formats of a check.
var checkFormats = map[string]func(io.Writer, report.Check) error{
	"text": report.Text, "json": report.JSON, "markdown": report.Markdown, "html": report.HTML,
	"sarif": report.SARIF, "junit": report.JUnit, "github": report.GitHub,
}

// readByPeople are the formats that people read where goldenarch prints them. The other formats
// go to files, so goldenarch also prints the findings on standard error.
var readByPeople = []string{"text", "github"}

// reportOutput is where a report goes in a format: a file, or standard output if file is "".
type reportOutput struct{ format, file string }

// reportOutputs returns where reports go, by the values of --output: a format, or FORMAT=FILE. Standard output has one report, a
// text if no value says otherwise.
func reportOutputs(values []string) ([]reportOutput, error) {
	out := []reportOutput{{format: "text"}}
	for _, value := range values {
		format, file, toFile := strings.Cut(value, "=")
		switch {
		case toFile && file == "":
			return nil, workspace.Misuse{Err: fmt.Errorf("flag --output: %q names no file: expected %sFILE", value, value)}
		case toFile:
			out = append(out, reportOutput{format, file})
		default:
			out[0].format = format
		}
	}
	return out, nil
}

// checkOptions are the flags of check.
type checkOptions struct {
	inputOptions

	outputs []string       // --output
	reports []reportOutput // where they go
	failOn  string
	// machines is the value of --machines, and require that of --require.
	machines, require string
	// allowEmpty says that a check of nothing passes, and expected is how many clusters the
	// user expects; below 0 for any number.
	allowEmpty bool
	expected   int
}

func newCheck(streams Streams) *cobra.Command {
	c := &checkOptions{inputOptions: inputOf(streams)}
	c.Imports = true
	cmd := &cobra.Command{
		Use:   "check [PATH...]",
		Short: "Check HyperConverged CRs: print findings and a prediction, and write nothing",
		Long: `Read YAML or JSON files, directories (recursively) or standard input (-), as
'goldenarch render' does. Print what the API server, HCO, SSP, CDI and KubeVirt do
with the files as they are committed, and what is wrong with that. check writes no
file. Without a PATH, it reads the current directory.

The status is 1 if there is an error. That is what render refuses, or a field that
the release's CRD does not have. It is a CR that the API server, HCO or SSP refuses,
or with which the operators do something else than with what render writes. And it is
a machine that cannot boot. docs/check.md lists all. --fail-on warning or info makes
the status 1 for these as well.

In a directory that holds several clusters, such as a repository with overlays,
check finds them and checks each by itself: see docs/fleet.md.

A directory that is a bundle of the Operator Lifecycle Manager is checked as such:
the node affinity of its pods, and the labels of its ClusterServiceVersion.`,
		Example: `  goldenarch check overlays/prod
  goldenarch check .
  goldenarch check . --config golden-images.yaml -o sarif > goldenarch.sarif
  goldenarch check ./bundle
  helm template chart | goldenarch check - --workload-architectures amd64,arm64 -o markdown`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := c.validate(); err != nil {
				return err
			}
			return c.Base.Named(c.run(cmd.Context(), args))
		},
	}
	c.flags.addQueries(cmd)
	c.addInput(cmd)
	c.flags.settings.addOwn(cmd, workloads)
	c.addCluster(cmd)
	c.addLive(cmd)
	c.addFleet(cmd)
	c.addUntrusted(cmd)
	c.addAs(cmd)
	cmd.Flags().BoolVar(&c.Literal, "no-flux-substitution", false, "annotate objects that contain ${...} or $$, as render does")
	cmd.Flags().StringArrayVarP(&c.outputs, "output", "o", nil,
		"format of the output (FORMAT=FILE writes one to a file, and may be repeated): text, json, markdown, html, sarif, junit (XML), github (workflow commands)")
	cmd.Flags().StringVar(&c.machines, "machines", string(engine.MachinesCheck), "what to do about virtual machines: Check, None")
	cmd.Flags().StringVar(&c.Facts, "facts", "", "file with the facts about the cluster that runs the virtual machines ('goldenarch forecast -o facts')")
	cmd.Flags().IntVar(&c.expected, "expect-clusters", -1, "fail unless there are this many clusters to check, -1 for any number")
	cmd.Flags().StringVar(&c.require, "require", "", "fail unless all pods, and all images of operators, support these architectures, such as arm64")
	cmd.Flags().BoolVar(&c.allowEmpty, "allow-empty", false, "pass if there is nothing to check (default: fail)")
	cmd.Flags().StringVar(&c.failOn, "fail-on", string(finding.Error), "fail on findings of this severity or worse: error, warning, info")
	return cmd
}

// validate reports whether the flags have values that they may have.
func (c *checkOptions) validate() error {
	var err error
	if c.reports, err = reportOutputs(c.outputs); err != nil {
		return err
	}
	if err := check.As(c.As.Stated).Validate(); err != nil {
		return workspace.Misuse{Err: fmt.Errorf("flag --as: %w", err)}
	}
	if c.expected < -1 {
		return workspace.Misuse{Err: fmt.Errorf("flag --expect-clusters: %d is not a number of clusters", c.expected)}
	}
	return nil
}

// function returns the function of the run, as the flags have it.
func (c *checkOptions) function() (engine.Function, error) {
	function, err := c.inputOptions.function()
	if err != nil {
		return function, err
	}
	function.Machines = engine.MachineMode(c.machines)
	if c.require != "" {
		if function.Required, err = arch.ParseAll(strings.Split(c.require, ",")); err != nil {
			return function, workspace.Misuse{Err: fmt.Errorf("flag --require: %w", err)}
		}
	}
	function.Facts, err = c.GivenFacts()
	return function, err
}

func (c *checkOptions) run(ctx context.Context, paths []string) error {
	end, err := c.distrust(ctx, paths)
	if err != nil {
		return err
	}
	defer end()
	function, err := c.function()
	if err != nil {
		return err
	}
	hide := c.streams.queries.show(c.streams.printer)
	check := workspace.Checker{Options: c.Options, Machines: c.machines == string(engine.MachinesCheck), FailOn: finding.Severity(c.failOn), Expected: c.expected}
	shown, err := check.Run(ctx, paths, function)
	hide()
	if err != nil {
		return err
	}
	return c.show(shown)
}

// emptied returns the findings of a check of nothing: it fails, unless the user allows it.
func (c *checkOptions) emptied(shown report.Check) finding.List {
	severity := finding.Error
	if c.allowEmpty {
		severity = finding.Warning
	}
	out, reported := slices.Clone(shown.Findings), false
	for i, f := range out {
		if report.SaysNothingChecked(f) {
			out[i].Severity, reported = severity, true
		}
	}
	if !reported && !out.Failed() {
		out = append(out, finding.Finding{
			ID: finding.NoCR, Severity: severity, Text: "there is nothing to check: the input has no HyperConverged CR",
			Do: "pass the file or directory that has it, or accept that with --allow-empty",
		})
	}
	return out.Sorted()
}

// show prints the whole check, or nothing, and writes the files that the user names.
func (c *checkOptions) show(shown report.Check) error {
	shown.Version = currentBuild().version
	shown.Width, shown.Findings = c.streams.printer.Width(), c.streams.named(shown.Findings)
	shown.FailOn, shown.AllowEmpty = finding.Severity(c.failOn), c.allowEmpty
	if !shown.Any() {
		shown.Findings = c.emptied(shown)
	}
	for _, one := range c.reports[1:] {
		if err := writeReport(one, shown); err != nil {
			return err
		}
	}
	printed := c.reports[0].format
	if err := c.streams.show(printed, func(w io.Writer) error { return checkFormats[printed](w, shown) }); err != nil {
		return err
	}
	if !slices.Contains(readByPeople, printed) {
		c.streams.printer.Findings(shown.Shown())
	}
	if !shown.Passed() {
		return errSilent
	}
	return nil
}

// writeReport writes a check to a file, with the bytes that standard output would get.
func writeReport(to reportOutput, shown report.Check) error {
	shown.Width = 0
	var text bytes.Buffer
	file := Streams{printer: console.New(&text, io.Discard)}
	if err := file.show(to.format, func(w io.Writer) error { return checkFormats[to.format](w, shown) }); err != nil {
		return err
	}
	file.printer.Flush()
	if err := files.WriteOutput(to.file, text.Bytes()); err != nil {
		return fmt.Errorf("--output %s: %w", to.format, err)
	}
	return nil
}
