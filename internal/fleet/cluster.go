package fleet

import (
	"fmt"
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/cluster"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/input/kinds"
	"github.com/goldenarch/goldenarch/internal/input/manifest"
	"github.com/goldenarch/goldenarch/internal/object"
	"github.com/goldenarch/goldenarch/internal/yamlnode"
)

// Additions are what a Fleet adds to the input of one cluster.
type Additions struct {
	// Items are node facts.
	Items []*yaml.RNode
	// Release is the release of the entry, "" for none.
	Release string
	// Live is the live CR of the entry, not nil if it names one.
	Live []*yaml.RNode
	// Config is the configuration of the entry, nil for that of the input, and Dir is the
	// directory that its paths are relative to.
	Config *yaml.RNode
	Dir    string
	// Found says which statements are not valid or have no effect.
	Found finding.List
}

// Additions returns what an entry states about a cluster. given is the configuration that
// the user has passed, and hasLive says that the user has passed a live CR. What the input
// has itself takes precedence over the entry, which may be nil.
func (f *Fleet) Additions(entry *v1alpha1.FleetCluster, items []*yaml.RNode, given *yaml.RNode, hasLive bool) Additions {
	if entry == nil {
		return Additions{}
	}
	out := Additions{Release: entry.Release}
	objects := object.All(items)
	out.addNodes(f, entry, objects)
	if entry.Live != "" && !hasLive {
		live, err := f.readIn(entry.Live)
		if err != nil {
			out.Found = append(out.Found, f.invalid(entry, "live", err))
		}
		out.Live = append([]*yaml.RNode{}, live...)
	}
	if entry.Config == "" {
		return out
	}
	own := given != nil || slices.ContainsFunc(objects, func(o object.Object) bool { return kinds.IsGoldenarch(o.At, v1alpha1.GoldenImagesKind) })
	if own {
		out.Found = append(out.Found, f.overruled(entry, "config", "the cluster has a configuration of its own, so the one of the Fleet has no effect"))
		return out
	}
	config, err := f.readIn(entry.Config)
	if err == nil && len(config) != 1 {
		err = fmt.Errorf("%s: has %d documents, expected one GoldenImages", entry.Config, len(config))
	}
	if err != nil {
		out.Found = append(out.Found, f.invalid(entry, "config", err))
		return out
	}
	out.Config, out.Dir = config[0], f.dir
	return out
}

// addNodes adds the nodes that an entry states as a ClusterArchitectures, unless the
// input has one.
func (a *Additions) addNodes(f *Fleet, entry *v1alpha1.FleetCluster, objects []object.Object) {
	if len(entry.WorkloadArchitectures) == 0 && entry.ControlPlaneArchitectures == nil {
		return
	}
	workload, _ := arch.ParseAll(entry.WorkloadArchitectures) // decoding has validated them
	control, _ := arch.ParseAll(entry.ControlPlaneArchitectures)
	for _, o := range objects {
		if !kinds.IsGoldenarch(o.At, v1alpha1.ClusterArchitecturesKind) {
			continue
		}
		tree, err := o.Tree()
		if err != nil {
			return // reported with the cluster
		}
		own, is, err := cluster.Read(tree, o.At)
		if err == nil && is && (!own.Workload.Equal(workload) || entry.ControlPlaneArchitectures != nil && !own.ControlPlane.Equal(control)) {
			a.Found = append(a.Found,
				f.overruled(entry, "workloadArchitectures", "the cluster has a ClusterArchitectures of its own, so the nodes of the Fleet have no effect"))
		}
		return
	}
	item, err := f.nodesOf(entry, workload, control)
	if err != nil {
		a.Found = append(a.Found, f.invalid(entry, "workloadArchitectures", err))
		return
	}
	a.Items = append(a.Items, item)
}

// nodesOf returns node facts as an object that is in the file of the Fleet.
func (f *Fleet) nodesOf(entry *v1alpha1.FleetCluster, workload, control arch.Set) (*yaml.RNode, error) {
	controlPlane := ""
	if entry.ControlPlaneArchitectures != nil { // an empty list states that there is none
		controlPlane = fmt.Sprintf("  controlPlane: [%s]\n", control)
	}
	text := fmt.Sprintf(`apiVersion: %s
kind: %s
metadata:
  name: fleet
  annotations: {config.kubernetes.io/local-config: "true"}
spec:
  workload: [%s]
%s`,
		v1alpha1.APIVersion, v1alpha1.ClusterArchitecturesKind, workload, controlPlane)
	items, err := manifest.Parse(f.at.File, []byte(text))
	if err != nil {
		return nil, err
	}
	return items[0], nil
}

func (f *Fleet) field(entry *v1alpha1.FleetCluster, name string) string {
	for i := range f.Clusters {
		if &f.Clusters[i] == entry {
			return fmt.Sprintf("clusters[%d].%s", i, name)
		}
	}
	return name
}

func (f *Fleet) invalid(entry *v1alpha1.FleetCluster, name string, err error) finding.Finding {
	field := f.field(entry, name)
	return finding.Finding{
		ID: finding.FleetInvalid, Severity: finding.Error, Object: f.at, Field: field, Line: yamlnode.Line(f.node.YNode(), field),
		Text: err.Error(), Do: "correct the Fleet",
	}
}

func (f *Fleet) overruled(entry *v1alpha1.FleetCluster, name, text string) finding.Finding {
	field := f.field(entry, name)
	return finding.Finding{
		ID: finding.FleetOverruled, Severity: finding.Info, Object: f.at, Field: field, Line: yamlnode.Line(f.node.YNode(), field),
		Text: text, Do: "remove it from the Fleet or from the cluster",
	}
}
