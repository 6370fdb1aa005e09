package catalog

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/olm"
	"github.com/goldenarch/goldenarch/internal/workload"
)

// shownNames is how many bundles or images a finding names.
const shownNames = 5

// judged is a bundle with what its labels promise and what its images have.
type judged struct {
	bundle

	promised, has arch.Set
	// lacking has the promised architectures that images lack, and by the first of them.
	lacking arch.Set
	by      []string
	// unknown are images of which nothing is known.
	unknown []string
}

// Check says which architectures the channel heads of each package support, and reports what
// the bundles promise and their images lack. What a head promises and lacks is an error: OLM
// installs it.
func (c Catalog) Check(answers map[string]workload.Answer) finding.List {
	bundles := map[string]map[string]judged{}
	for _, b := range c.bundles {
		if bundles[b.of] == nil {
			bundles[b.of] = map[string]judged{}
		}
		bundles[b.of][b.name] = judge(b, answers)
	}
	var found finding.List
	for _, name := range slices.Sorted(maps.Keys(bundles)) {
		found = append(found, c.checkPackage(name, bundles[name])...)
	}
	return append(found, c.unresolved(answers)...)
}

func judge(b bundle, answers map[string]workload.Answer) judged {
	out := judged{bundle: b, promised: olm.Promised(b.labels)}
	first := true
	for _, image := range b.images {
		answer, known := answers[image]
		switch {
		case known && !answer.Counts():
			continue
		case !known || answer.Err != nil:
			out.unknown = append(out.unknown, image)
			continue
		case first:
			out.has, first = answer.Architectures, false
		default:
			out.has = out.has.Intersect(answer.Architectures)
		}
		if lacking := out.promised.Minus(answer.Architectures); b.known && len(lacking) > 0 {
			out.lacking = out.lacking.Union(lacking)
			out.by = append(out.by, fmt.Sprintf("%s has %s", image, olm.Names(answer.Architectures)))
		}
	}
	return out
}

// checkPackage reports the channel heads of a package, and its other bundles together.
func (c Catalog) checkPackage(name string, bundles map[string]judged) finding.List {
	var found finding.List
	var heads []string
	isHead := map[string]bool{}
	for _, one := range c.channels {
		if one.of != name {
			continue
		}
		for _, head := range one.heads {
			b, is := bundles[head]
			if !is {
				continue // the catalog of another file, or a deprecated entry
			}
			heads = append(heads, fmt.Sprintf("%s (%s): %s", one.name, head, b.describe()))
			if !isHead[head] && len(b.lacking) > 0 {
				found = append(found, b.finding(finding.LabelNotKept, finding.Error,
					fmt.Sprintf("the head of the channel %q promises %s, and not all images have it: %s", one.name, olm.Names(b.lacking), several(b.by)),
					"correct the labels of its ClusterServiceVersion, or build these images"))
			}
			isHead[head] = true
		}
	}
	var others []string
	for _, other := range slices.Sorted(maps.Keys(bundles)) {
		if b := bundles[other]; !isHead[other] && len(b.lacking) > 0 {
			others = append(others, fmt.Sprintf("%s lacks %s", other, olm.Names(b.lacking)))
		}
	}
	first := bundles[slices.Sorted(maps.Keys(bundles))[0]]
	at := finding.Object{Kind: "olm.package", Name: name, File: first.file}
	if len(others) > 0 {
		found = append(found, finding.Finding{
			ID: finding.LabelNotKept, Severity: finding.Warning, Object: at,
			Text: fmt.Sprintf("%d bundles that are no channel heads promise architectures that not all of their images have: %s", len(others), several(others)),
			Do:   "remove them from the channels, if OLM need not pass through them",
		})
	}
	if len(heads) > 0 {
		found = append(found, finding.Finding{
			ID: finding.CatalogHeads, Severity: finding.Info, Object: at,
			Text: "the images of the channel heads have these architectures in common: " + strings.Join(heads, "; "),
		})
	}
	return found
}

// describe says what a bundle supports.
func (b judged) describe() string {
	text := olm.Names(b.has)
	switch {
	case len(b.images) == 0:
		return "no related images"
	case len(b.unknown) > 0:
		text = fmt.Sprintf("%d of %d images unknown", len(b.unknown), len(b.images))
		if len(b.has) > 0 {
			text += ", the others have " + olm.Names(b.has)
		}
	}
	if more := b.has.Minus(b.promised); b.known && len(more) > 0 && len(b.unknown) == 0 {
		text += ", and the labels do not promise " + olm.Names(more)
	}
	return text
}

func (b judged) finding(id finding.ID, severity finding.Severity, text, do string) finding.Finding {
	return finding.Finding{
		ID: id, Severity: severity, Object: finding.Object{Kind: "olm.bundle", Name: b.name, File: b.file}, Text: text, Do: do,
	}
}

// unresolved reports the images of which nothing is known, those of one registry with one
// cause together.
func (c Catalog) unresolved(answers map[string]workload.Answer) finding.List {
	type cause struct{ host, why string }
	groups := map[cause][]string{}
	var order []cause
	for _, image := range c.Images() {
		answer, known := answers[image]
		if known && (answer.Err == nil || !answer.Counts()) {
			continue
		}
		at := cause{answer.Host, answer.Cause}
		if answer.Cause == "" {
			at.why = image
		}
		if groups[at] == nil {
			order = append(order, at)
		}
		groups[at] = append(groups[at], image)
	}
	var found finding.List
	for _, at := range order {
		images := groups[at]
		answer := answers[images[0]]
		text := fmt.Sprintf("nothing is known of the image %q", images[0])
		if answer.Err != nil {
			text = answer.Err.Error()
		}
		if len(images) > 1 {
			text = fmt.Sprintf("%d images of %s are unresolved, because %s: %s. Of the first one: %s", len(images), at.host, at.why, several(images), text)
		}
		f := finding.Finding{
			ID: finding.PodUnresolved, Severity: finding.Warning, Object: finding.Object{Kind: "olm.catalog", File: c.Path}, Text: text,
			Do: "state their architectures with imageArchitectures, or skip them with ignoreImages",
		}
		if len(images) == len(c.Images()) {
			f.Unchanged.Severity = finding.Error // nothing of the catalog is proven
		}
		found = append(found, f)
	}
	return found
}

// several names the first of a list, and says how many more there are.
func several(list []string) string {
	if len(list) <= shownNames {
		return strings.Join(list, "; ")
	}
	return fmt.Sprintf("%s; and %d more", strings.Join(list[:shownNames], "; "), len(list)-shownNames)
}
