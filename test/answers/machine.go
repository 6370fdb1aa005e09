package answers

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/google/go-cmp/cmp"

	"github.com/goldenarch/goldenarch/internal/operators/kubevirt"
)

// MachineCase is an object of one of KubeVirt's kinds with the state of a cluster, and what KubeVirt made of it.
type MachineCase struct {
	Name    string         `json:"name"`
	Request MachineRequest `json:"request"`
	Answer  MachineAnswer  `json:"answer"`
}

// MachineRequest is what a program of KubeVirt is asked.
type MachineRequest struct {
	Machine  json.RawMessage `json:"machine"`
	KubeVirt json.RawMessage `json:"kubevirt"`
	// Objects are the others that exist, besides the instancetypes and preferences that KubeVirt ships.
	Objects []json.RawMessage `json:"objects,omitempty"`
}

// MachineAnswer is what KubeVirt's webhooks and its renderer of node selectors answered.
type MachineAnswer struct {
	Architecture string            `json:"architecture"`
	MachineType  string            `json:"machineType"`
	Refused      []string          `json:"refused"`
	NeverStarts  []string          `json:"neverStarts"`
	NodeSelector map[string]string `json:"nodeSelector"`
}

// ReadMachines reads a file of answers of KubeVirt.
func ReadMachines(r io.Reader) (Header, []MachineCase, error) { return readAnswers[MachineCase](r) }

// simulatedForMachines says what the program of KubeVirt does in place of a cluster.
var simulatedForMachines = []string{
	"API server: fake clients have the objects, and KubeVirt's CRDs are not applied",
	"virt-api: it has the architecture of the program, " + goArch,
	"virt-operator: status.defaultArchitecture of the KubeVirt CR is a part of the case",
	"virt-controller: the instance is made and goes through the functions of its webhooks, and the renderer of node selectors runs alone",
	"virt-launcher: the search for firmware runs on the files that hack/rpm-deps.sh installs",
}

// HeaderOfMachines returns the header of a file of answers of KubeVirt.
func HeaderOfMachines(of Commit, seed uint64, cases []MachineCase) Header {
	out := Header{
		Release: of.Ref, Commits: map[string]Commit{"kubevirt": of}, Simulated: simulatedForMachines, Seed: seed, Cases: len(cases), Coverage: map[string]int{},
	}
	for _, c := range cases {
		for _, tag := range c.tags() {
			out.Coverage[tag]++
		}
	}
	return out
}

// tags are what a case has and what KubeVirt answered, for the table of coverage.
func (c MachineCase) tags() []string {
	out := []string{"architecture:" + c.Answer.Architecture}
	if m, _, err := stateOf(c.Request); err == nil { // a stored case of a preference has no request
		named := map[string]*kubevirt.Matcher{"instancetype": m.Instancetype, "preference": m.Preference}
		inferred := false
		for what, ref := range named {
			if ref != nil {
				out = append(out, "with:"+what)
				inferred = inferred || ref.InferFromVolume != ""
			}
		}
		if inferred {
			out = append(out, "with:inference")
		}
		out = append(out, "kind:"+string(m.Kind))
	}
	add := func(what string, fields []string) {
		for _, field := range slices.Compact(slices.Sorted(slices.Values(fields))) {
			out = append(out, what+":"+field)
		}
	}
	add("refused", c.Answer.Refused)
	add("neverStarts", c.Answer.NeverStarts)
	if len(c.Answer.Refused)+len(c.Answer.NeverStarts) == 0 {
		out = append(out, "starts")
	}
	return out
}

// goArch is the architecture that the programs run on, which KubeVirt takes for that of
// virt-api.
const goArch = "amd64"

