package kptfn_test

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	kpt "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/kustomize/kyaml/fn/framework"
	"sigs.k8s.io/kustomize/kyaml/kio"

	"github.com/goldenarch/goldenarch/fn"
	"github.com/goldenarch/goldenarch/fn/kptfn"
)

const listHead = "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\n"

// resourceList returns a list whose only image has the architectures.
func resourceList(architectures string) string {
	data, err := os.ReadFile("testdata/list.yaml")
	if err != nil {
		panic(err)
	}
	return fmt.Sprintf(string(data), architectures)
}

// TestProcessor holds what kpt's SDK gives against what kyaml's framework does: the
// same items, but for their order, the same results and the same error.
func TestProcessor(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		reason string
		in     string
		failed error
	}{
		"ItWrites":  {"the CR changes, and what is beside it stays", resourceList("[amd64, arm64]"), nil},
		"ItFails":   {"an error leaves the items as they came", resourceList("[vax]"), fn.ErrFindings},
		"NoConfig":  {"the functionConfig may be missing, and the defaults fail without nodes", withoutConfig(resourceList("[amd64]")), fn.ErrFindings},
		"NoItems":   {"a generator gets no items", listHead + "items: []\n", nil},
		"NoCluster": {"an item with comments passes through", listHead + "items:\n- apiVersion: v1 # why\n  kind: ConfigMap\n  metadata: {name: a}\n", nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			out, err := kpt.Run(kptfn.Processor(fn.Function{Options: fn.Options{Offline: tc.failed != nil}}), []byte(tc.in))
			if !errors.Is(err, tc.failed) {
				t.Fatalf("%s: want the error %v, got %v\n%s", tc.reason, tc.failed, err, out)
			}
			var kyamls strings.Builder
			source := &kio.ByteReadWriter{Reader: strings.NewReader(tc.in), Writer: &kyamls, KeepReaderAnnotations: true}
			if err := framework.Execute(fn.Function{Options: fn.Options{Offline: tc.failed != nil}}, source); !errors.Is(err, tc.failed) {
				t.Fatalf("%s: want the error %v of kyaml's framework, got %v", tc.reason, tc.failed, err)
			}
			if diff := cmp.Diff(sorted(t, kyamls.String()), sorted(t, string(out))); diff != "" {
				t.Errorf("%s (-kyaml +kpt):\n%s", tc.reason, diff)
			}
		})
	}
}

// TestObjectsStay: an object that nobody changed is the same object, so that what a
// program holds of it stays valid, and the results of functions before stay.
func TestObjectsStay(t *testing.T) {
	t.Parallel()
	rl, err := kpt.ParseResourceList([]byte(resourceList("[amd64, arm64]") + "results:\n- message: of a function before\n"))
	if err != nil {
		t.Fatal(err)
	}
	other := rl.Items.Where(func(o *kpt.KubeObject) bool { return o.GetKind() == "ConfigMap" })[0]
	ok, err := kptfn.Processor(fn.Function{}).Process(rl)
	if !ok || err != nil {
		t.Fatalf("want success, got %v, %v: %v", ok, err, rl.Results)
	}
	if len(rl.Items) != 2 || rl.Items[1] != other {
		t.Errorf("want the ConfigMap to stay the same object, got %v", rl.Items)
	}
	if len(rl.Results) < 2 || rl.Results[0].Message != "of a function before" {
		t.Errorf("want the results after those that were there, got %v", rl.Results)
	}
}

func withoutConfig(list string) string {
	_, items, _ := strings.Cut(list, "items:\n")
	return listHead + "items:\n" + items
}

// sorted returns a list in the order and the form of kpt's SDK.
func sorted(t *testing.T, text string) string {
	t.Helper()
	rl, err := kpt.ParseResourceList([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	out, err := rl.ToYAML()
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}
