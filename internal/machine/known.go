package machine

import (
	"fmt"
	"slices"
	"strings"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/cluster"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/images/imagestream"
	"github.com/goldenarch/goldenarch/internal/manifest/object"
	"github.com/goldenarch/goldenarch/internal/operators/cdi"
	"github.com/goldenarch/goldenarch/internal/operators/expansion"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
	"github.com/goldenarch/goldenarch/internal/operators/kubevirt"
	"github.com/goldenarch/goldenarch/internal/workload"
)

// Known is what is known about the cluster that runs the machines.
type Known struct {
	// Facts are those of the CR of the input or of a facts file, or what the user states; nil
	// if there is nothing of that.
	Facts *v1alpha1.ClusterFactsSpec
	// Stated says that the facts are only what the user states. A missing release is then any.
	Stated bool
	// SameCommit says that the CR of the facts is applied together with the machines, so that
	// a machine may be created before the DataSources are.
	SameCommit bool
	// Nodes are the nodes of the cluster, and Placement is the workload placement of HCO.
	Nodes     workload.Nodes
	Placement cluster.Placement
	// Images has the answers for the images of disks, by the text that names them.
	Images map[string]Image
	// Streams are the ImageStreams of the input.
	Streams imagestream.Streams

	sources       map[kubevirt.Key]knownSource
	volumes       map[kubevirt.Object]kubevirt.Volumes
	preferences   map[kubevirt.Object]kubevirt.Preference
	instancetypes map[kubevirt.Object]kubevirt.Instancetype
	// config is what the KubeVirt CR says; nil if there is none.
	config *kubevirt.Configuration
	// misspelled are the feature gates that this CR misspells, each with how to correct it.
	misspelled map[string]string
}

// Image is what is known about an image.
type Image struct {
	Architectures arch.Set
	// Single says that the image is a manifest, and no index: a node of another architecture pulls it, too.
	Single bool
	Digest string
}

// knownSource is what is known about a DataSource.
type knownSource struct {
	kubevirt.DataSource

	// architectures are those of which the disk has one; empty if they are unknown.
	architectures arch.Set
	// image is the one that facts name, and digest its digest.
	image, digest string
	// missing is why it gets no disk, uncertain why it may get none.
	missing, uncertain string
	// do is the fix for a missing one; "" for the usual one.
	do string
	// sameCommit says that the input itself makes the DataSource.
	sameCommit bool
	// cron is the DataImportCron that manages it; "" if none is known.
	cron string
	// inInput says that the input has the DataSource itself, contested that it has not, and that
	// several crons of the input manage it: the first that CDI handles makes it.
	inInput, contested bool
}

// ReadObjects adds what the objects of the input say: DataSources, DataImportCrons, DataVolumes,
// preferences and the KubeVirt CR. It reports those that it cannot read.
func (k *Known) ReadObjects(objects []object.Object) finding.List {
	k.sources, k.volumes = map[kubevirt.Key]knownSource{}, map[kubevirt.Object]kubevirt.Volumes{}
	k.preferences, k.instancetypes = map[kubevirt.Object]kubevirt.Preference{}, map[kubevirt.Object]kubevirt.Instancetype{}
	k.learnFacts()
	var found finding.List
	// What CDI does for a cron depends on the DataSource, so the crons come last.
	isCron := func(o object.Object) bool { return o.At.Kind == "DataImportCron" }
	ordered := slices.DeleteFunc(slices.Clone(objects), isCron)
	for _, o := range objects {
		if isCron(o) {
			ordered = append(ordered, o)
		}
	}
	for _, o := range ordered {
		if !Reads(o.At) || o.IsLocal() && o.At.Kind != "KubeVirt" {
			continue
		}
		data, err := o.JSON()
		if err != nil {
			continue // an object that cannot be read is reported where it matters
		}
		if isCron(o) {
			if refused := k.refusedCron(o, data); len(refused) > 0 {
				found = append(found, refused...)
				continue
			}
		}
		if err := k.learn(o, data); err != nil {
			found = append(found, finding.Finding{
				ID: finding.MachineUnread, Severity: finding.Warning, Object: o.At, Field: o.Path, Line: o.Line(""),
				Text: fmt.Sprintf("goldenarch cannot read this %s, so it does not count for machines: %v", o.At.Kind, err), Do: "correct the field",
			})
		}
	}
	for at, one := range k.sources {
		if (one.inInput || one.cron != "") && one.Reference == nil && len(one.architectures) == 0 {
			one.architectures = arch.Named(one.Label)
			k.sources[at] = one
		}
	}
	return found
}

