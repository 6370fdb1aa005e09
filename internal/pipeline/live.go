package pipeline

import (
	"fmt"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/cluster"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
)

// liveCR is the cluster's own HyperConverged, with its place in the input.
type liveCR struct {
	object
	*hyperconverged.Live
	// nodes is what its status says of the nodes.
	nodes cluster.Facts
}

// isLive reports whether an object is a dump of the live CR: local configuration
// with a status. It is never written.
func isLive(o object) bool {
	return hyperconverged.Is(o.at.APIVersion, o.at.Kind) && !isCR(o) && isDump(o.node.YNode()) && nodeAt(o.node, "status") != nil
}

// readLive returns the live CR: the one given beside the items, else the one among
// them; nil if there is none. Two of them are an error.
func (f Function) readLive(among []object) (*liveCR, finding.List) {
	list := slices.DeleteFunc(slices.Clone(among), func(o object) bool { return !isLive(o) })
	if f.Live != nil {
		list = slices.DeleteFunc(objects(f.Live), func(o object) bool { return !hyperconverged.Is(o.at.APIVersion, o.at.Kind) })
		if len(list) == 0 {
			return nil, finding.List{notLive(finding.Object{}, "--live names no HyperConverged")}
		}
	}
	if len(list) == 0 {
		return nil, nil
	}
	if len(list) > 1 {
		return nil, finding.List{notLive(list[1].at, fmt.Sprintf("there are two live CRs, %s and %s, so which one shows this cluster is not known", list[0].named(), list[1].named()))}
	}
	o := list[0]
	if status := nodeAt(o.node, "status"); status == nil || len(status.Content) == 0 {
		return nil, finding.List{notLive(o.at, "--live names a HyperConverged without a status, so it does not show the cluster")}
	}
	if twice := duplicateKeys(o); twice.Failed() {
		return nil, twice
	}
	return parseLive(o)
}

func parseLive(o object) (*liveCR, finding.List) {
	data, err := o.json()
	if err != nil {
		return nil, finding.List{o.unreadable(err)}
	}
	live, found := hyperconverged.ParseLive(data)
	if live == nil {
		return nil, o.own(found)
	}
	tree, err := o.tree()
	if err != nil {
		return nil, finding.List{o.unreadable(err)}
	}
	nodes, _, err := cluster.Read(tree, o.at)
	if err != nil {
		return nil, finding.List{{ID: finding.NodeInvalid, Severity: finding.Error, Object: o.at, Field: o.path, Text: err.Error(), Do: "correct the manifest"}}
	}
	return &liveCR{object: o, Live: live, nodes: nodes}, nil
}

// named returns the name of the object and its file.
func (o object) named() string {
	if where := o.where(); where != "" {
		return o.at.String() + " (" + where + ")"
	}
	return o.at.String()
}

func notLive(at finding.Object, text string) finding.Finding {
	return finding.Finding{
		ID: finding.LiveInvalid, Severity: finding.Error, Object: at, Text: text,
		Do: "pass the output of: oc get hyperconverged -n openshift-cnv kubevirt-hyperconverged -o yaml",
	}
}

// model returns what the live CR shows, nil if there is none.
func (l *liveCR) model() *hyperconverged.Live {
	if l == nil {
		return nil
	}
	return l.Live
}

// schedule returns the schedule that HCO picked, "" if it is not known.
func (l *liveCR) schedule() string {
	if l == nil {
		return ""
	}
	return l.Schedule
}

// release returns the release of the HCO that wrote the status; the zero value if
// it is not known.
func (l *liveCR) release() v1alpha1.Release {
	if l == nil {
		return v1alpha1.Release{}
	}
	release, err := v1alpha1.ParseRelease(numbersOf(l.Release))
	if err != nil {
		return v1alpha1.Release{}
	}
	return release
}

// numbersOf returns a version without what a build adds to it: 1.18.0-unstable.
func numbersOf(version string) string {
	if i := strings.IndexAny(version, "-+"); i >= 0 {
		return version[:i]
	}
	return version
}

// released returns the configuration with the release of the live CR, if it states
// none itself. What a person states counts.
func (l *liveCR) released(spec *v1alpha1.GoldenImagesSpec) (*v1alpha1.GoldenImagesSpec, finding.List) {
	if l == nil || l.Release == "" {
		return spec, nil
	}
	live := l.release()
	f := finding.Finding{ID: finding.ReleaseDiffers, Severity: finding.Warning, Object: l.at, Field: "status.versions", Current: l.Release}
	switch {
	case live.Minor() == 0 && spec.Release == "":
		f.Text = fmt.Sprintf("the live CR is of HCO %q, which is not a known release", l.Release)
		f.Do = `state the release: --release 1.19 (or the CNV release, 4.23)`
		return spec, finding.List{f}
	case live.Minor() == 0 || spec.Release != "" && spec.ParsedRelease() == live:
		return spec, nil
	case spec.Release != "":
		f.Text = fmt.Sprintf("spec.release is %q, but the live CR is of HCO %q: goldenarch uses spec.release", spec.Release, l.Release)
		f.Do = "correct spec.release, unless it is the release that you upgrade to"
		return spec, finding.List{f}
	}
	out := *spec
	out.Release = numbersOf(l.Release)
	return &out, nil
}

// dumpsAsLocal marks the dumps of HyperConverged among items as local
// configuration: they show the cluster, and are never written.
func dumpsAsLocal(items []*yaml.RNode) error {
	for _, o := range objects(items) {
		if !isCR(o) || !isDump(o.node.YNode()) || nodeAt(o.node, "status") == nil {
			continue
		}
		if err := o.node.PipeE(yaml.SetAnnotation(localConfig, "true")); err != nil {
			return fmt.Errorf("annotate the live CR: %w", err)
		}
	}
	return nil
}
