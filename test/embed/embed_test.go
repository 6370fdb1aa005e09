package embed

import (
	"bytes"
	"context"
	"errors"
	"os"
	"strings"
	"testing"

	kpt "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	"sigs.k8s.io/kustomize/kyaml/fn/framework"
	"sigs.k8s.io/kustomize/kyaml/kio"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/fn"
	"github.com/goldenarch/goldenarch/fn/kptfn"
)

const want = "ssp.kubevirt.io/dict.architectures: amd64,arm64"

// TestKyaml runs goldenarch as one step of a processor of the program's own.
func TestKyaml(t *testing.T) {
	t.Parallel()
	in, err := os.ReadFile("testdata/list.yaml")
	if err != nil {
		t.Fatal(err)
	}
	own := framework.ResourceListProcessorFunc(func(rl *framework.ResourceList) error {
		if err := (fn.Function{Options: fn.Options{Settings: v1alpha1.GoldenImagesSpec{Release: "1.19"}}}).Process(rl); err != nil {
			return err
		}
		for _, item := range rl.Items {
			if err := item.PipeE(yaml.SetLabel("program", "own")); err != nil {
				return err
			}
		}
		return nil
	})
	var out bytes.Buffer
	if err := framework.Execute(own, &kio.ByteReadWriter{Reader: bytes.NewReader(in), Writer: &out, KeepReaderAnnotations: true}); err != nil {
		t.Fatalf("%v\n%s", err, out.String())
	}
	if !strings.Contains(out.String(), want) || strings.Count(out.String(), "program: 'own'") != 2 {
		t.Errorf("want %q and a label on both items, got:\n%s", want, out.String())
	}
}

// TestKpt runs goldenarch as one step of a function of kpt's SDK.
func TestKpt(t *testing.T) {
	t.Parallel()
	in, err := os.ReadFile("testdata/list.yaml")
	if err != nil {
		t.Fatal(err)
	}
	out, err := kpt.Run(kptfn.Processor(fn.Function{Options: fn.Options{Settings: v1alpha1.GoldenImagesSpec{Release: "1.19"}}}), in)
	if err != nil || !strings.Contains(string(out), want) {
		t.Errorf("want %q, got %v:\n%s", want, err, out)
	}
	_, err = kpt.Run(kptfn.Processor(fn.Function{Options: fn.Options{Settings: v1alpha1.GoldenImagesSpec{Release: "soon"}}}), in)
	if !errors.Is(err, fn.ErrFindings) {
		t.Errorf("want the error of an invalid option, got %v", err)
	}
}

// TestConfiguration: the kinds that a user writes have public types.
func TestConfiguration(t *testing.T) {
	t.Parallel()
	config, err := v1alpha1.DecodeGoldenImages(map[string]any{
		"apiVersion": v1alpha1.APIVersion, "kind": v1alpha1.GoldenImagesKind,
		"spec": map[string]any{"release": "1.19"},
	})
	if err != nil || config.Spec.ParsedRelease().String() != "1.19" {
		t.Errorf("want release 1.19, got %+v, %v", config, err)
	}
}

// answers resolves the images that the program knows.
type answers map[string][]fn.Platform

// Resolve implements fn.Resolver.
func (a answers) Resolve(_ context.Context, ref fn.Reference) (fn.Image, error) {
	list, ok := a[ref.Repository]
	if !ok {
		return fn.Image{}, errors.New("the program does not know it")
	}
	return fn.Image{Platforms: list}, nil
}

// TestCheckAndForecast: a program judges and predicts items, and answers for the images itself.
func TestCheckAndForecast(t *testing.T) {
	t.Parallel()
	in, err := os.ReadFile("testdata/list.yaml")
	if err != nil {
		t.Fatal(err)
	}
	rl, err := (&kio.ByteReader{Reader: bytes.NewReader(in)}).Read()
	if err != nil {
		t.Fatal(err)
	}
	options := fn.Options{Settings: v1alpha1.GoldenImagesSpec{Release: "1.19"}, Resolver: answers{}}
	options.Settings.Cluster.WorkloadArchitectures = []string{"amd64"}
	report, err := fn.Check(t.Context(), rl, options)
	if err != nil || report.Verdict != fn.NotRight || len(report.Results) == 0 {
		t.Errorf("want a CR that is not right, got %+v, %v", report, err)
	}
	list, results, err := fn.Forecast(rl, options)
	if err != nil || len(list) != 1 || len(list[0].Templates) == 0 {
		t.Errorf("want one prediction, got %+v, %v, %v", list, results, err)
	}
}
