package transition

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/goldenarch/goldenarch/internal/console"
	"github.com/goldenarch/goldenarch/internal/operators/cdi"
	"github.com/goldenarch/goldenarch/internal/operators/sequence"
)

// storage adds up what the golden images take, by storage class. A volume of the dump has its
// actual size, another one the size that its template requests.
func (p planner) storage(before, after sequence.State) map[string]Amount {
	out := map[string]Amount{}
	add := func(v volume, to func(*Amount) *int64) {
		amount := out[v.class]
		*to(&amount) += v.bytes
		out[v.class] = amount
	}
	for _, o := range related(before) {
		if takesStorage(o.Kind) {
			v := p.sizeOf(o, before)
			add(v, func(a *Amount) *int64 { return &a.Now })
			add(v, func(a *Amount) *int64 { return &a.During })
		}
	}
	kept := map[sequence.Key]int{}
	for _, o := range related(after) {
		if !takesStorage(o.Kind) {
			continue
		}
		v := p.sizeOf(o, after)
		add(v, func(a *Amount) *int64 { return &a.After })
		add(v, func(a *Amount) *int64 { return &a.Full })
		kept[sequence.Key{Kind: sequence.Cron, Namespace: o.Namespace, Name: o.Labels[cdi.CronLabel]}]++
		if !isNew(before, o) {
			continue
		}
		add(v, func(a *Amount) *int64 { return &a.During })
		if o.Kind == sequence.Snapshot { // of a volume that CDI deletes afterwards
			cron, _ := after.Get(sequence.Key{Kind: sequence.Cron, Namespace: o.Namespace, Name: o.Labels[cdi.CronLabel]})
			add(p.requested(cron), func(a *Amount) *int64 { return &a.During })
		}
	}
	for _, o := range after.Objects() {
		if o.Kind != sequence.Cron {
			continue
		}
		if more := sequence.ImportsToKeep(o.Spec) - kept[o.Key]; more > 0 {
			v := p.requested(o)
			if v.bytes *= int64(more); p.snapshots {
				v.class = p.snapshotClass
			}
			add(v, func(a *Amount) *int64 { return &a.Full })
		}
	}
	maps.DeleteFunc(out, func(_ string, a Amount) bool { return a == Amount{} })
	return out
}

func takesStorage(kind string) bool { return kind == sequence.Claim || kind == sequence.Snapshot }

// sizeOf returns what a claim or a snapshot takes: as the dump has it, or as its cron
// requests. An import stays as large as it was when its cron goes.
func (p planner) sizeOf(o sequence.Object, s sequence.State) volume {
	if v, known := p.dump.volumes[o.Key]; known && o.Made == 0 {
		v.class = cmp.Or(v.class, p.class)
		return v
	}
	v := volume{class: p.class}
	if cron, ok := s.Get(sequence.Key{Kind: sequence.Cron, Namespace: o.Namespace, Name: o.Labels[cdi.CronLabel]}); ok {
		v = p.requested(cron)
		p.sizes[o.Key] = v
	} else if seen, ok := p.sizes[o.Key]; ok {
		v = seen
	}
	if o.Kind == sequence.Snapshot {
		v.class = p.snapshotClass
	}
	return v
}

// requested is the volume that a cron asks for.
func (p planner) requested(cron sequence.Object) volume {
	out := volume{class: p.class}
	if cron.Spec == nil {
		return out
	}
	spec := cron.Spec.Template.Spec
	var class *string
	var requests corev1.ResourceList
	if spec.Storage != nil {
		class, requests = spec.Storage.StorageClassName, spec.Storage.Resources.Requests
	} else if spec.PVC != nil {
		class, requests = spec.PVC.StorageClassName, spec.PVC.Resources.Requests
	}
	if class != nil && *class != "" {
		out.class = *class
	}
	size := requests[corev1.ResourceStorage]
	out.bytes = size.Value()
	return out
}

// SizeText returns a size as people write it.
func SizeText(bytes int64) string {
	const gib = 1 << 30
	return strings.TrimSuffix(fmt.Sprintf("%.1f", float64(bytes)/gib), ".0") + " GiB"
}

// sizesApart returns two sizes that differ as [SizeText] does, or as Kubernetes writes them where
// that would round them to the same text, or one of them to nothing.
func sizesApart(one, other int64) (string, string) {
	short, text := SizeText(one), SizeText(other)
	if nothing := SizeText(0); short == text || short == nothing || text == nothing {
		return resource.NewQuantity(one, resource.BinarySI).String(), resource.NewQuantity(other, resource.BinarySI).String()
	}
	return short, text
}

// Leftover is an object on the cluster that neither Git nor an operator owns.
type Leftover struct {
	Object
	// Keep says that something still uses it.
	Keep bool `json:"keep"`
	// Since is when it was made; "" if the dump does not show it.
	Since string `json:"since,omitempty"`
	Bytes int64  `json:"bytes"`
	// UsedBy are the machines, DataVolumes and DataSources that name it.
	UsedBy []Object `json:"usedBy"`
	// Commands delete it. goldenarch never runs them.
	Commands []string `json:"commands"`
}

