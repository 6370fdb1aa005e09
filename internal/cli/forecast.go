package cli

import (
	"cmp"
	"io"

	"github.com/spf13/cobra"

	"github.com/goldenarch/goldenarch/internal/engine/prediction"
	"github.com/goldenarch/goldenarch/internal/report"
	"github.com/goldenarch/goldenarch/internal/workspace"
)

// forecastOptions are the flags of forecast.
type forecastOptions struct {
	inputOptions

	output, admission string
}

func newForecast(streams Streams) *cobra.Command {
	f := &forecastOptions{inputOptions: inputOf(streams)}
	cmd := &cobra.Command{
		Use:   "forecast [PATH...]",
		Short: "Predict what HCO, SSP and CDI do with a CR",
		Long: `Read HyperConverged and SSP CRs and node facts from YAML or JSON files, directories
or standard input (-). Predict what the API server, HCO, SSP and CDI do with each
CR, and which alerts fire. forecast believes the declared architectures of the CR. It
queries a registry only for a generator of a kustomization that is goldenarch.

The status is 0 for a CR that the operators refuse, too. To fail on it, use check.`,
		Example: `  goldenarch forecast hco.yaml --workload-architectures amd64,arm64 --release 1.19
  goldenarch forecast overlays/prod
  goldenarch render overlays/prod | goldenarch forecast - --workload-architectures amd64,arm64`,
		RunE: func(_ *cobra.Command, args []string) error { return f.run(args) },
	}
	f.flags.registry.add(cmd)
	f.flags.addOffline(cmd)
	f.addInput(cmd)
	f.addCluster(cmd)
	f.addLive(cmd)
	cmd.Flags().StringVarP(&f.output, "output", "o", "text",
		"output format: text, json (one object per line), yaml (manifests), facts (for 'goldenarch check --facts')")
	cmd.Flags().StringVar(&f.admission, "admission", "apply", "predict admission first (apply), or read the CR as written (skip): apply, skip")
	return cmd
}

func (f *forecastOptions) run(paths []string) error {
	function, err := f.function()
	if err != nil {
		return err
	}
	list, items, found, err := f.Forecast(paths, function, prediction.Admission(f.admission))
	if failed := f.streams.report(found); err != nil || failed != nil {
		return cmp.Or(err, failed)
	}
	return f.streams.show(f.output, func(w io.Writer) error {
		switch f.output {
		case "facts": // other repositories check their machines with them
			return workspace.WriteFacts(w, list, items)
		case "json":
			return report.ForecastJSON(w, list)
		case "yaml":
			return report.ForecastYAML(w, list)
		}
		return report.ForecastText(w, list, f.streams.printer.Width())
	})
}
