package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/engine/check"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/machine"
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

// MarshalText returns the value for programs.
func (b boot) MarshalText() ([]byte, error) {
	if b == notJudged {
		b = depends
	}
	return []byte(b), nil
}

// letters are the short forms of a boot, for a table of many.
var letters = map[boot]string{boots: "B", depends: "D", bootsNot: "N", notJudged: unknownCell}

// lettersOn says what the letters and the sign in cells mean on architectures. joined says that a column is
// that of several templates.
func lettersOn(architectures []string, cells string, joined bool) string {
	out := "B boots, D depends on the node that imports it, N does not boot, "
	if strings.Contains(cells, unknownCell) {
		out += unknownCell + " is not known, "
	}
	out = strings.TrimSuffix(out, ", ") + "; on " + strings.Join(architectures, ", ")
	if joined {
		out += ". +N are N more templates with the same letters"
	}
	if strings.Contains(cells, documented) {
		out += ". " + documented + " " + legend
	}
	return out
}

// imageRow is a template, with what the nodes of each workload architecture get of it.
type imageRow struct {
	Name  string          `json:"name"`
	Boots map[string]boot `json:"boots"`
	// Documented says that only documentation says which architectures the image has.
	Documented bool `json:"documented,omitempty"`
}

// everywhere reports whether all nodes of the cluster get the golden image.
func (r imageRow) everywhere() bool {
	for _, b := range r.Boots {
		if b != boots {
			return false
		}
	}
	return true
}

// images has the golden images of a CR.
type images struct {
	Object        finding.Object `json:"object"`
	Architectures []string       `json:"architectures"`
	Templates     []imageRow     `json:"templates"`
	// Unknown is why there is nothing to say about templates.
	Unknown string `json:"unknown,omitempty"`

	// none says that the cluster gets no golden images.
	none bool
}

// everywhere reports whether each golden image boots on each node.
func (m images) everywhere() bool {
	return m.Unknown == "" && !slices.ContainsFunc(m.Templates, func(r imageRow) bool { return !r.everywhere() })
}

// imagesOf returns the golden images of a CR. A template that a person disabled is none.
func imagesOf(one forecast.Prediction) images {
	out := images{Object: one.Object, Architectures: []string{}, Templates: []imageRow{}}
	shown := one.Shown()
	switch {
	case shown == nil:
		out.none, out.Unknown = true, "there is no prediction for the CR"
		if all := one.Refusals(); len(all) > 0 {
			out.Unknown = all[0].Who
		}
		return out
	case shown.NoImagesBecause != "":
		out.none, out.Unknown = true, shown.NoImagesBecause
		return out
	case shown.WorkloadUnknown:
		out.Unknown = "nothing states the workload architectures"
	}
	out.Architectures = append(out.Architectures, shown.WorkloadArchitectures...)
	stopped := len(shown.Failures()) > 0
	crons, nodes := shown.CronsByTemplate(), arch.Named(out.Architectures...)
	for _, t := range shown.Templates {
		if isOff(t) {
			continue
		}
		row := imageRow{Name: t.Name, Boots: map[string]boot{}, Documented: t.KnownFrom == hyperconverged.Documentation}
		for _, a := range out.Architectures {
			row.Boots[a] = bootOf(t, crons[t.Name], arch.Arch(a), nodes, stopped)
		}
		out.Templates = append(out.Templates, row)
	}
	return out
}

// isOff reports whether a person disabled a template, or all that HCO ships.
func isOff(t forecast.TemplateOutcome) bool {
	disabled := t.Outcome == forecast.Disabled && t.DisabledBecause != hyperconverged.NoSupportedArchitecture
	return disabled || t.Outcome == forecast.Dropped && t.Index < 0
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
			switch of := cdi.ImportOf(has, c.Image.Single, nodes); {
			case !of.Architectures.Contains(a):
			case len(of.Architectures) > 1 || of.Fails != "":
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
	case len(c.Machines) > c.disks():
		return c.failing(upperFirst(c.machinesText()) + ".")
	case c.Passed():
		return "Nothing is wrong with " + c.checkedObjects() + "."
	default:
		return c.failing("")
	}
}

// failing adds to a text that the check fails, if it does.
func (c story) failing(text string) string {
	if c.Passed() {
		return text
	}
	return strings.TrimSpace(text + " The check fails" + strings.TrimPrefix(c.forReasons(), ",") + ".")
}

// forReasons says how many reasons there are: ", for 2 reasons".
func (c story) forReasons() string {
	if c.count == 0 {
		return ""
	}
	return ", for " + finding.Count(c.count, "reason")
}

