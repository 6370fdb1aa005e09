package answers

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestSequences: after each step of each sequence, the predicted objects are those that the
// operators' own code leaves: the same ones are created, kept, changed and deleted, with the
// same labels, owners and sources.
func TestSequences(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("../oracle/testdata/*/sequences.jsonl")
	if err != nil || len(files) != len(releases)+1 {
		t.Fatalf("want the sequences of %d releases and those of upgrades, got %v (%v)", len(releases), files, err)
	}
	for _, file := range files {
		release := filepath.Base(filepath.Dir(file))
		header, cases := read(t, file)
		for _, c := range cases {
			t.Run(release+"/"+c.Name, func(t *testing.T) {
				t.Parallel()
				diff, err := CompareSequence(header, c)
				if err != nil {
					t.Fatal(err)
				}
				if diff != "" {
					t.Error(diff)
				}
			})
		}
	}
}

// TestHeadersOfSequences: the header counts what the steps did, and names the commits of the
// cases.
func TestHeadersOfSequences(t *testing.T) {
	t.Parallel()
	for _, release := range releases {
		directory := "../oracle/testdata/" + release
		ofCases, _ := read(t, directory+"/cases.jsonl")
		header, cases := read(t, directory+"/sequences.jsonl")
		if diff := cmp.Diff(ofCases.Commits, header.Commits); diff != "" {
			t.Errorf("%s: other commits than in cases.jsonl:\n%s", release, diff)
		}
		counted := map[string]int{}
		for _, c := range cases {
			for _, a := range c.Steps {
				for _, e := range a.Listing {
					counted[e.Kind+":"+e.State]++
				}
			}
		}
		if diff := cmp.Diff(header.Coverage, counted); diff != "" {
			t.Errorf("%s: the coverage differs (-header +sequences):\n%s", release, diff)
		}
	}
}
