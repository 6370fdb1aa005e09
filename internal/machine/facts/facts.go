package facts

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/cluster"
	"github.com/goldenarch/goldenarch/internal/operators/cdi"
	"github.com/goldenarch/goldenarch/internal/operators/forecast"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
	"github.com/goldenarch/goldenarch/internal/operators/kubevirt"
)

// Of returns the facts of a prediction.
func Of(p forecast.Prediction) v1alpha1.ClusterFactsSpec {
	f := p.Forecast
	if p.Partial != nil { // a template with an error makes nothing that is known
		f = *p.Partial
	}
	out := v1alpha1.ClusterFactsSpec{
		Source:                    v1alpha1.FactsSource{Kind: p.Object.Kind, Namespace: p.Object.Namespace, Name: p.Object.Name},
		Release:                   f.Release.Text(),
		WorkloadArchitectures:     f.WorkloadArchitectures,
		ControlPlaneArchitectures: f.ControlPlaneArchitectures,
	}
	out.KubeVirt.DefaultArchitecture = string(defaultOf(f))
	if versions := kubevirt.CarriedBy(f.Release.Minor()); len(versions) > 0 && versions[0].Gated() {
		out.KubeVirt.MultiArchitecture = f.MultiArchEnabled // hco controllers/handlers/kubevirt.go
	}
	out.KubeVirt.CPUModel = f.CPUModelOfMachines
	out.GoldenImages = v1alpha1.FactsImages{Namespace: f.Namespace, Complete: isComplete(p), DataSources: sourcesOf(f)}
	return out
}

// Stated returns the facts of a cluster of which only the release and the architectures of the
// nodes are known. No DataSource is known. Nothing says whether KubeVirt accepts machines of
// other architectures than its own, so it counts as accepting them.
func Stated(release v1alpha1.Release, a cluster.Architectures) v1alpha1.ClusterFactsSpec {
	out := v1alpha1.ClusterFactsSpec{
		Release: release.Text(), WorkloadArchitectures: a.Workload.Strings(), ControlPlaneArchitectures: a.ControlPlane.Strings(),
		KubeVirt: v1alpha1.FactsKubeVirt{MultiArchitecture: true},
	}
	f := forecast.Forecast{
		WorkloadArchitectures: out.WorkloadArchitectures, ControlPlaneArchitectures: out.ControlPlaneArchitectures,
		WorkloadUnknown: a.WorkloadUnknown, ControlPlaneUnknown: a.ControlPlaneUnknown,
	}
	if hyperconverged.WritesDefault.Surely(release) {
		f.DefaultOfMachines = a.Default
	}
	out.KubeVirt.DefaultArchitecture = string(defaultOf(f))
	return out
}

// defaultOf returns the default architecture of machines. On a cluster of one architecture no
// release has another one.
func defaultOf(f forecast.Forecast) arch.Arch {
	if f.DefaultOfMachines != "" {
		return f.DefaultOfMachines
	}
	all := arch.Named(slices.Concat(f.WorkloadArchitectures, f.ControlPlaneArchitectures)...)
	if !f.ControlPlaneUnknown && !f.WorkloadUnknown && len(all) == 1 {
		return all[0]
	}
	return ""
}

// isComplete reports whether the prediction names each DataSource that the operators make.
func isComplete(p forecast.Prediction) bool {
	f := p.Forecast
	unsure := slices.ContainsFunc(f.Templates, func(t forecast.TemplateOutcome) bool {
		return t.Outcome == forecast.Unknown || t.Outcome == forecast.InError
	})
	return !unsure && p.Partial == nil && len(p.Refusals()) == 0 && f.NoImagesBecause == "" && f.SSPRandom == "" && len(f.Failures()) == 0 &&
		f.Templates != nil && !f.WorkloadUnknown
}

// sourcesOf returns the DataSources, by namespace and name.
func sourcesOf(f forecast.Forecast) []v1alpha1.FactsDataSource {
	type key struct{ namespace, name, source string }
	crons, references := map[key]forecast.CronOutcome{}, map[key]forecast.Reference{}
	for _, c := range f.Crons {
		crons[key{c.Namespace, c.Name, c.ManagedDataSource}] = c
	}
	for _, r := range f.References {
		references[key{namespace: r.Namespace, name: r.Name}] = r
	}
	var out []v1alpha1.FactsDataSource
	for _, d := range f.DataSources {
		one := v1alpha1.FactsDataSource{Namespace: d.Namespace, Name: d.Name, Label: d.Labels[kubevirt.ArchitectureLabel]}
		if p := kubevirt.DefaultsOf(d.Labels).Preference; !p.Namespaced() { // the others are of the namespace of each machine
			one.Preference = p.Name
		}
		reference, refers := references[key{namespace: d.Namespace, name: d.Name}]
		switch {
		case refers:
			pointer(&one, reference)
		case d.FilledBy != "":
			if c, ok := crons[key{d.Namespace, d.FilledBy, d.Name}]; ok {
				filled(&one, c, f)
			}
		case d.Owner == forecast.OwnerOther:
		default:
			one.Uncertain = "no DataImportCron fills it, so it has a disk only if one is already there"
		}
		out = append(out, one)
	}
	slices.SortFunc(out, func(a, b v1alpha1.FactsDataSource) int {
		return cmp.Or(strings.Compare(a.Namespace, b.Namespace), strings.Compare(a.Name, b.Name))
	})
	return out
}

