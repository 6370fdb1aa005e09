package plan

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
	"github.com/goldenarch/goldenarch/transformers"
)

// TestClaim is the rules of what becomes of a claim: whose it is, what the
// image proves, and what the configuration says.
func TestClaim(t *testing.T) {
	t.Parallel()
	const (
		narrow  = v1alpha1.ExistingNarrow
		replace = v1alpha1.ExistingReplace
		keep    = v1alpha1.ExistingKeep
	)
	ours := func(value string) *transformers.Claim { return &transformers.Claim{Value: value, Written: true} }
	theirs := func(value string) *transformers.Claim { return &transformers.Claim{Value: value} }
	for _, tc := range []struct {
		reason   string
		notes    map[string]string
		existing v1alpha1.Existing
		allow    string
		proven   string
		want     *transformers.Claim
		found    string
	}{
		{"a missing claim is what the image proves", nil, narrow, "", "amd64,arm64,s390x", ours("amd64,arm64,s390x"), ""},
		{"a missing claim is added with Keep as well: nobody wrote one", nil, keep, "", "arm64", ours("arm64"), ""},
		{"an empty claim says nothing", claimed(""), narrow, "", "amd64", ours("amd64"), ""},
		{"a blank claim says nothing", claimed(" , "), narrow, "", "amd64", ours("amd64"), ""},
		{"Keep keeps also a claim that says nothing, by which HCO withholds the template", claimed(" , "), keep, "", "amd64", nil, "warning GA102"},
		{"Replace may leave nothing to claim", claimed("amd64"), replace, "s390x", "amd64", &transformers.Claim{Written: true}, "warning GA116, warning GA109"},
		{"a claim that is right keeps its text, order included", claimed("arm64,amd64"), narrow, "", "amd64,arm64", nil, ""},
		{"a person may claim less than there is", claimed("amd64"), narrow, "", "amd64,arm64", nil, ""},
		{
			reason:   "what is tidied says what was meant; it is ours where that is all there is",
			notes:    claimed("arm64 , x86_64"),
			existing: narrow,
			proven:   "amd64,arm64",
			want:     ours("amd64,arm64"),
			found:    "warning GA101",
		},
		{"tidied, but less than there is: it stays a person's, or it would grow", claimed("AMD64"), narrow, "", "amd64,arm64", theirs("amd64"), "warning GA101"},
		{"repeats do no harm, and are tidied without a word", claimed("amd64,amd64"), narrow, "", "amd64,arm64", theirs("amd64"), ""},
		{
			reason:   "narrowed to all that the image has: computed anew from now on",
			notes:    claimed("amd64,arm64,s390x"),
			existing: narrow,
			proven:   "amd64,arm64",
			want:     ours("amd64,arm64"),
			found:    "warning GA104",
		},
		{"narrowed to a part of what the image has", claimed("amd64,s390x"), narrow, "", "amd64,arm64", theirs("amd64"), "warning GA104"},
		{"nothing of it is true", claimed("s390x"), narrow, "", "amd64", ours("amd64"), "warning GA116"},
		{"it is true and leaves no node", claimed("s390x"), narrow, "", "amd64,arm64,s390x", ours("amd64,arm64,s390x"), "warning GA116"},
		{"Keep keeps it", claimed("s390x"), keep, "", "amd64,arm64,s390x", nil, ""},
		{"nothing of it is true, and the image has nothing for the cluster", claimed("ppc64le"), narrow, "", "s390x", nil, "warning GA109"},
		{"a claim of unknown names alone is not silently widened", claimed("vax"), narrow, "", "amd64", ours("amd64"), "warning GA102, warning GA116"},
		{"an unknown name beside known ones goes", claimed("amd64,vax"), narrow, "", "amd64,arm64", theirs("amd64"), "warning GA102"},
		{"Replace writes all there is", claimed("amd64"), replace, "", "amd64,arm64", ours("amd64,arm64"), "warning GA116"},
		{"Replace has nothing to say of the same in another order", claimed("arm64,amd64"), replace, "", "amd64,arm64", nil, ""},
		{"Replace tidies without a word", claimed("amd64, arm64"), replace, "", "amd64,arm64", ours("amd64,arm64"), ""},
		{"Keep says what is wrong and writes nothing", claimed("amd64,s390x"), keep, "", "amd64,arm64", nil, "warning GA105"},
		{"Keep tells of a claim that HCO misreads", claimed("amd64, arm64"), keep, "", "amd64,arm64", nil, "warning GA101"},
		{"allow bounds a new claim", nil, narrow, "amd64", "amd64,arm64", ours("amd64"), ""},
		{"allow bounds a person's claim", claimed("amd64,arm64"), narrow, "arm64", "amd64,arm64", ours("arm64"), "warning GA104"},
		{"allow can leave nothing", claimed("amd64"), narrow, "s390x", "amd64,arm64", nil, "error GA103"},
		{"ours grows with the image", claimed("amd64", "amd64"), narrow, "", "amd64,arm64", ours("amd64,arm64"), ""},
		{"ours shrinks with the image", claimed("amd64,arm64", "amd64,arm64"), keep, "", "arm64", ours("arm64"), ""},
		{"ours that is right stays as it is", claimed("arm64,amd64", "arm64,amd64"), narrow, "", "amd64,arm64", nil, ""},
		{"ours that was edited is a person's", claimed("amd64", "amd64,arm64"), narrow, "", "amd64,arm64", nil, ""},
		{"a mark without a claim is no claim", map[string]string{hyperconverged.WrittenAnnotation: "amd64"}, keep, "", "arm64", ours("arm64"), ""},
	} {
		s := subject(entry("app", fromURL(appURL), tc.notes))
		s.Spec.Existing = tc.existing
		if tc.allow != "" {
			s.Spec.Allow = []string{tc.allow}
		}
		p, found := decide(t, s, has(tc.proven))
		var got *transformers.Claim
		if len(p.Templates) == 1 {
			got = p.Templates[0].Claim
		}
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
		}
		if got := ids(withoutCoverage(found)); got != tc.found {
			t.Errorf("%s: want findings %q, got:\n%s", tc.reason, tc.found, found)
		}
	}
}

