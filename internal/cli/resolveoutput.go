package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	k8syaml "sigs.k8s.io/yaml"

	"github.com/goldenarch/goldenarch/internal/sanitize"
)

// format prints what was resolved.
type format func(w io.Writer, list []resolved) error

var formats = map[string]format{"text": printText, "json": printJSON, "yaml": printYAML}

func printText(w io.Writer, list []resolved) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "IMAGE\tARCHITECTURES\tPLATFORMS\tDIGEST")
	for _, one := range list {
		if one.Error != "" {
			fmt.Fprintf(table, "%s\t%s\t\t\n", sanitize.Escape(one.Reference), "unknown")
			continue
		}
		names := make([]string, len(one.Platforms))
		for i, p := range one.Platforms {
			names[i] = p.String()
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\n", sanitize.Escape(one.Reference), strings.Join(one.Architectures, ","), strings.Join(names, ","), one.Digest)
	}
	return table.Flush()
}

func printJSON(w io.Writer, list []resolved) error {
	data, err := json.MarshalIndent(list, "", "  ")
	if err != nil {
		return fmt.Errorf("encode: %w", err)
	}
	_, err = w.Write(append(sanitize.JSON(data), '\n'))
	return err
}

func printYAML(w io.Writer, list []resolved) error {
	data, err := k8syaml.Marshal(list)
	if err != nil {
		return fmt.Errorf("encode: %w", err)
	}
	_, err = w.Write(data)
	return err
}