// sentenceOfClusters counts the clusters in which everything boots. Of one that fails and has nothing that was read, nobody knows.
func (c story) sentenceOfClusters() string {
	all, good, failing, unread, passing := len(c.Repository.Clusters), 0, 0, 0, c.Passed()
	for _, one := range c.Repository.Clusters {
		passes := one.Verdict.Passes(c.AllowEmpty)
		passing = passing && passes
		switch {
		case !passes && !c.hasReadOf(one.Name):
			unread++
		case c.bootsIn(one.Name):
			good++
			if !passes {
				failing++
			}
		}
	}
	text, others := "", "of the others"
	switch bad := all - good - unread; {
	case unread > 0:
		text, others = fmt.Sprintf("%d of %d clusters boot everything.", good, all), "of the first"
		if bad > 0 {
			text += fmt.Sprintf(" %d %s%s.", bad, verb(bad, "does not", "do not"), c.forReasons())
		}
		text += fmt.Sprintf(" %d could not be judged.", unread)
	case good == all:
		text, others = fmt.Sprintf("All %d clusters boot everything.", all), "of them"
	case passing:
		text = fmt.Sprintf("All %d clusters pass. In %d of them some golden images do not boot on all nodes%s.", all, all-good, c.forReasons())
	default:
		text = fmt.Sprintf("%d of %d clusters boot everything. %d %s%s.", good, all, all-good, verb(all-good, "does not", "do not"), c.forReasons())
	}
	if failing > 0 {
		return text + fmt.Sprintf(" %d %s %s the check all the same.", failing, others, verb(failing, "fails", "fail"))
	}
	if good == all {
		return c.failing(text)
	}
	return text
}

// hasReadOf reports whether something of a cluster was read.
func (c story) hasReadOf(cluster string) bool {
	ofCluster := func(o finding.Object) bool { return o.Cluster == cluster }
	return len(c.predictions[cluster]) > 0 || slices.ContainsFunc(slices.Concat(c.Pods, c.Crons), ofCluster) ||
		slices.ContainsFunc(c.CRs, func(cr check.CR) bool { return ofCluster(cr.Object) }) ||
		slices.ContainsFunc(c.Machines, func(r machine.Result) bool { return ofCluster(r.Object) })
}

// totals counts the golden images of all CRs.
type totals struct {
	// rows are all, documented those of which only documentation says what the image has. unsure boot on some nodes only, and unjudged
	// could not be judged.
	rows, documented, unsure, unjudged int
	// lacking are those that do not boot on an architecture.
	lacking map[string]int
}

func (c story) totals() totals {
	out := totals{lacking: map[string]int{}}
	for _, of := range c.images {
		for _, r := range of.Templates {
			out.rows++
			has := map[boot]bool{}
			for _, a := range of.Architectures {
				if has[r.Boots[a]] = true; r.Boots[a] == bootsNot {
					out.lacking[a]++
				}
			}
			switch {
			case has[notJudged]:
				out.unjudged++
			case has[depends]:
				out.unsure++
			}
			if r.Documented {
				out.documented++
			}
		}
	}
	return out
}

// sentenceOfCRs says what boots in the only cluster.
func (c story) sentenceOfCRs() string {
	why, unknown, everywhere := "", false, true
	for _, of := range c.images {
		if of.none {
			why = cmp.Or(why, of.Unknown)
		}
		unknown, everywhere = unknown || of.Unknown != "", everywhere && of.everywhere()
	}
	n := c.totals()
	text := fmt.Sprintf("All %d golden images boot on %s", n.rows, andList(c.architectures()))
	switch {
	case why != "":
		text = upperFirst(why) + ", so the cluster gets no golden images of it"
	case n.rows == 0:
		text = "The CR has no golden images"
	case unknown:
		text = "Nothing states the nodes of the cluster, so it is not known where its " + countedVerb(n.rows, "golden image", "boots", "boot")
	case len(c.architectures()) == 0:
		text = "No node of the cluster runs workloads, so none of its " + countedVerb(n.rows, "golden image", "boots", "boot")
	case !everywhere:
		return c.lackingText(n) + c.forReasons() + "."
	case n.rows == 1:
		text = "The golden image boots on " + andList(c.architectures())
	case n.documented > 0:
		text += fmt.Sprintf(", %d of them as documented", n.documented)
	}
	return c.failing(text + ".")
}

// lackingText counts the golden images that do not boot, by architecture.
func (c story) lackingText(n totals) string {
	var parts []string
	add := func(count int, text string) {
		if len(parts) == 0 {
			text = fmt.Sprintf("of %d golden images %s", n.rows, text)
		}
		if count > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", count, text))
		}
	}
	for _, a := range c.architectures() {
		text := "not on " + a
		if len(parts) == 0 {
			text = verb(n.lacking[a], "does", "do") + " not boot on " + a
		}
		add(n.lacking[a], text)
	}
	text := verb(n.unsure, "boots", "boot") + " on some nodes only"
	if len(parts) == 0 {
		text += ", and nothing says on which"
	}
	add(n.unsure, text)
	text = "could not be judged"
	if c.Findings.Has(finding.Unresolved) || c.Findings.Has(finding.LockMissing) {
		text += ", because nothing says what " + verb(n.unjudged, "the image has", "the images have")
	}
	add(n.unjudged, text)
	return strings.Join(parts, ", ")
}

// verb returns what one thing does, or several.
func verb(n int, one, several string) string {
	if n == 1 {
		return one
	}
	return several
}

// countedVerb returns a number of things and what they do: "1 golden image boots".
func countedVerb(n int, what, one, several string) string {
	return finding.Count(n, what) + " " + verb(n, one, several)
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
