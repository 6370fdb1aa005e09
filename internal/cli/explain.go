package cli

import (
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/goldenarch/goldenarch/docs"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/near"
)

func newExplain(streams Streams) *cobra.Command {
	return &cobra.Command{
		Use:   "explain [ID...]",
		Short: "Explain findings: what they mean and what to do",
		Long: `Print what docs/findings.md says about findings, by their ids. The page is part of
the program, so no network is needed. Without an ID all ids are listed.`,
		Example:     "  goldenarch explain GA104",
		Annotations: readsNothingAnnotations(),
		RunE:        func(_ *cobra.Command, args []string) error { return explain(streams, args) },
		ValidArgsFunction: func(_ *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
			return finding.IDs(), cobra.ShellCompDirectiveNoFileComp
		},
	}
}

// explain prints the sections of findings, or the list of all of them.
func explain(streams Streams, args []string) error {
	if len(args) == 0 {
		return listFindings(streams)
	}
	var sections []string
	for _, arg := range args {
		id := strings.ToUpper(strings.TrimSpace(arg))
		if id != "" && id[0] >= '0' && id[0] <= '9' {
			id = "GA" + id
		}
		section := explained(finding.ID(id))
		if section == "" {
			return misuse{fmt.Errorf("there is no finding %q%s", arg, near.DidYouMean(id, finding.IDs()))}
		}
		sections = append(sections, section)
	}
	if _, err := fmt.Fprint(streams.printer.Text(), strings.Join(sections, "\n")); err != nil {
		return fmt.Errorf("write: %w", err)
	}
	return nil
}

// explained returns the section of a finding; "" for an unknown id. That of a retired id is the
// one of the id that has its meaning now.
func explained(id finding.ID) string {
	switch now, is := id.Retired(); {
	case is && now != "":
		return fmt.Sprintf("%s: no finding has this id any more. What it said, %s says.\n\n%s", id, now, docs.Finding(string(now)))
	case is:
		return fmt.Sprintf("%s: no finding has this id any more.\n", id)
	}
	return docs.Finding(string(id))
}

func listFindings(streams Streams) error {
	table := tabwriter.NewWriter(streams.printer.Text(), 0, 0, 2, ' ', 0)
	for _, id := range finding.IDs() {
		fmt.Fprintf(table, "%s\t%s\n", id, finding.ID(id).Title())
	}
	if err := table.Flush(); err != nil {
		return fmt.Errorf("write: %w", err)
	}
	return nil
}
