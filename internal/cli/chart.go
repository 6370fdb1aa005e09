package cli

import (
	"fmt"
	"path/filepath"

	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/sanitize"
)

// chart reports a Helm chart, which goldenarch skips. It is an error if a path names
// only charts.
func (r *render) chart(dir, path string) finding.Finding {
	f := finding.Finding{
		ID: finding.Templated, Severity: finding.Warning, Object: finding.Object{File: filepath.ToSlash(dir)},
		Text: "the directory is a Helm chart, so goldenarch skips it: only helm can render it",
		Do:   fmt.Sprintf("pass what helm renders: %s | %s -", sanitize.Command("helm", "template", filepath.ToSlash(dir)), r.verb()),
	}
	if given := filepath.Clean(path); r.strict || given == filepath.Clean(dir) || given == filepath.Join(dir, chartFile) {
		f.Severity, f.Text = finding.Error, "a Helm chart: only helm can render it"
	}
	return f
}

// verb returns the command that reads standard input, as a user writes it, without the "-".
// Verbs that edit files cannot write there, and lock needs the name of its file.
func (r *render) verb() string {
	if r.flags.command == nil {
		return "goldenarch render"
	}
	switch path := r.flags.command.CommandPath(); r.flags.command.Name() {
	case "fix", "customize", "init":
		return "goldenarch render"
	case "lock":
		return path + " --file golden-images.lock.yaml"
	default:
		return path
	}
}
