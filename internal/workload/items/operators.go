package items

import (
	"github.com/goldenarch/goldenarch/internal/object"
	"github.com/goldenarch/goldenarch/internal/olm"
)

// Operators returns the operators whose ClusterServiceVersions are among the items, and
// those that the items install.
func (i Items) Operators() (list []olm.Operator, installed []olm.Installed) {
	for _, one := range i.list {
		at := object.New(one.original).At
		for _, o := range one.objects {
			if operator, ok := olm.OperatorOf(i.run, o.Object); ok {
				operator.File = at.File
				list = append(list, operator)
			}
			if named, ok := olm.InstalledBy(i.run, o.Object); ok {
				installed = append(installed, named)
			}
		}
	}
	return list, installed
}
