package machine

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/cluster"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/operators/kubevirt"
	"github.com/goldenarch/goldenarch/internal/workload"
	"github.com/goldenarch/goldenarch/internal/yaml/fieldpath"
)

// Verdict says whether a machine starts.
type Verdict string

// The verdicts, from the best to the worst.
const (
	Starts  Verdict = "Starts"
	Exists  Verdict = "Exists"  // of a DataVolume that stands alone: its disk will exist
	Unknown Verdict = "Unknown" // goldenarch does not know its architecture or its disk
	Depends Verdict = "Depends" // on a default, on a release or on the order of creation
	Fails   Verdict = "Fails"
)

// Result is what goldenarch says about a machine.
type Result struct {
	Object finding.Object
	// Inner names the machine in a template; "" for an object that is one itself.
	Inner string
	// Architecture is the one that the machine gets, "" if goldenarch does not know it.
	// Possible are those of which it gets one.
	Architecture string
	Possible     arch.Set
	// DecidedBy says what decides, "" for a disk that stands alone.
	DecidedBy string
	Disks     []Disk
	// Nodes are those that the machine may run on; nil if goldenarch knows no nodes.
	Nodes    []Node
	Verdict  Verdict
	Findings finding.List
	// IsDisk says that the object is a DataVolume that stands alone, and no machine.
	IsDisk bool

	// unmodelled is what the machine has whose rules goldenarch does not know.
	unmodelled []kubevirt.Unmodelled
}

// Name names the machine to a person: VirtualMachine/fedora, or the template with the machine
// in it.
func (r Result) Name() string {
	if r.Inner != "" {
		return r.Object.String() + " (" + r.Inner + ")"
	}
	return r.Object.String()
}

// isKnown reports whether the verdict says anything. That a machine depends on something says nothing if nobody knows its boot disk.
func (r Result) isKnown() bool {
	unknown := slices.ContainsFunc(r.Disks, func(d Disk) bool { return d.boots && d.Unknown != "" })
	return r.Verdict != Unknown && (r.Verdict != Depends || !unknown)
}

// LowerUnless makes warnings of the errors that another judgement of the same machine, by less facts, does not have.
func (r *Result) LowerUnless(sure Result) {
	for i, f := range r.Findings {
		holds := func(other finding.Finding) bool {
			return other.Severity == finding.Error && other.ID == f.ID && other.Field == f.Field
		}
		if f.Severity == finding.Error && !slices.ContainsFunc(sure.Findings, holds) {
			r.Findings[i].Severity = finding.Warning
			r.Findings[i].Text += ". That is so if the cluster of the repository's only HyperConverged CR runs the machine"
		}
	}
	if r.Verdict == Fails && !r.Findings.Failed() {
		r.Verdict = Depends
	}
}

// Node are nodes of one architecture that a machine may run on.
type Node struct {
	Architecture string `json:"architecture"`
	// Count is their number, and Names are their names; 0 and nil if only the architecture is
	// known.
	Count int      `json:"count,omitempty"`
	Names []string `json:"names,omitempty"`
}

// state is one state that the cluster may be in when the machine is created.
type state struct {
	version kubevirt.Version
	// standard is the default architecture, and unknown the label of the DataSources of which
	// goldenarch does not know whether they exist.
	standard, unknown string
	// early says that the DataSources of the same commit do not exist yet.
	early bool
}

// dimension is one thing that the states differ by.
type dimension struct {
	what string
	// set returns the first state with this thing from the second one.
	set func(state, state) state
}

// orderOfCreation is what a race is about.
const orderOfCreation = "the order in which the machine and its DataSource are created"

var dimensions = []dimension{
	{"the release of KubeVirt", func(a, b state) state { a.version = b.version; return a }},
	{"the default architecture of KubeVirt", func(a, b state) state { a.standard = b.standard; return a }},
	{"a DataSource that nothing in the input describes", func(a, b state) state { a.unknown = b.unknown; return a }},
	{orderOfCreation, func(a, b state) state { a.early = b.early; return a }},
}

