package plan

import (
	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/cluster"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/images/imageref"
	"github.com/goldenarch/goldenarch/internal/images/imagestream"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
)

// Subject is all that is known of one CR before any image is asked for.
type Subject struct {
	CR      *hyperconverged.CR
	Table   hyperconverged.Table
	Cluster cluster.Architectures
	Streams imagestream.Streams
	// References has the references of the templates.
	References *imageref.Parsed
	Spec       *v1alpha1.GoldenImagesSpec
	// LiveGateOn says that the live CR has the multi-arch gate on.
	LiveGateOn bool
	// Live is the cluster's own CR; nil if it is not known.
	Live *hyperconverged.Live
}

// Plan is what to write into a CR.
type Plan struct {
	// Templates has a decision for each template that is to change.
	Templates []Decision
	// Gate is how to write the gate; nil leaves it.
	Gate *Gate
	// GateRecord is what to record of the gate on the CR; nil leaves that, ""
	// removes it.
	GateRecord *string
	// SingleArchitecture restricts the workload placement; "" leaves it.
	SingleArchitecture arch.Arch
	// Defaults says what of the webhook's defaults to write.
	Defaults Defaults
	// Expansion is what to emit beside the CR; nil emits nothing.
	Expansion *Expansion
	// Proofs are what the images of the CR's templates have, as far as somebody
	// else than the template itself says so.
	Proofs []Proof
}

// Proof is what the registry, the lock or an override says of the image of one
// template.
type Proof struct {
	// Index is the place of the template in the CR's list.
	Index int
	Name  string
	// Image is what to call the image in messages.
	Image         string
	Architectures arch.Set
	// Ignored says that HCO ignores what the template declares.
	Ignored bool
	// Declared is what the template declares before the plan is carried out; nil
	// if it declares nothing.
	Declared *arch.Claim
}

// Empty reports whether there is nothing to write.
func (p Plan) Empty() bool {
	return len(p.Templates) == 0 && p.Gate == nil && p.GateRecord == nil && p.SingleArchitecture == "" && p.Defaults == Defaults{}
}

// EditsOnlyGate reports whether a plan changes the multi-arch gate and no list that the
// CR has: neither templates nor the placement.
func (p Plan) EditsOnlyGate() bool {
	return len(p.Templates) == 0 && p.SingleArchitecture == "" && p.Defaults == Defaults{}
}

// Decision is what becomes of one template.
type Decision struct {
	// Index is the place in the CR's list; -1 adds an entry at its end.
	Index int
	Name  string
	// Claim is the claim to write; nil leaves claim and mark.
	Claim *Claim
	// Switch is what becomes of the enable annotation.
	Switch Switch
	// Because is goldenarch's mark on what it disables.
	Because string
	// Expanded are the architectures that the template is expanded for; empty
	// for none.
	Expanded arch.Set
}

// Decide makes the plan of a CR out of what is known of it and the answers to
// its [Questions]. On an error finding the plan must not be carried out.
func Decide(s Subject, questions []Question, answers Answers) (Plan, finding.List) {
	gate, found := decideGate(s)
	plan := Plan{Gate: gate.edit, GateRecord: gate.record, SingleArchitecture: arch.NamedOne(s.Spec.SingleArchitecture)}
	if len(s.Cluster.Workload) == 0 {
		return plan, found // package cluster has said why; nothing can be decided
	}
	expanded := map[string]arch.Set{}
	for _, q := range questions {
		decision, proof, list := decideTemplate(s, gate.on, q, answers)
		found = append(found, list...)
		if proof != nil {
			plan.Proofs = append(plan.Proofs, *proof)
		}
		expanded[decision.Name] = decision.Expanded
		if decision.Claim != nil || decision.Switch != Leave {
			plan.Templates = append(plan.Templates, decision)
		}
	}
	stubs, list := decidePredefined(s)
	found = append(found, list...)
	if s.Spec.Platform == v1alpha1.OpenShift {
		found = append(found, Documented(s.CR, s.Table, gate.on, s.Live)...)
	}
	for _, decision := range stubs {
		expanded[decision.Name] = decision.Expanded
		if decision.Switch != Leave {
			plan.Templates = append(plan.Templates, decision)
		}
	}
	plan.Defaults, list = decideDefaults(s.Spec)
	found = append(found, list...)
	plan.Expansion = expand(s, expanded, plan.Defaults)
	return plan, append(found, checkExpansion(s, plan.Expansion)...)
}
