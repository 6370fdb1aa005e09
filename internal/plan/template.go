package plan

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/cluster"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/operators/cdi"
	"github.com/goldenarch/goldenarch/internal/operators/expansion"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
	"github.com/goldenarch/goldenarch/transformers"
)

// template is one template with what its image proves.
type template struct {
	Known
	hyperconverged.Classified
	gate   bool     // whether the gate is on when goldenarch applies the plan
	path   string   // of the template in the CR
	image  string   // the name of the image in messages
	proven arch.Set // what the image proves
	absent arch.Set // what its index lists and the registry lacks
	digest string   // of its manifest or index, "" if it is unknown
	single bool     // it is a manifest, and no index
	allow  arch.Set // proven, narrowed by spec.allow
	stated *Stated  // who states the architectures, if no registry does
}

// decideTemplate decides one template of the CR. It also returns what is proven about its
// image; nil if nothing is.
func decideTemplate(s Known, gate bool, q Question, answers Answers) (decision, *Proof, finding.List) {
	d := decision{Template: transformers.Template{Index: q.Template.Index, Name: q.Template.Name()}}
	t := template{Known: s, Classified: q.Template, gate: gate, path: s.CR.TemplatePath(q.Template.Index)}
	found := t.checkBroken()
	if problem := t.setAnswer(q, answers); problem != nil {
		d.undecided = !t.harmless()
		found = append(found, t.unresolved(*problem)...)
		if found.Failed() {
			return d, nil, found
		}
		return d, nil, append(found, t.decideUnanswered(&d)...)
	}
	found = append(found, t.checkAbsent(answers[q.Image].AbsentError)...)
	claim, means, list := t.decideClaim()
	d.Claim = claim
	found = append(found, list...)
	if found.Failed() {
		return d, t.proof(), found
	}
	found = append(found, t.decideSwitch(&d, means)...)
	found = append(found, t.checkSource()...)
	found = append(found, t.checkKnown(means)...)
	found = append(found, t.checkCoverage(means, d.Switch)...)
	found = append(found, t.checkPlatform(means, d.Switch)...)
	if q.Legacy && len(t.proven) > 1 {
		found = append(found, t.legacy())
	}
	return d, t.proof(), found
}

// setAnswer stores what is known about the image, or returns why nothing is known.
func (t *template) setAnswer(q Question, answers Answers) *finding.Finding {
	t.image = fmt.Sprintf("template %q", t.Name())
	switch {
	case q.Problem != nil:
		return q.Problem
	case q.Stated != nil:
		t.stated, t.proven = q.Stated, q.Stated.Architectures
	default:
		t.image = cmp.Or(strings.TrimPrefix(q.Text, "docker://"), q.Text) // as people write it, without CDI's scheme
		if q.Invalid != nil {
			invalid := q.InvalidReference(t.path)
			return &invalid
		}
		answer := answers[q.Image]
		if answer.Err != nil {
			id, text, do := finding.Unresolved, answer.Err.Error(), declare(t.Name())
			if answer.Hint != "" { // report the advice only once
				text = strings.Replace(text, "; "+answer.Hint, "", 1)
				do = strings.Replace(answer.Hint, "state the architectures as an override", declare(t.Name()), 1)
			}
			if answer.Lock != "" {
				id, do = finding.LockMissing, answer.Lock
			}
			do = answer.ForOneRun + do
			failed := &finding.Finding{ID: id, Field: t.path, Current: q.Text, Text: text, Do: do}
			if answer.Host != "" {
				failed.Alike = "images at " + answer.Host
			}
			return failed
		}
		t.proven, t.absent, t.digest, t.single = answer.Platforms.Linux(), answer.Absent, answer.Digest, answer.Single
	}
	// Of a control plane of one architecture OpenShift keeps that.
	sure := !t.Cluster.ControlPlaneUnknown && len(t.Cluster.Workload) == 1 && t.Cluster.ControlPlane.Equal(t.Cluster.Workload)
	if q.Legacy && len(t.proven) > 1 && !sure {
		legacy := t.legacy()
		legacy.Do += ", or " + declare(t.Name())
		return &legacy
	}
	t.allow = t.proven
	if allowed := arch.Named(t.Spec.Allow...); len(allowed) > 0 {
		t.allow = t.proven.Intersect(allowed)
	}
	return nil
}

