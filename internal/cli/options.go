package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/goldenarch/goldenarch/internal/engine"
	"github.com/goldenarch/goldenarch/internal/workspace"
	"github.com/goldenarch/goldenarch/internal/workspace/fleet"
	"github.com/goldenarch/goldenarch/internal/yaml/fieldpath"
)

// inputOptions are the flags of a verb that say what it reads.
type inputOptions struct {
	workspace.Options

	streams Streams
	flags   configFlags
}

// inputOf returns the flags of a verb before they are parsed.
func inputOf(streams Streams) inputOptions {
	return inputOptions{Options: workspace.Options{Environment: workspace.Environment{In: streams.In, Build: streams.build, Routes: streams.routes}}, streams: streams}
}

// function returns the function of a run, with the facts of --nodes and --live.
func (o *inputOptions) function() (engine.Function, error) {
	function, err := o.flags.function(o.streams.queries)
	if err != nil {
		return function, err
	}
	o.Commands, o.StatesArchitectures = o.flags.advised, o.flags.settings.given()[workloadArchitectures] != ""
	return function, o.GiveFacts(&function)
}

// addInput adds the flags for the configuration and its fields, for what the run reads beside its paths,
// for CRs that are a part of a file, and for how strictly the input is read.
func (o *inputOptions) addInput(cmd *cobra.Command) {
	o.flags.addSettings(cmd)
	o.flags.settings.addOwn(cmd, inputs)
	cmd.Flags().StringVar(&o.Config, "config", "", "file with the GoldenImages configuration")
	cmd.Flags().Var(crPathFlag{&o.CRPaths}, "cr-path", "place inside a file that has a CR, such as values.yaml#hyperconverged.cr, "+
		"or the spec of one, such as values.yaml#hyperconverged.spec@v1beta1 (may be repeated; without a PATH, only these files are read)")
	o.addStrict(cmd)
}

// addStrict adds the flag for how strictly the input is read.
func (o *inputOptions) addStrict(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&o.Strict, "strict", false,
		"fail on a templated file, on a release newer than the newest verified one, and in check on a field that may be unknown (default: warn)")
}

// addLive adds the flag for the live CR.
func (o *inputOptions) addLive(cmd *cobra.Command) {
	cmd.Flags().StringVar(&o.Live, "live", "",
		"file with the cluster's HyperConverged, from 'kubectl get hyperconvergeds.v1beta1.hco.kubevirt.io -A -o yaml'; "+
			"goldenarch reads the predefined templates, nodes, schedule and release from it")
}

// addCluster adds the flags that state the cluster: its release, the architectures of its nodes, and
// Nodes that goldenarch uses for their facts only.
func (o *inputOptions) addCluster(cmd *cobra.Command) {
	o.flags.settings.addOwn(cmd, release, workloadArchitectures, controlPlaneArchitectures)
	cmd.Flags().StringArrayVar(&o.Nodes, "nodes", nil,
		"file with the cluster's Nodes, from 'kubectl get nodes -o yaml' (may be repeated)")
}

// addFleet adds the flag that names a Fleet.
func (o *inputOptions) addFleet(cmd *cobra.Command) {
	cmd.Flags().StringVar(&o.Fleet, "fleet", "",
		"file with the Fleet, which states options and nodes of many clusters (default: "+fleet.FileName+" in the directory or above it)")
}

// crPathFlag is the value of the flag for CRs that are a part of a file.
type crPathFlag struct{ places *workspace.CRPaths }

// Set implements pflag.Value.
func (f crPathFlag) Set(text string) error {
	place, err := fieldpath.ParsePlace(text)
	if err != nil {
		return err
	}
	if other := f.places.At(place); other != nil && other.Version != place.Version {
		return fmt.Errorf("%q: %q names the same place with another version: leave out one of them", text, other)
	}
	f.places.Add(place)
	return nil
}

// String implements pflag.Value.
func (f crPathFlag) String() string { return strings.Join(f.GetSlice(), ",") }

// GetSlice implements cobra.SliceValue.
func (f crPathFlag) GetSlice() []string {
	var out []string
	for _, place := range *f.places {
		out = append(out, place.Text)
	}
	return out
}

// Type implements pflag.Value.
func (crPathFlag) Type() string { return "place" }

// addAs adds the flag that says in which form files get to the cluster.
func (o *inputOptions) addAs(cmd *cobra.Command) {
	cmd.Flags().StringVar(&o.As.Stated, "as", "",
		"judge the files as they are committed, or as goldenarch renders them on the way to the cluster: committed, rendered "+
			"(default: what the Fleet states, else committed)")
}
