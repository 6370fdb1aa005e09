package answers

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"

	cdiv1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"

	"github.com/goldenarch/goldenarch/internal/operators/admission"
	"github.com/goldenarch/goldenarch/internal/operators/expansion"
	"github.com/goldenarch/goldenarch/internal/operators/forecast"
)

// Header is the first line of a file of answers: what made them.
type Header struct {
	// Release is the release of HCO, as --release takes it; "main" is the newest commit. For
	// machines it is the tag of KubeVirt.
	Release string `json:"release"`
	// Commits are the operators' commits, by operator: HCO, SSP and CDI, or KubeVirt.
	Commits map[string]Commit `json:"commits"`
	// Simulated says which effects do not come from the operators' code.
	Simulated []string `json:"simulated"`
	Seed      uint64   `json:"seed"`
	Cases     int      `json:"cases"`
	// Bundle has the DataSources of SSP's common templates, with their architectures.
	Bundle map[string][]string `json:"bundle,omitempty"`
	// Coverage is the number of cases with each tag.
	Coverage map[string]int `json:"coverage"`
}

// Commit is what was checked out.
type Commit struct {
	Ref    string `json:"ref"`
	Commit string `json:"commit"`
	// Note says why the ref is not the one that HCO carries; "" if it is.
	Note string `json:"note,omitempty"`
}

// Predefined is a predefined template as HCO's own file has it, before HCO adds defaults.
type Predefined struct {
	Name        string                   `json:"name"`
	Annotations map[string]string        `json:"annotations,omitempty"`
	Spec        cdiv1.DataImportCronSpec `json:"spec"`
}

// Case is an input, with the operators' answer to each of its steps.
type Case struct {
	Name  string   `json:"name"`
	Tags  []string `json:"tags"`
	Input Input    `json:"input"`
	Steps []Answer `json:"steps"`
	// Objects are the DataImportCrons and DataSources after the last step.
	Objects []expansion.Object `json:"objects"`
}

// Input is what somebody applies, step by step.
type Input struct {
	Steps []Step `json:"steps"`
}

// Step is the state that somebody brings about. What is nil stays as in the step before.
type Step struct {
	Nodes          []Node          `json:"nodes,omitempty"`
	HyperConverged json.RawMessage `json:"hyperConverged,omitempty"`
	// Schedule is status.dataImportSchedule, which HCO picks at random.
	Schedule string `json:"schedule,omitempty"`
	// Images is the version of every image: the digests that CDI's pollers find. In a case of
	// one step no poller runs.
	Images string `json:"images,omitempty"`
	// Snapshots says that the storage class keeps boot sources as snapshots.
	Snapshots bool `json:"snapshots,omitempty"`
	// Objects are made before the step by somebody else. One that is there is replaced.
	Objects []expansion.Object `json:"objects,omitempty"`
	// Delete are objects that somebody deletes before the step, as Kind/namespace/name.
	Delete []string `json:"delete,omitempty"`
	// Terminate are objects that somebody deletes before the step, and that a finalizer keeps.
	Terminate []string `json:"terminate,omitempty"`
	// Release is the release that the operators are upgraded to before the step; "" for none.
	Release string `json:"release,omitempty"`
}

// Node has the fields of a Node that HCO reads.
type Node struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Metadata   struct {
		Name   string            `json:"name"`
		Labels map[string]string `json:"labels,omitempty"`
	} `json:"metadata"`
	Status struct {
		NodeInfo struct {
			Architecture string `json:"architecture"`
		} `json:"nodeInfo"`
	} `json:"status"`
}

// Answer is what the operators do in a step. After a refusal, the later fields are empty.
type Answer struct {
	Admission admission.Admission `json:"admission"`
	// SchemaRefused says that the API server refuses the CR because of HCO's CRD.
	SchemaRefused bool `json:"schemaRefused"`
	// Stored is the CR as the API server stores it.
	Stored json.RawMessage `json:"stored,omitempty"`
	// Chain is nil if the CR is refused.
	Chain *Chain `json:"chain,omitempty"`
	// Listing has the objects when nothing changes any more; only sequences have it.
	Listing []Entry `json:"listing,omitempty"`
}

