package plan

import (
	"fmt"
	"strings"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
	"github.com/goldenarch/goldenarch/transformers"
)

// decideClaim returns the declared architectures to write (nil leaves them), what they will
// then mean to HCO, and the findings.
func (t *template) decideClaim() (*transformers.Claim, arch.Set, finding.List) {
	claim, has := t.Declared()
	meant, unknown := claim.Meant()
	found := t.ignored(claim, has)
	existing := t.Spec.Existing
	if existing == v1alpha1.ExistingNarrow && t.unread() {
		existing = v1alpha1.ExistingKeep // nothing goes wrong because of it
	}
	switch {
	case t.HasWrittenClaim(), !has, len(meant)+len(unknown) == 0 && existing != v1alpha1.ExistingKeep:
		// goldenarch wrote the value, or it is missing or names nothing: use what the image
		// proves.
		if !has && t.Class == hyperconverged.ClassCustomized && t.RegistryModified && len(t.allow) > 0 {
			found = append(found, t.added())
		}
		return t.rewrite(claim), t.allow, found
	case existing == v1alpha1.ExistingReplace:
		if !meant.Equal(t.allow) {
			found = append(found, t.replaced(claim))
		}
		return t.rewrite(claim), t.allow, found
	case existing == v1alpha1.ExistingKeep:
		means := arch.NewSet(claim.HCO(t.proven)...)
		if !t.gate { // HCO does not read it, so the intended architectures count
			means = meant.Intersect(t.proven)
		}
		return nil, means, append(found, t.verify(claim, meant, unknown)...)
	case t.leavesNothing(meant):
		return t.rewrite(claim), t.allow, append(append(found, t.meaningless(unknown)...), t.corrected(claim))
	default:
		edit, list := t.narrow(claim, meant, unknown)
		return edit, meant.Intersect(t.allow), append(found, list...)
	}
}

// rewrite makes the template declare all architectures that the image proves. A value that
// already declares them keeps its text. Without any architecture, rewrite removes it.
func (t *template) rewrite(claim arch.Claim) *transformers.Claim {
	meant, _ := claim.Meant()
	_, has := t.Declared()
	switch {
	case len(t.allow) == 0 && !has:
		return nil
	case len(t.allow) > 0 && claim.Clean() && meant.Equal(t.allow):
		return nil
	default:
		return &transformers.Claim{Value: t.allow.String(), Written: !t.byClaim()}
	}
}

// byClaim reports whether the template's own declaration is the only source for the image's
// architectures, because no registry has the image. goldenarch never records such a
// declaration as its own: the next run would have no source.
func (t *template) byClaim() bool { return t.stated != nil && t.stated.ByClaim }

// narrow keeps those of a person's declared architectures that the image proves. It records
// the value as goldenarch's own only if it then names all that the image proves. goldenarch
// recomputes its own values, so any other one would grow beyond what the person declared.
func (t *template) narrow(claim arch.Claim, meant arch.Set, unknown []string) (*transformers.Claim, finding.List) {
	kept := meant.Intersect(t.allow)
	found := t.meaningless(unknown)
	if len(kept) == 0 {
		return nil, append(found, t.nothingRight(claim)...)
	}
	if dropped := meant.Minus(kept); len(dropped) > 0 {
		f := t.valued(finding.ClaimNarrowed, claim, kept.String(),
			fmt.Sprintf("%s. goldenarch narrowed the declared architectures to %s", t.lacks(dropped), kept), "")
		f.Unchanged = finding.Advice{Text: fmt.Sprintf("%s, but the template declares %q", t.lacks(dropped), claim), Do: declareAdvice(kept)}
		found = append(found, f)
	}
	if claim.Clean() && kept.Equal(meant) {
		return nil, found
	}
	for _, f := range t.misread(claim, kept) {
		f.Unchanged = finding.Advice{Text: f.Text, Do: f.Do}
		f.Text, f.Do = fmt.Sprintf("%s. goldenarch writes %q", f.Text, kept), ""
		found = append(found, f)
	}
	return &transformers.Claim{Value: kept.String(), Written: kept.Equal(t.allow) && !t.byClaim()}, found
}

