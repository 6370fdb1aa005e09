package report

import (
	"bytes"
	"fmt"

	"github.com/goldenarch/goldenarch/internal/console"
	"github.com/goldenarch/goldenarch/internal/finding"
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

// writeChanges writes what the change makes worse and better.
func (c story) writeChanges(out *bytes.Buffer) {
	s := c.Since
	if s == nil {
		return
	}
	out.WriteString("\n" + console.Wrap(console.SafeLine(s.sentence())+"\n", c.Width))
	for _, g := range c.with(s.Worse).Shown().Grouped() {
		writeReason(out, "more: ", g, c.Width)
	}
	for _, g := range c.with(s.Better).Shown().Grouped() {
		out.WriteString(console.Wrap(console.SafeLine("less: "+g.Problem())+"\n", c.Width))
	}
}

// markdownChanges returns what the change makes worse and better.
func (c story) markdownChanges() string {
	s := c.Since
	if s == nil {
		return ""
	}
	out := "\n### " + markdown(s.sentence()) + "\n"
	if len(s.Worse) > 0 {
		out += markdownReasons("\nMore:\n", c.with(s.Worse).Shown().Grouped()).within(maxMarkdown / 3)
	}
	if len(s.Better) > 0 {
		out += markdownLines("\nLess:\n\n", c.with(s.Better).Shown().Grouped()).within(maxMarkdown / 6)
	}
	return out
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