// CompareMachine compares the decision about a machine with what KubeVirt of a release answered;
// "" if they agree.
func CompareMachine(release string, c MachineCase) (string, error) {
	version, ok := kubevirt.ParseVersion(release)
	if !ok {
		return "", fmt.Errorf("%q is not a release of KubeVirt", release)
	}
	m, cluster, err := stateOf(c.Request)
	if err != nil {
		return "", err
	}
	cluster.Version = version
	d := kubevirt.Decide(m, cluster)
	want := c.Answer
	if slices.Contains(want.Refused, "panic") {
		return "", nil // the webhook of the release is broken for such a machine
	}
	got := MachineAnswer{
		Architecture: d.Architecture, MachineType: d.MachineType, Refused: fieldsOf(d.Refused), NeverStarts: fieldsOf(d.NeverStarts), NodeSelector: d.NodeSelector,
	}
	// TemplateService adds this label to what the renderer returns (template.go).
	maps.DeleteFunc(got.NodeSelector, func(label, _ string) bool { return strings.HasPrefix(label, "kubevirt.io/vm-arch-") })
	if want.NodeSelector == nil {
		got.NodeSelector = nil // an instance that is refused has no pod
	}
	maps.DeleteFunc(want.NodeSelector, func(label, _ string) bool { return slices.Contains(deviceLabels, label) })
	if want.Architecture == "" {
		got.Architecture, got.MachineType = want.Architecture, want.MachineType // a machine that is refused is not stored
	}
	for _, list := range []*[]string{&want.Refused, &want.NeverStarts} {
		*list = slices.DeleteFunc(slices.Clone(*list), func(field string) bool { return !isModelled(field) })
		for i, field := range *list {
			(*list)[i] = plainField(field)
		}
	}
	for _, one := range d.NeverStarts {
		if one.OfNode() { // which the node selector shows
			got.NeverStarts = slices.DeleteFunc(got.NeverStarts, func(field string) bool { return field == fieldOf(one) })
		}
	}
	if len(want.Refused) < len(c.Answer.Refused) || len(want.NeverStarts) < len(c.Answer.NeverStarts) {
		// Another rule refuses the machine, too, so that KubeVirt comes no further.
		got.NeverStarts, want.NeverStarts, got.NodeSelector, want.NodeSelector = nil, nil, nil, nil
	}
	for _, list := range []*[]string{&got.Refused, &got.NeverStarts, &want.Refused, &want.NeverStarts} {
		slices.Sort(*list)
		*list = slices.Compact(*list)
	}
	return cmp.Diff(plain(want), plain(got)), nil
}

// FalseStart returns the fields for which KubeVirt refuses a machine, or its instance, of which goldenarch decides that
// it starts.
func FalseStart(release string, c MachineCase) ([]string, error) {
	m, cluster, err := stateOf(c.Request)
	if err != nil {
		return nil, err
	}
	cluster.Version, _ = kubevirt.ParseVersion(release)
	if d := kubevirt.Decide(m, cluster); len(d.Refused)+len(d.NeverStarts)+len(d.Unmodelled) > 0 {
		return nil, nil
	}
	return slices.Concat(c.Answer.Refused, c.Answer.NeverStarts), nil
}

// deviceLabels are labels of nodes that goldenarch does not look into: whether a node has them does not depend on
// its architecture alone.
var deviceLabels = []string{"kubevirt.io/sev", "kubevirt.io/s390-pv", "kubevirt.io/cpumanager", "cpumanager", "kubevirt.io/realtime"}

const (
	conflictPrefix = "conflict:"
	requiredPrefix = "required:"
	reference      = "matcher"
	missing        = "missing"
	firmware       = "firmware"
	specPrefix     = "spec."
)

// isModelled reports whether a rule about a field is one that goldenarch knows.
func isModelled(field string) bool {
	exact := []string{reference, missing, firmware, "spec.architecture", "spec.domain", "spec.domain.machine.type", "spec.domain.devices.panicDevices", "spec.domain.cpu.model"}
	if slices.Contains(exact, field) {
		return true
	}
	for _, prefix := range []string{
		conflictPrefix, requiredPrefix, "spec.instancetype", "spec.preference", "spec.domain.devices.video.", "spec.domain.devices.watchdog",
		"spec.domain.devices.sound", "spec.domain.firmware.bootloader.",
	} {
		if strings.HasPrefix(field, prefix) {
			return true
		}
	}
	return strings.HasPrefix(field, "spec.domain.devices.disks") && (strings.HasSuffix(field, ".bus") || strings.HasSuffix(field, ".lun"))
}

// plainField returns one name for the fields that KubeVirt names for a wrong reference, and for what a preference
// requires: the instancetype, or one or more fields of the machine.
func plainField(field string) string {
	switch {
	case strings.HasPrefix(field, "spec.instancetype"), strings.HasPrefix(field, "spec.preference"):
		return reference
	case !strings.HasPrefix(field, requiredPrefix):
		return field
	case strings.HasSuffix(field, ".architecture"):
		return requiredPrefix + "architecture"
	default:
		return requiredPrefix + "size"
	}
}