// states returns the states that matter for a machine, the most likely one first.
func (k *Known) states(f Found) []state {
	var out []state
	unknown, early := []string{""}, []bool{false}
	for _, t := range f.DataVolumeTemplates {
		if t.Spec.SourceRef == nil || f.Disk {
			continue
		}
		one, is := k.labelled(t.Spec.SourceRef.Key(f.Namespace))
		if is == mayExist && len(unknown) == 1 {
			unknown = append(unknown, k.workload().Strings()...)
			if len(k.workload()) == 0 {
				unknown = append(unknown, kubevirt.Architectures...)
			}
		}
		if one.sameCommit && len(early) == 1 {
			early = append(early, true)
		}
	}
	for _, version := range k.versions() {
		for _, standard := range k.defaults() {
			for _, label := range unknown {
				for _, e := range early {
					out = append(out, state{version, standard, label, e})
				}
			}
		}
	}
	return out
}

// labelled returns a DataSource, and whether the one exists whose label KubeVirt reads: the one that
// it points at, if any.
func (k *Known) labelled(at kubevirt.Key) (knownSource, existence) {
	one, is := k.find(at)
	if to := one.Reference; to != nil && to.Namespace != "" { // without a namespace KubeVirt finds nothing
		_, is = k.find(*to)
	}
	return one, is
}

// decide returns what KubeVirt makes of a machine in a state. The webhook refuses one that infers a name
// from a DataSource that does not exist yet, so such a machine is created after it.
func (k *Known) decide(m kubevirt.Machine, s state) kubevirt.Decision {
	late := func(ref *kubevirt.Matcher) bool { return ref != nil && ref.InferFromVolume != "" }
	c := kubevirt.Cluster{
		Configuration: k.configuration(), API: s.standard, Volumes: k.volumes, Preferences: k.preferences, Instancetypes: k.instancetypes,
		DataSources: k.dataSources(m, s.unknown, !s.early || late(m.Preference) || late(m.Instancetype)),
	}
	c.Version, c.Default, c.MultiArchitecture = s.version, s.standard, k.multiArchitecture()
	return kubevirt.Decide(m, c)
}

// multiArchitecture reports whether the feature gate MultiArchitecture may be on. If nothing
// says that it is off, no machine is reported because of it.
func (k *Known) multiArchitecture() bool {
	if k.config != nil {
		return k.config.MultiArchitecture
	}
	return k.Facts == nil || k.Facts.KubeVirt.MultiArchitecture || k.defaults()[0] == ""
}

// judged is a machine with what it becomes in each state.
type judged struct {
	Result
	known     *Known
	found     Found
	states    []state
	decisions []kubevirt.Decision
}

// Judge says of each machine whether it starts.
func (k *Known) Judge(list []Found) []Result {
	out := make([]Result, 0, len(list))
	for _, f := range list {
		out = append(out, k.judge(f))
	}
	return out
}

func (k *Known) judge(f Found) Result {
	j := judged{known: k, found: f}
	j.Object, j.Inner, j.Disks, j.IsDisk = f.At, f.Inner, k.disks(f), f.Disk
	if f.Disk {
		j.judgeDisk(j.Disks[0])
		j.verdict()
		return j.Result
	}
	for _, s := range k.states(f) {
		j.states, j.decisions = append(j.states, s), append(j.decisions, k.decide(f.Machine, s))
	}
	j.setArchitecture()
	j.judgeRefusals()
	j.judgeDependence()
	j.judgeDisks()
	j.judgeNodes()
	j.unmodelled = j.findUnmodelled()
	j.verdict()
	return j.Result
}

// byUnknown says that goldenarch does not know what decides.
const byUnknown = "unknown"

