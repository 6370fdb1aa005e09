package forecast

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/operators/expansion"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
)

// The parts that random inputs are put together from. There are few, so that
// they meet.
var (
	someNames = []string{
		"",
		"a",
		"b",
		"b-amd64",
		"B",
		"fedora-image-cron",
		"centos-stream9-image-cron",
		"x-23456789-123456789-123456789-123456789-123456789-123456789",
	}
	someSources = []string{"", "x", "x-amd64", "X", "fedora", "fedora-arm64", "win10", "rhel8"}
	someClaims  = []string{"", " ", "amd64", "amd64,arm64", "amd64, arm64", "s390x", "arm64,amd64,arm64,", "ppc64le,AMD64", "amd64,arm64,s390x"}
	someArchs   = []arch.Set{
		nil,
		arch.NewSet(arch.AMD64),
		arch.NewSet(arch.ARM64),
		arch.NewSet(arch.AMD64, arch.ARM64),
		arch.NewSet(arch.S390X, arch.AMD64),
		arch.NewSet(arch.PPC64LE),
	}
	someSpecs = []any{
		nil,
		map[string]any{},
		map[string]any{"registry": map[string]any{"url": "docker://quay.io/acme/app:1"}},
		map[string]any{"registry": map[string]any{"imageStream": "s"}},
		map[string]any{"pvc": map[string]any{"name": "p", "namespace": "q"}},
	}
)

func drawTemplate(t *rapid.T) any {
	metadata := map[string]any{"name": rapid.SampledFrom(someNames).Draw(t, "name")}
	annotations := map[string]any{}
	if rapid.Bool().Draw(t, "claimed") {
		annotations[hyperconverged.ClaimAnnotation] = rapid.SampledFrom(someClaims).Draw(t, "claim")
	}
	if rapid.IntRange(0, 9).Draw(t, "disabled") == 0 {
		annotations[hyperconverged.EnableAnnotation] = rapid.SampledFrom([]string{"false", "TRUE", "yes"}).Draw(t, "enable")
	}
	metadata["annotations"] = annotations
	if rapid.IntRange(0, 5).Draw(t, "placed") == 0 {
		metadata["namespace"] = rapid.SampledFrom([]string{"mine", "kubevirt-os-images"}).Draw(t, "namespace")
	}
	out := map[string]any{"metadata": metadata}
	if rapid.IntRange(0, 9).Draw(t, "bare") > 0 {
		spec := map[string]any{}
		if rapid.Bool().Draw(t, "sized") {
			spec["storage"] = map[string]any{"resources": map[string]any{"requests": map[string]any{"storage": "5Gi"}}}
		}
		if source := rapid.SampledFrom(someSpecs).Draw(t, "source"); source != nil {
			spec["source"] = source
		}
		out["spec"] = map[string]any{
			"managedDataSource": rapid.SampledFrom(someSources).Draw(t, "DataSource"),
			"schedule":          rapid.SampledFrom([]string{"", "0 0 * * *", "no"}).Draw(t, "schedule"), "template": map[string]any{"spec": spec},
		}
	}
	return out
}

