package finding

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestEveryConstantIsAnID: each id that the package declares has a title, by which it counts as
// an id, and a number of its own. The table is in order.
func TestEveryConstantIsAnID(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile("id.go")
	if err != nil {
		t.Fatal(err)
	}
	declared := regexp.MustCompile(`(?m)^(?:const|\t)\s*(\w+) +ID = "(\w+)"`).FindAllStringSubmatch(string(data), -1)
	if len(declared) != len(byID()) || !slices.IsSorted(IDs()) {
		t.Errorf("id.go declares %d ids, and %d are in its table, sorted", len(declared), len(byID()))
	}
	for _, d := range declared {
		if ID(d[2]).Title() == "" {
			t.Errorf("%s (%s) has no title", d[1], d[2])
		}
	}
}

// TestEveryIDIsDocumented keeps docs/findings.md complete: an anchor and the
// title for each id.
func TestEveryIDIsDocumented(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile("../../docs/findings.md")
	if err != nil {
		t.Fatal(err)
	}
	page := string(data)
	for _, id := range IDs() {
		if !strings.Contains(page, "\n### "+id+"\n") {
			t.Errorf("docs/findings.md has no anchor for %s", id)
		}
		if title := ID(id).Title(); !strings.Contains(strings.ToLower(page), "**"+strings.ToLower(title)+"**") {
			t.Errorf("docs/findings.md does not say %q of %s", title, id)
		}
	}
	if got, want := strings.Count(page, "\n### GA"), len(IDs()); got != want {
		t.Errorf("docs/findings.md has %d ids, the package %d", got, want)
	}
}

func TestStringAndResult(t *testing.T) {
	t.Parallel()
	f := Finding{
		ID: ClaimNarrowed, Severity: Warning, Field: "spec.dataImportCronTemplates[2]", Line: 31,
		Object: Object{APIVersion: "hco.kubevirt.io/v1beta1", Kind: "HyperConverged", Name: "kubevirt-hyperconverged", File: "hco.yaml", Index: 1},
		Text:   "quay.io/x/y:1 has no s390x. goldenarch narrowed the declared architectures to amd64,arm64", Current: "amd64,arm64,s390x", Proposed: "amd64,arm64",
	}
	const line = "warning GA104 HyperConverged/kubevirt-hyperconverged spec.dataImportCronTemplates[2] (hco.yaml:31): " +
		"quay.io/x/y:1 has no s390x. goldenarch narrowed the declared architectures to amd64,arm64"
	if got := f.String(); got != line {
		t.Errorf("the line of the contract:\nwant %s\ngot  %s", line, got)
	}
	r := f.result()
	if r.Severity != "warning" || r.ResourceRef.Kind != "HyperConverged" || r.Field.ProposedValue != "amd64,arm64" ||
		r.File.Index != 1 || r.Tags[idTag] != "GA104" {
		t.Errorf("the result lacks something of the finding: %+v", r)
	}
	if got := (Finding{ID: NoCR, Severity: Warning, Text: "two\nlines"}).String(); got != "warning GA003: two lines" {
		t.Errorf("a finding is one line, whatever its text: %q", got)
	}
	if r := (Finding{ID: NoCR, Severity: Info, Text: "x"}).result(); r.ResourceRef != nil || r.Field != nil || r.File != nil || r.Severity != "info" {
		t.Errorf("a result has only what is known: %+v", r)
	}
}

func TestSortedAndFailed(t *testing.T) {
	t.Parallel()
	list := List{{ID: "A", Severity: Info}, {ID: "B", Severity: Error}, {ID: "C", Severity: Warning}, {ID: "D", Severity: Error}, {ID: "B", Severity: Error}}
	var order strings.Builder
	for _, f := range list.Sorted() {
		order.WriteString(string(f.ID))
	}
	if got := order.String(); got != "BDCA" {
		t.Errorf("the worst first, then as made, each once: want BDCA, got %s", got)
	}
	if !list.Failed() || (List{{Severity: Warning}}).Failed() || list.Count(Error) != 3 {
		t.Error("only an error fails a run")
	}
	if got := (List{}).String(); got != "" {
		t.Errorf("with nothing to say nothing is printed, got %q", got)
	}
}
