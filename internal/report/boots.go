package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/operators/cdi"
	"github.com/goldenarch/goldenarch/internal/operators/forecast"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
)

// boot says whether the golden image of a template boots on the nodes of an architecture.
type boot string

const (
	boots boot = "boots"
	// depends: the golden image is of one of several architectures.
	depends  boot = "depends"
	bootsNot boot = "no"
	// notJudged: an error prevents a prediction, or nothing says what the image has. Programs read depends.
	notJudged boot = unknownCell
)

// public returns the value for programs.
func (b boot) public() boot {
	if b == notJudged {
		return depends
	}
	return b
}

// letters are the short forms of a boot, for a table of many.
var letters = map[boot]string{boots: "B", depends: "D", bootsNot: "N", notJudged: unknownCell}

// lettersOn says what the letters mean on architectures.
func lettersOn(architectures []string) string {
	return "B boots, D depends on the node that imports it, N does not boot, " + unknownCell + " is not known; on " + strings.Join(architectures, ", ")
}

// imageRow is a template, with what the nodes of each architecture get of it.
type imageRow struct {
	template string
	boots    []boot
	// documented says that only documentation says which architectures the image has.
	documented bool
}

// everywhere reports whether all nodes of the cluster get the golden image.
func (r imageRow) everywhere() bool {
	return !slices.ContainsFunc(r.boots, func(b boot) bool { return b != boots })
}

// images are the golden images of a CR, by templates and workload architectures.
type images struct {
	architectures []string
	// unknown says that nothing states the architectures, and nothing that no golden image is made: why says why.
	unknown bool
	why     string
	rows    []imageRow
}

// everywhere reports whether each golden image boots on each node.
func (m images) everywhere() bool {
	return !m.unknown && m.why == "" && !slices.ContainsFunc(m.rows, func(r imageRow) bool { return !r.everywhere() })
}

// imagesOf returns the golden images of a CR. A template that a person disabled is none.
func imagesOf(one forecast.Prediction) images {
	shown := one.Shown()
	if shown == nil {
		return images{why: refusedText(one)}
	}
	out := images{architectures: shown.WorkloadArchitectures, unknown: shown.WorkloadUnknown}
	if shown.NoImagesBecause != "" {
		return images{why: shown.NoImagesBecause}
	}
	stopped := len(shown.Failures()) > 0
	crons, nodes := shown.CronsByTemplate(), arch.Named(out.architectures...)
	for _, t := range shown.Templates {
		if isOff(t) {
			continue
		}
		row := imageRow{template: t.Name, documented: t.KnownFrom == hyperconverged.Documentation}
		for _, a := range out.architectures {
			row.boots = append(row.boots, bootOf(t, crons[t.Name], arch.Arch(a), nodes, stopped))
		}
		out.rows = append(out.rows, row)
	}
	return out
}

// isOff reports whether a person disabled a template, or all that HCO ships.
func isOff(t forecast.TemplateOutcome) bool {
	disabled := t.Outcome == forecast.Disabled && t.DisabledBecause != hyperconverged.NoSupportedArchitecture
	return disabled || t.Outcome == forecast.Dropped && t.Index < 0
}

// refusedText says who refuses a CR.
func refusedText(one forecast.Prediction) string {
	if all := one.Refusals(); len(all) > 0 {
		return all[0].Who
	}
	return "there is no prediction for the CR"
}

// bootOf returns what the nodes of an architecture get of a template.
func bootOf(t forecast.TemplateOutcome, crons []*forecast.CronOutcome, a arch.Arch, nodes arch.Set, stopped bool) boot {
	switch {
	case t.Outcome == forecast.InError || t.Outcome == forecast.Unknown:
		return notJudged
	case stopped:
		return bootsNot
	}
	best := bootsNot
	for _, c := range crons {
		if c.Outcome != forecast.Created {
			continue
		}
		has := c.Image.Architectures
		if len(has) == 0 && t.Class == hyperconverged.ClassPredefined && t.Claim != nil {
			has, _ = arch.Claim(*t.Claim).Meant() // HCO ships it, and declares what it has
		}
		switch {
		case c.Architecture == a:
			if len(has) == 0 {
				return notJudged
			}
			return boots
		case c.Architecture != "":
		case len(has) == 0:
			best = notJudged
		default: // the node that imports it decides
			switch of := cdi.Importable(has, nodes); {
			case !of.Contains(a):
			case len(of) > 1:
				best = depends
			default:
				best = boots
			}
		}
	}
	return best
}

// sentence says in a sentence or two what a check has found.
func (c story) sentence() string {
	switch {
	case !c.Any() && c.Findings.Failed() && !slices.ContainsFunc(c.Findings, SaysNothingChecked):
		return c.failing("") // nothing could be read
	case !c.Any():
		return c.failing("There is nothing to check.")
	case c.onlyOperators():
		return c.sentenceOfOperators()
	case c.Repository != nil && len(c.Repository.Clusters) > 1:
		return c.sentenceOfClusters()
	case len(c.Forecast) > 0:
		return c.sentenceOfCRs()
	case len(c.Machines) > 0:
		return c.failing(upperFirst(c.machinesText()) + ".")
	case c.Passed():
		return "Nothing is wrong with " + c.subjects() + "."
	default:
		return c.failing("")
	}
}

// failing adds to a text that the check fails, if it does.
func (c story) failing(text string) string {
	if c.Passed() {
		return text
	}
	why := ""
	if n := c.count; n > 0 {
		why = " for " + finding.Count(n, "reason")
	}
	return strings.TrimSpace(text + " The check fails" + why + ".")
}

