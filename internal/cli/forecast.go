package cli

import (
	"cmp"
	"io"

	"github.com/spf13/cobra"

	"github.com/goldenarch/goldenarch/internal/engine/prediction"
	"github.com/goldenarch/goldenarch/internal/operators/forecast"
	"github.com/goldenarch/goldenarch/internal/report"
	"github.com/goldenarch/goldenarch/internal/workspace"
)

// forecastFormats are the output formats of a forecast.
var forecastFormats = map[string]func(w io.Writer, list []forecast.Prediction, width int) error{
	"text": report.ForecastText, "json": withoutWidth(report.ForecastJSON), "yaml": withoutWidth(report.ForecastYAML),
}

// factsFormat is the output of a forecast that other repositories check their machines with.
const factsFormat = "facts"

// withoutWidth returns the format of a product, whose lines have any width.
func withoutWidth(show func(io.Writer, []forecast.Prediction) error) func(io.Writer, []forecast.Prediction, int) error {
	return func(w io.Writer, list []forecast.Prediction, _ int) error { return show(w, list) }
}

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
		RunE: func(cmd *cobra.Command, args []string) error {
			for _, flag := range []string{"output", "admission"} {
				if err := checkFlag(cmd, flag, flag); err != nil {
					return err
				}
			}
			return f.run(args)
		},
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
		if f.output == factsFormat {
			return workspace.WriteFacts(w, list, items)
		}
		return forecastFormats[f.output](w, list, f.streams.printer.Width())
	})
}
