package answers

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/google/go-cmp/cmp"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/cluster"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/operators/admission"
	"github.com/goldenarch/goldenarch/internal/operators/expansion"
	"github.com/goldenarch/goldenarch/internal/operators/forecast"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
)

// Difference is a field that the operators and the prediction disagree on.
type Difference struct {
	// Operator is who decides the field: HCO's webhooks, HCO, SSP or CDI.
	Operator string
	// Field names it, and Diff shows it (-operators +prediction).
	Field, Diff string
}

// String shows the difference.
func (d Difference) String() string {
	return fmt.Sprintf("%s: %s (-operators +prediction):\n%s", d.Operator, d.Field, d.Diff)
}

// Compare predicts a case, and returns what differs from the operators' answers. The error
// describes a case that goldenarch cannot read.
func Compare(header Header, c Case) ([]Difference, error) {
	var out []Difference
	var step Step
	for i, next := range c.Input.Steps {
		step = step.With(next)
		release, err := header.releaseOf(step)
		if err != nil {
			return nil, err
		}
		_, all := header.Commits["ssp"]
		differences, err := compareStep(release, step, c.Steps[i], c.Objects, all)
		if err != nil {
			return nil, fmt.Errorf("%s, step %d: %w", c.Name, i+1, err)
		}
		out = append(out, differences...)
	}
	return out, nil
}

// releaseOf is the release of a step. The newest commit is what goldenarch predicts without a
// release.
func (h Header) releaseOf(step Step) (v1alpha1.Release, error) {
	version := h.Release
	if step.Release != "" {
		version = step.Release
	}
	if version == "main" {
		version = ""
	}
	release, err := v1alpha1.ParseRelease(version)
	if err != nil {
		return release, fmt.Errorf("the release of %q: %w", version, err)
	}
	return release, nil
}

// With returns the step that follows: what the next one does not state stays as it is.
func (s Step) With(next Step) Step {
	if next.Nodes != nil {
		s.Nodes = next.Nodes
	}
	if next.HyperConverged != nil {
		s.HyperConverged = next.HyperConverged
	}
	if next.Schedule != "" {
		s.Schedule = next.Schedule
	}
	if next.Images != "" {
		s.Images = next.Images
	}
	if next.Release != "" {
		s.Release = next.Release
	}
	s.Snapshots, s.Objects, s.Delete, s.Terminate = next.Snapshots, next.Objects, next.Delete, next.Terminate
	return s
}

// comparison has the differences of a step.
type comparison []Difference

func (c *comparison) add(operator, field string, want, got any) {
	if diff := cmp.Diff(plain(want), plain(got)); diff != "" {
		*c = append(*c, Difference{Operator: operator, Field: field, Diff: diff})
	}
}

// plain returns a value as JSON has it, so that types do not matter. An empty list or object
// equals null.
func plain(value any) any {
	data, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	var out any
	if err := json.Unmarshal(data, &out); err != nil {
		panic(err)
	}
	return withoutEmpty(out)
}

func withoutEmpty(value any) any {
	switch value := value.(type) {
	case map[string]any:
		if len(value) == 0 {
			return nil
		}
		for key, child := range value {
			value[key] = withoutEmpty(child)
		}
	case []any:
		if len(value) == 0 {
			return nil
		}
		for i, child := range value {
			value[i] = withoutEmpty(child)
		}
	}
	return value
}

// compareStep compares an answer. all says that SSP and CDI answered too.
func compareStep(release v1alpha1.Release, step Step, want Answer, objects []expansion.Object, all bool) ([]Difference, error) {
	var c comparison
	admitted, err := admission.Admit(admission.Input{CR: step.HyperConverged, Table: hyperconverged.Upstream().At(release), Release: release})
	if err != nil {
		return nil, fmt.Errorf("cannot predict the admission: %w", err)
	}
	c.add("webhooks", "schemaRefused", want.SchemaRefused, len(admitted.SchemaErrors) > 0)
	if want.SchemaRefused {
		return c, nil // the webhooks are not called
	}
	want.Admission.ValidatorDenied = listsAsJSON(want.Admission.ValidatorDenied)
	// HCO 1.18 collects the warnings about gates of a v1 CR from a map, so their order is random
	// (hco validator.go: validateDeprecatedFeatureGates).
	got := admitted.Admission
	want.Admission.ValidatorWarnings = slices.Sorted(slices.Values(want.Admission.ValidatorWarnings))
	got.ValidatorWarnings = slices.Sorted(slices.Values(got.ValidatorWarnings))
	c.add("webhooks", "admission", want.Admission, got)
	c.add("webhooks", "stored", want.Stored, admitted.Stored)
	if want.Chain == nil {
		return c, nil
	}
	in, err := predictionOf(release, step, want.Stored)
	if err != nil {
		return nil, err
	}
	f := forecast.Predict(in)
	c.chain(*want.Chain, f)
	if all {
		c.objects(*want.Chain, objects, f)
	}
	return c, nil
}