func drawInput(t *rapid.T) Input {
	templates := make([]any, rapid.IntRange(0, 4).Draw(t, "templates"))
	for i := range templates {
		templates[i] = drawTemplate(t)
	}
	sources := map[string]any{"dataImportCronTemplates": templates, "enableCommonBootImageImport": rapid.Bool().Draw(t, "common")}
	version := rapid.SampledFrom([]string{"v1", "v1beta1"}).Draw(t, "version")
	spec := map[string]any{"workloadSources": sources}
	on := rapid.IntRange(0, 3).Draw(t, "gate") > 0
	if version == "v1" {
		sources[hyperconverged.GateName] = on
	} else {
		spec = sources
		spec["featureGates"] = map[string]any{hyperconverged.GateName: on}
	}
	cr := parseCR(t,
		map[string]any{
			"apiVersion": "hco.kubevirt.io/" + version,
			"kind":       "HyperConverged",
			"metadata":   map[string]any{"name": "kubevirt-hyperconverged"},
			"spec":       spec,
		})
	in := Input{
		CR: cr, Table: rapid.SampledFrom([]hyperconverged.Table{hyperconverged.Upstream(), hyperconverged.OpenShift(), hyperconverged.None()}).Draw(t, "table"),
		Cluster:  nodes(rapid.SampledFrom(someArchs).Draw(t, "control plane"), rapid.SampledFrom(someArchs).Draw(t, "workload")),
		Platform: rapid.SampledFrom([]v1alpha1.Platform{"", "", "", v1alpha1.Kubernetes}).Draw(t, "platform"),
	}
	var err error
	if in.Release, err = v1alpha1.ParseRelease(rapid.SampledFrom([]string{"", "", "1.18", "1.17", "1.15", "1.6"}).Draw(t, "release")); err != nil {
		t.Fatalf("a release of the list: %v", err)
	}
	for range rapid.IntRange(0, 3).Draw(t, "existing") {
		e := Existing{
			Kind: rapid.SampledFrom([]string{KindPVC, KindDataSource}).Draw(t, "kind"), Namespace: "kubevirt-os-images",
			Name:  rapid.SampledFrom([]string{"fedora", "fedora-amd64", "fedora-arm64", "x-amd64", "x"}).Draw(t, "existing name"),
			Ready: rapid.SampledFrom([]string{"", "True", "False"}).Draw(t, "ready"), Owned: rapid.Bool().Draw(t, "owned"),
		}
		if rapid.Bool().Draw(t, "labelled") {
			e.Labels = map[string]string{"cdi.kubevirt.io/dataImportCron": "b-amd64"}
		}
		in.Existing = append(in.Existing, e)
	}
	return in
}

// TestPredictIsConsistent: whatever the CR, the forecast never panics, says
// the same twice, and its parts agree: crons that are created or refused are
// those that SSP wants, no others; what fills a DataSource is created.
func TestPredictIsConsistent(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		in := drawInput(t)
		f := Predict(in)
		if diff := cmp.Diff(encoded(t, f), encoded(t, Predict(in))); diff != "" {
			t.Fatalf("the second forecast differs:\n%s", diff)
		}
		var wanted, created, reported []string
		for _, o := range f.DataImportCrons {
			wanted = append(wanted, o.Namespace()+"/"+o.Name())
		}
		for _, c := range f.Crons {
			if c.Outcome == Created || c.Outcome == Refused || c.Outcome == ImportFails {
				reported = append(reported, c.Namespace+"/"+c.Name)
			}
			if c.Outcome == Created || c.Outcome == ImportFails {
				created = append(created, c.Namespace+"/"+c.Name)
			}
		}
		if diff := cmp.Diff(wanted, reported); diff != "" {
			t.Fatalf("dataImportCrons and crons differ (-dataImportCrons +crons):\n%s", diff)
		}
		admitted := 0
		for _, verdict := range f.CDIVerdicts {
			if verdict == "" {
				admitted++
			}
		}
		if admitted != len(created) {
			t.Fatalf("CDI admits %d crons, %d are created", admitted, len(created))
		}
		for _, d := range f.DataSources {
			if d.FilledBy != "" && !slices.Contains(created, d.Namespace+"/"+d.FilledBy) {
				t.Fatalf("%+v is filled by a cron that is not created", d)
			}
		}
		if refused := len(created) < len(wanted); refused && f.Blocked == nil {
			t.Fatalf("a cron is refused and SSP is not blocked")
		}
		checkReferences(t, f)
	})
}

// checkReferences holds that the references told are DataSources that SSP makes,
// and that the DataSources told are those of the two lists.
func checkReferences(t *rapid.T, f Forecast) {
	var made, after, reported []string
	for _, o := range slices.Concat(f.DataSourcesBySSP, f.DataSourcesOfDICTsNotGiven) {
		made = append(made, id(o))
	}
	for _, r := range f.References {
		if !slices.Contains(made, r.Namespace+"/"+r.Name) {
			t.Fatalf("reference %+v is not made", r)
		}
	}
	for _, d := range f.DataSources {
		reported = append(reported, d.Namespace+"/"+d.Name)
	}
	for _, o := range f.DataSourcesAfterCDI {
		after = append(after, id(o))
	}
	for _, one := range slices.Concat(made, after) {
		if !slices.Contains(reported, one) {
			t.Fatalf("nobody is told to own DataSource %s", one)
		}
	}
}

func id(o expansion.Object) string { return o.Namespace() + "/" + o.Name() }

func encoded(t *rapid.T, f Forecast) string {
	data, err := json.Marshal(f)
	if err != nil {
		t.Fatalf("encode: %v", err)
	}
	return string(data)
}