// TestClaimOfAPredefinedName: what is reported depends on whether HCO counts the
// registry source as modified.
func TestClaimOfAPredefinedName(t *testing.T) {
	t.Parallel()
	const name = "fedora-image-cron" // upstream: arm64,s390x,amd64
	for _, tc := range []struct {
		reason string
		url    string
		notes  map[string]string
		gate   v1alpha1.Gate
		claim  string
		found  string
	}{
		{"a mirrored one loses the built-in claim", appURL, nil, v1alpha1.GateAuto, "amd64,arm64", "info GA107"},
		{"of an unmodified one HCO keeps it; the claim does no harm", fedoraURL, nil, v1alpha1.GateAuto, "amd64,arm64", ""},
		{"HCO ignores a claim on an unmodified one", fedoraURL, claimed("amd64"), v1alpha1.GateAuto, "", "warning GA106"},
		{"the built-in claim in another order is no other claim", fedoraURL, claimed("amd64,arm64,s390x"), v1alpha1.GateAuto, "amd64,arm64", "warning GA104"},
		{"a claim that HCO does not read fails no run", fedoraURL, claimed("s390x"), v1alpha1.GateAuto, "", "warning GA106, warning GA103"},
		{"with the gate off HCO reads none", fedoraURL, claimed("amd64"), v1alpha1.GateDisable, "", ""},
		{"a claim of ours is not told to be ignored", fedoraURL, claimed("amd64,arm64", "amd64,arm64"), v1alpha1.GateAuto, "", ""},
	} {
		s := subject(entry(name, fromURL(tc.url), tc.notes))
		s.Spec.Gate = tc.gate
		p, found := decide(t, s, has("amd64,arm64"))
		got := ""
		if len(p.Templates) == 1 && p.Templates[0].Claim != nil {
			got = p.Templates[0].Claim.Value
		}
		if got != tc.claim {
			t.Errorf("%s: want claim %q, got %q", tc.reason, tc.claim, got)
		}
		if got := ids(withoutCoverage(found)); got != tc.found {
			t.Errorf("%s: want findings %q, got:\n%s", tc.reason, tc.found, found)
		}
	}
}

