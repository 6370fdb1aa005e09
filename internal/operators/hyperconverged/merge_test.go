package hyperconverged

import (
	"encoding/json"
	"errors"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/goldenarch/goldenarch/internal/arch"
)

// answer is what HCO's own code made of a CR (testdata/README.md).
type answer struct {
	Name     string          `json:"name"`
	Workload arch.Set        `json:"workload"`
	CR       json.RawMessage `json:"cr"`
	Want     struct {
		Panic     bool     `json:"panic"`
		Error     string   `json:"error"`
		Gate      bool     `json:"gate"`
		Templates []status `json:"templates"`
		Given     []string `json:"given"`
	} `json:"want"`
}

type status struct {
	Name     string  `json:"name"`
	Claim    *string `json:"claim"`
	Original string  `json:"original"`
	Common   bool    `json:"common"`
	Modified bool    `json:"modified"`
	Withheld bool    `json:"withheld"`
}

func readAnswers(t *testing.T, file string) []answer {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var cases []answer
	if err := json.Unmarshal(data, &cases); err != nil {
		t.Fatal(err)
	}
	return cases
}

// TestMergeIsWhatHCOMakes holds Merge against HCO's own answers: what each
// template is classified as, and the claim that is left of it.
func TestMergeIsWhatHCOMakes(t *testing.T) {
	t.Parallel()
	file := "testdata/hco-answers.json"
	if f := os.Getenv("HC_CHAIN"); f != "" {
		file = f
	}
	for _, tc := range readAnswers(t, file) {
		t.Run(tc.Name, func(t *testing.T) {
			t.Parallel()
			cr, found := Parse(tc.CR)
			if cr == nil {
				t.Fatalf("Parse: %v", found)
			}
			merged, err := Merge(cr, Upstream(), tc.Workload)
			if tc.Want.Panic != errors.Is(err, ErrPanic) {
				t.Fatalf("Merge: HCO panics: %v, got error %v", tc.Want.Panic, err)
			}
			if tc.Want.Panic {
				return
			}
			if got := errorText(err); got != tc.Want.Error {
				t.Fatalf("Merge: want error %q, got %q", tc.Want.Error, got)
			}
			if err != nil {
				return
			}
			if cr.Gate.On() != tc.Want.Gate {
				t.Errorf("gate: want %v, got %v", tc.Want.Gate, cr.Gate.On())
			}
			got := make([]status, 0, len(merged))
			for _, m := range merged {
				s := status{Name: m.Name(), Original: m.Original, Common: m.Common, Modified: m.Modified, Withheld: m.Withheld}
				if claim, ok := m.Annotation(ClaimAnnotation); ok {
					s.Claim = &claim
				}
				got = append(got, s)
			}
			if diff := cmp.Diff(tc.Want.Templates, got); diff != "" {
				t.Errorf("templates (-HCO +goldenarch):\n%s", diff)
			}
		})
	}
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