// legacy reports that OpenShift keeps one architecture of the image: that of the control plane node that imports it, or else amd64
// (openshift-apiserver importer.go: manifestFromManifestList). Of a tag without a mode, newer releases with the payload for several
// architectures keep all (images.config.openshift.io: imageStreamImportMode).
func (t *template) legacy() finding.Finding {
	return t.finding(finding.ImageStreamLegacy, finding.Warning,
		fmt.Sprintf("the ImageStream does not state importMode: PreserveOriginal for %s, so OpenShift may keep only one architecture of %s", t.image, t.proven),
		"set importPolicy.importMode: PreserveOriginal on the tag")
}

// proof returns what is known about the image; nil if the template's own declaration is the
// only source.
func (t *template) proof() *Proof {
	if t.byClaim() {
		return nil
	}
	p := &Proof{
		Index: t.Index, Name: t.Name(), Image: t.image, Architectures: t.proven, Digest: t.digest, Single: t.single,
		Ignored: t.harmless(),
	}
	if claim, has := t.Declared(); has {
		p.Declared = &claim
	}
	return p
}

// unresolved reports that nothing is known about the image. The template stays as it is.
// This is an error with two exceptions: the user chose otherwise, or HCO does not use the
// value. HCO does not use it for an unmodified predefined template. A required lock must be complete in any case.
func (t *template) unresolved(problem finding.Finding) finding.List {
	problem.Severity = finding.Error
	harmless := t.harmless()
	if t.Spec.Unresolved == v1alpha1.UnresolvedKeep || harmless && problem.ID != finding.LockMissing {
		problem.Severity = finding.Warning
		problem.Text += ". goldenarch leaves its declared architectures unchanged"
	}
	if problem.ID == finding.NoImageStream && harmless {
		problem = t.shippedStream(problem)
	}
	found := finding.List{problem}
	if claim, has := t.Declared(); has && problem.Severity == finding.Warning {
		meant, _ := claim.Meant()
		found = append(found, t.misread(claim, meant)...)
	}
	return found
}

// harmless reports whether HCO does not use what the template declares.
func (t *template) harmless() bool { return t.IgnoresClaim() && t.Registry() != nil }

// shippedStream reports an ImageStream of a predefined template. OpenShift Virtualization
// ships it, and it is in nobody's Git, so the finding has no fix.
func (t *template) shippedStream(problem finding.Finding) finding.Finding {
	problem.Severity, problem.Do = finding.Info, ""
	problem.Text = fmt.Sprintf("ImageStream %q of template %q comes with OpenShift Virtualization, so goldenarch leaves the template unchanged",
		*t.Registry().ImageStream, t.Name())
	return problem
}

func (t *template) finding(id finding.ID, severity finding.Severity, text, do string) finding.Finding {
	return finding.Finding{ID: id, Severity: severity, Field: t.path, Text: text, Do: do}
}

// checkBroken reports a template whose images CDI can never import, although it admits the
// DataImportCron. Emitting such a cron is an error. A template in the CR belongs to the
// user.
func (t *template) checkBroken() finding.List {
	expands := t.Spec.Expand.Mode != v1alpha1.ExpandNone
	if !expands && t.Spec.Platform == v1alpha1.Kubernetes {
		return nil
	}
	var found finding.List
	spec := *t.Template.Spec
	if t.Class == hyperconverged.ClassCustomized && t.Base.Spec != nil { // HCO fills in an empty schedule
		spec.Schedule = cmp.Or(spec.Schedule, t.Base.Spec.Schedule)
	}
	name := t.Name()
	if t.gate || expands {
		name = expansion.WithArchitecture(name, cluster.KnownToSSP[0]) // all are equally long
	}
	for _, p := range cdi.Broken(name, spec) {
		f := t.finding(finding.CronBroken, finding.Warning, p.Text, p.Do)
		f.Field += "." + p.Field
		if expands {
			f.Severity = finding.Error
		}
		found = append(found, f)
	}
	return found
}

