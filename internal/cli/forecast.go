package cli

import (
	"bytes"
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/goldenarch/goldenarch/internal/operators/forecast"
	"github.com/goldenarch/goldenarch/internal/prediction"
	"github.com/goldenarch/goldenarch/internal/report"
)

// forecastFormats are the output formats of a forecast.
var forecastFormats = map[string]func(w io.Writer, list []forecast.Prediction, width int) error{
	"text": report.ForecastText, "json": withoutWidth(report.ForecastJSON), "yaml": withoutWidth(report.ForecastYAML),
}

// withoutWidth returns the format of a product, whose lines have any width.
func withoutWidth(show func(io.Writer, []forecast.Prediction) error) func(io.Writer, []forecast.Prediction, int) error {
	return func(w io.Writer, list []forecast.Prediction, _ int) error { return show(w, list) }
}

func newForecast(streams Streams) *cobra.Command {
	r := &render{streams: streams}
	var output, admit string
	cmd := &cobra.Command{
		Use:   "forecast [PATH...]",
		Short: "Predict what HCO, SSP and CDI do with a CR",
		Long: `Read HyperConverged and SSP CRs and node facts from YAML or JSON files, directories
or standard input (-). Predict what the API server, HCO, SSP and CDI do with each
CR, and which alerts fire. forecast queries no registry: it believes the declared
architectures of the CR.

The status is 0 for a CR that the operators refuse, too. To fail on it, use check.`,
		Example: `  goldenarch forecast hco.yaml --workload-architectures amd64,arm64 --release 1.19
  goldenarch forecast overlays/prod
  goldenarch render overlays/prod | goldenarch forecast - --workload-architectures amd64,arm64`,
		RunE: func(cmd *cobra.Command, args []string) error {
			show, ok := forecastFormats[output]
			ok = ok || output == factsFormat
			how := prediction.Admission(admit)
			if !ok {
				return checkValue("output", "output", output, "text", "json", "yaml", factsFormat)
			}
			if err := checkValue("admission", "admission", admit, "apply", "skip"); err != nil {
				return err
			}
			return r.forecast(cmd.Context(), args, how, show, r.streams.printer.Report(output))
		},
	}
	r.flags.add(cmd)
	r.flags.addOffline(cmd)
	r.flags.leaveIdle("offline", "mode", "workloads", "existing", "allow", "unsupported", "unresolved", "gate", "defaults",
		"expand", "expand-data-sources", "expand-predefined", "expand-support", "expand-replace-on-change", "lock", "verify",
		"registry-timeout", "registry-request-timeout", "registry-retries", "registry-concurrency", "registry-requests-per-second",
		"registry-insecure", "registry-pull-secrets", "registry-certificate-authorities",
		"allow-insecure-credentials", "authfile", "registries-conf", "registry-allow")
	r.addNodes(cmd)
	r.addLive(cmd)
	r.addCRPath(cmd)
	cmd.Flags().StringVar(&r.config, "config", "", "file with the GoldenImages configuration")
	cmd.Flags().BoolVar(&r.strict, "strict", false, "fail on a templated file, and on a release newer than the newest verified one (default: warn)")
	cmd.Flags().StringVarP(&output, "output", "o", "text",
		"output format: text, json (one object per line), yaml (manifests), facts (for 'goldenarch check --facts')")
	cmd.Flags().StringVar(&admit, "admission", "apply", "predict admission first (apply), or read the CR as written (skip): apply, skip")
	return cmd
}

func (r *render) forecast(
	ctx context.Context, paths []string, how prediction.Admission, show func(io.Writer, []forecast.Prediction, int) error, to io.Writer,
) error {
	function, err := r.flags.function()
	if err != nil {
		return err
	}
	function.Strict = r.strict
	r.runGenerators(ctx, function)
	items, found := r.read(paths)
	if found.Failed() {
		r.streams.printer.Findings(found.Sorted())
		return errSilent
	}
	steps, err := r.steps()
	if err != nil {
		return err
	}
	if err := r.giveFacts(&function, r.firstPath(paths), items); err != nil {
		return err
	}
	items, steps, _, more := r.fromFleet(&function, paths, items, steps)
	if found = append(found, more...); found.Failed() {
		r.streams.printer.Findings(found.Sorted())
		return errSilent
	}
	list, more := function.Predict(items, steps, how)
	found = append(append(found, more...), r.flags.idleGiven()...).Sorted()
	r.streams.printer.Findings(found)
	if found.Failed() {
		return errSilent
	}
	var out bytes.Buffer
	if show == nil {
		err = writeFacts(&out, list, items)
	} else {
		err = show(&out, list, r.streams.printer.Width())
	}
	if err != nil {
		return err
	}
	if _, err := to.Write(out.Bytes()); err != nil {
		return fmt.Errorf("write: %w", err)
	}
	return nil
}
