package forecast

import (
	"slices"
	"strings"

	"github.com/goldenarch/goldenarch/internal/operators/expansion"
)

// Owner is the component that makes a DataSource and deletes it.
type Owner string

// The owners.
const (
	OwnerSSP   Owner = "SSP"
	OwnerCDI   Owner = "CDI"   // makes a missing one for a cron; deletes it with the cron under retentionPolicy None
	OwnerOther Owner = "other" // it existed before, and neither SSP nor CDI changes it
)

// DataSourceOwner is a DataSource with its owner and the cron that fills it.
type DataSourceOwner struct {
	Namespace string `json:"namespace"`
	Name      string `json:"name"`
	Owner     Owner  `json:"owner"`
	// FilledBy is the name of the cron in the same namespace that CDI admits and that fills
	// the DataSource; "" if no cron does.
	FilledBy string `json:"filledBy"`
}

// owners reports the DataSources of the templates, by namespace and name. It includes those
// of templates that HCO does not deploy.
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

// compareNames compares the "namespace/name" of two objects, bytewise.
func compareNames(namespace, name, otherNamespace, otherName string) int {
	if namespace == otherNamespace {
		return strings.Compare(name, otherName)
	}
	return strings.Compare(namespace+"/"+name, otherNamespace+"/"+otherName)
}
