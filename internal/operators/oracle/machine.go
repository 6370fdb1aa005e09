package oracle

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

// MachineCase is a VirtualMachine with the state of a cluster, and what KubeVirt made of it.
type MachineCase struct {
	Name    string         `json:"name"`
	Request MachineRequest `json:"request"`
	Answer  MachineAnswer  `json:"answer"`
}

// MachineRequest is what a program of KubeVirt is asked.
type MachineRequest struct {
	Machine     json.RawMessage   `json:"machine"`
	KubeVirt    json.RawMessage   `json:"kubevirt"`
	DataSources []json.RawMessage `json:"dataSources,omitempty"`
	Preferences []json.RawMessage `json:"preferences,omitempty"`
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
	"API server: fake clients have the DataSources and the preferences, and KubeVirt's CRDs are not applied",
	"virt-api: it has the architecture of the program, " + goArch,
	"virt-operator: status.defaultArchitecture of the KubeVirt CR is a part of the case",
	"virt-controller: no instance is created; the rules for an instance run on the spec of the machine, and the renderer of node selectors runs alone",
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

// tags are what KubeVirt answered, for the table of coverage.
func (c MachineCase) tags() []string {
	out := []string{"architecture:" + c.Answer.Architecture}
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
	version, is := kubevirt.ParseVersion(release)
	if !is {
		return "", fmt.Errorf("%q is not a release of KubeVirt", release)
	}
	m, cluster, err := stateOf(c.Request)
	if err != nil {
		return "", err
	}
	cluster.Version = version
	d := kubevirt.Decide(m, cluster)
	got := MachineAnswer{Architecture: d.Architecture, MachineType: d.MachineType, NodeSelector: d.NodeSelector}
	// TemplateService adds this label to what the renderer returns (template.go).
	maps.DeleteFunc(got.NodeSelector, func(label, _ string) bool { return strings.HasPrefix(label, "kubevirt.io/vm-arch-") })
	for _, r := range d.Refused {
		got.Refused = append(got.Refused, fieldOf(r))
	}
	// The program runs the rules for an instance also on a machine that is refused.
	if len(d.Refused) == 0 {
		for _, r := range d.NeverStarts {
			got.NeverStarts = append(got.NeverStarts, fieldOf(r))
		}
	}
	want := c.Answer
	want.Refused = slices.DeleteFunc(slices.Clone(want.Refused), func(field string) bool { return !slices.Contains(aboutArchitectures, field) })
	if len(d.Refused) > 0 {
		want.NeverStarts = nil
	}
	for _, list := range [][]string{got.Refused, got.NeverStarts, want.Refused, want.NeverStarts} {
		slices.Sort(list)
	}
	return cmp.Diff(plain(want), plain(got)), nil
}

const requiredArchitecture = "requiredArchitecture"

// aboutArchitectures are the fields of the refusals that depend on an architecture.
var aboutArchitectures = []string{requiredArchitecture, "spec.architecture", "spec.domain.machine.type", "spec.domain.devices.panicDevices"}

// fieldOf returns the field that KubeVirt names for a refusal.
func fieldOf(r kubevirt.Refusal) string {
	switch r.Rule {
	case kubevirt.RequiredArchitecture:
		return requiredArchitecture
	case kubevirt.ThreadsOnARM, kubevirt.LaunchSecurity:
		return "spec.architecture"
	case kubevirt.SecureBoot:
		return "spec." + strings.ToLower(r.Field)
	default:
		return "spec." + r.Field
	}
}

// stateOf reads a request with the decoders of the program.
func stateOf(in MachineRequest) (kubevirt.Machine, kubevirt.Cluster, error) {
	var c kubevirt.Cluster
	at, err := kubevirt.ReadHead(in.Machine)
	if err != nil {
		return kubevirt.Machine{}, c, err
	}
	m, matcher, err := kubevirt.ReadMachine(kubevirt.Kind(at.Kind), in.Machine)
	if err != nil {
		return m, c, fmt.Errorf("the machine: %w", err)
	}
	m.Namespace = at.Metadata.Namespace
	c.API, c.DataSources = goArch, map[kubevirt.Key]kubevirt.DataSource{}
	if c.Configuration, err = kubevirt.ReadConfiguration(in.KubeVirt); err != nil {
		return m, c, err
	}
	for _, raw := range in.DataSources {
		at, err := kubevirt.ReadHead(raw)
		if err != nil {
			return m, c, err
		}
		if c.DataSources[at.Metadata], err = kubevirt.ReadDataSource(raw); err != nil {
			return m, c, err
		}
	}
	for _, raw := range in.Preferences {
		at, err := kubevirt.ReadHead(raw)
		if err != nil {
			return m, c, err
		}
		if matcher == nil || at.Metadata.Name != matcher.Name {
			continue
		}
		p, err := kubevirt.ReadPreference(raw)
		if err != nil {
			return m, c, err
		}
		m.Preference = &p
	}
	return m, c, nil
}
