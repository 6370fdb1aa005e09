package kubevirt

import (
	_ "embed" // bundled.json
	"maps"
	"slices"
	"strings"
	"sync"
)

// Named says what became of a reference to an instancetype or a preference.
type Named string

// What became of a reference.
const (
	NotNamed Named = ""        // the machine names none, or KubeVirt removes the reference
	Found    Named = "found"   // and its spec is known
	Missing  Named = "missing" // nothing has the name
	Wrong    Named = "wrong"   // the webhook refuses the reference, or what it infers from
	Unsure   Named = "unsure"  // only the cluster shows it
)

// Matcher names the preference or the instancetype of a machine.
type Matcher struct {
	Name            string `json:"name"`
	Kind            string `json:"kind"`
	RevisionName    string `json:"revisionName"`
	InferFromVolume string `json:"inferFromVolume"`
	FailurePolicy   string `json:"inferFromVolumeFailurePolicy"`
}

// What a reference names, as the lower-case kind begins.
const (
	ofInstancetype = "virtualmachineinstancetype"
	ofPreference   = "virtualmachinepreference"
)

// The kinds of instancetypes and preferences, besides those of a namespace.
const (
	ClusterInstancetype = "VirtualMachineClusterInstancetype"
	ClusterPreference   = "VirtualMachineClusterPreference"
	OwnInstancetype     = "VirtualMachineInstancetype"
	OwnPreference       = "VirtualMachinePreference"
)

// Namespaced reports whether the matcher names an object of the machine's namespace, and not one of
// the cluster (pkg/instancetype/find/spec.go).
func (m Matcher) Namespaced() bool {
	kind := strings.ToLower(m.Kind)
	return strings.HasPrefix(kind, ofPreference) || strings.HasPrefix(kind, ofInstancetype)
}

// object returns the object that the matcher names, which KubeVirt looks for by the singular or the
// plural of its kind; false for another kind.
func (m Matcher) object(namespace, own, ofCluster string) (Object, bool) {
	names := func(kind string) bool { return strings.EqualFold(m.Kind, kind) || strings.EqualFold(m.Kind, kind+"s") }
	switch {
	case names(own):
		return Object{own, Key{namespace, m.Name}}, true
	case m.Kind == "", names(ofCluster):
		return Object{ofCluster, Key{Name: m.Name}}, true
	}
	return Object{}, false
}

// findPreference finds the preference of a machine with its name, as the mutating webhook infers and
// finds it.
func (c Cluster) findPreference(m Machine) (*Preference, Named, string) {
	matcher, is := c.matcher(m, m.Preference, ofPreference)
	if is != Found {
		return nil, is, ""
	}
	at, ok := matcher.object(m.Namespace, OwnPreference, ClusterPreference)
	out, is := found(c, at, ok, c.Preferences, bundle().of(c.Version).Preferences)
	return out, is, matcher.Name
}

// findInstancetype finds the instancetype of a machine.
func (c Cluster) findInstancetype(m Machine) (*Instancetype, Named) {
	matcher, is := c.matcher(m, m.Instancetype, ofInstancetype)
	if is != Found {
		return nil, is
	}
	at, ok := matcher.object(m.Namespace, OwnInstancetype, ClusterInstancetype)
	return found(c, at, ok, c.Instancetypes, bundle().of(c.Version).Instancetypes)
}

func found[T any](c Cluster, at Object, ok bool, own map[Object]T, bundled map[string]T) (*T, Named) {
	if !ok {
		return nil, Missing
	}
	one, is := own[at]
	if !is && at.Namespace == "" && (at.Kind == ClusterPreference || at.Kind == ClusterInstancetype) {
		one, is = bundled[at.Name]
	}
	switch {
	case is:
		return &one, Found
	case c.Complete:
		return nil, Missing
	default:
		return nil, Unsure
	}
}

// The policies for a failure to infer a name.
const ignore, reject = "Ignore", "Reject"

// matcher returns the reference after the webhook inferred its name (pkg/instancetype/webhooks/vm/
// mutator.go: validateMatchers; pkg/instancetype/infer/handler.go).
func (c Cluster) matcher(m Machine, ref *Matcher, of string) (Matcher, Named) {
	switch {
	case ref == nil:
		return Matcher{}, NotNamed
	case (ref.Name == "") == (ref.InferFromVolume == ""), ref.InferFromVolume != "" && ref.Kind != "",
		!slices.Contains([]string{"", ignore, reject}, ref.FailurePolicy):
		return Matcher{}, Wrong
	case ref.RevisionName != "":
		return Matcher{}, Unsure
	case ref.Name != "":
		return *ref, Found
	}
	inferred, is := c.infer(m, ref.InferFromVolume, of)
	switch {
	case is == ignorable && ref.FailurePolicy == ignore:
		return Matcher{}, NotNamed
	case is == ignorable:
		return Matcher{}, Wrong
	default:
		return inferred, is
	}
}

// ignorable is a failure to infer a name that a machine may ask to ignore.
const ignorable Named = "ignorable"

