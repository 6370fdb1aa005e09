package transition

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/goldenarch/goldenarch/internal/operators/forecast"
	"github.com/goldenarch/goldenarch/internal/operators/sequence"
)

// Plan is what happens to a cluster, step by step.
type Plan struct {
	SchemaVersion int    `json:"schemaVersion"`
	CR            Object `json:"cr"`
	// Release is the release of HCO at the beginning; "" if it is not stated.
	Release string `json:"release"`
	// Unknown says what the plan does not know, and why.
	Unknown []string `json:"unknown"`
	// NotReady are the objects of golden images that are not ready in the dump.
	NotReady []Object `json:"notReady"`
	Steps    []Step   `json:"steps"`
	// Leftovers are there only if they are asked for.
	Leftovers []Leftover `json:"leftovers,omitempty"`
}

// Object is an object of the cluster, with the reason why a step lists it.
type Object struct {
	Kind      string `json:"kind"`
	Namespace string `json:"namespace"`
	Name      string `json:"name"`
	Reason    string `json:"reason"`
}

// Machine is an object that takes a disk from a golden image, with what the step means for it.
type Machine struct {
	Object
	Effect string `json:"effect"`
	// Loses says that a machine without the disk can no longer get the image that it had.
	Loses bool `json:"loses"`

	file string // where Git has it; "" for one of the dump
}

// Step is a change, with everything that it causes.
type Step struct {
	Title string `json:"title"`
	// Commands bring the change about, and Wait waits for its end.
	Commands []string `json:"commands"`
	Wait     []string `json:"wait"`
	// Stopped is why the operators do nothing; "" if they work.
	Stopped   string   `json:"stopped,omitempty"`
	Appear    []Object `json:"appear"`
	Change    []Object `json:"change"`
	Remain    []Object `json:"remain"`
	Disappear []Object `json:"disappear"`
	// Gaps are the DataSources from which no machine can be created until an import ends.
	Gaps     []Object          `json:"gaps"`
	Undo     Undo              `json:"undo"`
	Storage  map[string]Amount `json:"storage"`
	Machines []Machine         `json:"machines"`
	// AlertsStart are the alerts of HCO that fire from the change on, and AlertsEnd those that do no more.
	AlertsStart []Alert `json:"alertsStart"`
	AlertsEnd   []Alert `json:"alertsEnd"`

	unsettled bool // the operators do not stop: they change the same objects again and again
}

// Alert is an alert of HCO about golden images.
type Alert struct {
	Name string `json:"name"`
	// Template is the template that it is about; "" if it is about the CR.
	Template string `json:"template"`
	Reason   string `json:"reason"`
}

// Undo says how a step is undone.
type Undo struct {
	// Possible says that everything that was there before is there again, or can be.
	Possible bool     `json:"possible"`
	Commands []string `json:"commands"`
	// Reason is why it is not possible, or not known; "" otherwise.
	Reason string `json:"reason,omitempty"`
	// Lost is what does not come back, or is imported again.
	Lost []Object `json:"lost"`
}

// Amount is the storage of golden images in bytes.
type Amount struct {
	// Now is how many bytes they take before the change.
	Now int64 `json:"now"`
	// During is the most that the change takes.
	During int64 `json:"during"`
	// After is how many bytes they take after the change.
	After int64 `json:"after"`
	// Full is what it takes when each DataImportCron has all the imports that it keeps.
	Full int64 `json:"full"`
}

// Change is a step that somebody makes.
type Change struct {
	Title string
	// Input is what the operators work on from then on.
	Input forecast.Input
	// Commands bring it about, and Undo takes it back. Final is why it cannot be undone; ""
	// if it can.
	Commands, Undo []string
	Final          string
}

// Request is what a plan is made from.
type Request struct {
	Dump *Dump
	// Now is what the operators work on before the first change; nil if it is not known.
	Now     *forecast.Input
	Changes []Change
	// Leftovers asks for the list of what nothing owns.
	Leftovers bool
	CR        Object
	// Unknown says what the caller does not know.
	Unknown []string
}

// schemaVersion is that of the JSON of a plan (schemas/plan.json).
const schemaVersion = 1