// learn adds what one object says.
func (k *Known) learn(o object.Object, data []byte) error {
	at := kubevirt.Key{Namespace: o.At.Namespace, Name: o.At.Name}
	sameCommit := !object.IsDump(o.Node.YNode())
	switch o.At.Kind {
	case "DataSource":
		return k.learnSource(at, data, sameCommit)
	case "DataImportCron":
		return k.learnCron(at, data, sameCommit)
	case kubevirt.ClusterPreference, kubevirt.OwnPreference:
		return learnSpec(k.preferences, o.At.Kind, at, data)
	case kubevirt.ClusterInstancetype, kubevirt.OwnInstancetype:
		return learnSpec(k.instancetypes, o.At.Kind, at, data)
	case "KubeVirt":
		c, err := kubevirt.ReadConfiguration(data)
		if err == nil {
			k.config = &c
			k.readGates(o)
		}
		return err
	}
	if slices.Contains(kubevirt.VolumeKinds, o.At.Kind) {
		one, err := kubevirt.ReadVolumes(data)
		if err != nil {
			return nil //nolint:nilerr // [Find] reports a DataVolume, and the others matter for their labels alone
		}
		k.volumes[kubevirt.Object{Kind: o.At.Kind, Key: at}] = one
	}
	return nil
}

// learnSpec adds an instancetype or a preference.
func learnSpec[T kubevirt.Instancetype | kubevirt.Preference](to map[kubevirt.Object]T, kind string, at kubevirt.Key, data []byte) error {
	if kind == kubevirt.ClusterPreference || kind == kubevirt.ClusterInstancetype {
		at.Namespace = ""
	}
	one, err := kubevirt.ReadSpec[T](data)
	if err == nil {
		to[kubevirt.Object{Kind: kind, Key: at}] = one
	}
	return err
}

func (k *Known) learnFacts() {
	if k.Facts == nil {
		return
	}
	for _, d := range k.Facts.GoldenImages.DataSources {
		one := knownSource{
			DataSource:    kubevirt.DataSource{Label: d.Label, Defaults: kubevirt.Defaults{Preference: kubevirt.Matcher{Name: d.Preference}}},
			architectures: arch.Named(d.Architectures...), image: d.Image, digest: d.Digest, missing: d.Missing, uncertain: d.Uncertain,
			sameCommit: k.SameCommit,
		}
		if d.Reference != "" {
			one.Reference = &kubevirt.Key{Namespace: d.Namespace, Name: d.Reference}
		}
		k.sources[kubevirt.Key{Namespace: d.Namespace, Name: d.Name}] = one
	}
}

// learnSource adds a DataSource of the input. If it names a source of its own, the facts are those
// of another one: only a DataImportCron that manages it may give it what they say.
func (k *Known) learnSource(at kubevirt.Key, data []byte, sameCommit bool) error {
	d, err := kubevirt.ReadDataSource(data)
	if err != nil {
		return err
	}
	var o struct {
		Metadata struct {
			Labels map[string]string `json:"labels"`
		} `json:"metadata"`
		Spec struct {
			Source map[string]any `json:"source"`
		} `json:"spec"`
	}
	if err := kubevirt.ReadFields(data, &o); err != nil {
		return err
	}
	one, ok := k.sources[at]
	sameCommit = sameCommit && (one.sameCommit || !ok)
	cron := o.Metadata.Labels[cdi.CronLabel]
	if len(o.Spec.Source) > 0 {
		one.missing, one.uncertain = "", ""
		if cron == "" {
			one = knownSource{}
		}
	}
	one.DataSource, one.cron, one.inInput, one.sameCommit = d, cron, true, sameCommit
	k.sources[at] = one
	return nil
}

// configuration returns what the KubeVirt CR says, and the defaults if there is none. The facts may
// state the CPU model of machines without one.
func (k *Known) configuration() kubevirt.Configuration {
	var out kubevirt.Configuration
	if k.config != nil {
		out = *k.config
	}
	if out.CPUModel == "" && k.Facts != nil {
		out.CPUModel = k.Facts.KubeVirt.CPUModel
	}
	return out
}

