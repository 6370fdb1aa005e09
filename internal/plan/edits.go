package plan

import "github.com/goldenarch/goldenarch/transformers"

// The types of what a plan decides to write are those of the package that writes it.
type (
	// Claim is declared architectures to write.
	Claim = transformers.Claim
	// Switch is what becomes of a template's enable annotation.
	Switch = transformers.Switch
	// Defaults says which defaults of HCO's webhook to write.
	Defaults = transformers.Defaults
	// Gate is how to write the multi-arch gate.
	Gate = transformers.Gate
	// GatePlace is a place where the gate is kept.
	GatePlace = transformers.GatePlace
)

// What becomes of a template's enable annotation.
const (
	Leave   = transformers.Leave
	Disable = transformers.Disable
	Enable  = transformers.Enable
	Remove  = transformers.Remove
)

// Where the multi-arch gate is kept.
const (
	GateField   = transformers.GateField
	GateList    = transformers.GateList
	GateV1beta1 = transformers.GateV1beta1
	GateNowhere = transformers.GateNowhere
)

// Edits returns what to write into the CR.
func (p Plan) Edits() transformers.Edits {
	out := transformers.Edits{
		Gate: p.Gate, GateRecord: p.GateRecord, SingleArchitecture: string(p.SingleArchitecture), Defaults: p.Defaults,
	}
	for _, d := range p.Templates {
		out.Templates = append(out.Templates, transformers.Template{
			Index: d.Index, Name: d.Name, Claim: d.Claim, Switch: d.Switch, Because: d.Because,
		})
	}
	return out
}