// sentenceOfClusters counts the clusters in which everything boots.
func (c story) sentenceOfClusters() string {
	good, failing := 0, 0
	for _, one := range c.Repository.Clusters {
		switch {
		case !c.bootsIn(one.Name):
		case one.Verdict.Passes(c.AllowEmpty):
			good++
		default:
			good, failing = good+1, failing+1
		}
	}
	all := len(c.Repository.Clusters)
	text := fmt.Sprintf("%d of %d clusters boot everything.", good, all)
	passing := !slices.ContainsFunc(c.Repository.Clusters, func(one Cluster) bool { return !one.Verdict.Passes(c.AllowEmpty) })
	switch {
	case good == all:
		text = fmt.Sprintf("All %d clusters boot everything.", all)
	case passing && c.Passed():
		text = fmt.Sprintf("All %d clusters pass. In %d of them some golden images do not boot on all nodes%s.", all, all-good, c.forReasons())
	case all-good == 1:
		text += " 1 does not" + c.forReasons() + "."
	default:
		text += fmt.Sprintf(" %d do not%s.", all-good, c.forReasons())
	}
	switch {
	case failing == 1:
		text += " 1 of the others fails the check all the same."
	case failing > 1:
		text += fmt.Sprintf(" %d of the others fail the check all the same.", failing)
	}
	if good == all {
		text = strings.ReplaceAll(text, " of the others", " of them")
	}
	if good == all && failing == 0 {
		text = c.failing(text)
	}
	return text
}

// sentenceOfCRs says what boots in the only cluster.
func (c story) sentenceOfCRs() string {
	why, unknown, everywhere := "", false, true
	rows, documented := 0, 0
	var architectures []string
	for _, of := range c.images {
		why, unknown, everywhere = cmp.Or(why, of.why), unknown || of.unknown, everywhere && of.everywhere()
		rows += len(of.rows)
		architectures = append(architectures, of.architectures...)
		for _, r := range of.rows {
			if r.documented {
				documented++
			}
		}
	}
	architectures = slices.Compact(slices.Sorted(slices.Values(architectures)))
	switch {
	case why != "":
		return c.failing(upperFirst(why) + ", so the cluster gets no golden images of it.")
	case rows == 0:
		return c.failing("The CR has no golden images.")
	case unknown:
		return c.failing(fmt.Sprintf("Nothing states the nodes of the cluster, so it is not known where its %s.", countedVerb(rows, "golden image", "boots", "boot")))
	case !everywhere:
		return c.lackingText(rows, architectures) + c.forReasons() + "."
	case rows == 1:
		return c.failing("The golden image boots on " + andList(architectures) + ".")
	case documented > 0:
		return c.failing(fmt.Sprintf("All %d golden images boot on %s, %d of them as documented.", rows, andList(architectures), documented))
	default:
		return c.failing(fmt.Sprintf("All %d golden images boot on %s.", rows, andList(architectures)))
	}
}

// countedVerb returns a number of things and what they do: "1 golden image boots".
func countedVerb(n int, what, one, several string) string {
	if n == 1 {
		return "1 " + what + " " + one
	}
	return fmt.Sprintf("%d %ss %s", n, what, several)
}

// countLacking returns how many golden images do not boot on an architecture, and how many boot on some nodes only or could not be judged.
func (c story) countLacking() (lacking map[string]int, unsure, unjudged int) {
	lacking = map[string]int{}
	for _, of := range c.images {
		for _, r := range of.rows {
			for i, a := range of.architectures {
				if r.boots[i] == bootsNot {
					lacking[a]++
				}
			}
			switch {
			case slices.Contains(r.boots, notJudged):
				unjudged++
			case slices.Contains(r.boots, depends):
				unsure++
			}
		}
	}
	return lacking, unsure, unjudged
}

// lackingText counts the golden images that do not boot, by architecture.
func (c story) lackingText(rows int, architectures []string) string {
	lacking, unsure, unjudged := c.countLacking()
	var parts []string
	add := func(n int, one, several string) {
		verb := several
		if n == 1 {
			verb = one
		}
		if len(parts) == 0 {
			verb = fmt.Sprintf("of %d golden images %s", rows, verb)
		}
		parts = append(parts, fmt.Sprintf("%d %s", n, verb))
	}
	for _, a := range architectures {
		switch n := lacking[a]; {
		case n > 0 && len(parts) > 0:
			parts = append(parts, fmt.Sprintf("%d not on %s", n, a))
		case n > 0:
			add(n, "does not boot on "+a, "do not boot on "+a)
		}
	}
	switch some := " on some nodes only"; {
	case unsure == 0:
	case len(parts) > 0:
		add(unsure, "boots"+some, "boot"+some)
	default:
		add(unsure, "boots"+some+", and nothing says on which", "boot"+some+", and nothing says on which")
	}
	if unjudged > 0 {
		text := "could not be judged"
		if c.Findings.Has(finding.Unresolved) || c.Findings.Has(finding.LockMissing) {
			text += ", because nothing says what the image has"
		}
		add(unjudged, text, strings.Replace(text, "the image has", "the images have", 1))
	}
	return strings.Join(parts, ", ")
}

// forReasons says how many reasons there are: ", for 2 reasons".
func (c story) forReasons() string {
	if n := c.count; n > 0 {
		return ", for " + finding.Count(n, "reason")
	}
	return ""
}

// andList joins names: "a, b and c", and of many the first.
func andList(names []string) string {
	const many = 8
	if len(names) > many {
		return finding.Shortened(names, many)
	}
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1]
}

// upperFirst returns a text with its first letter in upper case.
func upperFirst(text string) string {
	if text == "" {
		return text
	}
	return strings.ToUpper(text[:1]) + text[1:]
}