// pointer describes a default DataSource, which points at that of the default architecture.
func pointer(one *v1alpha1.FactsDataSource, r forecast.Reference) {
	one.Label = "" // KubeVirt reads the label of the target
	if r.State == forecast.UnknownTarget {
		one.Architectures = r.PossibleDefaults
		return
	}
	one.Reference = r.Target
	if r.Filled {
		return
	}
	switch r.State {
	case forecast.ByPVC, forecast.NoCron:
		one.Uncertain = r.Why
	default:
		one.Missing = r.Why
	}
}

// filled describes a DataSource that a DataImportCron fills.
func filled(one *v1alpha1.FactsDataSource, c forecast.CronOutcome, f forecast.Forecast) {
	one.Image, one.Digest = c.Image.Name, c.Image.Digest
	switch {
	case c.Architecture != "":
		one.Architectures = []string{string(c.Architecture)}
	case len(c.Image.Architectures) > 0:
		fill(one, cdi.ImportOf(c.Image.Architectures, c.Image.Single, arch.Named(f.WorkloadArchitectures...)))
	case len(f.WorkloadArchitectures) == 1 && !f.WorkloadUnknown:
		one.Architectures = f.WorkloadArchitectures
	}
	if c.Outcome == forecast.ImportFails {
		one.Missing = fmt.Sprintf("the import of DataImportCron %q fails: %s", c.Name, c.Why)
	}
}

// fill notes what CDI imports for a DataSource.
func fill(one *v1alpha1.FactsDataSource, of cdi.Import) {
	if one.Architectures = of.Architectures.Strings(); len(one.Architectures) > 0 {
		one.Uncertain = of.Fails
	} else {
		one.Missing = of.Fails
	}
}

// WithLock returns the facts with the digests of the images that locks have, and with the
// architectures of those of which the facts do not know any.
func WithLock(spec v1alpha1.ClusterFactsSpec, f forecast.Forecast, locked []v1alpha1.LockedImage) v1alpha1.ClusterFactsSpec {
	byName := map[string]v1alpha1.LockedImage{}
	for _, image := range locked {
		byName[image.Reference] = image
	}
	urls := map[string]string{}
	for _, cron := range f.DataImportCrons {
		data, err := json.Marshal(cron)
		if err != nil {
			continue
		}
		one, err := kubevirt.ReadCron(data)
		if err == nil && one.Registry.URL != nil {
			urls[cron.Namespace()+"/"+one.DataSource] = cmp.Or(one.Registry.Image(), *one.Registry.URL)
		}
	}
	for i := range spec.GoldenImages.DataSources {
		d := &spec.GoldenImages.DataSources[i]
		url, ok := urls[d.Namespace+"/"+d.Name]
		if !ok {
			continue
		}
		d.Image = url
		image, ok := byName[url]
		if !ok {
			continue
		}
		d.Digest = image.Digest
		var has []string
		for _, p := range image.Platforms {
			has = append(has, p.Architecture)
		}
		if len(d.Architectures) == 0 {
			fill(d, cdi.ImportOf(arch.Named(has...), cdi.IsManifest(image.MediaType), arch.Named(spec.WorkloadArchitectures...)))
		}
	}
	return spec
}

// Differences names what differs between the facts of a prediction and those of a file. A digest
// that only one of them has is no difference: a forecast looks up no image.
func Differences(predicted, given v1alpha1.ClusterFactsSpec) []string {
	var out []string
	add := func(what string, differs bool) {
		if differs {
			out = append(out, what)
		}
	}
	add("release", predicted.Release != given.Release)
	add("workloadArchitectures", !slices.Equal(predicted.WorkloadArchitectures, given.WorkloadArchitectures))
	add("controlPlaneArchitectures", !slices.Equal(predicted.ControlPlaneArchitectures, given.ControlPlaneArchitectures))
	add("kubevirt", predicted.KubeVirt != given.KubeVirt)
	add("goldenImages.namespace", predicted.GoldenImages.Namespace != given.GoldenImages.Namespace)
	return append(out, differentSources(predicted.GoldenImages.DataSources, given.GoldenImages.DataSources)...)
}

// differentSources names the DataSources that only one list has, or that differ.
func differentSources(predicted, given []v1alpha1.FactsDataSource) []string {
	var out []string
	all := map[string][2]*v1alpha1.FactsDataSource{}
	for side, list := range [][]v1alpha1.FactsDataSource{predicted, given} {
		for i := range list {
			key := list[i].Namespace + "/" + list[i].Name
			pair := all[key]
			pair[side] = &list[i]
			all[key] = pair
		}
	}
	for key, pair := range all {
		a, b := pair[0], pair[1]
		if a == nil || b == nil || a.Label != b.Label || a.Reference != b.Reference || (a.Missing == "") != (b.Missing == "") ||
			len(a.Architectures) > 0 && len(b.Architectures) > 0 && !slices.Equal(a.Architectures, b.Architectures) {
			out = append(out, "DataSource "+key)
		}
	}
	slices.Sort(out)
	return out
}
