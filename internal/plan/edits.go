package plan

import "github.com/goldenarch/goldenarch/transformers"

// These types are aliases of those in package transformers, which writes the plan.
type (
	// Claim has the declared architectures to write.
	Claim = transformers.Claim
	// Switch says what goldenarch does with a template's enable annotation.
	Switch = transformers.Switch
	// Defaults says which defaults of HCO's webhook to write.
	Defaults = transformers.Defaults
	// Gate says how to write the multi-arch gate.
	Gate = transformers.Gate
	// GatePlace is a place in the CR that holds the gate.
	GatePlace = transformers.GatePlace
)

// What goldenarch does with a template's enable annotation.
const (
	Leave   = transformers.Leave
	Disable = transformers.Disable
	Enable  = transformers.Enable
	Remove  = transformers.Remove
)

// The places in the CR that can hold the multi-arch gate.
const (
	GateField   = transformers.GateField
	GateList    = transformers.GateList
	GateV1beta1 = transformers.GateV1beta1
	GateNowhere = transformers.GateNowhere
)

// Edits returns what to write into the CR.
func (p Plan) Edits() transformers.Edits {
	out := transformers.Edits{
		Gate: p.Gate, GateRecord: p.GateRecord, SingleArchitecture: string(p.SingleArchitecture), Defaults: p.Defaults, ServerFields: p.ServerFields,
	}
	for _, d := range p.Templates {
		out.Templates = append(out.Templates, transformers.Template{
			Index: d.Index, Name: d.Name, Claim: d.Claim, Switch: d.Switch, Because: d.Because,
		})
	}
	return out
}
