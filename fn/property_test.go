package fn_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
	"sigs.k8s.io/kustomize/kyaml/fn/framework"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/fn"
	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/images/registry"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
)

// TestProperties draws CRs, configurations and images at random and holds what
// the function makes of them against the rules of writing.
func TestProperties(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		d := draw(t)
		before := toYAML(t, d.cr)
		after, found, err := d.process(t, before)
		if found.Failed() != errors.Is(err, fn.ErrFindings) {
			t.Fatalf("error findings and the error go together: %v\n%s", err, found)
		}
		if err != nil {
			if diff := cmp.Diff(normal(t, before), after); diff != "" {
				t.Fatalf("a failed run leaves the items alone:\n%s\n%s", found, diff)
			}
			return
		}
		if again, _, err := d.process(t, before); err != nil || again != after {
			t.Fatalf("the same input gives the same bytes (error %v):\n%s", err, cmp.Diff(after, again))
		}
		d.secondRun(t, after, found)
		d.readsAlike(t, before, after)
		d.nothingWithheld(t, after)
		d.onlyOurs(t, before, after)
	})
}

// process runs the function on a CR and returns the items and the findings.
func (d drawn) process(t *rapid.T, input string) (string, finding.List, error) {
	rl := &framework.ResourceList{Items: parse(t, input), FunctionConfig: parse(t, toYAML(t, d.config))[0]}
	function := fn.Function{}.Opened(func(registry.Options) (registry.Resolver, error) { return d.images, nil })
	found, err := function.Findings(context.Background(), rl)
	return format(t, rl.Items), found, err
}

// changes are the findings that tell of an edit to a claim.
var changes = []finding.ID{
	finding.ClaimAdded, finding.ClaimNarrowed, finding.ClaimReplaced, finding.TemplateEnabled, finding.GateOn,
}

// secondRun: what was written is what would be written again, and there is
// nothing new to tell.
func (d drawn) secondRun(t *rapid.T, after string, found finding.List) {
	again, more, err := d.process(t, after)
	if err != nil {
		t.Fatalf("the second run fails: %s\nafter:\n%s", more, after)
	}
	if again != after {
		t.Fatalf("a second run changes nothing:\n%s\n%s", cmp.Diff(after, again), found)
	}
	for _, f := range more {
		if slices.Contains(changes, f.ID) {
			t.Fatalf("the second run tells of a change: %s\nafter:\n%s", f, after)
		}
	}
}

// readsAlike: HCO and SSP read a claim that goldenarch wrote as the same thing,
// whatever nodes there are.
func (d drawn) readsAlike(t *rapid.T, before, after string) {
	workload := arch.NewSet(some(t, "nodes", 0, arch.AMD64, arch.ARM64, arch.S390X, arch.PPC64LE)...)
	known := arch.NewSet(arch.AMD64, arch.ARM64, arch.S390X) // to SSP
	input := modelOf(t, before).Templates
	for _, template := range modelOf(t, after).Templates {
		claim, has := template.Declared()
		if !template.HasWrittenClaim() || !has || slices.ContainsFunc(input, func(in hyperconverged.Template) bool {
			old, _ := in.Declared()
			return in.Name() == template.Name() && in.HasWrittenClaim() && old == claim
		}) {
			continue // somebody else's, or nothing was written
		}
		if !claim.Clean() {
			t.Fatalf("template %q: the claim %q is goldenarch's and not clean", template.Name(), claim)
		}
		meant, _ := claim.Meant()
		if hco := arch.NewSet(claim.HCO(workload)...); !hco.Equal(meant.Intersect(workload)) {
			t.Fatalf("of the claim %q HCO keeps %q for nodes %q", claim, hco, workload)
		}
		if ssp, hco := sspReads(claim).Intersect(known), arch.NewSet(claim.HCO(known)...); !ssp.Equal(hco) {
			t.Fatalf("of the claim %q SSP reads %q and HCO %q", claim, ssp, hco)
		}
	}
}

// sspReads splits and trims, as SSP does (ssp-operator
// internal/architecture/architecture.go).
func sspReads(claim arch.Claim) arch.Set {
	var list []arch.Arch
	for part := range strings.SplitSeq(string(claim), ",") {
		list = append(list, arch.Arch(strings.TrimSpace(part)))
	}
	return arch.NewSet(list...)
}

// nothingWithheld: HCO hands every template on to SSP, unless the user wanted
// one kept as it is or enabled, or documentation alone says that no node can use it:
// goldenarch disables nothing because of that.
func (d drawn) nothingWithheld(t *rapid.T, after string) {
	spec := d.spec(t)
	if spec.Platform == v1alpha1.Kubernetes || spec.Unsupported == v1alpha1.UnsupportedKeep ||
		spec.Existing == v1alpha1.ExistingKeep || spec.Unresolved == v1alpha1.UnresolvedKeep {
		return
	}
	workload := arch.Named(spec.Cluster.WorkloadArchitectures...)
	if single := arch.Named(spec.SingleArchitecture); len(single) > 0 {
		workload = workload.Intersect(single)
	}
	cr := modelOf(t, after)
	table := tableOf(spec, cr.Namespace)
	merged, err := hyperconverged.Merge(cr, table, workload)
	if err != nil {
		t.Fatalf("HCO refuses what was written: %v\n%s", err, after)
	}
	documented := hyperconverged.Documented(cr, table, cr.Gate.On())
	for _, m := range merged {
		enabled := slices.ContainsFunc(cr.Templates, func(one hyperconverged.Template) bool { // goldenarch only disables
			return one.Name() == m.Name() && strings.EqualFold(one.Metadata.Annotations[hyperconverged.EnableAnnotation], "true")
		})
		if m.Withheld && !enabled && !slices.Contains(documented, m.Name()) {
			t.Fatalf("HCO withholds template %q from nodes with %s (claim %q):\n%s", m.Name(), workload, m.Original, after)
		}
	}
}

func tableOf(spec v1alpha1.GoldenImagesSpec, namespace string) hyperconverged.Table {
	switch {
	case spec.Predefined == v1alpha1.PredefinedNone:
		return hyperconverged.None()
	case spec.Predefined == v1alpha1.PredefinedOpenShift,
		spec.Predefined == v1alpha1.PredefinedAuto && namespace == hyperconverged.DownstreamNamespace:
		return hyperconverged.OpenShift()
	default:
		return hyperconverged.Upstream()
	}
}