// Make makes a plan.
func Make(r Request) Plan {
	out := Plan{
		SchemaVersion: schemaVersion, CR: r.CR, Steps: []Step{}, Unknown: append([]string{}, r.Unknown...),
		NotReady: append([]Object{}, r.Dump.notReady...),
	}
	p := planner{dump: r.Dump, digests: digestsOf(r.Dump.state), snapshots: r.Dump.usesSnapshots()}
	p.class, p.snapshotClass = r.Dump.usualClass(sequence.Claim), r.Dump.usualClass(sequence.Snapshot)
	p.sizes = map[sequence.Key]volume{}
	state, before := r.Dump.state, r.Now
	if before != nil {
		out.Release = before.Release.Text()
		settled, err := state.After(p.step(*before))
		if err != nil {
			out.Unknown = append(out.Unknown, "what the operators make of the live CR: "+because(err))
			before = nil
		} else {
			out.Unknown = append(out.Unknown, unsettled(state, settled)...)
			state = settled
		}
	}
	first := state
	for _, c := range r.Changes {
		one, next := p.transition(state, before, c)
		out.Steps = append(out.Steps, one)
		if one.Stopped != "" { // what comes next depends on it
			if rest := len(r.Changes) - len(out.Steps); rest > 0 {
				out.Unknown = append(out.Unknown, fmt.Sprintf("what the steps after %q do (%d), because the operators stop there", c.Title, rest))
			}
			break
		}
		state, before = next, &c.Input
	}
	if r.Leftovers {
		out.Leftovers = p.leftovers(first, state)
	}
	return out
}

// unsettled says how the dump differs from what the operators make of the live CR.
func unsettled(dumped, settled sequence.State) []string {
	missing, extra := map[string]int{}, map[string]int{}
	for _, o := range related(dumped, settled) {
		if !dumped.Has(o.Key) {
			missing[o.Kind]++
		}
		if !settled.Has(o.Key) {
			extra[o.Kind]++
		}
	}
	var out []string
	if list := counts(missing); list != "" {
		out = append(out, "why the dump lacks "+list+", which the operators make for the live CR: "+
			"imports run or fail, or the dump is incomplete. The plan takes them as made")
	}
	if list := counts(extra); list != "" {
		out = append(out, "why the dump has "+list+", which the operators delete for the live CR: "+
			"the dump is incomplete or of different times. The plan takes them as deleted")
	}
	return out
}

func counts(of map[string]int) string {
	var parts []string
	for _, kind := range sequence.Kinds() {
		if of[kind] > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", of[kind], kind))
		}
	}
	return strings.Join(parts, ", ")
}

func because(err error) string {
	return strings.TrimPrefix(err.Error(), sequence.ErrStopped.Error()+": ")
}

// planner has what all steps of a plan share.
type planner struct {
	dump      *Dump
	digests   *digests
	snapshots bool
	// class and snapshotClass are those of imports that name none.
	class, snapshotClass string
	// sizes are those of predicted imports.
	sizes map[sequence.Key]volume
}

func (p planner) step(in forecast.Input) sequence.Step {
	return sequence.Step{Input: in, Digest: p.digests.of, Snapshots: p.snapshots}
}

// digests knows what the pollers find: what they found before. For another source it makes
// up a digest.
type digests struct {
	known map[string]string
	made  int
}

func digestsOf(s sequence.State) *digests {
	out := &digests{known: map[string]string{}}
	for _, o := range s.Objects() {
		digest := cmp.Or(o.Digest, o.ImportDigest)
		if o.Kind != sequence.Cron || digest == "" {
			continue
		}
		out.known[sequence.Polled(o.Namespace, o.Spec)] = digest
	}
	return out
}

// of returns the digest of a source: the one that the cron's poller found, that of another
// cron, or one that is made up and gives names such as rhel9-arm64-<digest-1>.
func (d *digests) of(source, found string) string {
	if found != "" {
		return found
	}
	if d.known[source] == "" {
		d.made++
		d.known[source] = fmt.Sprintf("sha256:<digest-%d>", d.made)
	}
	return d.known[source]
}

// transition says what a change does to a state.
func (p planner) transition(before sequence.State, was *forecast.Input, c Change) (Step, sequence.State) {
	after, err := before.After(p.step(c.Input))
	if err != nil {
		out := Between(before, before)
		out.Title, out.Commands, out.Stopped = c.Title, c.Commands, because(err)
		out.unsettled = errors.Is(err, sequence.ErrNotSettled)
		out.Undo.Commands, out.Undo.Reason = append(out.Undo.Commands, c.Undo...), c.Final
		return out, before
	}
	d := difference{before: before, after: after}
	out := Between(before, after)
	out.Title, out.Commands = c.Title, c.Commands
	out.alerts(was, c.Input)
	out.Wait = waits(out, after)
	out.Storage = p.storage(before, after)
	out.Machines = p.machines(d)
	out.Undo = p.undo(before, after, was, c)
	return out, after
}

