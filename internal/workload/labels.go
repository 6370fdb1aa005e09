package workload

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/workload/affinity"
)

// checkLabels reports deprecated labels, and values that no node has.
func (p *pod) checkLabels(c affinity.Constraints) {
	for _, key := range slices.Sorted(maps.Keys(c.NodeSelector)) {
		p.checkLabel("nodeSelector", key, c.NodeSelector[key])
	}
	if c.Required != nil {
		for i, term := range c.Required.NodeSelectorTerms {
			p.checkExpressions(fmt.Sprintf("%s[%d]", affinity.RequiredPath, i), term)
		}
	}
	for i, one := range c.Preferred {
		p.checkExpressions(fmt.Sprintf("%s[%d].preference", affinity.PreferredPath, i), one.Preference)
	}
}

func (p *pod) checkExpressions(at string, term corev1.NodeSelectorTerm) {
	for i, e := range term.MatchExpressions {
		p.checkLabel(fmt.Sprintf("%s.matchExpressions[%d]", at, i), e.Key, e.Values...)
	}
}

func (p *pod) checkLabel(field, key string, values ...string) {
	switch key {
	case affinity.BetaArchLabel, affinity.BetaOSLabel:
		p.add(finding.BetaLabel, finding.Warning, field,
			fmt.Sprintf("the label %s is deprecated since Kubernetes 1.14, and a node may lack it", key),
			"use "+strings.TrimPrefix(key, "beta."))
	}
	if !affinity.IsArch(key) {
		return
	}
	for _, value := range values {
		if arch.Known(arch.Arch(value)) {
			continue
		}
		severity, do := finding.Warning, "correct the name, unless a virtual kubelet gives its node this label"
		text := fmt.Sprintf("%s is %q, which is not an architecture that Kubernetes is built for", key, value)
		if meant, err := arch.Parse(value); err == nil {
			severity, do = finding.Error, "write "+string(meant)
			text = fmt.Sprintf("%s is %q, which no node has: Kubernetes uses the names of Go", key, value)
		}
		f := p.add(finding.ArchLabelValue, severity, field, text, do)
		f.Current = value
	}
}