// leftovers returns what nothing looks after now, nor after the change.
func (p planner) leftovers(now, after sequence.State) []Leftover {
	out := []Leftover{}
	users := p.usersIn(after)
	for _, o := range related(now) {
		why := orphaned(o, now)
		again, stays := after.Get(o.Key)
		if why == "" || !stays || orphaned(again, after) == "" {
			continue
		}
		one := Leftover{Object: object(o, why), Since: p.dump.created[o.Key], UsedBy: users.of(o), Commands: []string{}}
		if takesStorage(o.Kind) {
			one.Bytes = p.sizeOf(o, now).bytes
		}
		one.Keep = len(one.UsedBy) > 0
		if !one.Keep && len(o.Owners) == 0 {
			if !p.dump.has(kindMachine) {
				one.Commands = append(one.Commands, "# the dump has no VirtualMachine: make sure that none uses it")
			}
			one.Commands = append(one.Commands, console.Command("oc", "delete", "-n", o.Namespace, strings.ToLower(o.Kind), o.Name))
		}
		out = append(out, one)
	}
	slices.SortStableFunc(out, func(a, b Leftover) int {
		return strings.Compare(a.Namespace+"/"+a.Kind+"/"+a.Name, b.Namespace+"/"+b.Kind+"/"+b.Name)
	})
	return out
}

// users has who names objects of a state: the DataSources that point at one, and the machines and volumes with their places in the dump.
type users struct {
	state   sequence.State
	sources map[sequence.Key][]sequence.Object
	others  map[sequence.Key][]int
	list    []user
}

// usersIn finds who names the objects of a state.
func (p planner) usersIn(s sequence.State) users {
	out := users{state: s, sources: map[sequence.Key][]sequence.Object{}, others: map[sequence.Key][]int{}, list: p.dump.users}
	for _, o := range s.Objects() {
		if o.Kind == sequence.DataSource {
			out.sources[o.PointsAt()] = append(out.sources[o.PointsAt()], o)
		}
	}
	for i, u := range p.dump.users {
		out.others[u.of] = append(out.others[u.of], i)
	}
	return out
}

// of returns who names an object. A DataVolume is used if its claim is.
func (u users) of(o sequence.Object) []Object {
	wanted := []sequence.Key{o.Key}
	if o.Kind == sequence.DataVolume {
		wanted = append(wanted, sequence.Key{Kind: sequence.Claim, Namespace: o.Namespace, Name: o.Name})
	}
	out, seen := []Object{}, map[sequence.Key]bool{o.Key: true}
	var others []int
	for i := 0; i < len(wanted); i++ { // a DataSource may point at another one
		others = append(others, u.others[wanted[i]]...)
		for _, source := range u.sources[wanted[i]] {
			if seen[source.Key] {
				continue
			}
			seen[source.Key] = true
			wanted = append(wanted, source.Key)
			if orphaned(source, u.state) == "" {
				out = append(out, object(source, "it points at it"))
			}
		}
	}
	slices.Sort(others)
	for _, i := range others {
		one := u.list[i]
		out = append(out, Object{Kind: one.Kind, Namespace: one.Namespace, Name: one.Name, Reason: one.reason()})
	}
	return out
}

// machines says what a step means for those who take disks from golden images.
func (p planner) machines(d difference) []Machine {
	copies := map[sequence.Key]bool{}
	for _, u := range p.dump.users {
		copies[u.copied] = true
	}
	out := []Machine{}
	for _, u := range p.dump.users {
		effect, loses := d.effect(u)
		if effect == "" || copies[u.Key] {
			continue
		}
		if p.isCopied(u) {
			effect, loses = "it keeps the disk that it has; for a new copy: "+effect, false
		}
		out = append(out, Machine{
			Object: Object{Kind: u.Kind, Namespace: u.Namespace, Name: u.Name, Reason: u.reason()}, Effect: effect, Loses: loses, file: u.file,
		})
	}
	slices.SortStableFunc(out, func(a, b Machine) int {
		return cmp.Or(strings.Compare(a.Namespace, b.Namespace), strings.Compare(a.Kind, b.Kind), strings.Compare(a.Name, b.Name))
	})
	return out
}

// isCopied reports whether the disk is copied already.
func (p planner) isCopied(u user) bool {
	for _, key := range []sequence.Key{u.copied, u.Key} {
		if o, ok := p.dump.state.Get(key); ok && key.Kind == sequence.DataVolume && o.Succeeded {
			return true
		}
	}
	return false
}

// effect says what a step means for one disk, and whether its source is lost; "" if nothing
// changes.
func (d difference) effect(u user) (effect string, loses bool) {
	was, had := d.before.Get(u.of)
	is, has := d.after.Get(u.of)
	name := target(u.of)
	switch {
	case !had:
		return "", false
	case !has:
		return name + " is deleted: a machine that needs it cannot start", true
	case orphaned(was, d.before) == "" && orphaned(is, d.after) != "":
		return name + " stays and is no longer refreshed", true
	case u.of.Kind != sequence.DataSource:
		if isNew(d.before, is) {
			return name + " is deleted and imported again", true
		}
		return "", false
	}
	if from, to := architectureOf(d.before, was), architectureOf(d.after, is); from != to {
		effect, loses = fmt.Sprintf("%s gives an image of %s instead of %s", name, orAny(to), orAny(from)), from != "" && to != ""
	}
	if had := d.before.Has(resolve(d.before, was)); had && !d.after.Has(resolve(d.after, is)) {
		return name + " gives nothing any more", true
	}
	if d.gap(was, is, true) != "" {
		if effect != "" {
			effect += ", once its import ends"
		} else {
			effect = name + " is not ready until its import ends"
		}
	}
	return effect, loses
}

func orAny(architecture string) string { return cmp.Or(architecture, "no stated architecture") }

// architectureOf is the architecture of the cron that filled what a DataSource gives; "" if
// no architecture was chosen.
func architectureOf(s sequence.State, o sequence.Object) string {
	data, ok := s.Get(resolve(s, o))
	if !ok {
		return ""
	}
	return data.Labels[cdi.ArchitectureLabel]
}
