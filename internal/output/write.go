package output

import (
	"fmt"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/object"
	"github.com/goldenarch/goldenarch/internal/plan"
	"github.com/goldenarch/goldenarch/internal/subject"
	"github.com/goldenarch/goldenarch/transformers"
)

// Write makes the edits of the plans on copies of the items. It returns the copies only
// if all edits succeed, so that there is never half a result.
func Write(list []subject.Subject, plans []plan.Plan) (map[*yaml.RNode]*yaml.RNode, finding.List) {
	copies := map[*yaml.RNode]*yaml.RNode{} // by item, which may contain several CRs
	for i, s := range list {
		if plans[i].Empty() {
			continue
		}
		if copies[s.Item] == nil {
			item, err := object.Copy(s.Item)
			if err != nil {
				return nil, finding.List{s.Unreadable(err)}
			}
			copies[s.Item] = item
		}
		err := s.Edit(copies[s.Item], func(cr *yaml.RNode) error { return transformers.Apply(cr, string(s.CR.Version), plans[i].Edits()) })
		if err != nil {
			return nil, finding.List{s.Unreadable(fmt.Errorf("write the CR: %w", err))}
		}
	}
	return copies, nil
}
