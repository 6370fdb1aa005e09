package answers

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/operators/expansion"
	"github.com/goldenarch/goldenarch/internal/operators/forecast"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
)

// TestAnswers holds the predictions against what the operators of each release answered.
func TestAnswers(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("../oracle/testdata/*/cases.jsonl")
	if err != nil || len(files) != len(releases) {
		t.Fatalf("want the answers of %d releases, got %v (%v)", len(releases), files, err)
	}
	for _, file := range files {
		release := filepath.Base(filepath.Dir(file))
		header, cases := read(t, file)
		if header.Release != release {
			t.Errorf("%s: the header names release %q", file, header.Release)
		}
		for _, c := range cases {
			t.Run(release+"/"+c.Name, func(t *testing.T) {
				t.Parallel()
				differences, err := Compare(header, c)
				if err != nil {
					t.Fatal(err)
				}
				for _, d := range differences {
					t.Errorf("%s (%s)", d, strings.Join(c.Tags, " "))
				}
			})
		}
	}
}

// TestPredefined holds the table of predefined templates against HCO's own file at each
// release.
func TestPredefined(t *testing.T) {
	t.Parallel()
	for _, release := range releases {
		data, err := os.ReadFile(filepath.Join("../oracle/testdata", release, "predefined.json"))
		if err != nil {
			t.Fatal(err)
		}
		var file []Predefined
		if err := json.Unmarshal(data, &file); err != nil {
			t.Fatal(err)
		}
		declared, err := Header{Release: release}.releaseOf(Step{})
		if err != nil {
			t.Fatal(err)
		}
		var ours []Predefined
		for _, p := range hyperconverged.Upstream().At(declared).Templates {
			spec := *p.Spec
			spec.RetentionPolicy, spec.ImportsToKeep = nil, nil // HCO adds both when it loads the file
			ours = append(ours, Predefined{Name: p.Name(), Annotations: p.Metadata.Annotations, Spec: spec})
		}
		if diff := cmp.Diff(file, ours); diff != "" {
			t.Errorf("release %s (-HCO +goldenarch):\n%s", release, diff)
		}
	}
}

// releases are those whose answers are stored: each verified release with the gate. The newest
// one is the branch main of HCO.
var releases = func() []string {
	var out []string
	for minor := hyperconverged.HasGate.Since; minor < v1alpha1.NewestVerified().Minor(); minor++ {
		out = append(out, fmt.Sprintf("1.%d", minor))
	}
	return append(out, "main")
}()

func read(t *testing.T, file string) (Header, []Case) {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	header, cases, err := Read(f)
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	return header, cases
}

// TestHeaders: what a file says of itself is so, and the tables of goldenarch are those of
// the operators.
func TestHeaders(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../docs/dev/releases.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, release := range releases {
		header, cases := read(t, "../oracle/testdata/"+release+"/cases.jsonl")
		for operator, commit := range header.Commits {
			if short := commit.Commit[:8]; !strings.Contains(string(page), commit.Ref) && !strings.Contains(string(page), short) {
				t.Errorf("%s: docs/dev/releases.md names neither %s nor %s of %s", release, commit.Ref, short, operator)
			}
		}
		counted := map[string]int{}
		for i, c := range cases {
			if i > 0 && cases[i-1].Name >= c.Name {
				t.Errorf("%s: case %q comes after %q", release, c.Name, cases[i-1].Name)
			}
			for _, tag := range append(slices.Clone(c.Tags), Outcome(c)) {
				counted[tag]++
			}
		}
		if diff := cmp.Diff(header.Coverage, counted); diff != "" {
			t.Errorf("%s: the coverage differs (-header +cases):\n%s", release, diff)
		}
		if header.Bundle == nil {
			continue // HCO alone
		}
		shipped := map[string][]string{}
		for name, architectures := range expansion.Shipped() {
			shipped[name] = architectures.Strings()
		}
		if diff := cmp.Diff(header.Bundle, shipped); diff != "" {
			t.Errorf("%s: the common templates differ (-SSP +goldenarch):\n%s", release, diff)
		}
	}
}

// TestPredefinedTemplates: the table of goldenarch is what HCO of each release gives to SSP
// for a CR without templates.
func TestPredefinedTemplates(t *testing.T) {
	t.Parallel()
	for _, release := range releases {
		_, cases := read(t, "../oracle/testdata/"+release+"/cases.jsonl")
		found := false
		for _, c := range cases {
			chain := c.Steps[0].Chain
			if chain == nil || slices.ContainsFunc(chain.Status, func(s forecast.Status) bool { return s.Modified || !s.CommonTemplate }) {
				continue
			}
			found = found || len(chain.Status) == len(hyperconverged.Upstream().Templates)
		}
		if !found {
			t.Errorf("%s: no case has the predefined templates alone", release)
		}
	}
}
