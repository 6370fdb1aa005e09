package access

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/images/imageref"
	"github.com/goldenarch/goldenarch/internal/images/registry"
)

// Findings returns the findings. Call it after the queries.
func (g *Access) Findings() finding.List {
	g.mu.Lock()
	defer g.mu.Unlock()
	var found finding.List
	for _, d := range g.conditionals {
		if d.only == nil && len(g.queried) == 0 {
			continue
		}
		if d.only != nil {
			err, asked := g.queried[*d.only]
			if !asked {
				continue
			}
			if err == nil {
				d.finding.Severity = finding.Info
			}
		}
		found = append(found, d.finding)
	}
	found = append(found, g.mirrorFindings...)
	found = append(found, g.failedMirrors()...)
	found = append(found, g.ignoredEntries()...)
	return append(found, g.rateLimits()...)
}

// ignoredEntries reports the index entries that look like an architecture, but that CDI
// ignores.
func (g *Access) ignoredEntries() finding.List {
	var found finding.List
	for _, ref := range slices.SortedFunc(maps.Keys(g.ignored), ByText) {
		found = append(found, finding.Finding{
			ID: finding.EntryIgnored, Severity: finding.Warning,
			Text: fmt.Sprintf("image %q: CDI does not use all entries of its index: %s", ref, strings.Join(g.ignored[ref], "; ")),
			Do:   "push the index again, with platforms written as Go does: linux/amd64",
		})
	}
	return found
}

// rateLimits reports registries that will soon refuse further pulls.
func (g *Access) rateLimits() finding.List {
	var found finding.List
	for _, n := range g.notes {
		found = append(found, finding.Finding{
			ID: finding.RateLimitLow, Severity: finding.Warning, Text: n.String(),
			Do: "log in for a higher limit (podman login " + n.Registry + "), or use a lock",
		})
	}
	slices.SortFunc(found, func(a, b finding.Finding) int { return strings.Compare(a.Text, b.Text) })
	return found
}

// ByText compares two references by their text.
func ByText(a, b imageref.Reference) int {
	return strings.Compare(a.String(), b.String())
}

// failedMirrors reports the mirrors that did not answer although another place had the
// image, once for each registry.
func (g *Access) failedMirrors() finding.List {
	var found finding.List
	hosts := map[string]int{} // host -> its finding
	images := map[string]int{}
	for _, ref := range slices.SortedFunc(maps.Keys(g.failed), ByText) {
		for _, passed := range g.failed[ref] {
			if errors.Is(passed, registry.ErrDiffers) {
				found = append(found, finding.Finding{
					ID: finding.MirrorDiffers, Severity: finding.Warning, Text: fmt.Sprintf("image %q: %v", ref, passed),
					Do: "mirror the image again, with all its platforms and unchanged",
				})
				continue
			}
			host, _, _ := strings.Cut(passed.Mirror, "/")
			if images[host]++; images[host] == 1 {
				hosts[host] = len(found)
				found = append(found, finding.Finding{
					ID: finding.MirrorUnavailable, Severity: finding.Info, Text: fmt.Sprintf("goldenarch found image %q elsewhere: %v", ref, passed),
					Do: "if the cluster reaches only this mirror, push the image there",
				})
			}
		}
	}
	for host, at := range hosts {
		if more := images[host] - 1; more > 0 {
			found[at].Text += fmt.Sprintf(" (and %d more)", more)
		}
	}
	return found
}
