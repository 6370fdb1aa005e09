// Package docs has the pages of the documentation that are part of the program, so
// that it can show them without a network.
//
// The package is pure: no network, no files, no clock, no environment.
package docs

import (
	_ "embed"
	"strings"

	"github.com/goldenarch/goldenarch/internal/pattern"
)

//go:embed findings.md
var findings string

// Finding returns the section of findings.md about a finding, as text for a terminal; "" if
// no section has the id. References to other pages name their files below docs.
func Finding(id string) string {
	_, section, is := strings.Cut(findings, "\n### "+id+"\n")
	if !is || id == "" {
		return ""
	}
	if end := heading().FindStringIndex(section); end != nil {
		section = section[:end[0]]
	}
	section = link().ReplaceAllStringFunc(section, func(found string) string {
		parts := link().FindStringSubmatch(found)
		text, target := parts[1], parts[2]
		switch {
		case strings.HasPrefix(target, "#ga"):
			return text
		case strings.HasPrefix(target, "#"):
			target = "docs/findings.md" + target
		case !strings.Contains(target, "://"):
			target = "docs/" + target
		}
		return text + " (" + target + ")"
	})
	section = strings.ReplaceAll(section, "**", "")
	return id + ": " + strings.TrimSpace(section) + "\n"
}

// heading matches the beginning of the next section.
var heading = pattern.Of(`(?m)^##`)

// link matches a link of Markdown.
var link = pattern.Of(`\[([^\]]+)\]\(([^)\s]+)\)`)
