package generators

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/cluster"
	"github.com/goldenarch/goldenarch/internal/operators/cdi"
	"github.com/goldenarch/goldenarch/internal/operators/expansion"
	"github.com/goldenarch/goldenarch/internal/operators/forecast"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
)

var architectures = []arch.Arch{arch.AMD64, arch.ARM64, arch.S390X}

// TestWhatIsEmittedIsWhatTheOperatorsMake: on random templates and clusters the
// objects are those that HCO, SSP and CDI make on OpenShift, with a bundle that
// is empty.
func TestWhatIsEmittedIsWhatTheOperatorsMake(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		nodes := cluster.Architectures{Workload: drawSet(t, "workload", 1), ControlPlane: drawSet(t, "control plane", 0)}
		templates := drawTemplates(t, false)
		yes := true
		f := forecast.Predict(forecast.Input{
			CR:    &hyperconverged.CR{Version: hyperconverged.V1, Gate: hyperconverged.Gate{Field: &yes}, Templates: inCR(templates)},
			Table: hyperconverged.None(), Cluster: nodes, Bundle: expansion.Bundle{},
		})
		if f.Error != "" || f.SSPRejected != "" || f.SSPError != "" || f.SSPRandom != "" {
			t.Fatalf("the drawn CR is refused: %+v", f)
		}
		for _, c := range f.Crons {
			if c.Outcome == forecast.Removed {
				return // a reference has the name of a cron's DataSource: that is an error, and nothing is emitted
			}
		}
		emitted := objects(input{
			Templates:   given(templates, nodes.Workload),
			SSP:         expansion.SSP{Order: nodes.SSP(), Namespace: expansion.UpstreamNamespace},
			DataSources: v1alpha1.DataSourcesAll,
		})
		if diff := cmp.Diff(f.DataImportCrons, ofKind(emitted, "DataImportCron")); diff != "" {
			t.Fatalf("DataImportCrons (-operators +emitted):\n%s", diff)
		}
		if diff := cmp.Diff(f.DataSourcesAfterCDI, expansion.SortObjects(ofKind(emitted, "DataSource"))); diff != "" {
			t.Fatalf("DataSources (-operators +emitted):\n%s", diff)
		}
	})
}

// TestOrderOfTemplatesIsNothing: where no two templates share a DataSource, their
// order changes nothing; and the same input gives the same objects.
func TestOrderOfTemplatesIsNothing(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		templates := drawTemplates(t, true)
		in := input{
			Templates:   templates,
			SSP:         expansion.SSP{Order: drawSet(t, "cluster", 1), Namespace: expansion.UpstreamNamespace},
			DataSources: v1alpha1.DataSourcesAll,
			Support:     true,
		}
		first := objects(in)
		in.Templates = rapid.Permutation(templates).Draw(t, "order")
		if diff := cmp.Diff(first, objects(in)); diff != "" {
			t.Fatalf("another order gives other objects:\n%s", diff)
		}
	})
}