// setArchitecture sets the architecture if all states agree.
func (j *judged) setArchitecture() {
	var list []arch.Arch
	by := map[kubevirt.By]bool{}
	open := false
	for _, d := range j.decisions {
		if d.Architecture == "" || isOpen(d.Architecture) {
			open = true
		} else {
			list = append(list, arch.Arch(d.Architecture))
		}
		by[d.By] = true
	}
	j.DecidedBy = string(j.decisions[0].By)
	set := arch.NewSet(list...)
	if len(by) > 1 && (open || len(set) > 1 && !j.isKnownEnough()) {
		j.DecidedBy = byUnknown
	}
	if j.DecidedBy == "" {
		j.DecidedBy = byUnknown // a preference that only the cluster shows
	}
	if len(set) == 1 && !open {
		j.Architecture = string(set[0])
	}
	if !open {
		j.Possible = set
	}
}

// isOpen reports whether a tool sets the architecture of the machine later.
func (j *judged) isOpen() bool { return isOpen(j.decisions[0].Architecture) }

// add adds a finding about a field of the instance.
func (j *judged) add(f finding.Finding) {
	f.Object = j.found.At
	full := fieldpath.Below(j.found.Path, f.Field)
	f.Line = j.found.Line(full)
	f.Field = fieldpath.Below(j.found.Object.Path, full)
	if j.Inner != "" {
		f.Text = "of " + j.Inner + " in the template: " + f.Text
	}
	j.Findings = append(j.Findings, f)
}

// architectureField is the field of the instance that states its architecture.
const architectureField = "architecture"

// patchTo returns the fix that states an architecture, as text.
func (j *judged) patchTo(a arch.Arch) string {
	return fmt.Sprintf("set %s.%s: %s", j.found.Path, architectureField, a)
}

// judgeRefusals reports what KubeVirt refuses in all states, and what it refuses in some.
func (j *judged) judgeRefusals() {
	if j.isOpen() || j.found.NodePool {
		return
	}
	for _, r := range j.refusals() {
		if isOpen(r.Value) || r.architecture == "" {
			continue
		}
		f := finding.Finding{ID: finding.MachineNeverStarts, Severity: finding.Error, Field: r.Field, Do: j.fixOf(r)}
		what := "KubeVirt refuses the machine when it is created, or accepts it and refuses its instance, so it never starts"
		switch {
		case r.later == 0:
			f.ID, what = finding.MachineRefused, "KubeVirt refuses the machine when it is created"
		case r.OfNode():
			what = "KubeVirt accepts the machine, and its pod finds no node, so it never starts"
		case r.AfterWebhooks():
			what = "KubeVirt accepts the machine, and virt-launcher cannot start it"
		case r.atCreation == 0:
			what = "KubeVirt accepts the machine and refuses its instance, so it never starts"
		}
		f.Text = what + ": " + r.Text(r.architecture)
		if uses := j.decisions[0].Uses; uses != "" && j.isOfPreference(r) {
			f.Text += fmt.Sprintf(", and its preference %q asks for that", uses)
			f.Do = j.fixOfPreference(uses, r.architecture)
		}
		if r.atCreation+r.later < len(j.decisions) {
			f.ID, f.Severity = finding.MachineDepends, finding.Warning
			f.Text = fmt.Sprintf("whether the machine starts depends on %s. If it gets %s, %s", j.depends(r.happens), r.architecture, f.Text)
		}
		j.add(f)
	}
}

// refused is a refusal with the number of states in which it happens when the machine is created,
// and of those in which it happens later.
type refused struct {
	kubevirt.Refusal
	architecture      string
	atCreation, later int
}

// is reports whether another refusal is the same one.
func (r refused) is(o kubevirt.Refusal) bool { return o.Rule == r.Rule && o.Field == r.Field }

// happens says whether the refusal is one of a decision.
func (r refused) happens(d kubevirt.Decision) string {
	return fmt.Sprint(slices.ContainsFunc(d.Refused, r.is) || slices.ContainsFunc(d.NeverStarts, r.is))
}