// alerts compares the alerts before and after a change. Where nothing says what was before, all that fire start.
func (s *Step) alerts(was *forecast.Input, is forecast.Input) {
	var before []Alert
	if was != nil {
		before = alertsOf(outcomes(*was))
	}
	predicted := outcomes(is)
	after := alertsOf(predicted)
	s.AlertsStart, s.AlertsEnd = append(s.AlertsStart, newIn(after, before)...), append(s.AlertsEnd, newIn(before, after)...)
	for i, a := range s.AlertsEnd {
		if a.Template != "" && !measures(predicted, a.Template) {
			s.AlertsEnd[i].Reason = "only once the pod of HCO restarts, since HCO no longer measures the template and never resets its metric: " +
				"oc delete pod -n " + is.CR.Namespace + " -l name=hyperconverged-cluster-operator"
		}
	}
}

// outcomes predicts what becomes of an input, without the objects.
func outcomes(in forecast.Input) forecast.Forecast {
	in.OutcomesOnly = true
	return forecast.Predict(in)
}

// alertsOf returns the alerts that fire.
func alertsOf(f forecast.Forecast) []Alert {
	var out []Alert
	for _, a := range f.Alerts {
		out = append(out, Alert{a.Name, a.Template, a.Why})
	}
	return out
}

// measures reports whether HCO sets the metrics of a template: of those in its status, while the multi-arch gate is on (hco
// golden_images.go).
func measures(f forecast.Forecast, template string) bool {
	return f.MultiArchEnabled && slices.ContainsFunc(f.Status, func(s forecast.Status) bool { return s.Name == template })
}

// newIn returns the alerts of a list that another list does not have.
func newIn(list, other []Alert) []Alert {
	type key struct{ name, template string }
	known := map[key]bool{}
	for _, a := range other {
		known[key{a.Name, a.Template}] = true
	}
	return slices.DeleteFunc(slices.Clone(list), func(a Alert) bool { return known[key{a.Name, a.Template}] })
}

// Between returns the objects that appear, change, disappear and remain between two states, and
// the DataSources that give nothing meanwhile.
func Between(before, after sequence.State) Step {
	out := Step{
		Commands: []string{}, Wait: []string{}, Appear: []Object{}, Change: []Object{}, Remain: []Object{}, Disappear: []Object{},
		Gaps: []Object{}, Machines: []Machine{}, AlertsStart: []Alert{}, AlertsEnd: []Alert{}, Undo: Undo{Commands: []string{}, Lost: []Object{}}, Storage: map[string]Amount{},
	}
	difference{before: before, after: after}.compare(&out)
	return out
}

// undo says what going back to the input before the change leaves.
func (p planner) undo(before, after sequence.State, was *forecast.Input, c Change) Undo {
	out := Undo{Commands: c.Undo, Lost: []Object{}}
	switch {
	case c.Final != "":
		out.Commands, out.Reason = []string{}, c.Final
		return out
	case was == nil:
		out.Reason = "the plan does not know the CR before the change, and so not what comes back"
		return out
	}
	back, err := after.After(p.step(*was))
	if err != nil {
		out.Reason = "the operators stop: " + because(err)
		return out
	}
	out.Possible = true
	left := false
	for _, o := range related(before, back) {
		now, had := before.Get(o.Key)
		again, there := back.Get(o.Key)
		left = left || !had && holdsData(o.Kind)
		switch {
		case !had || o.Kind == sequence.Cron:
		case !there:
			out.Lost = append(out.Lost, object(o, "it does not come back"))
			out.Possible = false
		case now.Made != again.Made && holdsData(o.Kind):
			out.Lost = append(out.Lost, object(o, "CDI deletes it, and imports it again"))
		}
	}
	if left {
		out.Commands = append(slices.Clone(out.Commands), "# what the change made stays: goldenarch plan --leftovers lists it")
	}
	return out
}

// holdsData reports whether objects of a kind are data: DataVolumes, claims and snapshots.
func holdsData(kind string) bool {
	return kind == sequence.DataVolume || kind == sequence.Claim || kind == sequence.Snapshot
}

func object(o sequence.Object, reason string) Object {
	return Object{Kind: o.Kind, Namespace: o.Namespace, Name: o.Name, Reason: reason}
}

// ErrNoCR is why there is no plan.
var ErrNoCR = errors.New("the input has no HyperConverged, and neither has the dump")
