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
// no section has this id. References to other pages name their files below docs.
func Finding(name string) string {
	_, section, ok := strings.Cut(findings, "\n### "+name+"\n")
	if !ok || name == "" {
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
	return name + ": " + strings.TrimSpace(section) + "\n"
}

// FindingsAbout returns the ids of the findings whose sections have a text, such as the name of an alert or what a log says, in any
// case. A text that is shorter than a word is in none.
func FindingsAbout(text string) []string {
	const shortest = 4
	if len(text) < shortest || id().MatchString(text) {
		return nil
	}
	var out []string
	for _, section := range strings.Split(findings, "\n### ")[1:] {
		if end := heading().FindStringIndex(section); end != nil {
			section = section[:end[0]]
		}
		name, about, _ := strings.Cut(section, "\n")
		if strings.Contains(strings.ToLower(about), strings.ToLower(text)) {
			out = append(out, name)
		}
	}
	return out
}

// id matches what begins as the id of a finding does.
var id = pattern.Of(`(?i)^(ga)?\d`)

// heading matches the beginning of the next section.
var heading = pattern.Of(`(?m)^##`)

// link matches a link of Markdown.
var link = pattern.Of(`\[([^\]]+)\]\(([^)\s]+)\)`)
