package sequence

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	cdiv1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"

	"github.com/goldenarch/goldenarch/internal/operators/cdi"
	"github.com/goldenarch/goldenarch/internal/operators/expansion"
	"github.com/goldenarch/goldenarch/internal/operators/forecast"
)

// The kinds of objects in a state.
const (
	Cron       = "DataImportCron"
	DataSource = forecast.KindDataSource
	DataVolume = "DataVolume"
	Claim      = forecast.KindPVC
	Snapshot   = "VolumeSnapshot"
)

// Kinds are the kinds of objects in a state, in the order of a listing.
func Kinds() []string { return []string{Cron, DataSource, DataVolume, Claim, Snapshot} }

// Key identifies an object of a state.
type Key struct{ Kind, Namespace, Name string }

// String returns Kind/namespace/name.
func (k Key) String() string { return k.Kind + "/" + k.Namespace + "/" + k.Name }

func compareKeys(a, b Key) int {
	if a.Kind != b.Kind {
		return slices.Index(Kinds(), a.Kind) - slices.Index(Kinds(), b.Kind)
	}
	return expansion.CompareNames(a.Namespace, a.Name, b.Namespace, b.Name)
}

// Object is an object of a state, with the parts that SSP and CDI read.
type Object struct {
	Key
	Labels map[string]string
	// Owners are the owner references, as Kind/name.
	Owners []string
	// BySSP says that SSP owns the object (annotation operator-sdk/primary-resource-type).
	BySSP bool
	// Deleting says that the object has a deletionTimestamp: a finalizer keeps it.
	Deleting bool
	// Made counts the objects that the prediction made; 0 for one that was there before. An
	// object of the same name with another number is another object.
	Made int

	// Source and Ready are spec.source and the condition Ready of a DataSource.
	Source map[string]any
	Ready  string

	// Spec is the spec of a DataImportCron; nil for other kinds.
	Spec *cdiv1.DataImportCronSpec
	// Digest is what the cron's poller found; "" if it found nothing yet.
	Digest string
	// Import is the current import of a cron, and Last the name of the last finished one.
	Import, ImportDigest, Last string

	// Succeeded says that a DataVolume's import has succeeded.
	Succeeded bool
	// LastUse orders the imports of a cron: CDI deletes the oldest ones. It is a time as
	// CDI writes it, or a later text.
	LastUse string
}

func (o Object) clone() *Object {
	o.Labels, o.Source, o.Owners = maps.Clone(o.Labels), maps.Clone(o.Source), slices.Clone(o.Owners)
	if o.Labels == nil {
		o.Labels = map[string]string{}
	}
	return &o
}

// cron is the label of a DataSource, DataVolume, claim or snapshot that names its cron.
func (o Object) cron() string { return o.Labels[cdi.CronLabel] }

// PointsAt returns what the source of a DataSource names: pvc, snapshot or dataSource, with
// its namespace and name. The kind is "" if it names nothing.
func (o Object) PointsAt() Key {
	for _, kind := range []struct{ field, kind string }{{"pvc", Claim}, {"snapshot", Snapshot}, {"dataSource", DataSource}} {
		if source, ok := o.Source[kind.field].(map[string]any); ok {
			name, _ := source["name"].(string)
			namespace, _ := source["namespace"].(string)
			return Key{Kind: kind.kind, Namespace: cmp.Or(namespace, o.Namespace), Name: name}
		}
	}
	return Key{}
}

// State is what is on a cluster. The zero value is a cluster without golden images.
type State struct {
	objects map[Key]*Object
	// ofCron are the objects that had the label of a cron, by the cron, since the last call of index. They may be gone, or have another label.
	ofCron map[Key][]*Object
	made   int
	clock  int
}

// Objects returns the objects by kind, namespace and name. Callers must not change them.
func (s State) Objects() []Object {
	out := make([]Object, 0, len(s.objects))
	for _, key := range s.keys("") {
		out = append(out, *s.objects[key])
	}
	return out
}

// Get returns an object; false if the state has none.
func (s State) Get(key Key) (Object, bool) {
	o, ok := s.objects[key]
	if !ok {
		return Object{}, false
	}
	return *o, true
}

// Has reports whether an object is there.
func (s State) Has(key Key) bool {
	_, ok := s.objects[key]
	return ok
}

// Add adds an object of the cluster to the state.
func (s *State) Add(o Object) {
	if s.objects == nil {
		s.objects = map[Key]*Object{}
	}
	s.objects[o.Key] = o.clone()
}

func (s State) copied() State {
	out := State{objects: make(map[Key]*Object, len(s.objects)), made: s.made, clock: s.clock}
	for key, o := range s.objects {
		out.objects[key] = o.clone()
	}
	return out
}

// keys returns the keys of a kind in order; of all kinds for "".
func (s State) keys(kind string) []Key {
	out := make([]Key, 0, len(s.objects))
	for key := range s.objects {
		if kind == "" || key.Kind == kind {
			out = append(out, key)
		}
	}
	slices.SortFunc(out, compareKeys)
	return out
}

// add makes a new object.
func (s *State) add(o Object) *Object {
	s.made++
	o.Made = s.made
	made := o.clone()
	s.objects[o.Key] = made
	s.indexObject(made)
	return made
}

// index finds the objects of each cron.
func (s *State) index() {
	s.ofCron = map[Key][]*Object{}
	for _, o := range s.objects {
		s.indexObject(o)
	}
}