func fieldsOf(list []kubevirt.Refusal) []string {
	var out []string
	for _, r := range list {
		out = append(out, fieldOf(r))
	}
	return out
}

// fieldOf returns the field that KubeVirt names for a refusal.
func fieldOf(r kubevirt.Refusal) string {
	switch r.Rule {
	case kubevirt.ReferenceWrong:
		return reference
	case kubevirt.NotFound:
		return missing
	case kubevirt.NoFirmware:
		return firmware
	case kubevirt.CPUsDivided:
		return conflictPrefix + "instancetype.spec.cpu.guest"
	case kubevirt.Conflict:
		return conflictPrefix + specPrefix + r.Field
	case kubevirt.RequiredArchitecture:
		return requiredPrefix + "architecture"
	case kubevirt.RequiredSize:
		return requiredPrefix + "size"
	case kubevirt.ThreadsOnARM, kubevirt.LaunchSecurity:
		return "spec.architecture"
	case kubevirt.SecureBoot:
		return specPrefix + strings.ToLower(r.Field)
	default:
		return specPrefix + r.Field
	}
}

// stateOf reads a request with the decoders of the program.
func stateOf(in MachineRequest) (kubevirt.Machine, kubevirt.Cluster, error) {
	c := kubevirt.Cluster{
		API: goArch, Complete: true, DataSources: map[kubevirt.Key]kubevirt.DataSource{}, Volumes: map[kubevirt.Object]kubevirt.Volumes{},
		Preferences: map[kubevirt.Object]kubevirt.Preference{}, Instancetypes: map[kubevirt.Object]kubevirt.Instancetype{},
	}
	at, err := kubevirt.ReadHead(in.Machine)
	if err != nil {
		return kubevirt.Machine{}, c, err
	}
	m, err := kubevirt.ReadMachine(kubevirt.Kind(at.Kind), in.Machine)
	if err != nil {
		return m, c, fmt.Errorf("the machine: %w", err)
	}
	m.Namespace = at.Metadata.Namespace
	if c.Configuration, err = kubevirt.ReadConfiguration(in.KubeVirt); err != nil {
		return m, c, err
	}
	for _, raw := range in.Objects {
		if err := readInto(&c, raw); err != nil {
			return m, c, err
		}
	}
	return m, c, nil
}

func readInto(c *kubevirt.Cluster, raw json.RawMessage) error {
	at, err := kubevirt.ReadHead(raw)
	if err != nil {
		return err
	}
	object := kubevirt.Object{Kind: at.Kind, Key: at.Metadata}
	switch at.Kind {
	case "DataSource":
		c.DataSources[at.Metadata], err = kubevirt.ReadDataSource(raw)
	case kubevirt.ClusterPreference, kubevirt.OwnPreference:
		c.Preferences[object], err = kubevirt.ReadSpec[kubevirt.Preference](raw)
	case kubevirt.ClusterInstancetype, kubevirt.OwnInstancetype:
		c.Instancetypes[object], err = kubevirt.ReadSpec[kubevirt.Instancetype](raw)
	default:
		c.Volumes[object], err = kubevirt.ReadVolumes(raw)
	}
	return err
}

// WithPreference returns the case of a machine of an architecture with a preference that KubeVirt ships, large enough
// for each of them, in a cluster as HCO sets it up.
func WithPreference(name, architecture string) MachineRequest {
	machine := fmt.Sprintf(`{"apiVersion":"kubevirt.io/v1","kind":"VirtualMachine","metadata":{"name":"vm","namespace":"vms"},"spec":{
		"runStrategy":"Always","preference":{"name":%q},"template":{"spec":{"architecture":%q,"domain":{
		"cpu":{"sockets":8,"cores":2,"threads":1},"memory":{"guest":"16Gi"},"devices":{}},
		"volumes":[{"name":"root","containerDisk":{"image":"registry/image:tag"}}]}}}}`, name, architecture)
	const kubeVirt = `{"spec":{"configuration":{"developerConfiguration":{"featureGates":["HypervStrictCheck","MultiArchitecture"]}}},
		"status":{"phase":"Deployed","defaultArchitecture":"amd64"}}`
	return MachineRequest{Machine: json.RawMessage(machine), KubeVirt: json.RawMessage(kubeVirt)}
}
