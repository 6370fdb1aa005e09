package livecr

import (
	"fmt"
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/cluster"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/input/kinds"
	"github.com/goldenarch/goldenarch/internal/object"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
)

// Read returns the live CR: the one that the user passes in addition to the items, or else
// the one among the items. It returns nil if there is no live CR, and an error for two.
func Read(given []*yaml.RNode, among []object.Object) (*CR, finding.List) {
	list := slices.DeleteFunc(slices.Clone(among), func(o object.Object) bool { return !kinds.IsLive(o) })
	if given != nil {
		list = slices.DeleteFunc(object.All(given), func(o object.Object) bool { return !hyperconverged.Is(o.At.APIVersion, o.At.Kind) })
		if len(list) == 0 {
			return nil, finding.List{invalid(finding.Object{}, "the file of --live has no HyperConverged")}
		}
	}
	if len(list) == 0 {
		return nil, nil
	}
	if len(list) > 1 {
		return nil,
			finding.List{
				invalid(list[1].At,
					fmt.Sprintf("the input has two live CRs, %s and %s: goldenarch does not know which one is this cluster's",
						list[0].NameAndLocation(), list[1].NameAndLocation())),
			}
	}
	o := list[0]
	if status := object.NodeAt(o.Node, "status"); status == nil || len(status.Content) == 0 {
		return nil, finding.List{invalid(o.At, "the HyperConverged of --live has no status, so it does not describe the cluster")}
	}
	if twice := object.DuplicateKeys(o); twice.Failed() {
		return nil, twice
	}
	return parse(o)
}

func parse(o object.Object) (*CR, finding.List) {
	data, err := o.JSON()
	if err != nil {
		return nil, finding.List{o.Unreadable(err)}
	}
	live, found := hyperconverged.ParseLive(data)
	if live == nil {
		return nil, o.Locate(found)
	}
	tree, err := o.Tree()
	if err != nil {
		return nil, finding.List{o.Unreadable(err)}
	}
	nodes, _, err := cluster.Read(tree, o.At)
	if err != nil {
		return nil, finding.List{{ID: finding.NodeInvalid, Severity: finding.Error, Object: o.At, Field: o.Path, Text: err.Error(), Do: "correct the manifest"}}
	}
	return &CR{Object: o, Live: live, nodes: nodes, release: releaseOf(live.Release)}, nil
}

func invalid(at finding.Object, text string) finding.Finding {
	return finding.Finding{
		ID: finding.LiveInvalid, Severity: finding.Error, Object: at, Text: text,
		Do: "pass the output of: oc get hyperconvergeds.v1beta1.hco.kubevirt.io -n openshift-cnv kubevirt-hyperconverged -o yaml",
	}
}