// refusals returns the refusals of all states, each once.
func (j *judged) refusals() []refused {
	var out []refused
	one := func(r kubevirt.Refusal, architecture string) *refused {
		i := slices.IndexFunc(out, func(o refused) bool { return o.is(r) })
		if i < 0 {
			out = append(out, refused{Refusal: r, architecture: architecture})
			i = len(out) - 1
		}
		return &out[i]
	}
	for _, d := range j.decisions {
		for _, r := range d.Refused {
			one(r, d.Architecture).atCreation++
		}
		for _, r := range d.NeverStarts {
			one(r, d.Architecture).later++
		}
	}
	return out
}

// isOfPreference reports whether the machine is refused for what its preference sets, and not for what it
// states or for what the preference requires.
func (j *judged) isOfPreference(r refused) bool {
	if slices.Contains([]kubevirt.Rule{
		kubevirt.ReferenceWrong, kubevirt.NotFound, kubevirt.CPUsDivided, kubevirt.RequiredSize, kubevirt.RequiredArchitecture,
	}, r.Rule) {
		return false
	}
	own := j.found.Machine
	own.Preference = nil
	return !slices.ContainsFunc(j.states, func(s state) bool {
		d := j.known.decide(own, s)
		return slices.ContainsFunc(d.Refused, r.is) || slices.ContainsFunc(d.NeverStarts, r.is)
	})
}

// fixOfPreference returns the fix for a preference that does not fit an architecture.
func (j *judged) fixOfPreference(uses, architecture string) string {
	if fits := kubevirt.Fitting(uses, architecture, j.states[0].version); fits != "" && fits != uses {
		return fmt.Sprintf("use the preference %s, which KubeVirt ships for %s", fits, architecture)
	}
	return fmt.Sprintf("use a preference for %s, or state the field in the machine", architecture)
}

// fixOf returns the fix for a refusal.
func (j *judged) fixOf(r refused) string {
	switch r.Rule {
	case kubevirt.GateOff:
		return j.known.fixOfGate()
	case kubevirt.RequiredArchitecture:
		fits := "a preference for " + r.architecture
		if one := kubevirt.Fitting(j.decisions[0].Uses, r.architecture, j.states[0].version); one != "" {
			fits = "the preference " + one
		}
		return fmt.Sprintf("use %s, or set %s.%s: %s", fits, j.found.Path, architectureField, r.Value)
	case kubevirt.MachineTypeWrong:
		return "remove the machine type, or set one of this architecture"
	case kubevirt.MachineTypeUnstated:
		return fmt.Sprintf("set %s.%s, or remove the machine type", j.found.Path, architectureField)
	case kubevirt.Unsupported:
		last := len(kubevirt.Architectures) - 1
		return "set " + strings.Join(kubevirt.Architectures[:last], ", ") + " or " + kubevirt.Architectures[last]
	case kubevirt.DiskBus:
		return "set the bus to virtio or scsi, or remove it"
	case kubevirt.SecureBoot, kubevirt.NoFirmware:
		return fixOfFirmware(r.architecture)
	case kubevirt.NoSMM:
		return "set efi.secureBoot: false, or features.smm.enabled: true"
	case kubevirt.CDRomVirtio:
		return "set the bus to scsi"
	case kubevirt.NoCPUModel:
		return fmt.Sprintf("set %s.domain.cpu.model: host-model", j.found.Path)
	case kubevirt.Conflict:
		return "remove the field, or the instancetype"
	case kubevirt.CPUsDivided:
		return "use another instancetype, or another preference"
	case kubevirt.RequiredSize:
		return "give the machine more, or use another preference"
	case kubevirt.ReferenceWrong, kubevirt.NotFound:
		return "name an instancetype and a preference that exist"
	default:
		return "remove the field, or correct it"
	}
}