// TestNoReferenceDangles: whatever shares a DataSource, and in whatever
// namespaces, a reference points at a DataSource beside it that is filled; and a
// DataSource with an architecture names the cron that fills it.
func TestNoReferenceDangles(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		templates := drawTemplates(t, false)
		for i := range templates {
			templates[i].Metadata.Namespace = rapid.SampledFrom([]string{"", expansion.UpstreamNamespace, "team"}).Draw(t, "namespace")
		}
		made := objects(input{
			Templates: templates, SSP: expansion.SSP{Order: drawSet(t, "cluster", 1), Namespace: expansion.UpstreamNamespace},
			DataSources: v1alpha1.DataSourcesAll,
		})
		filledBy := map[string]string{} // DataSource to cron, by namespace/name
		for _, o := range ofKind(made, "DataImportCron") {
			spec, _ := o["spec"].(map[string]any)
			filledBy[fmt.Sprint(o.Namespace(), "/", spec["managedDataSource"])] = o.Name()
		}
		seen := 0
		for _, o := range ofKind(made, "DataSource") {
			spec, _ := o["spec"].(map[string]any)
			source, _ := spec["source"].(map[string]any)
			if target, ok := source["dataSource"].(map[string]any); ok {
				if _, filled := filledBy[fmt.Sprint(target["namespace"], "/", target["name"])]; !filled || target["namespace"] != o.Namespace() {
					t.Fatalf("reference %s/%s points at %v, which no cron there fills", o.Namespace(), o.Name(), target)
				}
				continue
			}
			seen++
			metadata, _ := o["metadata"].(map[string]any)
			labels, _ := metadata["labels"].(map[string]any)
			if cron := filledBy[o.Namespace()+"/"+o.Name()]; cron == "" || labels[cdi.CronLabel] != cron {
				t.Fatalf("DataSource %s/%s names cron %v, but %q fills it", o.Namespace(), o.Name(), labels[cdi.CronLabel], cron)
			}
		}
		if seen != len(filledBy) {
			t.Fatalf("%d crons, %d DataSources for them to fill", len(filledBy), seen)
		}
	})
}

func drawSet(t *rapid.T, label string, atLeast int) arch.Set {
	return arch.NewSet(rapid.SliceOfN(rapid.SampledFrom(architectures), atLeast, 4).Draw(t, label)...)
}

// drawTemplates draws templates with names of their own. Some share a
// DataSource, unless that is not wanted.
func drawTemplates(t *rapid.T, apart bool) []expansion.Template {
	words := []string{"a", "b", "c", "a-amd64", "disk"}
	var out []expansion.Template
	for _, name := range rapid.SliceOfNDistinct(rapid.SampledFrom(words), 1, 4, rapid.ID[string]).Draw(t, "names") {
		dataSource := rapid.SampledFrom(words).Draw(t, "DataSource")
		if apart {
			dataSource = name
		}
		one := template(name, dataSource, drawSet(t, "claim", 1).String())
		if rapid.Bool().Draw(t, "labelled") {
			one.Metadata.Labels = map[string]string{"instancetype.kubevirt.io/default-preference": "fedora", "acme.io/x": "y"}
		}
		if rapid.Bool().Draw(t, "bound") {
			one.Metadata.Annotations[hyperconverged.BindAnnotation] = "false"
		}
		out = append(out, one)
	}
	slices.SortFunc(out, func(a, b expansion.Template) int { return strings.Compare(a.Metadata.Name, b.Metadata.Name) })
	return out
}

func inCR(templates []expansion.Template) []hyperconverged.Template {
	var out []hyperconverged.Template
	for i, one := range templates {
		spec := one.Spec.DeepCopy()
		out = append(out, hyperconverged.Template{Index: i, Metadata: &one.Metadata, Spec: spec})
	}
	return out
}

// given returns the templates as a plan gives them: with what is left of the
// claim for the workload nodes, and without those of which nothing is left.
func given(templates []expansion.Template, workload arch.Set) []expansion.Template {
	var out []expansion.Template
	for _, one := range templates {
		left := arch.NewSet(arch.Claim(one.Declared()).HCO(workload)...)
		if len(left) == 0 {
			continue
		}
		annotations := map[string]string{}
		maps.Copy(annotations, one.Metadata.Annotations)
		annotations[hyperconverged.ClaimAnnotation] = left.String()
		one.Metadata.Annotations = annotations
		out = append(out, one)
	}
	return out
}

// ofKind returns the objects of a kind, without the one label that CDI adds to
// its own DataSources for itself.
func ofKind(objects []expansion.Object, kind string) []expansion.Object {
	out := []expansion.Object{}
	for _, o := range objects {
		if o["kind"] != kind {
			continue
		}
		metadata, _ := o["metadata"].(map[string]any)
		if labels, ok := metadata["labels"].(map[string]any); ok {
			delete(labels, cdi.CleanupLabel)
		}
		out = append(out, o)
	}
	return out
}
