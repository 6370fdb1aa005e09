package main

import (
	"bytes"
	"encoding/json"
	"os"
	"runtime/debug"
	"slices"
	"testing"
)

func TestBill(t *testing.T) {
	t.Parallel()
	info := &debug.BuildInfo{
		GoVersion: "go1.26.1", Main: debug.Module{Path: "example.com/Main", Version: "(devel)"},
		Deps: []*debug.Module{
			{Path: "example.com/A", Version: "v1.0.0+incompatible", Sum: "h1:a"},
			{Path: "example.com/b", Version: "v1.0.0", Replace: &debug.Module{Path: "example.com/c", Version: "v2.0.0"}},
		},
	}
	bom := bill(info, "v9")
	if got := bom.Metadata.Component.PackageURL; got != "pkg:golang/example.com/main@v9" {
		t.Errorf("the binary has the version it is told: %s", got)
	}
	var urls []string
	for _, component := range *bom.Components {
		urls = append(urls, component.PackageURL)
	}
	want := []string{"pkg:golang/std@1.26.1", "pkg:golang/example.com/a@v1.0.0%2Bincompatible", "pkg:golang/example.com/c@v2.0.0"}
	if !slices.Equal(urls, want) {
		t.Errorf("the standard library, then what was linked, replacements as what they are:\nwant %v\ngot  %v", want, urls)
	}
	if refs := *(*bom.Dependencies)[0].Dependencies; !slices.Equal(refs, want) {
		t.Errorf("the binary depends on each of them: %v", refs)
	}
}

// TestRun: this test is a Go binary as well, and twice the same gives the same.
func TestRun(t *testing.T) {
	t.Parallel()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	var once, again bytes.Buffer
	for _, out := range []*bytes.Buffer{&once, &again} {
		if err := run([]string{self, "v1"}, out); err != nil {
			t.Fatal(err)
		}
	}
	var decoded struct {
		BOMFormat string `json:"bomFormat"`
	}
	if err := json.Unmarshal(once.Bytes(), &decoded); err != nil || decoded.BOMFormat != "CycloneDX" {
		t.Errorf("want CycloneDX, got %v, %v", decoded, err)
	}
	if !bytes.Equal(once.Bytes(), again.Bytes()) {
		t.Error("the same binary gives other bytes")
	}
	for _, args := range [][]string{nil, {self}, {"main_test.go", "v1"}, {"none", "v1"}} {
		if err := run(args, &again); err == nil {
			t.Errorf("%q: want an error", args)
		}
	}
}
