package olm

import (
	"fmt"
	"strings"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/yamlnode"
)

func (c *csv) prunes() bool {
	return c.writes() && c.run.Spec.Prune && c.complete && len(c.images) > 0
}

func (c *csv) writes() bool {
	return c.run.Writes(c.object) && c.run.Spec.CSVLabels == v1alpha1.CSVLabelsWrite
}

// missing returns the architectures that all images have and no label names.
func (c *csv) missing() arch.Set {
	if len(c.images) == 0 || !c.complete {
		return nil
	}
	all := c.images[0].Architectures
	for _, p := range c.images[1:] {
		all = all.Intersect(p.Architectures)
	}
	if missing := all.Minus(c.labels.archs); len(missing) > 0 || c.labels.explicit {
		if !c.labels.explicit && all.Contains(arch.AMD64) {
			return missing.Union(arch.NewSet(arch.AMD64)) // with one label, OLM does not apply its default
		}
		return missing
	}
	return nil
}

// write adds labels and removes those that are wrong, or reports the missing ones.
func (c *csv) write(missing, wrong arch.Set) bool {
	if !c.writes() {
		for _, a := range missing {
			why := fmt.Sprintf("all images have %s, and OLM does not offer the operator there, because the label is missing", a)
			if c.labels.archs.Contains(a) {
				why = fmt.Sprintf("all images have %s, which OLM assumes only as long as no label names an architecture", a)
			}
			c.add(finding.LabelMissing, finding.Warning, "metadata.labels", why, fmt.Sprintf("add the label %s%s: %s", ArchPrefix, a, supported))
		}
		return false
	}
	changed := false
	put := func(key string) {
		yamlnode.SetString(yamlnode.Mapping(c.object.Node, "metadata", "labels"), key, supported, 0)
		c.add(finding.LabelWritten, finding.Info, "metadata.labels", fmt.Sprintf("goldenarch adds the label %s: %s", key, supported), "")
		c.unchanged(finding.Advice{Text: fmt.Sprintf("the label %s is missing", key), Do: fmt.Sprintf("add the label %s: %s", key, supported)})
		changed = true
	}
	for _, a := range missing {
		put(ArchPrefix + string(a))
	}
	if len(missing) > 0 && !c.labels.hasOS {
		put(osPrefix + "linux")
	}
	if c.prunes() && c.labels.explicit {
		for _, a := range wrong {
			yamlnode.Remove(yamlnode.Lookup(c.object.Node, []string{"metadata", "labels"}), ArchPrefix+string(a))
			c.add(finding.LabelWritten, finding.Warning, "metadata.labels",
				fmt.Sprintf("goldenarch removes the label %s%s, because not all images have it", ArchPrefix, a), "")
			c.unchanged(finding.Advice{
				Text: fmt.Sprintf("not all images have %s, but the ClusterServiceVersion has the label %s%s", a, ArchPrefix, a),
				Do:   "remove the label",
			})
			changed = true
		}
	}
	return changed
}

// namesOf returns the names of architectures for a sentence.
func namesOf(set arch.Set) string {
	if len(set) == 0 {
		return "none"
	}
	return strings.Join(set.Strings(), ", ")
}
