package workload

import (
	"fmt"
	"slices"
	"strings"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/workload/affinity"
	"github.com/goldenarch/goldenarch/internal/workload/podspec"
)

// copied is one of several objects that are copies of one workload for each architecture:
// plugin-amd64, plugin-arm64.
type copied struct {
	object podspec.Object
	named  arch.Arch // in its name
	c      affinity.Constraints
	admits arch.Set
	// excluded says that a person excludes the object: it counts as a copy, and no finding is
	// about it.
	excluded bool
}

// family identifies the copies of one workload.
type family struct{ kind, namespace, name string }

// Copies reports problems with workloads that have one copy for each architecture. Either
// two copies admit the same architecture, or no copy admits one that the cluster has.
func (r Run) Copies(objects []podspec.Object) finding.List {
	families := map[family][]copied{}
	var order []family
	for _, o := range objects {
		name, named := withoutArch(o.Name)
		places := podspec.Places(o, r.Options())
		if named == "" || len(places) != 1 || !r.Selects(o) {
			continue
		}
		c, faults := affinity.Read(places[0].Node)
		if len(faults) > 0 {
			continue
		}
		f := family{o.Kind, o.Namespace, name}
		if len(families[f]) == 0 {
			order = append(order, f)
		}
		mode, _ := r.mode(o)
		families[f] = append(families[f], copied{object: o, named: named, c: c, excluded: mode == v1alpha1.WorkloadsNone})
	}
	var found finding.List
	for _, f := range order {
		if list := families[f]; len(namesOf(list)) > 1 {
			r.admit(list)
			found = append(found, r.overlaps(list)...)
			found = append(found, r.gaps(list)...)
		}
	}
	return found
}

// namesOf returns the names of copies. Objects of one name are one workload, such as those of
// several clusters in wrappers.
func namesOf(list []copied) []string {
	names := make([]string, len(list))
	for i, one := range list {
		names[i] = one.object.Name
	}
	return distinct(names)
}

// withoutArch returns a name without the architecture in it, and that architecture; "" if
// the name has none.
func withoutArch(name string) (string, arch.Arch) {
	parts := strings.Split(name, "-")
	at := slices.IndexFunc(parts, func(part string) bool {
		_, ok := arch.Find(part) // an error of Parse takes the time to say what was meant
		return ok
	})
	if at < 0 {
		return name, ""
	}
	named := arch.NamedOne(parts[at])
	return strings.Join(slices.Delete(parts, at, at+1), "-"), named
}

// admit computes the architectures that the copies admit. It considers the architectures of
// the cluster, or those in the names of the copies.
func (r Run) admit(list []copied) {
	all := r.Nodes.All()
	if len(all) == 0 {
		for _, one := range list {
			all = all.Union(arch.NewSet(one.named))
		}
	}
	for i, one := range list {
		list[i].admits = admittedOf(all, one.c)
	}
}

// admittedOf returns the architectures that constraints admit. It ignores the other
// constraints on nodes.
func admittedOf(all arch.Set, c affinity.Constraints) arch.Set {
	if c.Required == nil {
		return NodesOf(all).admitted(placementOf(c.NodeSelector, nil))
	}
	var out arch.Set
	for _, term := range c.Required.NodeSelectorTerms {
		out = out.Union(NodesOf(all).admitted(placementOf(c.NodeSelector, &term)))
	}
	return out
}

func (r Run) overlaps(list []copied) finding.List {
	var found finding.List
	for i, one := range list {
		for _, other := range list[:i] {
			if one.object.Name == other.object.Name || one.excluded || other.excluded {
				continue
			}
			if both := one.admits.Intersect(other.admits); len(both) > 0 {
				found = append(found,
					one.finding(fmt.Sprintf("%s and %s are copies of one workload for different architectures, and both admit nodes with %s, which then run both",
						other.object.Name, one.object.Name, listed(both)), "give each copy a nodeSelector with its own architecture"))
			}
		}
	}
	return found
}

func (r Run) gaps(list []copied) finding.List {
	var admitted arch.Set
	for _, one := range list {
		admitted = admitted.Union(one.admits)
	}
	gap := r.Nodes.All().Minus(admitted)
	about := slices.IndexFunc(list, func(one copied) bool { return !one.excluded })
	if len(gap) == 0 || about < 0 {
		return nil
	}
	return finding.List{list[about].finding(fmt.Sprintf("none of %s, which are copies of one workload, admits nodes with %s, which the cluster has",
		strings.Join(namesOf(list), ", "), listed(gap)), "add a copy for them, or use one workload with an image for all architectures")}
}

func (c copied) finding(text, do string) finding.Finding {
	return finding.Finding{
		ID: finding.CopiesDisagree, Severity: finding.Warning, Field: c.object.Path, Text: text, Do: do,
		Object: finding.Object{APIVersion: c.object.APIVersion, Kind: c.object.Kind, Namespace: c.object.Namespace, Name: c.object.Name},
	}
}