// fixOfFirmware returns the fix for a bootloader that an architecture lacks.
func fixOfFirmware(architecture string) string {
	if architecture == "arm64" {
		return "set secureBoot: false"
	}
	return "remove the bootloader"
}

// depends names what makes the states differ in a property.
func (j *judged) depends(property func(kubevirt.Decision) string) string {
	var out []string
	for _, d := range dimensions {
		if j.matters(d, property) {
			out = append(out, d.what)
		}
	}
	return strings.Join(out, " and on ")
}

// matters reports whether two states that differ in one thing alone have another property. The
// states are all combinations of what may be.
func (j *judged) matters(d dimension, property func(kubevirt.Decision) string) bool {
	for i, a := range j.states {
		for k, b := range j.states[:i] {
			if d.set(a, b) == b && property(j.decisions[i]) != property(j.decisions[k]) {
				return true
			}
		}
	}
	return false
}

// judgeDependence reports an architecture that is not the same in all states.
func (j *judged) judgeDependence() {
	if len(j.Possible) < 2 || j.isOpen() {
		return
	}
	on := j.depends(func(d kubevirt.Decision) string { return d.Architecture })
	if !j.isKnownEnough() {
		return
	}
	f := finding.Finding{ID: finding.MachineDepends, Severity: finding.Warning, Field: architectureField}
	if on == orderOfCreation {
		f.ID = finding.MachineRaces
		first, last := j.decisions[0], j.decisions[0]
		for i, s := range j.states {
			if s.early && j.decisions[i].Architecture != first.Architecture {
				last = j.decisions[i]
			}
		}
		f.Text = fmt.Sprintf("if the machine is created before DataSource %q, KubeVirt ignores the missing DataSource and stores %s in the machine for good. "+
			"Created after it, the machine gets %s. One commit makes both, and GitOps does not order them",
			nameOfSource(first, j.found), last.Architecture, first.Architecture)
		f.Do = "state the architecture in " + j.found.Path + "." + architectureField
		wanted := arch.Arch(first.Architecture)
		if fits := j.fitting(); len(fits) > 0 && !fits.Contains(wanted) { // the label is not what the disk has
			f.Text += fmt.Sprintf(", and the disk has %s", fits)
			wanted = fits[0]
		}
		if j.known.hasNodes(wanted) {
			f.Proposed, f.Do = string(wanted), j.patchTo(wanted)
		}
		j.add(f)
		return
	}
	f.Text = fmt.Sprintf("the architecture of the machine depends on %s: it gets %s", on, j.gets())
	f.Do = "state the architecture in " + j.found.Path + "." + architectureField
	if fits := j.fitting(); len(fits) == 1 && j.known.hasNodes(fits[0]) {
		f.Proposed, f.Do = string(fits[0]), j.patchTo(fits[0])
	}
	j.add(f)
}

// isKnownEnough reports whether the states differ by more than by a DataSource of which nothing
// is known. Such a machine is unknown, and that is said once for all of them.
func (j *judged) isKnownEnough() bool {
	of := map[string]bool{}
	for i, s := range j.states {
		if s.unknown == j.states[0].unknown {
			of[j.decisions[i].Architecture] = true
		}
	}
	return len(of) > 1
}

func nameOfSource(d kubevirt.Decision, f Found) string {
	if d.Source.Name != "" {
		return nameOf(d.Source)
	}
	for _, t := range f.DataVolumeTemplates {
		if t.Spec.SourceRef != nil {
			return nameOf(t.Spec.SourceRef.Key(f.Namespace))
		}
	}
	return ""
}

// fitting returns the architectures that the boot disk has; nil if they are unknown.
func (j *judged) fitting() arch.Set {
	for _, d := range j.Disks {
		if d.boots {
			return d.Architectures
		}
	}
	return nil
}

// gets returns the architectures of which the machine gets one, in words.
func (j *judged) gets() string { return strings.Join(j.Possible.Strings(), " or ") }