// checkCoverage reports the workload architectures for which an enabled template imports
// nothing. These are architectures that its image lacks, and architectures that the image
// has but the declared architectures omit.
//
// It skips a template that fits no workload node at all. It also skips a template if the
// gate is off, unless goldenarch expands it for each architecture. Other checks report
// these.
func (t *template) checkCoverage(declared arch.Set, becomes transformers.Switch) finding.List {
	workload := t.Cluster.Workload
	off := t.Class == hyperconverged.ClassDisabled || becomes == transformers.Disable
	if off || t.unread() || len(declared.Intersect(workload)) == 0 || t.harmless() {
		return nil
	}
	var found finding.List
	if lacks := workload.Minus(t.proven).Minus(t.absent); len(lacks) > 0 && !t.byClaim() {
		found = append(found, t.finding(finding.ImageLacks, finding.Info,
			fmt.Sprintf("template %q: the image has no %s, which workload nodes have (the image has %s). %s no golden image for %s",
				t.Name(), lacks, t.proven, t.importer(), lacks),
			fmt.Sprintf("use an image that has %s too; until then schedule its VMs on nodes with %s", lacks, declared.Intersect(workload))))
	}
	omits := workload.Intersect(t.proven).Minus(declared)
	if t.byClaim() {
		omits = workload.Minus(declared)
	}
	if len(omits) > 0 {
		found = append(found, t.omitted(omits))
	}
	return found
}

// checkPlatform reports an enabled template whose source names a platform of its own, where that
// is not what is imported for every node. With the gate on, SSP replaces the platform with each
// declared architecture; with the gate off, CDI imports this one for all nodes (ssp reconcile.go:
// setDataImportCronArchFields).
func (t *template) checkPlatform(declared arch.Set, becomes transformers.Switch) finding.List {
	registry := t.Registry()
	off := t.Class == hyperconverged.ClassDisabled || becomes == transformers.Disable
	if off || registry == nil || registry.Platform == nil || registry.Platform.Architecture == "" {
		return nil
	}
	preset := registry.Platform.Architecture
	only := arch.NewSet(arch.Arch(preset))
	text := fmt.Sprintf("template %q names the platform %q, ", t.Name(), preset)
	severity := finding.Warning
	var do string
	switch others := t.Cluster.Workload.Minus(only); {
	case t.gate && !declared.Equal(only):
		text += fmt.Sprintf("and SSP replaces it with each declared architecture: %s", declared)
		do = fmt.Sprintf("remove the platform; to import %s alone, declare it alone in the annotation %s", preset, hyperconverged.ClaimAnnotation)
	case t.gate || t.Spec.Expand.Mode != v1alpha1.ExpandNone:
		return nil
	case len(t.proven) > 0 && !t.byClaim() && !t.proven.Contains(arch.Arch(preset)):
		severity = finding.Error
		text += fmt.Sprintf("and CDI finds no image for it: %s has %s", t.image, t.proven)
		do = "remove the platform, or name one that the image has"
	case len(others) == len(t.Cluster.Workload):
		severity = finding.Error
		text += fmt.Sprintf("and CDI imports it, but workload nodes have only %s", others)
		do = fmt.Sprintf("remove the platform, or name %s", others)
	case len(others) > 0:
		text += fmt.Sprintf("and CDI imports it for all nodes, also for those with %s", others)
		do = "turn the multi-arch gate on, or remove the platform and schedule the VMs on nodes of one architecture"
	default:
		return nil
	}
	f := t.finding(finding.PlatformPreset, severity, text, do)
	f.Field += ".spec.template.spec.source.registry.platform.architecture"
	f.Current = preset
	return finding.List{f}
}

// checkAbsent reports the workload architectures that the index of the image lists and whose
// manifests the registry does not have. A sparse mirror is made so, and that is no fault of
// the others. It skips architectures that a person does not declare or allow.
func (t *template) checkAbsent(answer error) finding.List {
	needed := t.absent.Intersect(t.Cluster.Workload)
	if allowed := arch.Named(t.Spec.Allow...); len(allowed) > 0 {
		needed = needed.Intersect(allowed)
	}
	if claim, has := t.Declared(); has && !t.HasWrittenClaim() && !t.unread() && t.Spec.Existing != v1alpha1.ExistingReplace {
		if meant, _ := claim.Meant(); len(meant) > 0 {
			needed = needed.Intersect(meant)
		}
	}
	if len(needed) == 0 {
		return nil
	}
	text := fmt.Sprintf("template %q: the index of %s lists %s, which workload nodes have, and the registry lacks the manifest", t.Name(), t.image, needed)
	if answer != nil {
		text += ": " + answer.Error()
	} else {
		text += ", as the lock says"
	}
	f := t.finding(finding.PlatformAbsent, finding.Error, text,
		fmt.Sprintf("mirror the image again with linux/%s, or exclude it: spec.allow", strings.Join(needed.Strings(), " and linux/")))
	if t.Spec.Unresolved == v1alpha1.UnresolvedKeep {
		f.Severity = finding.Warning
	}
	return finding.List{f}
}

