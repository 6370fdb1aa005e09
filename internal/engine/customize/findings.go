package customize

import (
	"fmt"
	"slices"
	"strings"

	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/engine/join"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
	"github.com/goldenarch/goldenarch/internal/spelling"
)

const passLive = "pass the live CR, which lists them: --live FILE"

// unknown reports a name that neither the CR nor the table of predefined templates has.
func unknown(s join.Joined, name string) finding.Finding {
	f := finding.Finding{
		ID: finding.CustomizeUnknown, Severity: finding.Error, Object: s.At, Field: s.CR.Version.Paths().Templates.String(), Current: name,
		Text: fmt.Sprintf("there is no predefined template %q, and the CR has no template of that name", name),
	}
	names := namesOf(s)
	switch meant := meantName(name, names); {
	case meant != "":
		f.Do = fmt.Sprintf("did you mean %q?", meant)
	case len(names) > 0:
		f.Do = "use one of " + strings.Join(names, ", ")
	}
	if isOnlyDocumented(s.Table) && s.Live == nil {
		f.Text += ". goldenarch knows the predefined templates of OpenShift Virtualization only from documentation"
		if f.Do != "" {
			f.Do += "; or "
		}
		f.Do += passLive
	}
	return f
}

// namesOf returns the names of all templates that can be customized, sorted.
func namesOf(s join.Joined) []string {
	var out []string
	for _, t := range s.CR.Templates {
		out = append(out, t.Name())
	}
	for _, p := range s.Table.Templates {
		out = append(out, p.Name())
	}
	slices.Sort(out)
	return slices.DeleteFunc(slices.Compact(out), func(name string) bool { return name == "" })
}

// meantName returns the name that somebody meant to write: a near one, or the only one
// that begins with what is written. "fedora" is the DataSource of fedora-image-cron.
func meantName(written string, names []string) string {
	if word := spelling.Word(written, names); word != "" {
		return word
	}
	best := ""
	for _, name := range names {
		if written == "" || !strings.HasPrefix(name, strings.ToLower(written)) {
			continue
		}
		if best != "" {
			return ""
		}
		best = name
	}
	return best
}

func isOnlyDocumented(table hyperconverged.Table) bool {
	return slices.ContainsFunc(table.Templates, func(p hyperconverged.Predefined) bool { return p.From == hyperconverged.Documentation })
}

// uncertain reports a predefined template whose spec goldenarch cannot copy, because it
// does not know what the running HCO has built in.
func uncertain(s join.Joined, base hyperconverged.Predefined, predefined bool, name string) finding.List {
	f := finding.Finding{ID: finding.CustomizeUncertain, Severity: finding.Error, Field: s.CR.Version.Paths().Templates.String(), Current: name}
	const stateIt = "state the template in spec.predefinedTemplates"
	switch {
	case !predefined:
		f.Text = fmt.Sprintf("template %q of the CR has no spec, and no predefined template has its name, so there is no spec to copy", name)
		f.Do = "add the spec to the CR"
	case s.Live != nil && isCustomizedOnCluster(s.Live, name) && base.From != hyperconverged.Configuration:
		f.Text = fmt.Sprintf("the live CR customizes template %q, so its status does not show the predefined one", name)
		f.Do = "add the entry of the live CR's spec to this CR first, or " + stateIt
	case base.From == hyperconverged.Documentation && s.Live != nil:
		f.Text = fmt.Sprintf("the live CR does not show template %q, because it disables it or its status is not complete: goldenarch does not know what to copy",
			name)
		f.Do = stateIt
	case base.From == hyperconverged.Documentation:
		f.Text = fmt.Sprintf("goldenarch knows the predefined template %q of OpenShift Virtualization only from documentation, so it does not copy it", name)
		f.Do = "pass the live CR, whose status has the template: --live FILE"
	default:
		return nil
	}
	return finding.List{f}
}

// isCustomizedOnCluster reports whether the live CR lists a template as one that its spec
// changes.
func isCustomizedOnCluster(live *hyperconverged.Live, name string) bool {
	return slices.ContainsFunc(live.Templates, func(m hyperconverged.Merged) bool { return m.Name() == name && m.Modified })
}

// staysDisabled reports that HCO does not import the new image.
func staysDisabled(s join.Joined, entry hyperconverged.Template) finding.Finding {
	f := finding.Finding{
		ID: finding.CustomizeDisabled, Severity: finding.Warning, Field: s.CR.TemplatePath(entry.Index),
		Text: fmt.Sprintf("template %q is disabled, so HCO does not import its image", entry.Name()),
		Do:   "pass --enable to enable it",
	}
	if _, ours := entry.Annotation(hyperconverged.DisabledAnnotation); ours {
		f.Text = fmt.Sprintf("goldenarch disabled template %q, so HCO does not import its image", entry.Name())
		f.Do = "run goldenarch fix, which enables it if a workload node can use the image"
	}
	return s.Locate(finding.List{f})[0]
}

// Changed reports the image that a template imports from now on.
func Changed(s join.Joined, before, after hyperconverged.Template, proven arch.Set) finding.Finding {
	claim, _ := after.Annotation(hyperconverged.ClaimAnnotation)
	text := fmt.Sprintf("template %q imports %s", after.Name(), sourceName(after))
	if was := sourceName(before); was != "" && was != sourceName(after) {
		text += " instead of " + was
	}
	f := finding.Finding{
		ID: finding.Customized, Severity: finding.Info, Field: s.CR.TemplatePath(after.Index),
		Text: fmt.Sprintf("%s, and declares %s", text, claim),
	}
	if meant, _ := arch.Claim(claim).Meant(); !meant.Equal(proven) {
		f.Text += fmt.Sprintf(". The image has %s", proven)
	}
	return f
}
