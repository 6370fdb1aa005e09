package report

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/goldenarch/goldenarch/internal/console"
	"github.com/goldenarch/goldenarch/internal/finding"
)

// commands are the workflow commands of GitHub that annotate a line.
var commands = map[finding.Severity]string{finding.Error: "error", finding.Warning: "warning", finding.Info: "notice"}

// The characters that end a part of a workflow command, and their escapes
// (actions/toolkit packages/core/src/command.ts).
var (
	commandData     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	commandProperty = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

// GitHub writes a check as workflow commands of GitHub Actions, one for each finding, between
// the sentence and the verdict. GitHub shows ten of each severity for each step.
func GitHub(w io.Writer, c Check) error {
	var out bytes.Buffer
	fmt.Fprintln(&out, console.SafeLine(c.tell().sentence()))
	for _, f := range c.grouped() {
		var properties []string
		if file, line := place(f.Finding); file != "" {
			properties = append(properties, "file="+commandProperty.Replace(console.SafeLine(file)))
			if line > 0 {
				properties = append(properties, fmt.Sprintf("line=%d", line))
			}
		}
		title := string(f.ID) + " " + f.ID.Title()
		properties = append(properties, "title="+commandProperty.Replace(console.SafeLine(title)))
		text := console.SafeLine(strings.TrimSpace(objectIn(f.Finding) + ": " + f.Message()))
		fmt.Fprintf(&out, "::%s %s::%s\n", commands[f.Severity], strings.Join(properties, ","), commandData.Replace(strings.TrimPrefix(text, ": ")))
	}
	for _, line := range c.machineLines() {
		fmt.Fprintln(&out, line)
	}
	fmt.Fprintln(&out, c.lastLine())
	return write(w, "report", out.Bytes())
}