// by returns what decides the architecture, in words.
func (j *judged) by() string {
	words := map[string]string{
		string(kubevirt.ByMachine): "its own spec", string(kubevirt.ByPreference): "its preference",
		string(kubevirt.ByDataSource): "the label of a DataSource", string(kubevirt.ByDefault): "the default of KubeVirt",
		byUnknown: "something that goldenarch cannot see",
	}
	return words[j.DecidedBy]
}

// judgeNodes finds the nodes that the machine may run on. A node has the labels of the machine
// types of its own architecture only (virt-handler node-labeller), so the launcher pod needs a
// node of the architecture of the machine, whatever its node selector says.
func (j *judged) judgeNodes() {
	if len(j.Possible) == 0 {
		return
	}
	if j.removesSelector() {
		j.judgeRemovedSelector()
		return
	}
	instance := j.decisions[0].Instance // an instancetype may set the node selector
	stated, ok := instance.NodeSelector[arch.Label]
	if ok && !isOpen(stated) && !slices.ContainsFunc(j.decisions, func(d kubevirt.Decision) bool { return strings.EqualFold(d.Architecture, stated) }) {
		f := finding.Finding{ID: finding.MachineNoNode, Severity: finding.Error, Field: "nodeSelector"}
		f.Text = fmt.Sprintf("the node selector asks for %s=%s, and the machine gets %s by %s: no node has that label and the machine types of %s",
			arch.Label, stated, j.gets(), j.by(), j.gets())
		f.Do = fmt.Sprintf("set %s.%s: %s, or remove the node selector", j.found.Path, architectureField, stated)
		if !j.known.hasNodes(arch.Arch(stated)) {
			f.Do = "remove the node selector: no node that may run machines has " + stated
		}
		if j.found.NodePool {
			f.Severity = finding.Warning
			f.Do = "state the architecture with the annotation hypershift.openshift.io/kubevirt-vm-jsonpatch"
		}
		j.add(f)
		return
	}
	placement := cluster.Placement{NodeSelector: withoutKubeVirt(j.decisions[0].NodeSelector, instance.NodeSelector), Affinity: instance.Affinity}
	j.land(placement.WithoutInvalid())
}

// withoutKubeVirt returns a node selector with the labels that a person states, and without
// those that KubeVirt puts on nodes and on pods.
func withoutKubeVirt(all, stated map[string]string) map[string]string {
	out := map[string]string{}
	for key, value := range all {
		_, ok := stated[key]
		if key != arch.Label && (ok || !strings.Contains(key, "kubevirt.io/")) && !isOpen(value) && !isOpen(key) {
			out[key] = value
		}
	}
	return out
}

// canLand reports whether the machine can run on a node.
func (j *judged) canLand(p cluster.Placement, n cluster.Node, allLabels bool) bool {
	w := j.known.workload()
	return n.Count > 0 && j.Possible.Contains(n.Architecture) && (len(w) == 0 || w.Contains(n.Architecture)) &&
		p.CanLand(n, allLabels) && j.known.Placement.CanLand(n, allLabels)
}

// withHandler returns the nodes that machines may run on: virt-handler labels each node that it runs on. If no node
// has the label, they are not those of a dump, and each counts.
func withHandler(nodes []cluster.Node) []cluster.Node {
	lacks := func(n cluster.Node) bool { return n.Labels[kubevirt.SchedulableLabel] != "true" }
	if out := slices.DeleteFunc(slices.Clone(nodes), lacks); len(out) > 0 {
		return out
	}
	return nodes
}

