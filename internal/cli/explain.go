package cli

import (
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/goldenarch/goldenarch/docs"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/spelling"
	"github.com/goldenarch/goldenarch/internal/workspace"
)

func newExplain(streams Streams) *cobra.Command {
	return &cobra.Command{
		Use:   "explain [ID...]",
		Short: "Explain findings: what they mean and what to do",
		Long: `Print what docs/findings.md says about findings, by their ids, or by a text that the page
has about them: the name of an alert, or what a log says. The page is part of the program,
so no network is needed. Without an ID all ids are listed.`,
		Example:     "  goldenarch explain GA104\n  goldenarch explain HCOMultiArchGoldenImagesDisabled\n  goldenarch explain exec format error",
		Annotations: readsNothingAnnotations(),
		RunE:        func(_ *cobra.Command, args []string) error { return explain(streams, args) },
		ValidArgsFunction: func(_ *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
			return finding.IDs(), cobra.ShellCompDirectiveNoFileComp
		},
	}
}

// explain prints the sections of findings, or the list of many of them.
func explain(streams Streams, args []string) error {
	const few = 3
	ids := finding.IDs()
	if len(args) > 0 {
		ids = docs.FindingsAbout(strings.Join(args, " "))
	}
	if len(ids) > few {
		return listFindings(streams, ids)
	}
	if len(ids) == 0 {
		ids = args
	}
	var sections []string
	for _, arg := range ids {
		id := strings.ToUpper(strings.TrimSpace(arg))
		if id != "" && id[0] >= '0' && id[0] <= '9' {
			id = "GA" + id
		}
		section := explained(finding.ID(id))
		if section == "" {
			return workspace.Misuse{Err: fmt.Errorf("there is no finding %q, and docs/findings.md does not have this text%s", arg, spelling.DidYouMean(id, finding.IDs()))}
		}
		sections = append(sections, section)
	}
	_, err := fmt.Fprint(streams.printer.Text(), strings.Join(sections, "\n"))
	return err
}

// explained returns the section of a finding; "" for an unknown id. That of a retired id is the
// one of the id that has its meaning now.
func explained(id finding.ID) string {
	switch now, ok := id.Retired(); {
	case ok && now != "":
		return fmt.Sprintf("%s: no finding has this id any more. What it said, %s says.\n\n%s", id, now, docs.Finding(string(now)))
	case ok:
		return fmt.Sprintf("%s: no finding has this id any more.\n", id)
	}
	return docs.Finding(string(id))
}

func listFindings(streams Streams, ids []string) error {
	table := tabwriter.NewWriter(streams.printer.Text(), 0, 0, 2, ' ', 0)
	for _, id := range ids {
		fmt.Fprintf(table, "%s\t%s\n", id, finding.ID(id).Title())
	}
	return table.Flush()
}