// infer returns the reference that the labels behind a volume of a machine name (pkg/instancetype/
// infer/volume.go).
func (c Cluster) infer(m Machine, volume, of string) (Matcher, Named) {
	i := slices.IndexFunc(m.Spec.Volumes, func(v Volume) bool { return v.Name == volume })
	if i < 0 {
		return Matcher{}, Wrong
	}
	switch v := m.Spec.Volumes[i]; {
	case v.Claim != nil:
		return c.fromVolumes(claimKind, Key{m.Namespace, v.Claim.ClaimName}, of)
	case v.DataVolume != nil:
		return c.fromDataVolume(m, v.DataVolume.Name, of)
	}
	return Matcher{}, ignorable
}

// The kinds that [Cluster.Volumes] has.
const (
	claimKind      = "PersistentVolumeClaim"
	snapshotKind   = "VolumeSnapshot"
	dataVolumeKind = "DataVolume"
)

// VolumeKinds are the kinds of the objects whose labels may name an instancetype or a preference,
// besides DataSources.
var VolumeKinds = []string{claimKind, snapshotKind, dataVolumeKind}

func (c Cluster) fromVolumes(kind string, at Key, of string) (Matcher, Named) {
	one, ok := c.Volumes[Object{kind, at}]
	if !ok {
		return Matcher{}, c.unless(Wrong)
	}
	return c.named(one.Defaults, of)
}

// named returns what labels name. If the cluster may have more labels than the input shows, a
// missing one says nothing.
func (c Cluster) named(d Defaults, of string) (Matcher, Named) {
	out := d.Preference
	if of == ofInstancetype {
		out = d.Instancetype
	}
	if out.Name == "" {
		return out, c.unless(ignorable)
	}
	return out, Found
}

// unless returns what a missing object or label says.
func (c Cluster) unless(complete Named) Named {
	if c.Complete {
		return complete
	}
	return Unsure
}

// fromDataVolume follows a template of the machine, a DataVolume, or the claim that a DataVolume left.
func (c Cluster) fromDataVolume(m Machine, name, of string) (Matcher, Named) {
	for _, t := range m.DataVolumeTemplates {
		if t.Metadata.Name == name {
			return c.fromSpec(t.Spec, m.Namespace, of)
		}
	}
	one, ok := c.Volumes[Object{dataVolumeKind, Key{m.Namespace, name}}]
	if !ok {
		return c.fromVolumes(claimKind, Key{m.Namespace, name}, of)
	}
	if out, is := c.named(one.Defaults, of); is == Found {
		return out, is
	}
	return c.fromSpec(one.Spec, m.Namespace, of)
}

func (c Cluster) fromSpec(spec DataVolumeSpec, namespace, of string) (Matcher, Named) {
	if s := spec.Source; s != nil && s.Claim != nil {
		return c.fromVolumes(claimKind, Key(*s.Claim), of)
	} else if s != nil && s.Snapshot != nil && c.Version.rules().snapshots {
		return c.fromVolumes(snapshotKind, Key(*s.Snapshot), of)
	}
	ref := spec.SourceRef
	if ref == nil || ref.Kind != "DataSource" {
		return Matcher{}, ignorable
	}
	source, ok := c.DataSources[ref.Key(namespace)]
	if !ok {
		return Matcher{}, c.unless(Wrong)
	}
	out, named := c.named(source.Defaults, of)
	switch {
	case named == Found:
		return out, named
	case source.Claim != nil:
		return c.fromVolumes(claimKind, *source.Claim, of)
	case source.Snapshot != nil && c.Version.rules().snapshots:
		return c.fromVolumes(snapshotKind, *source.Snapshot, of)
	}
	return out, named
}

//go:embed bundled.json
var bundledData []byte

// specs are instancetypes and preferences by name.
type specs struct {
	Instancetypes map[string]Instancetype `json:"instancetypes"`
	Preferences   map[string]Preference   `json:"preferences"`
}

// bundles has what KubeVirt ships from a release on, the oldest first (components/data: common-
// clusterinstancetypes-bundle.yaml, common-clusterpreferences-bundle.yaml).
type bundles []struct {
	Minor int `json:"minor"`
	specs
}

// bundle reads the embedded file, where a release has only what differs from the one before.
var bundle = sync.OnceValue(func() bundles {
	var out bundles
	if err := unmarshal(bundledData, &out); err != nil {
		panic(err) // it is a part of the program
	}
	for i := 1; i < len(out); i++ {
		out[i].specs = specs{with(out[i-1].Instancetypes, out[i].Instancetypes), with(out[i-1].Preferences, out[i].Preferences)}
	}
	return out
})

func with[T any](before, differs map[string]T) map[string]T {
	out := maps.Clone(before)
	maps.Copy(out, differs)
	return out
}

// of returns what a release ships. One older than all counts as the oldest.
func (b bundles) of(v Version) specs {
	i := len(b) - 1
	for i > 0 && b[i].Minor > v.Minor {
		i--
	}
	return b[i].specs
}

// Fitting returns the preference that a release ships for an architecture in place of another one,
// such as rhel.9.arm64 for rhel.9; "" if it ships none.
func Fitting(name, architecture string, v Version) string {
	for _, a := range Architectures {
		name = strings.TrimSuffix(name, "."+a)
	}
	ships := bundle().of(v).Preferences
	for _, one := range []string{name + "." + architecture, name} {
		if p, ok := ships[one]; ok && (one != name || p.Requirements.Architecture == architecture) {
			return one
		}
	}
	return ""
}
