package engine

import (
	"bytes"
	"context"
	"errors"
	"sync"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/engine/check"
	"github.com/goldenarch/goldenarch/internal/engine/configuration"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/images/lock"
	"github.com/goldenarch/goldenarch/internal/images/registry"
	"github.com/goldenarch/goldenarch/internal/manifest/wrapper"
	"github.com/goldenarch/goldenarch/internal/operators/admission"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
)

// Function is goldenarch with what its caller decides. What a run reads is in a session, which each method begins.
type Function struct {
	// Source is where the configuration comes from, and whose policy counts. Its Listed and OfOtherStep are those of each step.
	configuration.Source
	// Caller is what the caller states about a check.
	check.Caller

	// Others are the workload architectures of the other clusters of the run that read the same
	// files; nil for none.
	Others arch.Set
	// LeavesGate says that a run decides with the multi-arch gate that its configuration wants, and does not write it.
	LeavesGate bool
	// Paths are those that the run read, and LockFlags the flags with which lock reads the same and reaches the same registries,
	// for the commands that findings advise. Without paths these name the file of the lock or of the CR.
	Paths, LockFlags []string

	// Nodes, Live and Facts are objects beside the items: Nodes for their facts only, the live CR, and
	// the facts that the user passes about the cluster that runs the machines.
	Nodes, Live, Facts []*yaml.RNode
	// Guess has the facts about the cluster that probably runs the machines: nobody states which one does. Nil without a guess.
	// It counts where nothing else states the facts.
	Guess *v1alpha1.ClusterFactsSpec
	// Machines says whether a check looks at virtual machines; "" is the same as Check.
	Machines MachineMode

	// Registry has the caller's options for registries. The other options come from the
	// configuration and the items.
	Registry registry.Options
	// Open returns the resolver for images. Default: registry.Open.
	Open func(registry.Options) (registry.Resolver, error)
	// Locks keeps the locks that the clusters of a run share; nil for a run of one cluster.
	Locks *lock.Shared
	// ImageFlag says that the run has the flag --image, which findings may advise.
	ImageFlag bool

	// Named returns the objects of a kind and a name that an item represents: nil for
	// an item that is an object itself. An item without fields represents objects that
	// are not [Needed], and keeps their place in the output. Named is nil if no item
	// does.
	Named func(item *yaml.RNode, kind, name string) []*yaml.RNode
	// Carriers returns the policies that are made of the files of the items; nil knows none.
	Carriers wrapper.Carriers

	// KustomizeVersion returns the version of the kustomize that runs the function, such as
	// v5.8.2; "" if it is unknown. A run calls it if kustomize is the host; nil is unknown.
	KustomizeVersion func() string
	// ArgoCD reports that Argo CD compares the output with the cluster.
	ArgoCD bool
	// Variables reports whether Flux fills in variables of the items (spec.postBuild) before it
	// applies them; nil if nobody knows. The run calls it if a CR has one.
	Variables func() bool

	// Bundle reports that the items are a bundle of the Operator Lifecycle Manager. The
	// run checks its pods and labels unless the configuration says otherwise.
	Bundle bool
	// Operator reports that the items are of the repository of an operator, and Required has the architectures that all pods of a
	// check must support.
	Operator bool
	Required arch.Set
	// PackageOf returns the package of the bundle that a file is in, "" if the file is in
	// none. A nil PackageOf knows no bundles.
	PackageOf func(file string) string
}

// MachineMode says what a check does about virtual machines.
type MachineMode string

// The values of --machines.
const (
	MachinesCheck MachineMode = "Check"
	MachinesNone  MachineMode = "None"
)

// ErrFindings is the error of a run that found errors. The findings themselves
// are in the results.
var ErrFindings = errors.New("goldenarch found errors and changed nothing")

// newParsed returns a cache for the CRs of a run.
func (f Function) newParsed() *hyperconverged.Parsed {
	out := &hyperconverged.Parsed{}
	if f.Variables != nil {
		substituted := sync.OnceValue(f.Variables)
		out.Assume = func(data []byte) ([]byte, []hyperconverged.Variable) {
			if !bytes.Contains(data, []byte("${")) || !substituted() {
				return data, nil
			}
			return admission.Assume(data)
		}
	}
	return out
}

// Process runs the function on the items and the functionConfig of a ResourceList; config may
// be nil. It returns the items and the findings. The error is [ErrFindings] if one of the
// findings is an error; then the items are unchanged.
func (f Function) Process(ctx context.Context, items []*yaml.RNode, config *yaml.RNode) ([]*yaml.RNode, finding.List, error) {
	h := newHost(items)
	s := f.load(items, []Step{{Config: config, Listed: !config.IsNilOrEmpty()}}, h.lists)
	out, found := items, s.List
	if !s.Failed() {
		out, found = h.process(ctx, s)
	}
	for i := range found { // a line is one of the stream, not of the user's file
		found[i].Line = 0
	}
	found = found.Sorted()
	if found.Failed() {
		return items, found, ErrFindings
	}
	return out, found, nil
}

// Check runs the steps as Render does, and predicts what the operators do with the files as
// they are committed, or with the rendered output if As says so. It is an error if the API
// server or HCO refuses that, if an operator stops at it, or if the operators do something
// else with the committed CR than with the rendered one. A step that only checks adds its
// findings about what it receives.
func (f Function) Check(ctx context.Context, items []*yaml.RNode, steps []Step) check.Result {
	s := f.load(items, steps, nil)
	if s.Failed() {
		return check.Result{Summary: check.Summary{Findings: s.List, As: f.As}}
	}
	return s.check(ctx)
}
