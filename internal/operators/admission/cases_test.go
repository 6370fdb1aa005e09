package admission

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
	"github.com/goldenarch/goldenarch/test/filetest"
)

// chainCase is the CR of a case of the forecast.
type chainCase struct {
	Name  string `json:"name"`
	Input struct {
		HyperConverged json.RawMessage `json:"hyperConverged"`
	} `json:"input"`
}

func readChain(t *testing.T, name string) map[string]json.RawMessage {
	t.Helper()
	out := map[string]json.RawMessage{}
	for _, c := range filetest.JSONLines[chainCase](t, "../forecast/testdata/"+name+".jsonl.gz") {
		out[c.Name] = c.Input.HyperConverged
	}
	return out
}

// TestCases holds the admission against what HCO's own webhooks said of each
// CR, and against the object that was stored.
func TestCases(t *testing.T) {
	t.Parallel()
	written, stored := readChain(t, "chain"), readChain(t, "chain-stored")
	type answer struct {
		Name string `json:"name"`
		Admission
	}
	answers := filetest.JSONLines[answer](t, "testdata/admission.jsonl.gz")
	if len(answers) != len(written) {
		t.Fatalf("%d answers for %d cases", len(answers), len(written))
	}
	for _, tc := range answers {
		t.Run(tc.Name, func(t *testing.T) {
			t.Parallel()
			got, err := Admit(Input{CR: written[tc.Name], Table: hyperconverged.Upstream()})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tc.Admission, got.Admission); diff != "" {
				t.Errorf("what the webhooks say differs (-HCO +foretold):\n%s", diff)
			}
			if diff := cmp.Diff([]string(nil), got.SchemaErrors); diff != "" {
				t.Errorf("the CRD admits it:\n%s", diff)
			}
			want, admitted := stored[tc.Name]
			if admitted != (got.Stored != nil) {
				t.Fatalf("stored: %v, want %v", got.Stored != nil, admitted)
			}
			if !admitted {
				return
			}
			if diff := cmp.Diff(decoded(t, want), decoded(t, got.Stored)); diff != "" {
				t.Errorf("the stored object differs (-HCO +foretold):\n%s", diff)
			}
			again(t, Input{CR: got.Stored, Table: hyperconverged.Upstream()})
		})
	}
}

// again asserts that a stored object is stored as it is.
func again(t *testing.T, in Input) {
	t.Helper()
	got, err := Admit(in)
	if err != nil {
		t.Fatalf("the stored object: %v", err)
	}
	if got.Admission.Changed || !got.Admission.Admitted() || !reflect.DeepEqual(decoded(t, in.CR), decoded(t, got.Stored)) {
		t.Errorf("the stored object is not stored as it is: %+v %v\n%s", got.Admission, got.SchemaErrors, cmp.Diff(decoded(t, in.CR), decoded(t, got.Stored)))
	}
}

func decoded(t *testing.T, data json.RawMessage) any {
	t.Helper()
	if data == nil {
		return nil
	}
	var value any
	if err := json.Unmarshal(data, &value); err != nil {
		t.Fatalf("decode %s: %v", data, err)
	}
	return value
}
