package check

import (
	"fmt"
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/yamlnode"
)

// compare reports how the input differs from the rendered items.
func (c *Result) compare(after []*yaml.RNode) {
	const do = "apply the output of 'goldenarch render', or commit it"
	rendered := readCRs(after, c.parsed)
	places := firsts(rendered, identityOf)
	for i, cr := range c.CRs {
		j, is := places[identityOf(cr)]
		if !is {
			continue
		}
		changes := changedFields(cr.tree, rendered[j].tree, "")
		if len(changes) == 0 {
			continue
		}
		texts := make([]string, 0, len(changes))
		for _, one := range changes {
			c.CRs[i].Changes = append(c.CRs[i].Changes, one.path)
			texts = append(texts, one.String())
		}
		c.Findings = append(c.Findings, finding.Finding{
			ID: finding.NotAsRendered, Severity: finding.Info, Object: cr.Object, Line: yamlnode.Line(cr.node, ""), Do: do,
			Text: fmt.Sprintf("render changes %s of the CR: %s", finding.Count(len(changes), "field"), finding.FirstOf(texts)),
		})
	}
	emitted := c.emittedBy(after)
	if c.find(finding.Object{}, func(f finding.Finding) bool { return f.ID == finding.EmittedNotCommitted }) >= 0 {
		return // it names the same objects
	}
	if len(emitted) > 0 {
		c.Findings = append(c.Findings, finding.Finding{
			ID: finding.NotAsRendered, Severity: finding.Info, Do: do,
			Text: fmt.Sprintf("goldenarch emits %s that the input does not have: %s", finding.Count(len(emitted), "object"), finding.FirstOf(emitted)),
		})
	}
}

// changed reports whether rendering changes a CR.
func (c *Result) changed(after []*yaml.RNode) bool {
	rendered := readCRs(after, c.parsed)
	places := firsts(rendered, identityOf)
	return slices.ContainsFunc(c.CRs, func(cr CR) bool {
		j, is := places[identityOf(cr)]
		return is && len(changedFields(cr.tree, rendered[j].tree, "")) > 0
	})
}
