package transition

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/goldenarch/goldenarch/internal/console"
	"github.com/goldenarch/goldenarch/internal/machine"
	"github.com/goldenarch/goldenarch/internal/operators/cdi"
	"github.com/goldenarch/goldenarch/internal/operators/expansion"
	"github.com/goldenarch/goldenarch/internal/operators/kubevirt"
	"github.com/goldenarch/goldenarch/internal/operators/sequence"
)

// Dump is what a cluster has, as far as a plan needs it. It keeps no other field of the
// objects: nothing of a Secret, and no user data of a machine.
type Dump struct {
	state sequence.State
	// volumes has the claims and snapshots of the dump.
	volumes map[sequence.Key]volume
	created map[sequence.Key]string
	users   []user
	// listed are the users that are in the list, with what they take.
	listed map[[2]sequence.Key]bool
	// counted is how many objects of each kind the dump has.
	counted map[string]int
	classes map[string]bool
	// snapshotClasses are the classes of the snapshots.
	snapshotClasses map[string]bool
	// notReady are the objects of golden images that are not ready.
	notReady []Object
}

// volume is what a claim or a snapshot takes.
type volume struct {
	class string
	bytes int64
}

// Kinds are the kinds that a plan reads from a dump, as "oc get" names them.
func Kinds() []string {
	return []string{
		"hyperconverged", "dataimportcron", "datasource", "datavolume", "pvc", "volumesnapshot", "vm", "vmpool", "storageclass", "node",
	}
}

// The kinds that a plan reads besides those of a state.
const (
	kindStorageClass = "StorageClass"
	kindMachine      = "VirtualMachine"
	kindPool         = "VirtualMachinePool"
)

// Reads reports whether a plan reads objects of a kind from a dump.
func Reads(kind string) bool {
	return slices.Contains(sequence.Kinds(), kind) || kind == kindMachine || kind == kindPool || kind == kindStorageClass
}

// Read adds an object of a dump.
func (d *Dump) Read(o expansion.Object) {
	kind := o.Kind()
	if !Reads(kind) {
		return
	}
	if d.counted == nil {
		d.counted, d.volumes, d.classes = map[string]int{}, map[sequence.Key]volume{}, map[string]bool{}
		d.created, d.snapshotClasses = map[sequence.Key]string{}, map[string]bool{}
	}
	d.counted[kind]++
	if kind == kindStorageClass {
		d.classes[o.Name()] = true
		return
	}
	read, ok := sequence.Read(o)
	if !ok {
		return
	}
	d.state.Add(read)
	d.created[read.Key] = o.Text("metadata", "creationTimestamp")
	if why := notReadyReason(read, o); why != "" {
		d.notReady = append(d.notReady, object(read, why))
	}
	switch kind {
	case sequence.Claim:
		v := volume{class: o.Text("spec", "storageClassName"), bytes: quantity(o, "status", "capacity", "storage")}
		if v.bytes == 0 {
			v.bytes = quantity(o, "spec", "resources", "requests", "storage")
		}
		d.volumes[read.Key], d.classes[v.class] = v, true
	case sequence.Snapshot:
		v := volume{class: o.Text("spec", "volumeSnapshotClassName"), bytes: quantity(o, "status", "restoreSize")}
		d.volumes[read.Key], d.snapshotClasses[v.class] = v, true
	}
}

// notReadyReason says why an object of a golden image is not ready, in the words of its conditions; ""
// if it is ready, or says nothing.
func notReadyReason(read sequence.Object, o expansion.Object) string {
	var condition string
	switch {
	case read.Kind == sequence.Cron:
		condition = "UpToDate"
	case read.Labels[cdi.CronLabel] == "":
		return ""
	case read.Kind == sequence.DataSource:
		condition = "Ready"
	case read.Kind == sequence.DataVolume && !read.Succeeded:
		condition = "Running"
	default:
		return ""
	}
	reason := ""
	for _, one := range o.List("status", "conditions") {
		if one.Text("type") == condition && one.Text("status") != "True" {
			reason = console.Redact(fmt.Sprintf("%s is %s: %s (%s)", condition, one.Text("status"), one.Text("message"), one.Text("reason")))
		}
	}
	if reason == "" && read.Kind == sequence.DataVolume {
		reason = "its phase is " + cmp.Or(o.Text("status", "phase"), "not set")
	}
	if strings.Contains(reason, wrongArchitecture) {
		reason += ". The image lacks the architecture: goldenarch check says which it has"
	}
	return reason
}

// wrongArchitecture is in the message of an import of another architecture (cdi
// pkg/importer/transport.go: validateImagePlatformMatch).
const wrongArchitecture = "doesn't match requested architecture"

// has reports whether the dump has an object of a kind.
func (d *Dump) has(kind string) bool { return d.counted[kind] > 0 }

// lacks says what is not known without objects of a kind.
var lacks = map[string]string{
	sequence.Cron:       "which imports run, and with which digests: names of new volumes end with <digest-N>",
	sequence.DataSource: "which DataSources are there",
	sequence.DataVolume: "which DataVolumes are there, and who copies golden images",
	sequence.Claim:      "which volumes are there, and their sizes and storage classes",
	kindMachine:         "which machines use golden images",
}

