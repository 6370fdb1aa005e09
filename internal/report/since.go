package report

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/sanitize"
	"github.com/goldenarch/goldenarch/internal/screen"
)

// Since says what a change makes of the findings of its base. It changes no verdict.
type Since struct {
	// Base is the commit, branch or tag as the user names it.
	Base string
	// Worse are the errors and warnings that the base does not have, Better those that only the base has.
	Worse, Better finding.List
}

// sinceJSON is [Since] in the JSON document.
type sinceJSON struct {
	Base   string        `json:"base"`
	Worse  []findingJSON `json:"worse"`
	Better []findingJSON `json:"better"`
}

// sentence returns what changed, in a sentence.
func (s *Since) sentence() string {
	worse, better := finding.Count(len(Check{Findings: s.Worse}.grouped()), "finding"), finding.Count(len(Check{Findings: s.Better}.grouped()), "finding")
	switch {
	case len(s.Worse)+len(s.Better) == 0:
		return fmt.Sprintf("Since %s, nothing is worse or better.", s.Base)
	case len(s.Better) == 0:
		return fmt.Sprintf("Since %s, %s more.", s.Base, worse)
	case len(s.Worse) == 0:
		return fmt.Sprintf("Since %s, %s less.", s.Base, better)
	default:
		return fmt.Sprintf("Since %s, %s more and %s less.", s.Base, worse, better)
	}
}

// before returns a check without the findings that its base does not have: they stand apart.
func (c Check) before() Check {
	if c.Since == nil {
		return c
	}
	left := slices.Clone(c.Since.Worse)
	c.Findings = slices.DeleteFunc(slices.Clone(c.Findings), func(f finding.Finding) bool {
		i := slices.IndexFunc(left, func(other finding.Finding) bool { return other.String() == f.String() })
		if i >= 0 {
			left = slices.Delete(left, i, i+1)
		}
		return i >= 0
	})
	return c
}

// writeSince writes what the change makes worse and better.
func (c Check) writeSince(out *bytes.Buffer) {
	if c.Since == nil {
		return
	}
	line := func(text string) { out.WriteString(screen.Wrap(sanitize.Line(text)+"\n", c.Width)) }
	line(c.Since.sentence())
	for _, f := range c.with(c.Since.Worse).Shown().Grouped() {
		line("more: " + f.String())
	}
	for _, f := range c.with(c.Since.Better).Shown().Grouped() {
		line("less: " + f.String())
	}
	out.WriteString("\n")
}

// with returns a check with other findings.
func (c Check) with(list finding.List) Check {
	c.Findings = list
	return c
}

// markdownSince returns what the change makes worse and better.
func (c Check) markdownSince() string {
	if c.Since == nil {
		return ""
	}
	out := "\n### " + markdown(c.Since.sentence()) + "\n"
	if len(c.Since.Worse) > 0 {
		out += "\nMore:\n" + c.with(c.Since.Worse).markdownFindings().within(maxMarkdown/4)
	}
	if len(c.Since.Better) > 0 {
		out += "\nLess:\n" + c.with(c.Since.Better).markdownFindings().within(maxMarkdown/4)
	}
	return out + "\n### All findings\n"
}

// writeHTMLSince writes what the change makes worse and better.
func (c Check) writeHTMLSince(out *bytes.Buffer) {
	if c.Since == nil {
		return
	}
	fmt.Fprintf(out, "<h2>%s</h2>\n", text(c.Since.sentence()))
	for _, part := range []struct {
		title string
		list  finding.List
	}{{"More", c.Since.Worse}, {"Less", c.Since.Better}} {
		if len(part.list) > 0 {
			fmt.Fprintf(out, "<h3>%s</h3>\n", part.title)
			writeHTMLFindings(out, c.with(part.list).grouped())
		}
	}
	out.WriteString("<h2>All findings</h2>\n")
}

// toJSON returns the document of a comparison.
func (s *Since) toJSON(c Check) *sinceJSON {
	if s == nil {
		return nil
	}
	out := &sinceJSON{Base: s.Base, Worse: []findingJSON{}, Better: []findingJSON{}}
	for _, part := range []struct {
		list finding.List
		into *[]findingJSON
	}{{s.Worse, &out.Worse}, {s.Better, &out.Better}} {
		for _, f := range c.with(part.list).grouped() {
			*part.into = append(*part.into, toGroupedJSON(f))
		}
	}
	return out
}