// land finds the nodes of each possible architecture.
func (j *judged) land(p cluster.Placement) {
	nodes := j.known.Nodes
	stated := len(nodes.Known)+len(nodes.Incomplete) > 0
	if !stated {
		nodes = workload.NodesOf(j.known.workload())
		stated = len(j.known.workload()) > 0
	}
	if !stated {
		nodes = workload.NodesOf(j.Possible) // an affinity can rule out the architecture itself
	}
	byArch := map[arch.Arch]*Node{}
	add := func(list []cluster.Node, allLabels bool) {
		for _, n := range list {
			if !j.canLand(p, n, allLabels) {
				continue
			}
			if byArch[n.Architecture] == nil {
				byArch[n.Architecture] = &Node{Architecture: string(n.Architecture)}
			}
			if one := byArch[n.Architecture]; allLabels && n.Name != "" {
				one.Count += n.Count
				one.Names = append(one.Names, n.Name)
			}
		}
	}
	add(withHandler(nodes.Known), true)
	add(nodes.Incomplete, false)
	for _, a := range slices.Sorted(maps.Keys(byArch)) {
		if stated {
			j.Nodes = append(j.Nodes, *byArch[a])
		}
	}
	if len(byArch) == 0 {
		has := nodes.All()
		if w := j.known.workload(); len(w) > 0 {
			has = has.Intersect(w)
		}
		j.noNode(p, has, stated)
	}
}

// noNode reports that no node fits. has are the architectures of the nodes that may run machines, if somebody states them.
func (j *judged) noNode(p cluster.Placement, has arch.Set, stated bool) {
	f := finding.Finding{ID: finding.MachineNoNode, Severity: finding.Error, Field: architectureField}
	f.Text = fmt.Sprintf("the machine gets %s by %s, and no node that may run machines has that architecture", j.gets(), j.by())
	f.Do = "add such a node, or correct the architecture"
	if stated && len(has) > 0 {
		f.Text += fmt.Sprintf(": they have %s", has)
	}
	if len(has.Intersect(j.Possible)) > 0 {
		f.Field = "nodeSelector"
		if p.Required() != nil {
			f.Field = "affinity"
		}
		f.Text = fmt.Sprintf("the machine gets %s by %s, and its node selector or node affinity matches no node of that architecture",
			j.gets(), j.by())
		f.Do = "correct the node selector or the node affinity, or state another architecture"
	} else if fix := j.known.misspelled[kubevirt.CrossArchitectureGate]; fix != "" && j.known.versions()[0].CrossesArchitectures() {
		f.Do = fix
	}
	j.add(f)
}

// removesSelector reports whether KubeVirt removes the architecture from the node selector that a
// person wrote, with the feature gate CrossArchitectureVirtualization (nodeselectorrenderer.go:
// WithoutNativeArchSelector).
func (j *judged) removesSelector() bool {
	return j.known.configuration().CrossArchitecture && j.known.versions()[0].CrossesArchitectures()
}

// judgeRemovedSelector reports a node selector that KubeVirt removes.
func (j *judged) judgeRemovedSelector() {
	stated, ok := j.decisions[0].Instance.NodeSelector[arch.Label]
	if !ok {
		return
	}
	j.add(finding.Finding{
		ID: finding.MachineSelectorRemoved, Severity: finding.Warning, Field: "nodeSelector",
		Text: fmt.Sprintf("the feature gate CrossArchitectureVirtualization is on, so KubeVirt removes %s=%s from the launcher pod: "+
			"the machine may run on a node of another architecture", arch.Label, stated),
		Do: "write it as required node affinity, which KubeVirt keeps",
	})
}

// verdict sums up the findings.
func (j *judged) verdict() {
	boot := slices.IndexFunc(j.Disks, func(d Disk) bool { return d.boots })
	switch {
	case j.Findings.Failed():
		j.Verdict = Fails
	case j.Findings.Count(finding.Warning) > 0:
		j.Verdict = Depends
	case !j.found.Disk && j.Architecture == "", boot < 0 && len(j.Disks) > 0,
		boot >= 0 && len(j.Disks[boot].Architectures) == 0 && !j.Disks[boot].data, len(j.unmodelled) > 0:
		j.Verdict = Unknown
	case j.found.Disk:
		j.Verdict = Exists
	default:
		j.Verdict = Starts
	}
}
