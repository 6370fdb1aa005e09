package plan

import (
	"fmt"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
)

// decideClaim returns the declared architectures to write (nil leaves them), what they will
// then mean to HCO, and the findings.
func (t *template) decideClaim() (*Claim, arch.Set, finding.List) {
	claim, has := t.Declared()
	meant, unknown := claim.Meant()
	found := t.ignored(claim, has)
	switch {
	case t.HasWrittenClaim(), !has, len(meant)+len(unknown) == 0 && t.Spec.Existing != v1alpha1.ExistingKeep:
		// goldenarch wrote the value, or it is missing or names nothing: use what the image
		// proves.
		if !has && t.Class == hyperconverged.ClassCustomized && t.RegistryModified && len(t.allow) > 0 {
			found = append(found, t.added())
		}
		return t.rewrite(claim), t.allow, found
	case t.Spec.Existing == v1alpha1.ExistingReplace:
		if !meant.Equal(t.allow) {
			found = append(found, t.replaced(claim))
		}
		return t.rewrite(claim), t.allow, found
	case t.Spec.Existing == v1alpha1.ExistingKeep:
		means := arch.NewSet(claim.HCO(t.proven)...)
		if !t.gate { // HCO does not read it, so the intended architectures count
			means = meant.Intersect(t.proven)
		}
		return nil, means, append(found, t.verify(claim, meant, unknown)...)
	default:
		edit, list := t.narrow(claim, meant, unknown)
		return edit, meant.Intersect(t.allow), append(found, list...)
	}
}

// rewrite makes the template declare all architectures that the image proves. A value that
// already declares them keeps its text. Without any architecture, rewrite removes it.
func (t *template) rewrite(claim arch.Claim) *Claim {
	meant, _ := claim.Meant()
	_, has := t.Declared()
	switch {
	case len(t.allow) == 0 && !has:
		return nil
	case len(t.allow) > 0 && claim.Clean() && meant.Equal(t.allow):
		return nil
	default:
		return &Claim{Value: t.allow.String(), Written: !t.byClaim()}
	}
}

// byClaim reports whether the template's own declaration is the only source for the image's
// architectures, because no registry has the image. goldenarch never records such a
// declaration as its own: the next run would have no source.
func (t *template) byClaim() bool { return t.stated != nil && t.stated.ByClaim }

// narrow keeps those of a person's declared architectures that the image proves. It records
// the value as goldenarch's own only if it then names all that the image proves. goldenarch
// recomputes its own values, so any other one would grow beyond what the person declared.
func (t *template) narrow(claim arch.Claim, meant arch.Set, unknown []string) (*Claim, finding.List) {
	kept := meant.Intersect(t.allow)
	found := t.meaningless(unknown)
	if len(kept) == 0 {
		f := t.valued(finding.ClaimEmpty, finding.Error, claim, t.allow.String(),
			fmt.Sprintf("none of the declared architectures %q is right: %s", claim, t.proves()),
			"declare architectures that the image has")
		if t.IgnoresClaim() {
			f.Severity = finding.Warning
			f.Text += ". HCO ignores this annotation"
		}
		return nil, append(found, f)
	}
	if dropped := meant.Minus(kept); len(dropped) > 0 {
		f := t.valued(finding.ClaimNarrowed, finding.Warning, claim, kept.String(),
			fmt.Sprintf("%s. goldenarch narrowed the declared architectures to %s", t.lacks(dropped), kept), "")
		f.Unchanged = finding.Advice{Text: fmt.Sprintf("%s, but the template declares %q", t.lacks(dropped), claim), Do: declareAdvice(kept)}
		found = append(found, f)
	}
	if claim.Clean() && kept.Equal(meant) {
		return nil, found
	}
	found = append(found, t.misread(claim, kept)...)
	return &Claim{Value: kept.String(), Written: kept.Equal(t.allow) && !t.byClaim()}, found
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
		found = append(found, t.valued(finding.ClaimWrong, finding.Warning, claim, t.allow.String(),
			fmt.Sprintf("%s, but the template declares %q", t.lacks(wrong), claim), declareAdvice(t.allow)))
	}
	return found
}