// KnowsAny reports whether something states the cluster, and what is known says of one of the
// machines whether it starts. Disks that stand alone count if there is no machine.
func (k *Known) KnowsAny(list []Result) bool {
	machines := slices.DeleteFunc(slices.Clone(list), func(r Result) bool { return r.IsDisk })
	if len(machines) > 0 {
		list = machines
	}
	return k.Facts != nil && slices.ContainsFunc(list, Result.isKnown)
}

// anyRelease reports whether the release is unknown, so that each one counts.
func (k *Known) anyRelease() bool { return k.Facts == nil || k.Stated && !k.Facts.HCO().Declared() }

// workload returns the architectures of the nodes that may run machines.
func (k *Known) workload() arch.Set {
	if k.Facts != nil && len(k.Facts.WorkloadArchitectures) > 0 {
		return arch.Named(k.Facts.WorkloadArchitectures...)
	}
	return nil
}

// allVersions are versions of KubeVirt whose rules differ, for a cluster of which nothing is
// known.
var allVersions = []kubevirt.Version{{Minor: 9}, {Minor: 8, Patch: 4}, {Minor: 7, Patch: 4}, {Minor: 6, Patch: 6}, {Minor: 6, Patch: 2}}

// versions returns those that the cluster may have, the most likely one first.
func (k *Known) versions() []kubevirt.Version {
	if v := k.configuration().Version; v != (kubevirt.Version{}) {
		return []kubevirt.Version{v}
	}
	if k.anyRelease() {
		return allVersions
	}
	if v, ok := kubevirt.ParseVersion(k.Facts.KubeVirt.Version); ok {
		return []kubevirt.Version{v}
	}
	list := slices.Clone(kubevirt.CarriedBy(k.Facts.HCO().Minor()))
	slices.Reverse(list)
	if len(list) == 0 {
		return allVersions[len(allVersions)-1:]
	}
	return list
}

// defaults returns the default architectures that the cluster may have. It returns "" for one
// of which nothing is known.
func (k *Known) defaults() []string {
	if d := k.configuration().Default; d != "" {
		return []string{d}
	}
	if k.Facts == nil {
		return []string{""}
	}
	if d := k.Facts.KubeVirt.DefaultArchitecture; d != "" {
		return []string{d}
	}
	possible := k.workload()
	if k.anyRelease() || k.config != nil || !hyperconverged.WritesDefault.In(k.Facts.HCO()) {
		// virt-operator's own architecture, wherever that runs. A KubeVirt CR that does not state it is none of HCO's.
		possible = arch.Named(append(slices.Clone(k.Facts.ControlPlaneArchitectures), possible.Strings()...)...)
	}
	if len(possible) == 0 {
		return []string{""}
	}
	return possible.Strings()
}

// existence says whether a DataSource exists.
type existence int

const (
	exists existence = iota
	existsNot
	mayExist
)

// find returns what is known about a DataSource.
func (k *Known) find(at kubevirt.Key) (knownSource, existence) {
	if one, ok := k.sources[at]; ok && one.contested {
		return knownSource{contested: true}, mayExist
	} else if ok {
		return one, exists
	}
	if k.Facts == nil || isOpen(at.Name) || isOpen(at.Namespace) || at.Name == "" {
		return knownSource{}, mayExist
	}
	g := k.Facts.GoldenImages
	if at.Namespace == "" || at.Namespace != g.Namespace || !g.Complete || k.inBundle(at.Name) || slices.Contains(earlier, at.Name) {
		return knownSource{}, mayExist
	}
	return knownSource{}, existsNot
}

// earlier are the DataSources of templates that HCO had up to 1.13. An upgraded cluster keeps
// them with their disks (hco assets/dataImportCronTemplates).
var earlier = []string{"centos7", "centos-stream8"}

// inBundle reports whether SSP makes a DataSource of this name even if no template fills it: a
// person may have uploaded its disk. SSP removes those of an architecture that the cluster does
// not have (ssp-operator data-sources/reconcile.go).
func (k *Known) inBundle(name string) bool {
	bundle := expansion.Shipped()
	if _, ok := bundle[name]; ok {
		return true
	}
	has := arch.Named(slices.Concat(k.Facts.WorkloadArchitectures, k.Facts.ControlPlaneArchitectures)...)
	for _, a := range cluster.KnownToSSP {
		short, ok := strings.CutSuffix(name, "-"+string(a))
		if _, shipped := bundle[short]; ok && shipped && (len(has) == 0 || has.Contains(a)) {
			return true
		}
	}
	return false
}