// importer says which component would import a golden image for an architecture.
func (t *template) importer() string {
	if t.gate {
		return "HCO imports"
	}
	return "goldenarch emits no DataImportCron for it, so CDI imports"
}

// omitted reports architectures that the declared architectures omit.
func (t *template) omitted(omits arch.Set) finding.Finding {
	do := fmt.Sprintf("add %s to the annotation %s", omits, hyperconverged.ClaimAnnotation)
	if barred := omits.Intersect(t.proven).Minus(t.allow); len(barred) > 0 {
		do = fmt.Sprintf("add %s to spec.allow", barred)
	}
	has := "the image has"
	if t.byClaim() {
		has = "the image may have"
	}
	return t.finding(finding.DeclaredOmit, finding.Info,
		fmt.Sprintf("template %q: the declared architectures omit %s, which %s and workload nodes have. %s no golden image for %s",
			t.Name(), omits, has, t.importer(), omits),
		do)
}

// checkKnown reports workload architectures for which goldenarch does not expand a
// template. SSP knows three architectures, and it defines the labels and names of golden
// images.
func (t *template) checkKnown(means arch.Set) finding.List {
	unknown := means.Intersect(t.Cluster.Workload).Minus(cluster.KnownToSSP)
	if t.Spec.Expand.Mode == v1alpha1.ExpandNone || len(unknown) == 0 {
		return nil
	}
	return finding.List{t.finding(finding.NotExpanded, finding.Warning,
		fmt.Sprintf("goldenarch does not expand template %q for %s: SSP makes golden images for %s only", t.Name(), unknown, cluster.KnownToSSP), "")}
}

// notExpanded reports a template that stays only in the CR, because the architectures to
// expand it for are unknown.
func (t *template) notExpanded() finding.List {
	if t.Spec.Expand.Mode == v1alpha1.ExpandNone {
		return nil
	}
	return finding.List{t.finding(finding.NotExpanded, finding.Warning,
		fmt.Sprintf("goldenarch does not expand template %q, because it does not know which architectures the image has", t.Name()), declare(t.Name()))}
}

// Unimportable reports a url that CDI cannot import although it admits the DataImportCron: nobody should write it into a CR.
func Unimportable(s Known, q Question) finding.List {
	t := template{Known: s, Classified: q.Template, path: s.CR.TemplatePath(q.Template.Index)}
	found := slices.DeleteFunc(t.checkBroken(), func(f finding.Finding) bool { return !strings.HasSuffix(f.Field, ".url") })
	for i := range found {
		found[i].Severity = finding.Error
	}
	return found
}

// Declared returns the declared architectures to write into the template of a question
// (nil leaves them), and those that its image has. Unlike [Decide], it needs no nodes.
// An image without an answer is an error, whatever spec.unresolved is: the CR would
// declare the architectures of another image.
func Declared(s Known, q Question, answers Answers) (*transformers.Claim, arch.Set, finding.List) {
	t := template{Known: s, Classified: q.Template, gate: true, path: s.CR.TemplatePath(q.Template.Index)}
	if problem := t.setAnswer(q, answers); problem != nil {
		problem.Severity = finding.Error
		return nil, nil, finding.List{*problem}
	}
	if len(t.allow) == 0 {
		return nil, nil, finding.List{t.finding(finding.ClaimEmpty, finding.Error,
			fmt.Sprintf("template %q has no architecture to declare: %s", t.Name(), t.proves()), "use another image")}
	}
	claim, _, found := t.decideClaim()
	found = slices.DeleteFunc(found, func(f finding.Finding) bool { return f.ID == finding.ClaimAdded }) // a person requests it
	return claim, t.proven, found
}
