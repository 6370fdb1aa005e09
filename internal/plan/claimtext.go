package plan

import (
	"fmt"
	"strings"

	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
)

// misread reports declared architectures that HCO reads differently than intended. right
// has those that the image really has, which is the value to write.
func (t *template) misread(claim arch.Claim, right arch.Set) finding.List {
	meant, _ := claim.Meant()
	if claim.Clean() || len(meant) == 0 {
		return nil
	}
	reads := arch.NewSet(claim.HCO(meant)...)
	if reads.Equal(meant) {
		return nil // repeats and empty parts do no harm
	}
	return finding.List{t.valued(finding.ClaimMalformed, finding.Warning, claim, right.String(),
		fmt.Sprintf("HCO splits the declared architectures %q at commas and compares the parts exactly: it finds %q and misses %s", claim, reads, meant.Minus(reads)),
		fmt.Sprintf("write %q", right))}
}

func (t *template) meaningless(unknown []string) finding.List {
	if len(unknown) == 0 {
		return nil
	}
	return finding.List{t.finding(finding.ClaimUnknown, finding.Warning,
		fmt.Sprintf("the declared architectures contain %q, which goldenarch does not know", strings.Join(unknown, ",")),
		"write a known name, such as amd64, arm64 or s390x")}
}

// ignored reports declared architectures that HCO replaces with the built-in ones, because
// the template has the registry source of the predefined template.
func (t *template) ignored(claim arch.Claim, has bool) finding.List {
	builtIn, _, known := t.BuiltInClaim()
	if !has || !t.gate || !known || !t.IgnoresClaim() || t.Registry() == nil || t.Base.From == hyperconverged.Documentation {
		return nil
	}
	meant, _ := claim.Meant()
	if base, _ := arch.Claim(builtIn).Meant(); base.Equal(meant) || t.HasWrittenClaim() {
		return nil
	}
	return finding.List{t.valued(finding.ClaimIgnored, finding.Warning, claim, builtIn,
		fmt.Sprintf("HCO ignores the declared architectures %q: the template keeps the registry source of the predefined one, so HCO uses its own value %q",
			claim, builtIn),
		"remove the annotation")}
}

func (t *template) added() finding.Finding {
	text := fmt.Sprintf("template %q changes the registry source of a predefined template, so HCO drops the architectures that it knows", t.Name())
	f := t.finding(finding.ClaimAdded, finding.Info, fmt.Sprintf("%s. goldenarch declared %s", text, t.allow), "")
	f.Unchanged = finding.Advice{Text: text, Do: declareAdvice(t.allow)}
	return f
}

// declareAdvice returns the advice to write declared architectures.
func declareAdvice(set arch.Set) string {
	if len(set) == 0 {
		return fmt.Sprintf("remove the annotation %s", hyperconverged.ClaimAnnotation)
	}
	return fmt.Sprintf("declare %q", set)
}

func (t *template) replaced(claim arch.Claim) finding.Finding {
	text := fmt.Sprintf("goldenarch replaced the declared architectures %q by %q: %s", claim, t.allow, t.proves())
	if len(t.allow) == 0 {
		text = fmt.Sprintf("goldenarch removed the declared architectures %q: %s", claim, t.proves())
	}
	f := t.valued(finding.ClaimReplaced, finding.Warning, claim, t.allow.String(), text, "")
	f.Unchanged = finding.Advice{Text: fmt.Sprintf("the template declares %q, but %s", claim, t.proves()), Do: declareAdvice(t.allow)}
	return f
}

func (t *template) valued(id finding.ID, severity finding.Severity, current arch.Claim, proposed, text, do string) finding.Finding {
	f := t.finding(id, severity, text, do)
	f.Current, f.Proposed = string(current), proposed
	return f
}

// proves describes the image's architectures for a message.
func (t *template) proves() string {
	switch {
	case t.allow.Equal(t.proven):
		return fmt.Sprintf("%s has %s", t.image, t.proven)
	case len(t.allow) == 0:
		return fmt.Sprintf("%s has %s, and spec.allow excludes all of it", t.image, t.proven)
	default:
		return fmt.Sprintf("%s has %s, of which spec.allow allows %q", t.image, t.proven, t.allow)
	}
}

// lacks describes which architectures the image lacks, or which spec.allow excludes.
func (t *template) lacks(list arch.Set) string {
	var parts []string
	if missing := list.Minus(t.proven); len(missing) > 0 {
		parts = append(parts, fmt.Sprintf("%s has no %s", t.image, missing))
	}
	if barred := list.Intersect(t.proven); len(barred) > 0 {
		parts = append(parts, fmt.Sprintf("spec.allow excludes %s", barred))
	}
	return strings.Join(parts, ", ")
}