// dataSources returns those that exist, for [kubevirt.Decide]: only those that a machine names,
// and what they point at. Without those of the same commit, it returns what exists before.
func (k *Known) dataSources(m kubevirt.Machine, unknown string, withSameCommit bool) map[kubevirt.Key]kubevirt.DataSource {
	out := map[kubevirt.Key]kubevirt.DataSource{}
	add := func(at kubevirt.Key) *kubevirt.Key {
		one, is := k.find(at)
		switch {
		case is == exists && (withSameCommit || !one.sameCommit):
			out[at] = one.DataSource
			return one.Reference
		case is == mayExist:
			out[at] = kubevirt.DataSource{Label: unknown}
		}
		return nil
	}
	specs := make([]kubevirt.DataVolumeSpec, 0, len(m.DataVolumeTemplates)+len(m.Spec.Volumes))
	for _, t := range m.DataVolumeTemplates {
		specs = append(specs, t.Spec)
	}
	for _, v := range m.Spec.Volumes {
		if v.DataVolume != nil {
			specs = append(specs, k.volumes[kubevirt.Object{Kind: dataVolumeKind, Key: kubevirt.Key{Namespace: m.Namespace, Name: v.DataVolume.Name}}].Spec)
		}
	}
	for _, spec := range specs {
		if spec.SourceRef != nil {
			if next := add(spec.SourceRef.Key(m.Namespace)); next != nil {
				add(*next)
			}
		}
	}
	return out
}

// dataVolumeKind is the kind of an object that CDI fills a volume for.
const dataVolumeKind = "DataVolume"

// Copiers returns the objects that make machines from what only a cluster has.
func Copiers(objects []object.Object) []finding.Object {
	var out []finding.Object
	for _, o := range objects {
		if slices.Contains(copierKinds[o.At.Group()], o.At.Kind) && !o.IsLocal() {
			out = append(out, o.At)
		}
	}
	return out
}

// Missing returns what the user has to state in addition, if the answer for a machine depends on it. copiers are objects that make
// machines from what only a cluster has, of which goldenarch knows nothing.
func (k *Known) Missing(results []Result, copiers []finding.Object) finding.List {
	found := k.unstated(results)
	if len(copiers) == 0 {
		return found
	}
	names := make([]string, len(copiers))
	for i, o := range copiers {
		names[i] = o.String()
	}
	return append(found, finding.Finding{
		ID: finding.MachineUnknown, Severity: finding.Warning,
		Text: fmt.Sprintf("goldenarch does not know the architectures of machines that only the cluster has, and %s would copy them: %s",
			finding.Count(len(names), "object"), finding.FirstOf(names)),
	})
}

// unstated returns what about the cluster the answer for a machine depends on and nothing states.
func (k *Known) unstated(results []Result) finding.List {
	if !k.Stated || !slices.ContainsFunc(results, func(r Result) bool { return r.DecidedBy != "" && r.Architecture == "" || r.Verdict == Depends }) {
		return nil
	}
	var found finding.List
	if k.anyRelease() {
		found = append(found, finding.Finding{
			ID: finding.ReleaseNeeded, Severity: finding.Warning,
			Text: "no release is declared, so the answers about machines are those of all releases of KubeVirt that goldenarch knows",
			Do:   "declare it: --release 1.19 (or the release of OpenShift Virtualization, 5.0)",
		})
	}
	if len(k.Facts.WorkloadArchitectures) == 0 {
		found = append(found, finding.Finding{
			ID: finding.NoNodeFacts, Severity: finding.Warning,
			Text: "nothing states the architectures of the nodes that run the machines",
			Do:   "state them: --workload-architectures amd64,arm64 --control-plane-architectures amd64",
		})
	}
	if len(k.Facts.WorkloadArchitectures) > 1 && len(k.Facts.ControlPlaneArchitectures) == 0 && k.Facts.KubeVirt.DefaultArchitecture == "" {
		found = append(found, finding.Finding{
			ID: finding.NoNodeFacts, Severity: finding.Warning,
			Text: "nothing states the architectures of the control-plane nodes, on which the default architecture of KubeVirt depends",
			Do:   "state them: --control-plane-architectures amd64",
		})
	}
	return found
}