// nothingRight reports declared architectures of which none is right. An image that has nothing for
// the cluster, whatever is declared, is reported as such.
func (t *template) nothingRight(claim arch.Claim) finding.List {
	f := t.valued(finding.ClaimEmpty, claim, t.allow.String(),
		fmt.Sprintf("none of the declared architectures %q is right: %s", claim, t.proves()), "declare architectures that the image has")
	workload := t.Cluster.Workload
	switch {
	case t.IgnoresClaim():
		f.Text += ". HCO ignores this annotation"
	case len(workload) > 0 && len(t.proven.Intersect(workload)) == 0:
		return nil
	case t.Spec.Unsupported == v1alpha1.UnsupportedKeep: // a warning
	default:
		f.Severity = finding.Error
	}
	return finding.List{f}
}

// leavesNothing reports whether a person's declared architectures leave nothing for any cluster that
// the run knows to read the file, although the image has something for this one, and nobody keeps
// such a template.
func (t *template) leavesNothing(meant arch.Set) bool {
	if t.IgnoresClaim() || t.Spec.Unsupported == v1alpha1.UnsupportedKeep {
		return false
	}
	kept := meant.Intersect(t.allow)
	return len(kept.Intersect(t.Cluster.Workload))+len(kept.Intersect(t.Others)) == 0 && len(t.allow.Intersect(t.Cluster.Workload)) > 0
}

// corrected reports declared architectures that leave nothing.
func (t *template) corrected(claim arch.Claim) finding.Finding {
	why := fmt.Sprintf("%s, and workload nodes have %s", t.proves(), t.Cluster.Workload)
	f := t.valued(finding.ClaimReplaced, claim, t.allow.String(),
		fmt.Sprintf("goldenarch corrected the declared architectures of template %q from %q to %q: %s", t.Name(), claim, t.allow, why),
		"to keep them, set spec.existing: Keep")
	f.Unchanged = finding.Advice{
		Text: fmt.Sprintf("template %q declares %q, which leaves no workload node: %s", t.Name(), claim, why), Do: declareAdvice(t.allow),
	}
	return f
}

// verify reports what is wrong with declared architectures that goldenarch keeps.
func (t *template) verify(claim arch.Claim, meant arch.Set, unknown []string) finding.List {
	right := meant.Intersect(t.allow)
	if len(right) == 0 {
		right = meant // another finding reports that no architecture is right
	}
	found := append(t.meaningless(unknown), t.misread(claim, right)...)
	if len(meant)+len(unknown) == 0 {
		found = append(found, t.finding(finding.ClaimUnknown, finding.Warning,
			fmt.Sprintf("the declared architectures are %q, which names no architecture: HCO does not deploy the template while the multi-arch gate is on", claim),
			"correct the declared architectures"))
	}
	if wrong := meant.Minus(t.allow); len(wrong) > 0 {
		found = append(found, t.valued(finding.ClaimWrong, claim, t.allow.String(),
			fmt.Sprintf("%s, but the template declares %q", t.lacks(wrong), claim), declareAdvice(t.allow)))
	}
	if t.unread() && !t.gate {
		for i := range found {
			found[i].Text += ". HCO ignores the annotation while the multi-arch gate is off"
		}
	}
	return found
}

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
	return finding.List{t.valued(finding.ClaimMalformed, claim, right.String(),
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
	return finding.List{t.valued(finding.ClaimIgnored, claim, builtIn,
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
	f := t.valued(finding.ClaimReplaced, claim, t.allow.String(), text, "")
	f.Unchanged = finding.Advice{Text: fmt.Sprintf("the template declares %q, but %s", claim, t.proves()), Do: declareAdvice(t.allow)}
	return f
}

// valued returns a warning with the declared architectures and those to write.
func (t *template) valued(id finding.ID, current arch.Claim, proposed, text, do string) finding.Finding {
	f := t.finding(id, finding.Warning, text, do)
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
