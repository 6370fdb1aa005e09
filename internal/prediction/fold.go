package prediction

import (
	"fmt"
	"slices"
	"strings"

	"github.com/goldenarch/goldenarch/internal/finding"
)

// Fold merges findings that have the same fix: the warnings of HCO's webhook about
// fields that it ignores, and those about an undeclared release. Call it once all
// findings are known.
func Fold(found finding.List) finding.List { return foldRelease(foldIgnored(found)) }

// ignoredWords are part of the warning about a field that HCO ignores (hco
// v1beta1_validator.go).
const ignoredWords = " is deprecated and ignored"

// isIgnored reports whether a finding says that HCO ignores a deprecated field.
func isIgnored(f finding.Finding) bool {
	return f.ID == finding.WebhookWarns && f.Severity == finding.Warning && f.Field != "" && strings.Contains(f.Text, ignoredWords)
}

// foldIgnored merges the findings about ignored fields into one for each CR.
func foldIgnored(found finding.List) finding.List {
	var out finding.List
	for _, f := range found {
		if !isIgnored(f) {
			out = append(out, f)
			continue
		}
		same := func(other finding.Finding) bool { return isIgnored(other) && other.Object == f.Object }
		first := slices.IndexFunc(found, same)
		all := slices.DeleteFunc(slices.Clone(found), func(other finding.Finding) bool { return !same(other) })
		if len(all) == 1 {
			out = append(out, f)
			continue
		}
		if f.Field == found[first].Field {
			out = append(out, foldedIgnored(all))
		}
	}
	return out
}

func foldedIgnored(all finding.List) finding.Finding {
	names := make([]string, len(all))
	for i, f := range all {
		names[i] = f.Field
		if _, instead, ok := strings.Cut(f.Text, "; use "); ok {
			names[i] += " (use " + strings.TrimSuffix(instead, " instead") + ")"
		}
	}
	out := all[0]
	out.Text = fmt.Sprintf("HCO's webhook warns: these %d fields are deprecated, and HCO ignores them: %s", len(all), strings.Join(names, ", "))
	out.Do = "remove them"
	return out
}

// foldRelease removes the warning that no release is declared, if the warning that the
// gate may be a preview already says so. Declaring the release fixes both.
func foldRelease(found finding.List) finding.List {
	isRelease := func(f finding.Finding) bool { return f.ID == finding.ReleaseNeeded && f.Severity == finding.Warning }
	for _, f := range found {
		if f.ID != finding.GateOn || f.Severity != finding.Warning || !strings.HasPrefix(f.Do, "declare the release") {
			continue
		}
		same := func(other finding.Finding) bool { return isRelease(other) && other.Object == f.Object }
		return slices.DeleteFunc(slices.Clone(found), same)
	}
	return found
}