// Lacks says what the dump does not show.
func (d *Dump) Lacks() []string {
	var out []string
	for _, kind := range slices.Sorted(maps.Keys(lacks)) {
		// Where storage keeps golden images as snapshots, CDI deletes DataVolumes and claims.
		if !d.has(kind) && (kind != sequence.Claim && kind != sequence.DataVolume || !d.has(sequence.Snapshot)) {
			out = append(out, fmt.Sprintf("%s: the dump has no %s", lacks[kind], kind))
		}
	}
	if d.usesSnapshots() && !d.has(sequence.Snapshot) {
		out = append(out, "the sizes of snapshots: DataSources name some, and the dump has no VolumeSnapshot")
	}
	return out
}

// usesSnapshots reports whether a DataSource of the dump points at a snapshot.
func (d *Dump) usesSnapshots() bool {
	return slices.ContainsFunc(d.state.Objects(), func(o sequence.Object) bool { return o.PointsAt().Kind == sequence.Snapshot })
}

// usualClass is the storage class, or the class of snapshots, that most golden images of the
// dump have.
func (d *Dump) usualClass(kind string) string {
	counts := map[string]int{}
	for key, v := range d.volumes {
		if o, ok := d.state.Get(key); ok && key.Kind == kind && o.Labels[cdi.CronLabel] != "" && v.class != "" {
			counts[v.class]++
		}
	}
	names := slices.Sorted(maps.Keys(counts))
	if len(names) == 0 {
		return unknownClass
	}
	return slices.MaxFunc(names, func(a, b string) int { return cmp.Compare(counts[a], counts[b]) })
}

// unknownClass stands for the cluster's default storage class, which the dump does not show.
const unknownClass = "(default)"

// user is an object that takes its disk from a DataSource, a claim or a snapshot.
type user struct {
	sequence.Key
	of sequence.Key
	// copied is the DataVolume with the copy; it is empty for a DataVolume.
	copied sequence.Key
	// file is where Git has it; "" for an object of the dump.
	file string
}

// reason says why a plan lists the user.
func (u user) reason() string {
	if u.file != "" {
		return fmt.Sprintf("in Git (%s), it takes its disk from %s", u.file, target(u.of))
	}
	return "it takes its disk from " + target(u.of)
}

// Use lists from which golden images a machine, or a DataVolume, takes disks. file is where Git
// has it, and "" says that it is of the dump. An object that is in both counts once, as the
// first one that it gets.
func (d *Dump) Use(m machine.Found, file string) {
	if m.NodePool {
		return // it boots from an image of its own
	}
	at := sequence.Key{Kind: m.At.Kind, Namespace: cmp.Or(m.At.Namespace, m.Namespace), Name: m.At.Name}
	list := func(u user) {
		if d.listed == nil {
			d.listed = map[[2]sequence.Key]bool{}
		}
		if key := [2]sequence.Key{u.Key, u.of}; !d.listed[key] {
			d.listed[key] = true
			d.users = append(d.users, u)
		}
	}
	own := map[string]bool{}
	for _, t := range m.DataVolumeTemplates {
		own[t.Metadata.Name] = true
		var copied sequence.Key
		if !m.Disk {
			copied = sequence.Key{Kind: sequence.DataVolume, Namespace: at.Namespace, Name: t.Metadata.Name}
		}
		if of, ok := sourceOf(m.Namespace, t.Spec); ok {
			list(user{Key: at, of: of, copied: copied, file: file})
		}
	}
	for _, v := range m.Spec.Volumes {
		if v.DataVolume != nil && !own[v.DataVolume.Name] {
			list(user{Key: at, of: sequence.Key{Kind: sequence.Claim, Namespace: m.Namespace, Name: v.DataVolume.Name}, file: file})
		}
		claim := v.Claim
		if v.Ephemeral != nil {
			claim = v.Ephemeral.Claim
		}
		if claim != nil && claim.ClaimName != "" {
			list(user{Key: at, of: sequence.Key{Kind: sequence.Claim, Namespace: m.Namespace, Name: claim.ClaimName}, file: file})
		}
	}
}

// sourceOf returns what the spec of a DataVolume names as its source; false if it is none that
// golden images have.
func sourceOf(namespace string, spec kubevirt.DataVolumeSpec) (sequence.Key, bool) {
	var kind string
	var from kubevirt.NamedSource
	switch {
	case spec.SourceRef != nil && spec.SourceRef.Kind == sequence.DataSource:
		kind, from = sequence.DataSource, kubevirt.NamedSource{Namespace: spec.SourceRef.Namespace, Name: spec.SourceRef.Name}
	case spec.Source != nil && spec.Source.Claim != nil:
		kind, from = sequence.Claim, *spec.Source.Claim
	case spec.Source != nil && spec.Source.Snapshot != nil:
		kind, from = sequence.Snapshot, *spec.Source.Snapshot
	}
	return sequence.Key{Kind: kind, Namespace: cmp.Or(from.Namespace, namespace), Name: from.Name}, from.Name != ""
}

// quantity returns an amount of storage in bytes; 0 if it is not there or not valid.
func quantity(o expansion.Object, path ...string) int64 {
	value := o.Child(path[:len(path)-1]...)[path[len(path)-1]]
	data, err := json.Marshal(value)
	if err != nil || value == nil {
		return 0
	}
	q, err := resource.ParseQuantity(strings.Trim(string(data), `"`))
	if err != nil {
		return 0
	}
	return q.Value()
}
