package forecast

import (
	"slices"
	"strings"

	"github.com/goldenarch/goldenarch/internal/operators/expansion"
)

// Owner is who makes a DataSource, and deletes it.
type Owner string

// The owners.
const (
	OwnerSSP   Owner = "SSP"
	OwnerCDI   Owner = "CDI"   // makes what is not there, for a cron; deletes it with the cron under retentionPolicy None
	OwnerOther Owner = "other" // it stood there before, and neither touches it
)

// DataSourceOwner is a DataSource with who makes it and who fills it.
type DataSourceOwner struct {
	Namespace string `json:"namespace"`
	Name      string `json:"name"`
	Owner     Owner  `json:"owner"`
	// FilledBy is the name of the cron in the same namespace that CDI admits and
	// that fills it; "" if none does.
	FilledBy string `json:"filledBy"`
}

// owners reports the DataSources that have to do with the templates, withheld
// ones too, by namespace and name.
func (s ssp) owners(m made, after dataSources) []DataSourceOwner {
	out := []DataSourceOwner{}
	for at, d := range after {
		if !s.names[at.name] {
			continue
		}
		f := DataSourceOwner{Namespace: at.namespace, Name: at.name, Owner: d.owner}
		c, ok := m.crons[expansion.Key{Namespace: at.namespace, DataSource: at.name}]
		if ok && c.Name == d.filledBy() && m.refused[c.Key()] == "" {
			f.FilledBy = c.Name
		}
		out = append(out, f)
	}
	slices.SortFunc(out, func(a, b DataSourceOwner) int {
		return compareNames(a.Namespace, a.Name, b.Namespace, b.Name)
	})
	return out
}

// compareNames compares "namespace/name" of two objects, bytewise.
func compareNames(namespace, name, otherNamespace, otherName string) int {
	if namespace == otherNamespace {
		return strings.Compare(name, otherName)
	}
	return strings.Compare(namespace+"/"+name, otherNamespace+"/"+otherName)
}