// TestOthersKeepTheClaim: what leaves this cluster nothing is right where another cluster of the run
// reads the same file and has one of the declared architectures.
func TestOthersKeepTheClaim(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		reason, others, claim, want string
	}{
		{"no other cluster", "", "arm64", "amd64,arm64"},
		{"another one has it", "amd64,arm64", "arm64", ""},
		{"another one has it, and the image lacks the rest", "arm64", "arm64,ppc64le", "arm64"},
		{"the others have nothing of it", "s390x,ppc64le", "arm64", "amd64,arm64"},
		{"another one has only what the image lacks", "ppc64le", "ppc64le", "amd64,arm64"},
	} {
		s := subject(entry("app", fromURL(appURL), claimed(tc.claim)))
		s.Cluster.Workload, s.Others = set("amd64,s390x"), set(tc.others)
		p, found := decide(t, s, has("amd64,arm64"))
		got := ""
		for _, one := range p.Templates {
			if one.Claim != nil {
				got = one.Claim.Value
			}
		}
		if got != tc.want || switchOf(p) != transformers.Leave {
			t.Errorf("%s: want %q and no switch, got %q and %q\n%s", tc.reason, tc.want, got, switchOf(p), found)
		}
		for _, f := range onlyID(found, finding.ClaimReplaced) {
			if f.Current != tc.claim || f.Proposed != tc.want || !strings.Contains(f.Text, tc.claim) || !strings.Contains(f.Text, tc.want) {
				t.Errorf("%s: the finding names both values: %s", tc.reason, f)
			}
		}
	}
}

// TestClaimThatNothingReads: while the gate is off, HCO ignores the annotation. No value disables the
// template or is corrected, and one that is false is a warning. Where goldenarch expands the
// templates, it reads the value itself.
func TestClaimThatNothingReads(t *testing.T) {
	t.Parallel()
	disabledByUs := func(claim string) map[string]string { // as a run decides it, it is on
		return map[string]string{hyperconverged.DisabledAnnotation: hyperconverged.NoSupportedArchitecture, hyperconverged.ClaimAnnotation: claim}
	}
	const has2 = "amd64,arm64"
	for _, tc := range []struct {
		reason   string
		notes    map[string]string
		proven   string
		workload string
		expand   v1alpha1.ExpandMode
		want     transformers.Template
		found    string
	}{
		{"right", claimed(has2), has2, "amd64", "", transformers.Template{}, ""},
		{"of another architecture than the nodes", claimed("arm64"), has2, "amd64", "", transformers.Template{}, ""},
		{"the image lacks a part", claimed("amd64,s390x"), has2, "amd64", "", transformers.Template{}, "warning GA105"},
		{"the image lacks all of it", claimed("s390x"), has2, "amd64,s390x", "", transformers.Template{}, "warning GA105"},
		{"malformed", claimed("amd64, arm64"), has2, "amd64", "", transformers.Template{}, "warning GA101"},
		{"an unknown name", claimed("vax"), has2, "amd64", "", transformers.Template{}, "warning GA102"},
		{"it names nothing", claimed(" "), has2, "amd64", "", transformers.Template{}, "warning GA102"},
		{"it is missing", nil, has2, "amd64", "", transformers.Template{Claim: &transformers.Claim{Value: has2, Written: true}}, ""},
		{"goldenarch wrote it", claimed("amd64", "amd64"), has2, "amd64", "", transformers.Template{Claim: &transformers.Claim{Value: has2, Written: true}}, ""},
		{
			"goldenarch had disabled the template because of it", disabledByUs("arm64"), has2, "amd64", "",
			transformers.Template{Switch: transformers.Enable},
			"info GA110",
		},
		{
			"the image has nothing for the nodes", claimed("amd64"), "s390x", "amd64", "",
			transformers.Template{Switch: transformers.Disable, Because: hyperconverged.NoSupportedArchitecture},
			"warning GA105, warning GA109",
		},
		{
			"goldenarch expands the template by it", claimed("s390x"), has2, "amd64", v1alpha1.ExpandEmit,
			transformers.Template{Claim: &transformers.Claim{Value: has2, Written: true}},
			"warning GA116",
		},
	} {
		for _, gate := range []v1alpha1.Gate{v1alpha1.GateDisable, v1alpha1.GateKeep} {
			s := subject(entry("app", fromURL(appURL), tc.notes))
			s.Spec.Gate, s.Cluster.Workload, s.Spec.Release = gate, set(tc.workload), released("1.19")
			s.CR.Gate = hyperconverged.Gate{}
			if tc.expand != "" {
				s.Spec.Expand.Mode, s.Spec.Platform = tc.expand, v1alpha1.Kubernetes
			}
			p, found := decide(t, s, has(tc.proven))
			got := transformers.Template{}
			for _, one := range p.Templates {
				got = one
				got.Name = ""
			}
			found = withoutID(withoutCoverage(found), finding.CronRefused) // the template has no storage
			if diff := cmp.Diff(tc.want, got); diff != "" || ids(found) != tc.found {
				t.Errorf("%s, gate %s: want findings %q, got %s\n(-want +got):\n%s", tc.reason, gate, tc.found, found, diff)
			}
		}
	}
}