// indexObject adds an object to those of its cron.
func (s *State) indexObject(o *Object) {
	if cron := o.cron(); cron != "" && s.ofCron != nil {
		key := Key{Cron, o.Namespace, cron}
		s.ofCron[key] = append(s.ofCron[key], o)
	}
}

// label gives an object labels.
func (s *State) label(o *Object, labels map[string]string) {
	before := o.cron()
	if maps.Copy(o.Labels, labels); o.cron() != before {
		s.indexObject(o)
	}
}

// belongingTo returns the objects with the label of a cron, in order.
func (s *State) belongingTo(cron Key) []*Object {
	var out []*Object
	for _, o := range s.ofCron[cron] {
		if s.objects[o.Key] == o && o.cron() == cron.Name {
			out = append(out, o)
		}
	}
	slices.SortFunc(out, func(a, b *Object) int { return compareKeys(a.Key, b.Key) })
	return slices.Compact(out)
}

// now is a text that sorts after every time, and after every earlier answer.
func (s *State) now() string {
	s.clock++
	return fmt.Sprintf("~%09d", s.clock)
}

// collect removes the objects whose owners are all gone, as the garbage collector does.
func (s *State) collect() {
	for removed := true; removed; {
		removed = false
		for key, o := range s.objects {
			if len(o.Owners) > 0 && !slices.ContainsFunc(o.Owners, func(owner string) bool { return s.owns(key.Namespace, owner) }) {
				delete(s.objects, key)
				removed = true
			}
		}
	}
}

// owns reports whether an owner is there, or is of a kind that a state does not have.
func (s *State) owns(namespace, owner string) bool {
	kind, name, _ := strings.Cut(owner, "/")
	if !slices.Contains(Kinds(), kind) {
		return true
	}
	return s.Has(Key{kind, namespace, name})
}

// same reports whether a state has the same objects, but for what each pass writes anew.
func (s State) same(other State) bool {
	return maps.EqualFunc(s.objects, other.objects, func(a, b *Object) bool { return a.same(b) })
}

// same compares all but LastUse and Ready, which each pass writes anew.
func (o *Object) same(other *Object) bool {
	return maps.Equal(o.Labels, other.Labels) && slices.Equal(o.Owners, other.Owners) && o.BySSP == other.BySSP && o.Deleting == other.Deleting &&
		o.Made == other.Made && reflect.DeepEqual(o.Source, other.Source) && (o.Spec == other.Spec || sameSpec(*o.Spec, *other.Spec)) &&
		o.Digest == other.Digest && o.Import == other.Import && o.ImportDigest == other.ImportDigest && o.Last == other.Last && o.Succeeded == other.Succeeded
}

// The annotations of CDI that a state reads (cdi dataimportcron-controller.go).
const (
	digestAnnotation  = "cdi.kubevirt.io/storage.import.sourceDesiredDigest"
	lastUseAnnotation = "cdi.kubevirt.io/storage.import.lastUseTime"
)

// Read returns the parts of an object that a state has; false for another kind.
func Read(o expansion.Object) (Object, bool) {
	kind := o.Kind()
	if !slices.Contains(Kinds(), kind) {
		return Object{}, false
	}
	var typed struct {
		Metadata struct {
			Labels            map[string]string `json:"labels"`
			Annotations       map[string]string `json:"annotations"`
			DeletionTimestamp *string           `json:"deletionTimestamp"`
			OwnerReferences   []struct {
				Kind string `json:"kind"`
				Name string `json:"name"`
			} `json:"ownerReferences"`
		} `json:"metadata"`
	}
	out := Object{Key: Key{kind, o.Namespace(), o.Name()}, Labels: map[string]string{}}
	decode(o, &typed)
	maps.Copy(out.Labels, typed.Metadata.Labels)
	out.BySSP = forecast.OwnedBySSP(typed.Metadata.Annotations)
	out.Deleting = typed.Metadata.DeletionTimestamp != nil
	for _, owner := range typed.Metadata.OwnerReferences {
		out.Owners = append(out.Owners, owner.Kind+"/"+owner.Name)
	}
	out.LastUse, out.Digest = typed.Metadata.Annotations[lastUseAnnotation], typed.Metadata.Annotations[digestAnnotation]
	switch kind {
	case DataSource:
		existing, _ := forecast.ReadExisting(o)
		out.Source, out.Ready = existing.Source, existing.Ready
	case DataVolume:
		var volume struct {
			Status struct {
				Phase string `json:"phase"`
			} `json:"status"`
		}
		decode(o, &volume)
		out.Succeeded = volume.Status.Phase == string(cdiv1.Succeeded)
	case Cron:
		out.readCron(o)
	}
	return out, true
}

func (o *Object) readCron(from expansion.Object) {
	var cron struct {
		Spec   cdiv1.DataImportCronSpec `json:"spec"`
		Status struct {
			CurrentImports []struct {
				DataVolumeName, Digest string
			} `json:"currentImports"`
			LastImportedPVC struct {
				Name string `json:"name"`
			} `json:"lastImportedPVC"`
		} `json:"status"`
	}
	decode(from, &cron)
	o.Spec, o.Last = &cron.Spec, cron.Status.LastImportedPVC.Name
	if current := cron.Status.CurrentImports; len(current) > 0 {
		o.Import, o.ImportDigest = current[0].DataVolumeName, current[0].Digest
	}
}

// decode reads what fits: a field of another type is as if it were absent.
func decode(o expansion.Object, into any) {
	data, err := json.Marshal(o)
	if err == nil {
		_ = json.Unmarshal(data, into) // what does not fit stays empty
	}
}