// Entry is an object of a sequence.
type Entry struct {
	Kind string `json:"kind"`
	Name string `json:"name"`
	// State says what the step did: created, kept, changed, deleted.
	State string `json:"state"`
	// Cron and Cleanup are the two labels by which CDI deletes.
	Cron    string `json:"cron,omitempty"`
	Cleanup bool   `json:"cleanup,omitempty"`
	// Architecture is the label of that name.
	Architecture string `json:"architecture,omitempty"`
	// Owners are the owner references, as Kind/name.
	Owners []string `json:"owners,omitempty"`
	// Source is what a DataSource points at, as kind/name.
	Source string `json:"source,omitempty"`
	// Orphan says that nothing looks after the object any more: its cron is gone, and no
	// owner is left.
	Orphan bool `json:"orphan,omitempty"`
}

// Chain is what HCO makes of the stored CR, SSP of HCO's, and CDI of SSP's answer. The
// fields are those of [forecast.Forecast].
type Chain struct {
	WorkloadArchitectures          []string             `json:"workloadArchitectures"`
	ControlPlaneArchitectures      []string             `json:"controlPlaneArchitectures"`
	DefaultWorkloadArchitecture    string               `json:"defaultWorkloadArchitecture"`
	Error                          string               `json:"error"`
	MultiArchEnabled               bool                 `json:"multiArchEnabled"`
	Status                         []forecast.Status    `json:"status"`
	SSPTemplates                   []expansion.Object   `json:"sspTemplates"`
	SSPEnableMultipleArchitectures *bool                `json:"sspEnableMultipleArchitectures"`
	SSPCluster                     *forecast.SSPCluster `json:"sspCluster"`
	SSPRejected                    string               `json:"sspRejected"`
	SSPError                       string               `json:"sspError"`
	// CDIVerdicts is what CDI's webhook says of each DataImportCron, by namespace/name.
	CDIVerdicts map[string]string `json:"cdiVerdicts"`
}

// Outcome is a tag for what the operators did, which a generator cannot choose.
func Outcome(c Case) string {
	a := c.Steps[len(c.Steps)-1]
	switch {
	case a.SchemaRefused:
		return "outcome:schema-refused"
	case a.Chain == nil:
		return "outcome:webhook-refused"
	case a.Chain.Error != "":
		return "outcome:hco-error"
	case a.Chain.SSPRejected != "":
		return "outcome:ssp-refused"
	case a.Chain.SSPError != "":
		return "outcome:ssp-error"
	}
	for _, verdict := range a.Chain.CDIVerdicts {
		if verdict != "" {
			return "outcome:cdi-refused"
		}
	}
	return "outcome:deployed"
}

// Read reads a file of answers of HCO, SSP and CDI.
func Read(r io.Reader) (Header, []Case, error) { return readAnswers[Case](r) }

// readAnswers reads a file of answers.
func readAnswers[C any](r io.Reader) (Header, []C, error) {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 1<<24)
	var header Header
	var cases []C
	for n := 1; lines.Scan(); n++ {
		if n == 1 {
			if err := json.Unmarshal(lines.Bytes(), &header); err != nil {
				return header, nil, fmt.Errorf("line 1, the header: %w", err)
			}
			continue
		}
		var c C
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			return header, nil, fmt.Errorf("line %d: %w", n, err)
		}
		cases = append(cases, c)
	}
	if err := lines.Err(); err != nil {
		return header, nil, fmt.Errorf("cannot read the answers: %w", err)
	}
	if header.Cases != len(cases) {
		return header, nil, fmt.Errorf("the header counts %d cases, the file has %d", header.Cases, len(cases))
	}
	return header, cases, nil
}

// Write writes a file of answers.
func Write[C Case | MachineCase](w io.Writer, header Header, cases []C) error {
	header.Cases = len(cases)
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(header); err != nil {
		return fmt.Errorf("cannot write the header: %w", err)
	}
	for i, c := range cases {
		if err := encoder.Encode(c); err != nil {
			return fmt.Errorf("cannot write case %d: %w", i+1, err)
		}
	}
	return nil
}
