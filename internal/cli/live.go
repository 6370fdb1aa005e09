package cli

import (
	"fmt"

	"github.com/spf13/cobra"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/object"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
)

// addLive adds the flag for the live CR.
func (r *render) addLive(cmd *cobra.Command) {
	cmd.Flags().StringVar(&r.live, "live", "",
		"file with the cluster's HyperConverged, from 'oc get hyperconvergeds.v1beta1.hco.kubevirt.io -n openshift-cnv kubevirt-hyperconverged -o yaml'; "+
			"goldenarch reads the predefined templates, nodes, schedule and release from it")
}

// givenLive reads the file of --live; nil without the flag. "-" is standard input.
func (r *render) givenLive() ([]*yaml.RNode, error) {
	if r.live == "" {
		return nil, nil
	}
	items, err := r.readFacts(r.live, mayHoldCR)
	if err != nil {
		return nil, fmt.Errorf("--live: %w", err)
	}
	if items == nil {
		items = []*yaml.RNode{}
	}
	return items, nil
}

// mayHoldCR reports whether an item is a HyperConverged or a list.
func mayHoldCR(item *yaml.RNode) bool {
	at := object.Ref(item)
	_, isList := object.ElementKind(at.Kind)
	return isList || hyperconverged.Is(at.APIVersion, at.Kind)
}