// goList is a list of strings in Go's syntax. Kubernetes' libraries of HCO 1.16 show a wrong
// value in this way, and newer ones as JSON: the message means the same.
var goList = regexp.MustCompile(`\[\]string\{([^{}]*)\}`)

func listsAsJSON(message string) string {
	return goList.ReplaceAllStringFunc(message, func(list string) string {
		return "[" + strings.ReplaceAll(goList.FindStringSubmatch(list)[1], ", ", ",") + "]"
	})
}

// predictionOf returns what the operators work on in a step.
func predictionOf(release v1alpha1.Release, step Step, stored json.RawMessage) (forecast.Input, error) {
	cr, found := hyperconverged.Parse(stored)
	if cr == nil {
		return forecast.Input{}, fmt.Errorf("cannot read the stored CR: %v", found)
	}
	var nodes []cluster.Node
	for _, n := range step.Nodes {
		nodes = append(nodes, cluster.Node{
			Name: n.Metadata.Name, Count: 1, Architecture: arch.Arch(n.Status.NodeInfo.Architecture), Labels: n.Metadata.Labels,
		})
	}
	// HCO sees all nodes of its cluster.
	all := cluster.Facts{Class: cluster.Observed, Object: finding.Object{Kind: "Node"}, Nodes: nodes, AllNodes: true}
	known, _ := cluster.Decide([]cluster.Facts{all}, cluster.Placement(cr.Workloads), "")
	return forecast.Input{
		CR: cr, Table: hyperconverged.Upstream(), Schedule: step.Schedule, Release: release,
		Cluster: cluster.Architectures{Workload: known.Workload, ControlPlane: known.ControlPlane, Default: known.Default},
	}, nil
}

func (c *comparison) chain(want Chain, f forecast.Forecast) {
	c.add("HCO", "workloadArchitectures", want.WorkloadArchitectures, f.WorkloadArchitectures)
	c.add("HCO", "controlPlaneArchitectures", want.ControlPlaneArchitectures, f.ControlPlaneArchitectures)
	c.add("HCO", "defaultWorkloadArchitecture", want.DefaultWorkloadArchitecture, f.DefaultWorkloadArchitecture)
	c.add("HCO", "error", want.Error, f.Error)
	c.add("HCO", "multiArchEnabled", want.MultiArchEnabled, f.MultiArchEnabled)
	c.add("HCO", "status", want.Status, f.Status)
	c.add("HCO", "sspTemplates", want.SSPTemplates, f.SSPTemplates)
	c.add("HCO", "sspEnableMultipleArchitectures", want.SSPEnableMultipleArchitectures, f.SSPEnableMultipleArchitectures)
	c.add("HCO", "sspCluster", want.SSPCluster, f.SSPCluster)
}

// withoutKind returns an error about an object without a name as the fake client gives it: it knows no kind of a typed object, which
// the API server names.
func withoutKind(text string) string {
	return strings.Replace(text, `DataSource.cdi.kubevirt.io "" is invalid`, ` "" is invalid`, 1)
}

// objects compares what SSP's webhook and reconcile say, the DataImportCrons that SSP makes,
// what CDI's webhook says of them, and the DataSources that exist in the end.
func (c *comparison) objects(want Chain, objects []expansion.Object, f forecast.Forecast) {
	c.add("SSP", "sspRejected", want.SSPRejected, f.SSPRejected)
	if f.SSPRandom != "" {
		return // the answer is one of several
	}
	c.add("SSP", "sspError", withoutKind(want.SSPError), withoutKind(f.SSPError))
	byKind := func(kind string) []expansion.Object {
		return slices.DeleteFunc(slices.Clone(objects), func(o expansion.Object) bool { return o["kind"] != kind })
	}
	c.add("SSP", "dataImportCrons", byKind("DataImportCron"), f.DataImportCrons)
	c.add("CDI", "dataSourcesAfterCDI", byKind("DataSource"), f.DataSourcesAfterCDI)
	verdicts := map[string]string{}
	for _, o := range f.DataImportCrons {
		name := o.Namespace() + "/" + o.Name()
		verdict, ok := f.CDIVerdicts[name]
		if !ok {
			verdict = f.CDIVerdicts[o.Name()]
		}
		verdicts[name] = verdict
	}
	c.add("CDI", "cdiVerdicts", want.CDIVerdicts, verdicts)
}
