package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/goldenarch/goldenarch/test/answers"
)

// TestStoredMachines: the generator gives the stored cases again, so that a new run with the
// checkouts changes answers alone; and the stored releases are among those that a run asks.
func TestStoredMachines(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/machines/*.jsonl")
	if err != nil || len(files) == 0 {
		t.Fatalf("no stored answers: %v", err)
	}
	stored := map[string]int{}
	for _, r := range kubevirtReleases {
		stored[r.tag] = r.stored
	}
	for _, file := range files {
		f, err := os.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		header, cases, err := answers.ReadMachines(f)
		f.Close()
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		if stored[header.Release] != len(cases) {
			t.Errorf("%s: a run stores %d cases, and the file has %d", file, stored[header.Release], len(cases))
		}
		delete(stored, header.Release)
		for i, c := range cases {
			if made := generateMachine(header.Seed, i); !reflect.DeepEqual(decoded(t, c.Request), decoded(t, made)) {
				t.Fatalf("%s: case %s is not what the generator makes:\n%s", file, c.Name, made.Machine)
			}
		}
	}
	for tag, cases := range stored {
		if cases > 0 {
			t.Errorf("the answers of %s are not stored", tag)
		}
	}
}

// decoded returns a request as JSON has it, whatever the order of its keys.
func decoded(t *testing.T, request answers.MachineRequest) any {
	t.Helper()
	data, err := json.Marshal(request)
	if err != nil {
		t.Fatal(err)
	}
	var out any
	if err := json.Unmarshal(data, &out); err != nil {
		t.Fatal(err)
	}
	return out
}
